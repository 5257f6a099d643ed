"""Any OpenSpiel game as one of ours (Lanctot et al. 2019), through the optional extra `openspiel`.

Simultaneous moves are taken in turn, unseen. Where a game offers no information states, a seat's view is the
sequence of what it observed at its own turns and did there.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from zerosum.errors import GameError
from zerosum.games.protocol import CHANCE, TERMINAL
from zerosum.settings import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator


def _pyspiel() -> Any:
    try:
        import pyspiel
    except ImportError:
        raise GameError("openspiel: OpenSpiel is not installed; pip install 'zerosum[openspiel]'") from None
    return pyspiel


@contextmanager
def _quiet() -> Iterator[None]:
    """Keeps OpenSpiel's C++ from writing its errors to stderr: they come as exceptions too."""
    if sys.stderr is None:  # closed: nothing to keep quiet
        yield
        return
    sys.stderr.flush()
    kept = os.dup(2)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(silence)


@dataclass(frozen=True)
class OpenSpiel:
    """Any OpenSpiel game of tractable size, by its name there (needs the extra openspiel)"""

    text: str

    def __post_init__(self) -> None:
        self.loaded  # noqa: B018  (fails here, not at first use)

    @cached_property
    def loaded(self) -> Any:
        pyspiel = _pyspiel()
        if not self.text:
            raise GameError("openspiel: got no game, wanted openspiel:NAME or openspiel:NAME(key=value)")
        name = self.text.partition("(")[0]
        if not re.fullmatch(r"\w+(\(.*\))?", self.text):
            raise GameError(f"{self.spec()}: wanted openspiel:NAME or openspiel:NAME(key=value)")
        if name.startswith("python_"):
            import open_spiel.python.games  # noqa: F401  (registers them)
        if name not in pyspiel.registered_names():
            raise GameError(f"{self.spec()}: unknown game; {nearest(name, pyspiel.registered_names())}")
        try:
            with _quiet():
                loaded = pyspiel.load_game(self.text)
        except Exception as error:  # pyspiel.SpielError, and what its Python games raise
            raise GameError(f"{self.spec()}: {' '.join(str(error).split())}") from None
        kind = loaded.get_type()
        if kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
            loaded = pyspiel.convert_to_turn_based(loaded)
            kind = loaded.get_type()
        if kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
            raise GameError(f"{self.spec()}: a mean-field game has no tree to solve")
        if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
            raise GameError(f"{self.spec()}: its chance outcomes cannot be listed, only sampled")
        if not (kind.provides_information_state_string or kind.provides_observation_string):
            raise GameError(f"{self.spec()}: it does not say what a player sees")
        return loaded

    @property
    def players(self) -> int:
        return int(self.loaded.num_players())

    @property
    def num_actions(self) -> int:
        return int(self.loaded.num_distinct_actions())

    def spec(self) -> str:
        return f"openspiel:{self.text}"

    def root(self) -> OpenSpielState:
        kind = self.loaded.get_type()
        seen = None if kind.provides_information_state_string else ((),) * self.players
        with _quiet():
            return OpenSpielState(self.loaded.new_initial_state(), seen)


@dataclass(frozen=True)
class OpenSpielView:
    seat: int
    key: str
    names: dict[int, str] = field(compare=False)

    def legal(self) -> tuple[int, ...]:
        return tuple(self.names)

    def words(self) -> str:
        return " ".join(self.key.split()) or "at the start"

    def action_words(self, action: int) -> str:
        return self.names[action]


@dataclass(frozen=True, slots=True)
class OpenSpielState:
    state: Any
    seen: tuple[tuple[str, ...], ...] | None  # each seat's observations and actions, where we must keep them

    @property
    def actor(self) -> int:
        if self.state.is_terminal():
            return TERMINAL
        return CHANCE if self.state.is_chance_node() else int(self.state.current_player())

    def legal(self) -> tuple[int, ...]:
        return tuple(self.state.legal_actions())

    def chance(self) -> list[tuple[int, float]]:
        return [(action, p) for action, p in self.state.chance_outcomes() if p > 0]

    def child(self, action: int) -> OpenSpielState:
        seen = self.seen
        if seen is not None and (actor := self.actor) >= 0:
            told = (*seen[actor], self.state.observation_string(actor), f"> {action}")
            seen = (*seen[:actor], told, *seen[actor + 1 :])
        return OpenSpielState(self.state.child(action), seen)

    def view(self, seat: int) -> OpenSpielView:
        if self.seen is None:
            key = self.state.information_state_string(seat)
        else:
            key = "\n".join((*self.seen[seat], self.state.observation_string(seat)))
        actions = self.state.legal_actions(seat)
        return OpenSpielView(seat, key, {a: self.state.action_to_string(seat, a) for a in actions})

    def returns(self) -> tuple[float, ...]:
        return tuple(self.state.returns())

    def __str__(self) -> str:
        return " ".join(str(self.state).split())
