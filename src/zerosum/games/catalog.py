"""The catalog: a name for each game, and the text on the command line that loads it with its settings."""

from __future__ import annotations

from dataclasses import fields
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from zerosum.errors import GameError
from zerosum.settings import from_mapping, nearest, parse_pairs

if TYPE_CHECKING:
    from zerosum.games.protocol import Game

GAMES = {
    "kuhn": "zerosum.games.kuhn:Kuhn",
    "leduc": "zerosum.games.leduc:Leduc",
    "liars-dice": "zerosum.games.liars_dice:LiarsDice",
    "holdem": "zerosum.games.holdem.game:Holdem",
    "sixmax": "zerosum.games.holdem.game:SixMax",
    "flop-holdem": "zerosum.games.holdem.game:FlopHoldem",
    "gomoku": "zerosum.games.gomoku:Gomoku",
    "openspiel": "zerosum.games.openspiel:OpenSpiel",
}


def game_class(name: str) -> type[Any]:
    """The class behind a catalog name."""
    if name not in GAMES:
        raise GameError(f"unknown game {name!r}; {nearest(name, GAMES)}")
    module, _, attribute = GAMES[name].partition(":")
    return cast("type[Any]", getattr(import_module(module), attribute))


def load_game(text: str) -> Game:
    """`name`, `name:key=value,key=value`, or `openspiel:NAME(key=value)` -> a game."""
    if not isinstance(text, str):
        raise GameError(f"got {text!r}, wanted the text of a game such as kuhn")
    name, colon, rest = text.strip().partition(":")
    cls = game_class(name)
    if name == "openspiel":
        return cast("Game", cls(rest.strip()))
    if colon and not rest.strip():
        raise GameError(f"{name}: got nothing after the colon, wanted key=value")
    values = parse_pairs(rest, name) if colon else {}
    if hasattr(cls, "spelt_out"):
        values = cls.spelt_out(values)
    return cast("Game", from_mapping(cls, values, name))


def describe(name: str) -> dict[str, Any]:
    """What `zerosum games` says of a catalog entry."""
    cls = game_class(name)
    settings = {} if name == "openspiel" else {field.name: field.default for field in fields(cls)}
    return {"name": name, "about": (cls.__doc__ or "").strip(), "settings": settings}
