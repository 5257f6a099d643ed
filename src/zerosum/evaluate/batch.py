"""Hands that were played together, and what plays them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from zerosum.native import HoldemHand


@dataclass(frozen=True)
class Batch:
    """Hands that were played: results by technique, [hands, players] in big blinds, all seatings of a deal in turn."""

    results: dict[str, npt.NDArray[np.float64]]
    seats: npt.NDArray[np.int64]  # [hands, players] where each sat
    showdowns: npt.NDArray[np.bool_] | None
    rates: dict[str, npt.NDArray[np.int64]]  # by street: [players, kinds] how often
    kinds: tuple[str, ...]
    hands: Callable[[int], HoldemHand] | None = None


def seating(hands: int, players: int) -> npt.NDArray[np.int64]:
    """[hands, players] where each player sits: all rotations of a deal in turn."""
    return (np.arange(players)[None, :] + np.arange(hands)[:, None] % players) % players


class Table(Protocol):
    """A game with players in their seats, ready to play deals."""

    players: int

    def play(self, first: int, deals: int) -> Batch: ...
