"""Equities: known values, agreement of all ways to get them, and honest errors where they are sampled."""

from __future__ import annotations

import random
from itertools import combinations, product
from math import sqrt

import numpy as np
import pytest

from zerosum import native
from zerosum.cards.equity import Equity, equity
from zerosum.cards.evaluation import evaluate_one
from zerosum.cards.matchups import all_deals_equity, matchup_equity
from zerosum.cards.names import card_names, parse_cards
from zerosum.cards.ranges import combos, parse_range, suit_renamings
from zerosum.cards.tables import all_hands
from zerosum.errors import CardError, ZerosumError


def rename(text: str, names: str) -> str:
    return "".join(names["cdhs".index(letter)] if k % 2 else letter for k, letter in enumerate(text))


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [("AcAd", "KcKd", 0.82636611), ("AcKd", "QhQs", 0.42835151), ("7c2d", "AhAs", 0.12577556)],
)
def test_known_values(first: str, second: str, wanted: float) -> None:
    found = equity([first, second])
    assert found.method == "exact"
    assert found.players[0].equity == pytest.approx(wanted, abs=1e-8)
    assert found.players[0].equity + found.players[1].equity == pytest.approx(1.0, abs=1e-15)


def test_aces_against_a_random_hand() -> None:
    assert equity(["AcAd"]).players[0].equity == pytest.approx(0.852037, abs=1e-6)


@pytest.mark.parametrize("board", ["", "2c7dJh", "2c7dJhJs", "2c2d7h7s9c"])
@pytest.mark.parametrize("hands", [("AcKc", "QhQs"), ("AcKc", "QhQs", "9h8h")])
def test_renamed_suits_give_the_same_bits(hands: tuple[str, ...], board: str) -> None:
    wanted = equity(hands, board)
    for names in ("dchs", "shdc", "hscd"):
        found = equity([rename(hand, names) for hand in hands], rename(board, names))
        for a, b in zip(found.players, wanted.players, strict=True):
            assert (a.equity, a.win, a.tie) == (b.equity, b.win, b.tie)


def test_renamed_suits_of_many_weighted_ranges_give_the_same_bits() -> None:
    """With four weights the sums no longer fit into 64 bits."""
    hands = ["AJ:0.3", "AQ:0.7", "AKs:0.9", "JTs:0.7,T9s"]
    wanted, found = (equity(hands, board).players for board in ("Ac8d7h5c", "As8c7d5s"))
    assert [(p.equity, p.win) for p in found] == [(p.equity, p.win) for p in wanted]
    assert all(p.equity == p.win for p in wanted if p.tie == 0)


@pytest.mark.parametrize("board", ["2h7dTc9s3d", "KhKsKd2c"])
def test_several_ranges_by_the_definition(board: str) -> None:
    """Every deal without a card twice, weighted, on every board; by listing and by walking."""
    texts = ["99+:0.4,AK", "KQs:0.25,77,T9s", "KTs+:0.5,22:0.1,J8" if len(board) == 10 else "88,A2s:0.3"]
    ranges = [parse_range(text).without(parse_cards(board)) for text in texts]
    deck = set(range(52)) - set(parse_cards(board))
    won, tied, total = [0.0] * 3, [0.0] * 3, 0.0
    for rest in combinations(sorted(deck), 5 - len(parse_cards(board))):
        shown = (*parse_cards(board), *rest)
        hands = [[c for c in seat.hands if not set(combos()[c]) & set(rest)] for seat in ranges]
        values = {c: evaluate_one((*combos()[c], *shown)) for seat in hands for c in seat}
        for a, b in product(*hands[:2]):
            if set(combos()[a]) & set(combos()[b]):
                continue
            for c in hands[2]:
                if set(combos()[c]) & {*combos()[a], *combos()[b]}:
                    continue
                weight = float(np.prod([float(seat.weights[x]) for seat, x in zip(ranges, (a, b, c), strict=True)]))
                best = max(values[a], values[b], values[c])
                winners = [k for k, x in enumerate((a, b, c)) if values[x] == best]
                total += weight
                for k in winners:
                    (won if len(winners) == 1 else tied)[k] += weight
    walked, listed = all_deals_equity(ranges, parse_cards(board), 2), matchup_equity(ranges, parse_cards(board), 2)
    assert walked.sums[1][0] / walked.total == listed.sums[1][0] / listed.total
    for k, player in enumerate(equity(texts, board, exact=True).players):
        assert player.win == pytest.approx(won[k] / total, abs=1e-12)
        assert player.tie == pytest.approx(tied[k] / total, abs=1e-12)


