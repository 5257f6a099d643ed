"""Equities of hands and ranges against each other: exact by enumeration where that is quick, else sampled.

Exact results are sums of whole numbers, divided once at the end: renaming the suits gives the same bits.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from math import comb, prod, sqrt
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from zerosum import native
from zerosum.cards.matchups import MatchupSums, all_deals_equity, count_matchups, matchup_equity, matchups
from zerosum.cards.names import card_names, parse_cards
from zerosum.cards.ranges import COMBOS, Range, class_of, combos, parse_range, suit_renamings
from zerosum.errors import CardError
from zerosum.settings import whole, within

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

Way: TypeAlias = "Callable[[list[Range], tuple[int, ...], int], tuple[PlayerEquity, ...]]"

EXACT_SECONDS = 5.0  # the automatic choice enumerates what takes no longer than this
FORCED_SECONDS = 3600.0  # and --exact what takes no longer than this
Sampled: TypeAlias = "tuple[int, int, int, int, npt.NDArray[Any], npt.NDArray[Any]]"

SAMPLES = 1_000_000
CANONICAL_RIVERS = 134_459
MOST_MATCHUPS = 60_000  # hands dealt on the way to all matchups that are listed one by one

# Seconds that each way takes, measured on one core, for the choice between them.
_PER_EVALUATION = 6e-9
_PER_RANKED_BOARD = 18e-6
_PER_DEAL = 3e-9
_COUNTED = 20_000_000  # hands dealt while counting how long that takes
MOST_LISTED = 200_000  # hands dealt on the way to all deals that are listed for sampling
_RARE = 50  # deals of which fewer than one in so many are possible are listed, not tried


@dataclass(frozen=True, eq=False)
class PlayerEquity:
    """One player's result, as fractions of 1. `grid` is [13, 13] equities by class of hand, NaN where none, or None."""

    hand: str
    equity: float
    win: float
    tie: float
    stderr: float
    grid: npt.NDArray[np.float64] | None = None


@dataclass(frozen=True, eq=False)
class Equity:
    """What `equity` found; `method` is "exact" or "monte-carlo"."""

    board: str
    method: str
    samples: int | None
    players: tuple[PlayerEquity, ...]


def equity(
    hands: Sequence[str],
    board: str = "",
    *,
    exact: bool = False,
    samples: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    grids: bool = True,
) -> Equity:
    """Hands, ranges or `random` against each other; one alone plays against a random hand.

    With neither `exact` nor `samples` it enumerates where that takes a few seconds at most, and samples otherwise.
    `grids=False` leaves out the equities by class of hand, which sampling gets more quickly without.
    """
    seed = whole("seed", seed)
    threads = len(os.sched_getaffinity(0)) if threads is None else whole("threads", threads)
    samples = None if samples is None else whole("samples", samples)
    cards = _board(board)
    ranges = _seats([*hands, "random"] if len(hands) == 1 else list(hands), cards)
    within("threads", threads, 1, 1024)
    within("seed", seed, 0, 2**64 - 1)
    if samples is not None:
        if exact:
            raise CardError("got both exact and samples, wanted one of them")
        within("samples", samples, 2, 10**12)
        return _sampled(ranges, cards, samples, seed, threads, grids)
    seconds, way = _quickest_way(ranges, cards, threads)
    if exact and seconds > FORCED_SECONDS:
        if seconds == float("inf"):
            raise CardError("exact: got weights that are too fine for so many players; leave it out to sample")
        raise CardError(f"exact: would take about {seconds / 3600:,.1f} hours; leave it out to sample")
    if not exact and seconds > EXACT_SECONDS:
        return _sampled(ranges, cards, SAMPLES, seed, threads, grids)
    return Equity(card_names(cards), "exact", None, way(ranges, cards, threads))


def _board(text: str) -> tuple[int, ...]:
    if not isinstance(text, str):
        raise CardError(f"board: got {text!r}, wanted text such as 2c7dJh")
    cards = parse_cards(text, "board")
    if len(cards) not in (0, 3, 4, 5):
        raise CardError(f"board: got {len(cards)} cards in {text!r}, wanted 0, 3, 4 or 5")
    return cards


def _seats(hands: list[str], board: tuple[int, ...]) -> list[Range]:
    if not all(isinstance(text, str) for text in hands):
        raise CardError(f"hands: got {hands!r}, wanted text such as AhKh, QQ+ or random")
    if not 2 <= len(hands) <= 10:
        raise CardError(f"got {len(hands)} players, wanted one to ten")
    ranges = [parse_range(text).without(board) for text in hands]
    held: dict[int, str] = {}
    for seat in ranges:
        if len(seat.hands) > 1:
            continue
        for card in combos()[seat.hands[0]]:
            if card in held:
                raise CardError(f"hand {seat.text!r}: {card_names([card])} is also in {held[card]!r}")
            held[card] = seat.text
    return ranges


