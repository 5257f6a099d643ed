"""Gomoku, and every (m,n,k) game: five in a row on 15 × 15, four on 6 × 6, tic-tac-toe.

Everyone sees everything, so a view is the whole position, and an action is a cell: row × width + column.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from zerosum import native
from zerosum.errors import GameError, RuleError, SettingsError
from zerosum.games.protocol import TERMINAL
from zerosum.settings import nearest, within

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SMALLEST, LARGEST = 3, 20
MOST_DIGITS = 10  # of a row or column that someone types
RULES = ("freestyle", "standard")
STONES = {0: "X", 1: "O", -1: "."}


@dataclass(frozen=True)
class Gomoku:
    """Gomoku: so many in a row; size=N for width and height alike; rule=standard: a longer row does not win"""

    width: int = 15
    height: int = 15
    line: int = 5
    rule: str = "freestyle"

    players = 2

    def __post_init__(self) -> None:
        within("gomoku: width", self.width, SMALLEST, LARGEST)
        within("gomoku: height", self.height, SMALLEST, LARGEST)
        within("gomoku: line", self.line, 3, 6)
        if self.rule not in RULES:
            raise GameError(f"gomoku: unknown rule {self.rule!r}; {nearest(self.rule, RULES)}")
        if self.line > max(self.width, self.height):
            raise GameError(f"gomoku: line: got {self.line}, wanted at most {max(self.width, self.height)}: the board")

    @classmethod
    def spelt_out(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        """`size` is short for width and height."""
        known = ("size", *(field.name for field in fields(cls)))
        for key in values:
            if key not in known:
                raise SettingsError(f"gomoku: unknown setting {key}; {nearest(key, known)}")
        rest = {key: value for key, value in values.items() if key != "size"}
        if "size" not in values:
            return rest
        if "width" in rest or "height" in rest:
            raise GameError("gomoku: got size and width or height, wanted one or the other")
        try:
            within("gomoku: size", int(values["size"]), SMALLEST, LARGEST)
        except (TypeError, ValueError):
            raise SettingsError(f"gomoku: size: got {values['size']!r}, wanted int") from None
        return {"width": values["size"], "height": values["size"], **rest}

    @property
    def num_actions(self) -> int:
        return self.width * self.height

    @cached_property
    def rules(self) -> native.GomokuRules:
        return native.GomokuRules(self.width, self.height, self.line, self.rule == "standard")

    def spec(self) -> str:
        default = type(self)()
        if self.width == self.height:
            told = [f"size={self.width}"] if self.width != default.width else []
        else:
            told = [f"{name}={getattr(self, name)}" for name in ("width", "height")]
        changed = ("line", "rule")
        told += [f"{name}={getattr(self, name)}" for name in changed if getattr(self, name) != getattr(default, name)]
        return f"gomoku:{','.join(told)}" if told else "gomoku"

    def root(self) -> GomokuState:
        return GomokuState(self, ())

    def cell_name(self, cell: int) -> str:
        """`row,column`, both from 0."""
        return f"{cell // self.width},{cell % self.width}"

    def cell_named(self, text: str) -> int:
        """The cell of `row,column`; refuses what is not on the board."""
        row, comma, column = text.partition(",")
        digits = [part.strip().removeprefix("-") for part in (row, column)]
        if not comma or not all(part.isdecimal() and len(part) < MOST_DIGITS for part in digits):
            raise RuleError(f"got {text!r}, wanted a cell such as 2,3: row and column, from 0")
        if not (0 <= int(row) < self.height and 0 <= int(column) < self.width):
            raise RuleError(f"got {text!r}, wanted a cell of {self.height} rows and {self.width} columns, from 0")
        return int(row) * self.width + int(column)


class GomokuView(NamedTuple):
    """What a seat sees: everything."""

    seat: int
    game: Gomoku
    moves: tuple[int, ...]

    @property
    def key(self) -> str:
        return " ".join(map(str, self.moves))

    def state(self) -> GomokuState:
        return GomokuState(self.game, self.moves)

    def legal(self) -> Sequence[int]:
        return self.state().legal()

    def words(self) -> str:
        if not self.moves:
            return "on an empty board"
        return "after " + " ".join(self.game.cell_name(cell) for cell in self.moves)

    def action_words(self, action: int) -> str:
        return self.game.cell_name(action)


@dataclass(frozen=True)
class GomokuState:
    """A position and how it came about."""

    game: Gomoku
    moves: tuple[int, ...]

    @cached_property
    def board(self) -> native.GomokuBoard:
        board = native.GomokuBoard()
        for cell in self.moves:
            board = board.played(self.game.rules, cell)
        return board

    @property
    def actor(self) -> int:
        if self.board.winner >= 0 or len(self.moves) == self.game.num_actions:
            return TERMINAL
        return len(self.moves) % 2

    def legal(self) -> tuple[int, ...]:
        """The empty cells; none once the game is over."""
        if self.actor == TERMINAL:
            return ()
        taken = set(self.moves)
        return tuple(cell for cell in range(self.game.num_actions) if cell not in taken)

    def chance(self) -> tuple[tuple[int, float], ...]:
        return ()

    def child(self, action: int) -> GomokuState:
        cell = self._on_board(action)
        if self.actor == TERMINAL:
            raise RuleError(f"{self.game.cell_name(cell)}: the game is over")
        if cell in self.moves:
            raise RuleError(f"{self.game.cell_name(cell)}: got a taken cell, wanted an empty one of the board")
        after = GomokuState(self.game, (*self.moves, cell))
        after.__dict__["board"] = self.board.played(self.game.rules, cell)
        return after

    def _on_board(self, action: int) -> int:
        try:
            cell = operator.index(action)
        except TypeError:
            cell = -1
        if not 0 <= cell < self.game.num_actions:
            raise RuleError(f"got {action!r}, wanted a cell of {self.game.spec()}: 0 to {self.game.num_actions - 1}")
        return cell

    def view(self, seat: int) -> GomokuView:
        return GomokuView(seat, self.game, self.moves)

    def returns(self) -> tuple[float, float]:
        won = {0: 1.0, 1: -1.0, -1: 0.0}[self.board.winner]
        return won, -won

    def __str__(self) -> str:
        width = self.game.width
        rows = range(self.game.height)
        return "\n".join(" ".join(STONES[self.board.stone(r * width + c)] for c in range(width)) for r in rows)
