"""Values of hands: against the rules, and against the known counts of all hands."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from unit.cards import slow
from zerosum import native
from zerosum.cards.evaluation import CATEGORIES, evaluate, evaluate_one, hand_name
from zerosum.errors import CardError

FIVE = {8: 40, 7: 624, 6: 3_744, 5: 5_108, 4: 10_200, 3: 54_912, 2: 123_552, 1: 1_098_240, 0: 1_302_540}
SEVEN = {
    8: 41_584,
    7: 224_848,
    6: 3_473_184,
    5: 4_047_644,
    4: 6_180_020,
    3: 6_461_620,
    2: 31_433_400,
    1: 58_627_800,
    0: 23_294_460,
}


def random_hands(count: int, size: int, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (count, 1)), axis=1)[:, :size].copy()


def test_all_five_card_hands_against_the_rules() -> None:
    """Every one of 2,598,960: the same order as the slow evaluator's, and the same ties."""
    hands = np.array(list(combinations(range(52), 5)), dtype=np.uint8)
    values = evaluate(hands)
    meaning: dict[int, tuple[int, ...]] = {}
    for hand, value in zip(hands.tolist(), values.tolist(), strict=True):
        wanted = slow.five(hand)
        if meaning.setdefault(value, wanted) != wanted:
            pytest.fail(f"{hand}: {wanted} has the value of {meaning[value]}")
    ordered = [meaning[value] for value in sorted(meaning)]
    assert all(low < high for low, high in pairwise(ordered))
    assert len(ordered) == 7_462
    categories = [native.hand_category(int(value)) for value in values]
    assert dict(zip(*np.unique(categories, return_counts=True), strict=True)) == FIVE


def test_all_seven_card_hands() -> None:
    """All 133,784,560: the known frequencies, and 4,824 classes."""
    counts = native.count_classes(2)
    assert counts.sum() == 133_784_560
    assert np.count_nonzero(counts) == 4_824
    found = dict.fromkeys(range(9), 0)
    for value in np.flatnonzero(counts):
        found[native.hand_category(int(value))] += int(counts[value])
    assert found == SEVEN


@pytest.mark.parametrize("size", [5, 6, 7])
def test_best_five_of_more(size: int) -> None:
    hands = random_hands(3_000, size)
    values = evaluate(hands)
    wanted = [slow.best(tuple(hand)) for hand in hands.tolist()]
    order = np.argsort(values, kind="stable")
    for a, b in pairwise(order):
        assert (values[a] < values[b]) == (wanted[a] < wanted[b])
        assert (values[a] == values[b]) == (wanted[a] == wanted[b])


def test_batches_of_any_length_agree_with_single_hands() -> None:
    hands = random_hands(100, 7)
    one_by_one = [evaluate_one(hand) for hand in hands.tolist()]
    for length in (0, 1, 15, 16, 17, 31, 33, 100):
        assert evaluate(hands[:length]).tolist() == one_by_one[:length]


def test_rare_hands_in_every_lane() -> None:
    """Flushes and straight flushes are put right lane by lane."""
    flush = np.array([[0, 4, 8, 12, 20, 51, 50]], dtype=np.uint8)
    plain = random_hands(15, 7, seed=3)
    for lane in range(16):
        hands = np.insert(plain, lane, flush, axis=0)
        assert evaluate(hands)[lane] == evaluate_one(flush[0].tolist())


def test_a_board_for_all_hands_at_once() -> None:
    for board in random_hands(200, 5, seed=2):
        values = native.board_values(board.tobytes())
        pairs = np.array([(a, b) for b in range(52) for a in range(b)], dtype=np.uint8)
        free = ~np.isin(pairs, board).any(axis=1)
        assert np.count_nonzero(free) == 1081
        assert np.all(values[~free] == 0)
        hands = np.hstack([pairs[free], np.tile(board, (1081, 1))])
        assert np.array_equal(values[free], evaluate(hands))


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("AsKsQsJsTs2c3d", "royal flush"),
        ("9h8h7h6h5h", "straight flush, nine high"),
        ("Ac2c3c4c5c", "straight flush, five high"),
        ("6c6d6h6sAc", "four of a kind, sixes"),
        ("AcAdAhKcKd", "full house, aces over kings"),
        ("2c2d2h3c3d3s9h", "full house, threes over twos"),
        ("2c4c6c8cQc", "flush, queen high"),
        ("Ac2d3h4s5c", "straight, five high"),
        ("9c9d9h2sKc", "three of a kind, nines"),
        ("KcKd7h7s2c2d4h", "two pair, kings and sevens"),
        ("TcTd4h3s2c", "pair of tens"),
        ("AcJd9h3s2c", "ace high"),
    ],
)
def test_names(cards: str, name: str) -> None:
    assert hand_name(evaluate_one(cards)) == name


def test_every_value_has_a_name() -> None:
    values = np.flatnonzero(native.count_classes(2))
    names = {hand_name(int(value)) for value in values}
    assert len(names) > 150
    assert len(CATEGORIES) == 9


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        (np.zeros((2, 7), dtype=np.uint8), "row 0: wanted different cards"),
        (np.array([[0, 1, 2, 3, 52]], dtype=np.uint8), "row 0: wanted different cards"),
        (np.array([[0, 1, 2, 3, 4], [0, 1, 2, 3, 255]], dtype=np.uint8), "row 1: wanted different cards"),
        (np.array([[0, 1, 2, 3, -1]]), "got -1 in row 0, wanted cards from 0 to 51"),
        (np.array([[0.0, 1, 2, 3, 4]]), "got float64, wanted whole numbers"),
        (np.zeros((3, 4), dtype=np.uint8), r"got shape \(3, 4\)"),
        (np.zeros(7, dtype=np.uint8), r"got shape \(7,\)"),
    ],
)
def test_what_is_no_hand(cards: np.ndarray, message: str) -> None:
    with pytest.raises(CardError, match=message):
        evaluate(cards)
