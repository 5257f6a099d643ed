"""One number for all hands that differ only by a renaming of suits, and back.

`recall=True` keeps flop, turn and river apart, as a player who remembers the deal does; `recall=False` takes the board
as a set.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from zerosum import native
from zerosum.cards.rows import card_rows
from zerosum.errors import CardError

if TYPE_CHECKING:
    import numpy.typing as npt

STREETS = ("preflop", "flop", "turn", "river")
_ROUNDS = {True: ((2,), (2, 3), (2, 3, 1), (2, 3, 1, 1)), False: ((2,), (2, 3), (2, 4), (2, 5))}


@cache
def indexer(street: int, *, recall: bool = True) -> native.HandIndexer:
    """The numbering of hole cards with the board of a street: 0 pre-flop to 3 river."""
    if street not in range(4):
        raise CardError(f"street: got {street}, wanted 0 (preflop) to 3 (river)")
    return native.HandIndexer(list(_ROUNDS[recall][street]))


@cache
def board_indexer(cards: int) -> native.HandIndexer:
    """The numbering of unordered boards of so many cards."""
    if cards not in range(1, 8):
        raise CardError(f"board: got {cards} cards, wanted 1 to 7")
    return native.HandIndexer([cards])


def canonical_index(cards: npt.NDArray[np.uint8], *, recall: bool = True) -> npt.NDArray[np.uint64]:
    """uint8[B, 2 | 5 | 6 | 7] hole cards, then the board in the order dealt -> uint64[B] canonical numbers."""
    rows = card_rows(cards, "isomorphism", (2, 5, 6, 7))
    try:
        return indexer({2: 0, 5: 1, 6: 2, 7: 3}[rows.shape[1]], recall=recall).index(rows)
    except ValueError as error:
        raise CardError(f"isomorphism: {error}") from None


def canonical_hand(indices: npt.ArrayLike, street: int, *, recall: bool = True) -> npt.NDArray[np.uint8]:
    """Canonical numbers [B] -> uint8[B, cards] hands, hole cards first."""
    given = np.asarray(indices)
    if given.ndim != 1 or not np.issubdtype(given.dtype, np.integer) or (given.size and int(given.min()) < 0):
        raise CardError(f"isomorphism: got {given.dtype} of shape {given.shape}, wanted [B] whole numbers from 0")
    numbers = np.ascontiguousarray(given, dtype=np.uint64)
    try:
        return indexer(street, recall=recall).hands(numbers)
    except ValueError as error:
        raise CardError(f"isomorphism: {error}") from None