def test_before_the_flop_one_board_of_each_kind_is_enough() -> None:
    ranges = [parse_range(text) for text in ("AA", "AKs", "KK:0.5")]
    walked, listed = all_deals_equity(ranges, (), 2), matchup_equity(ranges, (), 2)
    assert [row[0] / walked.total for row in walked.sums] == [row[0] / listed.total for row in listed.sums]


def test_renamed_suits_of_weighted_ranges_give_the_same_bits() -> None:
    wanted = equity(["AcKc:0.3,AhKh:0.77,QQ:0.1", "JJ,Tc9c:0.123"], "2c7dJh")
    found = equity(["AsKs:0.3,AdKd:0.77,QQ:0.1", "JJ,Ts9s:0.123"], "2s7cJd")
    assert [p.equity for p in found.players] == [p.equity for p in wanted.players]


def slow_equity(hands: list[str], board: str) -> list[float]:
    """By the definition: every board, every winner."""
    held = [parse_cards(hand) for hand in hands]
    shown = parse_cards(board)
    deck = [card for card in range(52) if card not in {*shown, *(c for hand in held for c in hand)}]
    shares, boards = [0.0] * len(hands), 0
    for rest in combinations(deck, 5 - len(shown)):
        values = [evaluate_one((*hand, *shown, *rest)) for hand in held]
        boards += 1
        for player, value in enumerate(values):
            shares[player] += (value == max(values)) / values.count(max(values))
    return [share / boards for share in shares]


@pytest.mark.parametrize("players", [2, 3, 6, 10])
def test_hands_against_the_definition(players: int) -> None:
    rng = random.Random(players)
    for _ in range(4):
        cards = rng.sample(range(52), 2 * players + 4)
        hands = [card_names(cards[2 * k : 2 * k + 2]) for k in range(players)]
        for board in (card_names(cards[-4:]), card_names(cards[-4:-1]) if players < 4 else card_names(cards[-4:])):
            found = equity(hands, board)
            assert found.method == "exact"
            assert [p.equity for p in found.players] == pytest.approx(slow_equity(hands, board), abs=1e-12)


@pytest.mark.parametrize("board", ["2h3c9s", "2h3h9s", "2h3h9h", "KhKsKd", "2h3h4h5h", "2h3h4h5h6h", "AhKhQhJhTh"])
def test_every_way_to_the_equity_against_a_random_hand(board: str) -> None:
    cards = parse_cards(board)
    everyone = all_hands(cards)
    rng = random.Random(board)
    free = [number for number, pair in enumerate(combos()) if not set(pair) & set(cards)]
    for number in rng.sample(free, 12):
        hand = card_names(combos()[number])
        direct = equity([hand, "random"], board)
        by_ranges = native.tally_range(
            parse_range(hand).weights, parse_range("random").without(cards).weights, bytes(cards), False, 2
        )
        beats, ties, meets = (int(column[number]) for column in by_ranges)
        assert direct.players[0].win == beats / meets
        assert direct.players[0].tie == ties / meets
        assert everyone.equity[number] == pytest.approx(direct.players[0].equity, abs=1e-12)


def test_ranges_hand_by_hand() -> None:
    """A range's equity is the weighted mean over its matchups, whichever way it is computed."""
    first, second, board = "TT+:0.4,AKs,9c8c:0.25", "QQ,AJo,7h6h:0.9", "2c7dJh"
    found = equity([first, second], board)
    won = total = 0.0
    for a in parse_range(first).without(parse_cards(board)).hands:
        for b in parse_range(second).without(parse_cards(board)).hands:
            if set(combos()[a]) & set(combos()[b]):
                continue
            weight = float(parse_range(first).weights[a]) * float(parse_range(second).weights[b])
            boards, outcomes = native.hands_equity([bytes(combos()[a]), bytes(combos()[b])], bytes(parse_cards(board)))
            won += weight * outcomes[0][0] / native.WHOLE_POT
            total += weight * boards
    assert found.players[0].equity == pytest.approx(won / total, abs=1e-12)