def _boards(board: tuple[int, ...], held: int) -> int:
    return comb(52 - held - len(board), 5 - len(board))


def _quickest_way(ranges: list[Range], board: tuple[int, ...], threads: int) -> tuple[float, Way]:
    """The exact way that takes the least time, with its seconds; where none is possible, infinitely long."""
    ways: list[tuple[float, Way]] = [(float("inf"), _all_matchups)]
    if len(ranges) == 2:
        blind = not board and any(seat.is_suit_blind for seat in ranges)
        boards = CANONICAL_RIVERS if blind else _boards(board, 0)
        if len(board) >= 3 and ranges[1].is_any_beside(board) and len(ranges[0].hands) == 1:
            return 0.0, _hand_versus_random
        ways.append((boards * _PER_RANKED_BOARD * 2 / threads, _range_versus_range))
    else:
        ways.append(_all_deals_seconds(ranges, board, threads))
    if native.deal_steps([seat.weighted() for seat in ranges], bytes(board), MOST_MATCHUPS) < MOST_MATCHUPS:
        kinds = count_matchups(ranges, board)
        evaluations = kinds * _boards(board, 2 * len(ranges)) * len(ranges)
        ways.append((evaluations * _PER_EVALUATION / threads, _all_matchups))
    return min(ways, key=lambda pair: pair[0])


def _all_deals_seconds(ranges: list[Range], board: tuple[int, ...], threads: int) -> tuple[float, Way]:
    seats = [seat.weighted() for seat in ranges]
    totals = [sum(weight for _, weight in seat) for seat in seats]
    largest = prod(max(weight for _, weight in seat) for seat in seats[:-1]) * totals[-1]
    if largest >= 2**58 or prod(totals) * comb(52, 5) * native.WHOLE_POT >= 2**126:
        return float("inf"), _all_deals
    steps = native.deal_steps(seats, bytes(board), _COUNTED)
    if steps == _COUNTED:
        steps = prod(len(seat) for seat in seats)
    canonical = not board and all(seat.is_suit_blind for seat in ranges)
    boards = CANONICAL_RIVERS if canonical else _boards(board, 0)
    return boards * steps * _PER_DEAL / threads, _all_deals


def _hand_versus_random(ranges: list[Range], board: tuple[int, ...], _threads: int) -> tuple[PlayerEquity, ...]:
    hand = combos()[ranges[0].hands[0]]
    wins, ties, total = native.versus_random(bytes(hand), bytes(board))
    return _pair(ranges, wins, ties, total, (None, None))


def _range_versus_range(ranges: list[Range], board: tuple[int, ...], threads: int) -> tuple[PlayerEquity, ...]:
    first, second = (seat.weights for seat in ranges)
    blind = not board and any(seat.is_suit_blind for seat in ranges)
    if blind:  # one side looks the same in every suit, so the other may be spread over all renamings
        first, second = (weights[suit_renamings()].sum(axis=0, dtype=np.uint32) for weights in (first, second))
    sides = ((first, second), (second, first)) if len(ranges[1].hands) > 1 else ((first, second),)
    grids: list[npt.NDArray[np.float64] | None] = [None, None]
    sums = (0, 0, 0)
    for player, (mine, theirs) in enumerate(sides):
        if player == 1 and not _has_grid(ranges, 1, board):
            break  # the rest follows from the first player's
        tally = native.tally_range(mine, theirs, bytes(board), blind, threads)
        if player == 0:
            weights = mine.tolist()
            sums = tuple(sum(w * int(x) for w, x in zip(weights, column.tolist(), strict=True)) for column in tally)
        if _has_grid(ranges, player, board):
            beats, ties, meets = (column.astype(np.float64) for column in tally)
            grids[player] = _grid(mine * (beats + ties / 2), mine * meets)
    return _pair(ranges, *sums, (grids[0], grids[1]))


def _pair(
    ranges: list[Range],
    wins: int,
    ties: int,
    total: int,
    grids: tuple[npt.NDArray[np.float64] | None, npt.NDArray[np.float64] | None],
) -> tuple[PlayerEquity, ...]:
    if total == 0:
        raise CardError(f"hands {ranges[0].text!r} and {ranges[1].text!r}: they always share a card")
    losses = total - wins - ties
    return tuple(
        PlayerEquity(seat.text, (2 * won + ties) / (2 * total), won / total, ties / total, 0.0, grid)
        for seat, won, grid in zip(ranges, (wins, losses), grids, strict=True)
    )


