"""The value of five to seven cards, and its name for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zerosum import native
from zerosum.cards.names import parse_cards
from zerosum.cards.rows import card_rows
from zerosum.errors import CardError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
_ONE = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"]
_MANY = [
    "twos",
    "threes",
    "fours",
    "fives",
    "sixes",
    "sevens",
    "eights",
    "nines",
    "tens",
    "jacks",
    "queens",
    "kings",
    "aces",
]

# As in native/include/zerosum/cards/evaluate.hpp: each category's base, and the room that a first rank has for kickers.
_BASE = (1, 1288, 5006, 6020, 9738, 9748, 11035, 14753, 18471)
_STEP = (0, 286, 13, 286, 0, 0, 286, 286, 0)


def evaluate(cards: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint16]:
    """uint8[B, 5..7] cards -> uint16[B] values; higher is better, equal means split."""
    rows = card_rows(cards, "evaluate", (5, 6, 7))
    try:
        return native.evaluate_cards(rows)
    except ValueError as error:
        raise CardError(f"evaluate: {error}") from None


def evaluate_one(cards: str | Sequence[int]) -> int:
    """The value of one hand, by name or by numbers."""
    numbers = parse_cards(cards) if isinstance(cards, str) else cards
    try:
        rows = np.array([list(numbers)])
    except (TypeError, ValueError):
        raise CardError(f"evaluate: got {numbers!r}, wanted five to seven card numbers") from None
    return int(evaluate(rows)[0])


def hand_name(value: int) -> str:
    """A value in words: "two pair, kings and sevens"."""
    if not 1 <= value < _BASE[8] + 10:
        raise CardError(f"hand_name: got {value}, wanted a value of evaluate")
    category = native.hand_category(value)
    within = value - _BASE[category]
    first = within // _STEP[category] if _STEP[category] else within
    rest = within % _STEP[category] if _STEP[category] else 0
    name = CATEGORIES[category]
    if category == 8 and first == 9:
        return "royal flush"
    if category in (4, 8):
        return f"{name}, {_ONE[first + 3]} high"
    if category == 0:
        return f"{_ONE[_subset(first, 5)[-1]]} high"
    if category == 5:
        return f"{name}, {_ONE[_subset(first, 5)[-1]]} high"
    if category == 1:
        return f"pair of {_MANY[first]}"
    if category == 2:
        low, high = _subset(first, 2)
        return f"{name}, {_MANY[high]} and {_MANY[low]}"
    if category == 6:
        return f"{name}, {_MANY[first]} over {_MANY[rest]}"
    return f"{name}, {_MANY[first]}"


def _subset(order: int, size: int) -> tuple[int, ...]:
    """The set of `size` ranks with this number, when sets are in ascending order of their bits."""
    from math import comb

    ranks: list[int] = []
    for rank in range(12, -1, -1):
        left = size - len(ranks)
        if left and order >= comb(rank, left):
            order -= comb(rank, left)
            ranks.append(rank)
    return tuple(reversed(ranks))
