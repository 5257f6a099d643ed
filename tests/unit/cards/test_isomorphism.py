"""Canonical numbers: as many as there should be, each from its own hand, blind to the names of suits."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from unit.cards.test_evaluation import random_hands
from zerosum import native
from zerosum.cards.isomorphism import board_indexer, canonical_hand, canonical_index, indexer
from zerosum.errors import CardError

SIZES = {True: (169, 1_286_792, 55_190_538, 2_428_287_420), False: (169, 1_286_792, 13_960_050, 123_156_254)}


@pytest.mark.parametrize("recall", [True, False])
def test_counts(recall: bool) -> None:
    assert tuple(len(indexer(street, recall=recall)) for street in range(4)) == SIZES[recall]
    assert tuple(len(board_indexer(cards)) for cards in (3, 4, 5)) == (1_755, 16_432, 134_459)


@pytest.mark.parametrize("recall", [True, False])
@pytest.mark.parametrize("street", range(4))
def test_round_trips(street: int, recall: bool) -> None:
    size = SIZES[recall][street]
    rng = np.random.default_rng(street)
    indices = np.unique(np.concatenate([[0, size - 1], rng.integers(0, size, 100_000)])).astype(np.uint64)
    hands = canonical_hand(indices, street, recall=recall)
    assert np.array_equal(canonical_index(hands, recall=recall), indices)


def test_every_flop_number_is_used() -> None:
    hands = canonical_hand(np.arange(1_286_792), 1)
    assert np.array_equal(canonical_index(hands), np.arange(1_286_792))


@pytest.mark.parametrize("recall", [True, False])
@pytest.mark.parametrize("cards", [2, 5, 6, 7])
def test_suits_have_no_names(cards: int, recall: bool) -> None:
    hands = random_hands(5_000, cards)
    wanted = canonical_index(hands, recall=recall)
    for names in permutations(range(4)):
        renamed = hands // 4 * 4 + np.array(names, dtype=np.uint8)[hands % 4]
        assert np.array_equal(canonical_index(renamed, recall=recall), wanted)
    swapped = hands.copy()
    swapped[:, :2] = hands[:, 1::-1]  # hole cards in the other order
    swapped[:, 2:5] = hands[:, 2:5][:, ::-1]  # and the flop
    assert np.array_equal(canonical_index(swapped, recall=recall), wanted)


def test_recall_keeps_streets_apart() -> None:
    hands = random_hands(2_000, 7)
    shuffled = hands.copy()
    shuffled[:, [4, 6]] = hands[:, [6, 4]]
    assert np.array_equal(canonical_index(shuffled, recall=False), canonical_index(hands, recall=False))
    assert np.mean(canonical_index(shuffled) != canonical_index(hands)) > 0.9


def test_different_hands_have_different_numbers() -> None:
    """Of all 22,100 · 1,176 hole cards and flops, the classes under renaming are as many as the numbers."""
    names = [np.array(table, dtype=np.uint8) for table in permutations(range(4))]
    hands = random_hands(3_000, 5, seed=9)
    keys: dict[tuple[int, ...], int] = {}
    for hand, number in zip(hands, canonical_index(hands).tolist(), strict=True):
        forms = []
        for table in names:
            card = hand // 4 * 4 + table[hand % 4]
            forms.append((*sorted(card[:2].tolist()), *sorted(card[2:].tolist())))
        assert keys.setdefault(min(forms), number) == number
    assert len(set(keys.values())) == len(keys)


def test_what_is_refused() -> None:
    with pytest.raises(CardError, match=r"got shape \(1, 3\)"):
        canonical_index(np.array([[0, 1, 2]]))
    with pytest.raises(CardError, match="row 0: wanted different cards"):
        canonical_index(np.array([[0, 0]]))
    with pytest.raises(CardError, match="row 0: no such hand"):
        canonical_hand(np.array([169]), 0)
    with pytest.raises(CardError, match="street: got 4"):
        canonical_hand(np.array([0]), 4)
    for cards in (-1, 0, 8, 52, 99):
        with pytest.raises(CardError, match=f"board: got {cards} cards, wanted 1 to 7"):
            board_indexer(cards)
    with pytest.raises(ValueError, match="one to seven cards"):
        native.HandIndexer([2, -1])
