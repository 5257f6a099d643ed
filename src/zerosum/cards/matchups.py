"""Ranges small enough to play out hand by hand. Matchups that differ only by a renaming of suits are played once."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import permutations, product
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from zerosum import native
from zerosum.cards.ranges import COMBOS, combos

if TYPE_CHECKING:
    import numpy.typing as npt

    from zerosum.cards.ranges import Range

Hands = tuple[tuple[int, int], ...]


@dataclass(frozen=True, eq=False)
class MatchupSums:
    """Whole-number sums over matchups and boards: (share of the pot, wins, ties) and, by hand, shares and weights."""

    total: int
    sums: list[tuple[int, int, int]]
    shares: npt.NDArray[np.float64]  # [players, 1326] of pots
    weights: npt.NDArray[np.float64]  # [players, 1326]


def _renamings(board: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The renamings of suits that leave the board as it is, as tables of cards."""
    tables = [tuple(card // 4 * 4 + names[card % 4] for card in range(52)) for names in permutations(range(4))]
    return [table for table in tables if {table[card] for card in board} == set(board)]


def _canonical(hands: Hands, tables: list[tuple[int, ...]]) -> Hands:
    return min(tuple((min(t[a], t[b]), max(t[a], t[b])) for a, b in hands) for t in tables)


def _matchups(ranges: list[Range]) -> list[tuple[tuple[int, ...], Hands, int]]:
    """Every way the ranges can be dealt without sharing a card, with its weight."""
    found = []
    for dealt in product(*(seat.hands for seat in ranges)):
        hands = tuple(combos()[combo] for combo in dealt)
        if len({card for hand in hands for card in hand}) == 2 * len(hands):
            weight = prod(int(seat.weights[combo]) for seat, combo in zip(ranges, dealt, strict=True))
            found.append((dealt, hands, weight))
    return found


def count_matchups(ranges: list[Range], board: tuple[int, ...]) -> int:
    """How many kinds of matchups there are."""
    tables = _renamings(board)
    return len({_canonical(hands, tables) for _, hands, _ in _matchups(ranges)})


def matchup_equity(ranges: list[Range], board: tuple[int, ...], threads: int) -> MatchupSums:
    """Plays out each kind of matchup and sums over all of them."""
    tables = _renamings(board)
    kinds = [(dealt, _canonical(hands, tables), weight) for dealt, hands, weight in _matchups(ranges)]
    distinct = list(Counter(kind for _, kind, _ in kinds))
    with ThreadPoolExecutor(threads) as pool:
        played = pool.map(lambda kind: native.hands_equity([bytes(hand) for hand in kind], bytes(board)), distinct)
        results = dict(zip(distinct, played, strict=True))
    total, sums = 0, np.zeros((len(ranges), 3), dtype=object)
    shares, weights = np.zeros((2, len(ranges), COMBOS))
    for dealt, kind, weight in kinds:
        boards, outcomes = results[kind]
        total += weight * boards
        for player, (combo, outcome) in enumerate(zip(dealt, outcomes, strict=True)):
            sums[player] += [weight * x for x in outcome]
            shares[player, combo] += weight * outcome[0] / native.WHOLE_POT
            weights[player, combo] += weight * boards
    return MatchupSums(total, [tuple(map(int, row)) for row in sums], shares, weights)  # type: ignore[misc]