def test_ranges_before_the_flop_agree_with_matchups() -> None:
    """Suit-blind ranges go by canonical boards; the same ranges, hand by hand, must agree."""
    first, second = (parse_range(t).weights[suit_renamings()].sum(axis=0, dtype=np.uint32) for t in ("QQ+", "AKs"))
    by_boards = native.tally_range(first, second, b"", True, 2)
    mine = parse_range("QQ+").weights
    beats, ties, meets = (int(sum(int(w) * int(x) for w, x in zip(mine, column, strict=True))) for column in by_boards)
    assert (2 * beats + ties) / (2 * meets) == pytest.approx(equity(["QQ+", "AKs"]).players[0].equity, abs=1e-15)


def test_grids() -> None:
    found = equity(["QQ+,AKs", "random"], "2c7dJh")
    grid = found.players[0].grid
    assert grid is not None
    assert np.count_nonzero(~np.isnan(grid)) == 4
    aces = all_hands(parse_cards("2c7dJh")).equity[[n for n, (a, b) in enumerate(combos()) if a // 4 == b // 4 == 12]]
    assert grid[0, 0] == pytest.approx(aces.mean(), abs=1e-12)
    sampled = equity(["QQ+,AKs", "random"], "2c7dJh", samples=200_000).players[0].grid
    assert sampled is not None
    assert sampled[0, 0] == pytest.approx(grid[0, 0], abs=0.01)


def z_score(found: Equity, wanted: float) -> float:
    return (found.players[0].equity - wanted) / found.players[0].stderr


@pytest.mark.parametrize(
    ("hands", "board"),
    [
        (["AcAd", "KcKd"], ""),
        (["AhKh", "random"], "2h7h9c"),
        (["QQ+,AKs:0.5", "JJ,AQs:0.25"], "2c7dJh"),
        (["AcAd", "KcKd", "7h6h"], ""),
    ],
)
def test_sampling_is_unbiased_and_honest(hands: list[str], board: str) -> None:
    """Over many runs the errors are as large as stated: mean 0, spread 1, 95 % within 1.96."""
    wanted = equity(hands, board, exact=True).players[0].equity
    scores = [z_score(equity(hands, board, samples=5_000, seed=seed), wanted) for seed in range(400)]
    assert abs(np.mean(scores)) < 4 / sqrt(400)
    assert 0.88 < np.std(scores) < 1.12
    assert 0.915 < np.mean(np.abs(scores) < 1.96) < 0.98


def test_sampling_where_hands_nearly_always_clash() -> None:
    """Of 30 million deals of six queens-or-better 19,440 hold no card twice: these are listed and sampled."""
    found = equity(["QQ+"] * 6, samples=20_000, seed=3)
    assert found.method == "monte-carlo"
    assert sum(player.equity for player in found.players) == pytest.approx(1)
    assert all(abs(player.equity - 1 / 6) < 5 * player.stderr for player in found.players)
    sampled = equity(["AA", "AA", "KK", "KK", "QQ", "QQ"], samples=40_000, seed=4).players
    exact = equity(["AA", "AA", "KK", "KK", "QQ", "QQ"]).players
    assert all(abs(a.equity - b.equity) < 5 * a.stderr for a, b in zip(sampled, exact, strict=True))


def test_sampling_of_ten_random_hands() -> None:
    found = equity(["random"] * 10, samples=100_000)
    for player in found.players:
        assert abs(player.equity - 0.1) < 5 * player.stderr
    assert sum(player.equity for player in found.players) == pytest.approx(1.0, abs=1e-12)


def test_sampling_ignores_threads_and_follows_the_seed() -> None:
    def run(seed: int, threads: int) -> list[float]:
        found = equity(["AA", "KK", "random"], samples=50_000, seed=seed, threads=threads)
        return [player.equity for player in found.players]

    assert run(1, 1) == run(1, 2) == run(1, 7)
    assert run(1, 1) != run(2, 1)


def test_the_choice_is_automatic() -> None:
    assert equity(["AA", "KK"]).method == "exact"
    assert equity(["AA", "KK", "random"]).method == "monte-carlo"
    assert equity(["AA", "KK", "QQ"], "2c7dJh").method == "exact"
    with pytest.raises(CardError, match=r"exact: would take about .* hours"):
        equity(["random"] * 3, exact=True)
    assert equity(["AhKh", "random", "random"], "2h7dTc9s3d").method == "exact"
    assert equity(["AA", "AA", "KK", "KK", "QQ", "QQ"]).method == "exact"  # few deals hold no card twice


@pytest.mark.parametrize(
    ("hands", "board", "message"),
    [
        (["AcAd", "AcKd"], "", "hand 'AcKd': Ac is also in 'AcAd'"),
        (["AcAc", "KcKd"], "", "Ac is given twice"),
        (["AcAd", "KcKd"], "Ac2d3h", "range 'AcAd': no hand is left beside the board"),
        (["AcAd", "KcKd"], "2c2c3h", "board: 2c is given twice in '2c2c3h'"),
        (["AcAd", "KcKd"], "2c3h", "board: got 2 cards in '2c3h', wanted 0, 3, 4 or 5"),
        (["AcAd", "KcKd"], "2c3h4d5s6c7c", "board: got 6 cards"),
        (["AcAd", "KcKd"], "2c3h4x", "got '4x' in '2c3h4x', wanted a card such as As or Td"),
        (["AcAd", "Kc1d"], "", "got '1d'"),
        (["AA", "QQ++"], "", "got 'QQ++', wanted something like"),
        (["AA", "AKx"], "", "got 'AKx'"),
        (["AA", "QQs"], "", "got 'QQs', but a pair is neither suited nor offsuit"),
        (["AA", "A5s-K2s"], "", "got 'A5s-K2s', wanted ends with the same high card or the same gap"),
        (["AA", "A5s-A2o"], "", "got 'A5s-A2o', wanted the same s or o at both ends"),
        (["AA", "QQ-AKs"], "", "got 'QQ-AKs', wanted the same s or o"),
        (["AA", "76s:1.5"], "", "got weight '1.5' in '76s:1.5', wanted 0, or 0.0001 to 1"),
        (["AA", "76s:x"], "", "got weight 'x' in '76s:x'"),
        (["AA", "76s:nan"], "", "got weight 'nan' in '76s:nan'"),
        (["AA", "76s:0"], "", "every hand has weight 0"),
        (["AA", ""], "", "got nothing, wanted hands"),
        (["AcAd,AhAs", "KK"], "AcAh2d", "range 'AcAd,AhAs': no hand is left beside the board"),
        (["AcAd"] * 11, "", "got 11 players, wanted one to ten"),
        (["AcKc,AcQc", "AcJc"], "", "always share a card"),
    ],
)
def test_what_is_refused(hands: list[str], board: str, message: str) -> None:
    with pytest.raises(ZerosumError) as caught:
        equity(hands, board)
    assert message in str(caught.value)


def test_ranges_in_the_usual_notation() -> None:
    def size(text: str) -> int:
        return len(parse_range(text).hands)

    assert size("QQ+") == 18
    assert size("AKs") == 4
    assert size("AKo") == 12
    assert size("AK") == size("KA") == 16
    assert size("A5s-A2s") == 16
    assert size("A2s-A5s") == 16
    assert size("KTo+") == 36
    assert size("AhKh") == size("ahKH") == 1
    assert size("99-66") == 24
    assert size("T9s-76s") == 16
    assert size("22+") == 78
    assert size("random") == size("any") == 1326
    assert size("QQ+, AKs, A5s-A2s, KTo+, AhKh, 76s:0.5") == 18 + 4 + 16 + 36 + 4
    assert size("22+,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32+") == 1326
    half = parse_range("76s:0.5")
    assert half.weights[half.hands].tolist() == [5000] * 4
    later = parse_range("AA,AcAd:0.25")
    assert sorted(later.weights[later.hands].tolist()) == [2500, *[10000] * 5]
