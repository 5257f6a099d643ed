"""What CardModel learns: cards with their exact equity against a random hand and its exact histogram on the river.

Before the flop all 169 hands are known; flops and turns are read from the tables of `zerosum cards build-tables`; river
boards are drawn and every hand on them is counted. One canonical board in twenty is withheld, by a hash of its number,
and used only for scoring.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from zerosum import native
from zerosum.cards.isomorphism import board_indexer, canonical_hand
from zerosum.cards.tables import BINS, FLOP, POINTS, TURN, CardTables, default_folder

if TYPE_CHECKING:
    import numpy.typing as npt

STREETS = ("preflop", "flop", "turn", "river")
BOARD_CARDS = (0, 3, 4, 5)
WITHHELD = 20  # one board in so many
HANDS = 16  # learnt from each river board that is drawn
PAD = 52
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class CardRows:
    """N hands: cards with their suits renamed, exact equity and histogram."""

    cards: npt.NDArray[np.int64]  # [N, 7] hole cards and board, 52 where missing
    equity: npt.NDArray[np.float32]  # [N]
    histogram: npt.NDArray[np.float32]  # [N, 50]

    def __len__(self) -> int:
        return len(self.equity)


def is_withheld(boards: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """[B, 3 | 4 | 5] boards -> [B] whether they are kept for scoring; the same for all renamings of suits."""
    with np.errstate(over="ignore"):
        mixed = (board_indexer(boards.shape[1]).index(boards) + np.uint64(1)) * _GOLDEN
        mixed = (mixed ^ (mixed >> np.uint64(29))) * _GOLDEN
    found: npt.NDArray[np.bool_] = (mixed >> np.uint64(33)) % np.uint64(WITHHELD) == 0
    return found


class Targets:
    """Draws rows of a street, withheld ones or the others; the tables are opened when they are first needed."""

    def __init__(self, folder: str | None = None) -> None:
        self.folder = Path(folder) if folder else default_folder()

    @cached_property
    def flop(self) -> CardTables:
        return CardTables(self.folder, FLOP)

    @cached_property
    def turn(self) -> CardTables:
        return CardTables(self.folder, TURN)

    @cached_property
    def preflop(self) -> CardRows:
        """All 169 hands, over all flops of the tables."""
        hands = canonical_hand(np.arange(169), 0)
        equity, histogram = np.zeros(169), np.zeros((169, BINS))
        for number, hand in enumerate(hands):
            left = [card for card in range(52) if card not in hand]
            flops = np.array(list(combinations(left, 3)), np.uint8)
            rows = np.hstack([np.broadcast_to(hand, (len(flops), 2)), flops])
            equities, histograms = self.flop.look_up(rows)
            equity[number], histogram[number] = equities.mean(), histograms.mean(axis=0, dtype=np.float64)
        return self._rows(hands, equity, histogram)

    def draw(self, street: int, count: int, luck: np.random.Generator, *, withheld: bool = False) -> CardRows:
        """So many rows of a street, as they are dealt."""
        if street == 0:
            some = luck.integers(0, 169, count)
            whole = self.preflop
            return CardRows(whole.cards[some], whole.equity[some], whole.histogram[some])
        if street == 3:
            return self._rivers(count, luck, withheld)
        cards = self._dealt(2, BOARD_CARDS[street], count, luck, withheld)
        return self._rows(cards, *(self.flop if street == 1 else self.turn).look_up(cards))

    def _rivers(self, count: int, luck: np.random.Generator, withheld: bool) -> CardRows:
        boards = self._dealt(0, 5, -(-count // HANDS), luck, withheld)
        cards, points = native.river_rows(boards, HANDS, int(luck.integers(2**62)), 0)
        equity = points[:count] / POINTS
        histogram = np.eye(BINS)[np.minimum(points[:count].astype(np.int64) * BINS // POINTS, BINS - 1)]
        return self._rows(cards[:count], equity, histogram)

    @staticmethod
    def _dealt(hole: int, board: int, count: int, luck: np.random.Generator, withheld: bool) -> npt.NDArray[np.uint8]:
        """[count, hole + board] cards of shuffled decks whose board is withheld, or is not."""
        parts: list[npt.NDArray[np.uint8]] = []
        found = 0
        while found < count:
            wanted = (count - found) * (WITHHELD if withheld else 1) + 16
            decks = luck.permuted(np.tile(np.arange(52, dtype=np.uint8), (wanted, 1)), axis=1)[:, : hole + board]
            parts.append(decks[is_withheld(np.ascontiguousarray(decks[:, hole:])) == withheld])
            found += len(parts[-1])
        return np.ascontiguousarray(np.concatenate(parts)[:count])

    @staticmethod
    def _rows(cards: npt.NDArray[np.uint8], equity: npt.NDArray[np.float64], histogram: npt.NDArray[Any]) -> CardRows:
        seven = np.full((len(cards), 7), PAD, np.int64)
        seven[:, : cards.shape[1]] = cards
        return CardRows(native.canonical_suits(seven), equity.astype(np.float32), histogram.astype(np.float32))
