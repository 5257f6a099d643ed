"""What holds for every legal state: numbers are finite, hidden cards and the order of the deal never show."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch

from zerosum import native
from zerosum.encoding import StateBatchBuilder, StateEncoder
from zerosum.games.holdem import SixMax

if TYPE_CHECKING:
    from zerosum.games.holdem import Holdem

BUILDER = StateBatchBuilder()


def random_table(rng: random.Random, players: int) -> Holdem:
    stacks = "/".join(str(rng.choice([60, 100, 350, 5000, 10_000, 12_345])) for _ in range(players))
    return SixMax(players=players, stack=stacks, ante=rng.choice(["0", "25"]))


def random_hand(rng: random.Random, game: Holdem, cards: list[int]) -> list[native.HoldemHand]:
    """All states of a hand that is played at random."""
    hand = game.deal_cards(cards)
    states = [hand]
    while hand.actor >= 0:
        fold, _, raises, low, high = hand.limits()
        choices = [0, 0, 0, *([-1] * fold), *([low, min(high, 2 * low), high] * raises)]
        hand = hand.act(rng.choice(choices))
        states.append(hand)
    return states


def deck(rng: random.Random, players: int) -> list[int]:
    return rng.sample(range(52), 2 * players + 5)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_every_legal_state_has_261_finite_numbers(players: int) -> None:
    rng = random.Random(players)
    torch.manual_seed(players)
    encoder = StateEncoder().eval()
    views = []
    for _ in range(60):
        game = random_table(rng, players)
        for hand in random_hand(rng, game, deck(rng, players)):
            views += [hand.view(seat) for seat in range(players)]
    batch = BUILDER.build_batch(views)
    with torch.inference_mode():
        answer = encoder(batch)
    assert answer.shape == (len(views), 261)
    assert torch.isfinite(answer).all()
    assert (batch["self_info"][:, :6].sum(dim=1) == 1).all()
    assert (batch["self_info"][:, 10:].sum(dim=1) == 1).all()
    assert (batch["opponent_info"] >= 0).all()
    absent = batch["opponent_info"].reshape(-1, 5, 3)[:, players - 1 :]
    assert not absent.any()


@pytest.mark.parametrize("seed", range(40))
def test_other_peoples_cards_never_show(seed: int) -> None:
    rng = random.Random(seed)
    players = rng.randint(2, 6)
    game = random_table(rng, players)
    cards = deck(rng, players)
    states = random_hand(random.Random(seed), game, cards)
    seat = rng.randrange(players)
    left = [card for card in range(52) if card not in cards]
    for hand in states:
        shown = len(hand.board)
        other = list(cards)
        hidden = [k for k in range(len(cards)) if k // 2 != seat and (k < 2 * players or k >= 2 * players + shown)]
        fresh = rng.sample([*left, *(cards[k] for k in hidden)], len(hidden))
        for k, card in zip(hidden, fresh, strict=True):
            other[k] = card
        again = game.deal_cards(other)
        for event in hand.events():
            if event[0] >= 0:
                again = again.act(event[2])
        if again.board[:shown] != hand.board:  # all in: the rest of the board lies already
            continue
        seats = np.array([seat, seat])
        ours, theirs = native.sixmax_rows_of_hands([hand, again], seats)
        if len(again.board) == shown:
            np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("seed", range(40))
def test_the_order_of_the_deal_never_shows(seed: int) -> None:
    rng = random.Random(seed)
    players = rng.randint(2, 6)
    game = random_table(rng, players)
    cards = deck(rng, players)
    other = list(cards)
    for k in range(0, 2 * players, 2):
        other[k : k + 2] = rng.sample(other[k : k + 2], 2)
    flop = slice(2 * players, 2 * players + 3)
    other[flop] = rng.sample(other[flop], 3)
    plain, swapped = (random_hand(random.Random(seed), game, deal) for deal in (cards, other))
    for one, two in zip(plain, swapped, strict=True):
        for seat in range(players):
            rows = native.sixmax_rows_of_hands([one, two], np.array([seat, seat]))
            np.testing.assert_array_equal(rows[0], rows[1])
            told = (BUILDER.build_single(hand.view(seat)) for hand in (one, two))
            first, second = told
            assert all(torch.equal(first[name], second[name]) for name in first)


@pytest.mark.parametrize("seed", range(60))
def test_suits_named_by_how_much_they_matter_are_one_for_all_namings(seed: int) -> None:
    rng = random.Random(seed)
    game = random_table(rng, 6)
    cards = deck(rng, 6)
    names = rng.sample(range(4), 4)
    renamed = [card // 4 * 4 + names[card % 4] for card in cards]
    plain, other = (random_hand(random.Random(seed), game, deal) for deal in (cards, renamed))
    for one, two in zip(plain, other, strict=True):
        views = [hand.view(seat) for hand in (one, two) for seat in range(6)]
        rows = native.sixmax_rows(views, True)
        np.testing.assert_array_equal(rows[:6], rows[6:])