def _all_matchups(ranges: list[Range], board: tuple[int, ...], threads: int) -> tuple[PlayerEquity, ...]:
    return _shared(ranges, board, matchup_equity(ranges, board, threads))


def _all_deals(ranges: list[Range], board: tuple[int, ...], threads: int) -> tuple[PlayerEquity, ...]:
    return _shared(ranges, board, all_deals_equity(ranges, board, threads))


def _shared(ranges: list[Range], board: tuple[int, ...], found: MatchupSums) -> tuple[PlayerEquity, ...]:
    if found.total == 0:
        raise CardError(f"hands {', '.join(repr(seat.text) for seat in ranges)}: they always share a card")
    players = []
    for player, seat in enumerate(ranges):
        share, wins, ties = found.sums[player]
        grid = _grid(found.shares[player], found.weights[player]) if _has_grid(ranges, player, board) else None
        whole = found.total * native.WHOLE_POT
        players.append(PlayerEquity(seat.text, share / whole, wins / found.total, ties / found.total, 0.0, grid))
    return tuple(players)


def _has_grid(ranges: list[Range], player: int, board: tuple[int, ...]) -> bool:
    """Nobody reads 169 equities of a random opponent."""
    return len(ranges[player].hands) > 1 and not (player > 0 and ranges[player].is_any_beside(board))


def _sampled(ranges: list[Range], board: tuple[int, ...], samples: int, seed: int, threads: int, grids: bool) -> Equity:
    seats = [[] if seat.is_any_beside(board) else seat.weighted() for seat in ranges]
    held = [seat for seat, hands in zip(ranges, seats, strict=True) if hands]
    tries = prod(len(seat.hands) for seat in held)
    most = min(MOST_LISTED, tries // _RARE)
    if native.deal_steps([seat.weighted() for seat in held], bytes(board), most + 1) <= most:
        outcomes = _sample_listed(ranges, seats, board, samples, seed, threads)
    else:
        possible, outcomes = native.monte_carlo(seats, bytes(board), samples, seed, threads, grids)
        if not possible:
            raise CardError(f"hands {', '.join(repr(seat.text) for seat in ranges)}: they (almost) always share a card")
    players = []
    for player, (seat, found) in enumerate(zip(ranges, outcomes, strict=True)):
        share, wins, ties, squares, shares, counts = found
        mean = share / (samples * native.WHOLE_POT)
        variance = (squares / native.WHOLE_POT**2 - samples * mean * mean) / (samples - 1)
        error = sqrt(max(variance, 0.0) / samples)
        grid = _grid(shares / native.WHOLE_POT, counts) if grids and _has_grid(ranges, player, board) else None
        players.append(PlayerEquity(seat.text, mean, wins / samples, ties / samples, error, grid))
    return Equity(card_names(board), "monte-carlo", samples, tuple(players))


def _sample_listed(
    ranges: list[Range],
    seats: list[list[tuple[int, int]]],
    board: tuple[int, ...],
    samples: int,
    seed: int,
    threads: int,
) -> list[Sampled]:
    """Samples where hands nearly always clash: the deals without a card twice are listed, and each has its draws."""
    held = [player for player, hands in enumerate(seats) if hands]
    listed = list(matchups([ranges[player] for player in held]))
    if not listed:
        raise CardError(f"hands {', '.join(repr(seat.text) for seat in ranges)}: they always share a card")
    total = sum(weight for _, weight in listed)
    draws = np.random.Generator(np.random.Philox(seed)).multinomial(samples, [weight / total for _, weight in listed])
    sums: list[Sampled] = [(0, 0, 0, 0, np.zeros(COMBOS), np.zeros(COMBOS)) for _ in ranges]
    for number, ((dealt, _), count) in enumerate(zip(listed, draws.tolist(), strict=True)):
        if count == 0:
            continue
        known = list(seats)
        for player, combo in zip(held, dealt, strict=True):
            known[player] = [(combo, 1)]
        stream = (seed * 1_000_003 + number) % 2**64
        _, outcomes = native.monte_carlo(known, bytes(board), count, stream, threads, True)
        sums = [
            (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5])
            for a, b in zip(sums, outcomes, strict=True)
        ]
    return sums


def _grid(won: npt.ArrayLike, total: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """[1326] sums by hand -> [13, 13] equities by class."""
    cells = np.array([class_of(combo) for combo in range(COMBOS)])
    sums = np.zeros((2, 13, 13))
    for layer, values in zip(sums, (won, total), strict=True):
        np.add.at(layer, (cells[:, 0], cells[:, 1]), np.asarray(values, dtype=np.float64))
    with np.errstate(invalid="ignore"):
        return np.where(sums[1] > 0, sums[0] / sums[1], np.nan)
