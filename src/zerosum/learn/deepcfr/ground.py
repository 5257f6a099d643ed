"""What training asks of a game: walks of it, where their finds go, and what a network's answer means in it.

Two kinds of games answer: those whose information sets can be listed, and those whose walks must ask a network.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from zerosum.games.protocol import Game
    from zerosum.learn.buffer import Buffer
    from zerosum.learn.deepcfr.networks import Networks
    from zerosum.learn.fit import FitReport


@dataclass(frozen=True)
class Task:
    """Walks first .. first + count − 1 of one traverser in one iteration."""

    iteration: int
    traverser: int
    first: int
    count: int


class Found(Protocol):
    """What walks found, in the order of the walks; plain arrays."""

    @property
    def nodes(self) -> int: ...


class Baseline(Protocol):
    """Control variates: what is handed to walks, and what is learnt from them."""

    def handout(self) -> npt.NDArray[Any]: ...

    def learn(self, pieces: Sequence[Any], iteration: int) -> FitReport | None: ...

    def state(self) -> dict[str, npt.NDArray[Any]]: ...

    def restore(self, saved: Mapping[str, npt.NDArray[Any]]) -> None: ...


class Ground(Protocol):
    """A game to train on. What everyone plays, `playing`, is its own affair, and so is what walks find."""

    players: int
    nets: int  # advantage networks: one a player, or one that all share
    actions: int
    inputs: int  # the width of features
    kind: str  # what features are made of: float32 or, where a network reads bytes, uint8
    encoder_name: str

    @property
    def game(self) -> Game: ...

    def uniform(self) -> Any:
        """How everyone plays before anything is learnt."""
        ...

    def piece(self, networks: Networks, player: int) -> npt.NDArray[Any]:
        """What a player who follows its advantage network brings into what everyone plays."""
        ...

    def updated(self, playing: Any, player: int, piece: npt.NDArray[Any]) -> Any:
        """What everyone plays, with one player's piece put in."""
        ...

    def baseline(self) -> Baseline | None: ...

    def teach(self, networks: Networks) -> FitReport | None:
        """What a network is to know before its first fit; None: nothing."""
        ...

    def tasks(self, iteration: int, traverser: int, workers: int) -> list[Task]: ...

    def walk(self, task: Task, playing: Any, baseline: npt.NDArray[Any] | None) -> Any: ...

    def pieces(self, parts: Sequence[Any]) -> Sequence[Any]:
        """The same finds in pieces that depend on the walks alone, not on who walked them."""
        ...

    def reserve(self, buffer: Buffer) -> None:
        """Makes sure, before a run begins, that what must fit into a buffer does."""
        ...

    def add_advantages(self, buffer: Buffer, found: Any, weight: float) -> int:
        """Puts the traverser's rows into its buffer; returns how many there were."""
        ...

    def add_strategies(self, buffer: Buffer, found: Any, weight: float) -> int: ...

    def average(self) -> Average | None:
        """Where the average policy can be kept as a table: the place to keep it."""
        ...


class Average(Protocol):
    """The average policy so far, as a table."""

    summed: npt.NDArray[np.float64]

    def add(self, playing: Any, share: float) -> None: ...

    def profile(self) -> npt.NDArray[np.float64]: ...
