"""Ranges small enough to play out hand by hand. Matchups that differ only by a renaming of suits are played once."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from zerosum import native
from zerosum.cards.ranges import COMBOS, combos

if TYPE_CHECKING:
    from collections.abc import Iterator

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


def matchups(ranges: list[Range]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every way the ranges can be dealt without sharing a card, as combos, with its weight."""
    seats = [[(combo, set(combos()[combo]), int(seat.weights[combo])) for combo in seat.hands] for seat in ranges]

    def deal(dealt: tuple[int, ...], held: set[int], weight: int) -> Iterator[tuple[tuple[int, ...], int]]:
        if len(dealt) == len(seats):
            yield dealt, weight
            return
        for combo, cards, share in seats[len(dealt)]:
            if not cards & held:
                yield from deal((*dealt, combo), held | cards, weight * share)

    return deal((), set(), 1)


def _kinds(ranges: list[Range], board: tuple[int, ...]) -> list[tuple[tuple[int, ...], Hands, int]]:
    tables = _renamings(board)
    return [
        (dealt, _canonical(tuple(combos()[combo] for combo in dealt), tables), weight)
        for dealt, weight in matchups(ranges)
    ]


def count_matchups(ranges: list[Range], board: tuple[int, ...]) -> int:
    """How many kinds of matchups there are."""
    return len({kind for _, kind, _ in _kinds(ranges, board)})


def matchup_equity(ranges: list[Range], board: tuple[int, ...], threads: int) -> MatchupSums:
    """Plays out each kind of matchup and sums over all of them."""
    kinds = _kinds(ranges, board)
    distinct = list(Counter(kind for _, kind, _ in kinds))
    with ThreadPoolExecutor(threads) as pool:
        played = pool.map(lambda kind: native.hands_equity([bytes(hand) for hand in kind], bytes(board)), distinct)
        results = dict(zip(distinct, played, strict=True))
    total, sums = 0, [(0, 0, 0)] * len(ranges)
    shares, weights = np.zeros((2, len(ranges), COMBOS))
    for dealt, kind, weight in kinds:
        boards, outcomes = results[kind]
        total += weight * boards
        for player, (combo, outcome) in enumerate(zip(dealt, outcomes, strict=True)):
            share, wins, ties = (a + weight * b for a, b in zip(sums[player], outcome, strict=True))
            sums[player] = share, wins, ties
            shares[player, combo] += weight * outcome[0] / native.WHOLE_POT
            weights[player, combo] += weight * boards
    return MatchupSums(total, sums, shares, weights)


def all_deals_equity(ranges: list[Range], board: tuple[int, ...], threads: int) -> MatchupSums:
    """Compares every deal on every board, in native code."""
    canonical = not board and all(seat.is_suit_blind for seat in ranges)
    found = native.many_ranges([seat.weighted() for seat in ranges], bytes(board), canonical, threads)
    shares, weights = np.zeros((2, len(ranges), COMBOS))
    sums = []
    for player, (seat, hands) in enumerate(zip(ranges, found, strict=True)):
        shares[player, seat.hands] = [share / native.WHOLE_POT for share, _, _, _ in hands]
        weights[player, seat.hands] = [weight for _, _, _, weight in hands]
        sums.append((sum(hand[0] for hand in hands), sum(hand[1] for hand in hands), sum(hand[2] for hand in hands)))
    return MatchupSums(sum(hand[3] for hand in found[0]), sums, shares, weights)
