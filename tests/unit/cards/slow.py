"""An evaluator from the rules of poker, slow and plain: categories by counting, ties by ranks in order of count."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def five(cards: Sequence[int]) -> tuple[int, ...]:
    """Five cards -> a tuple that compares as the hands do."""
    return _five(tuple(sorted(card // 4 for card in cards)), len({card % 4 for card in cards}) == 1)


@cache
def _five(ranks: tuple[int, ...], flush: bool) -> tuple[int, ...]:
    by_count = sorted(Counter(ranks).items(), key=lambda item: (item[1], item[0]), reverse=True)
    order = tuple(rank for rank, _ in by_count)
    shape = tuple(count for _, count in by_count)
    straight = len(order) == 5 and order[0] - order[4] == 4
    if order == (12, 3, 2, 1, 0):
        straight, order = True, (3,)
    if straight:
        return (8 if flush else 4, order[0])
    if flush:
        return (5, *order)
    categories = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}
    return (categories[shape], *order)


def best(cards: Sequence[int]) -> tuple[int, ...]:
    return max(five(some) for some in combinations(cards, 5))
