"""What holds in every hand: chips, suits, seats, scale, hidden cards, and coming back from a record."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from lockstep import MENU, random_action, random_deal
from zerosum import native
from zerosum.games.holdem import Holdem, parse_phh, record_of, replay, write_phh

if TYPE_CHECKING:
    from collections.abc import Iterator

SEEDS = range(150)


def rules_of(seed: int, *, scale: int = 1, odd: str = "exact") -> native.HoldemRules:
    deal = random_deal(random.Random(seed), antes=True, short_blinds=True)
    turn = -1 if len(deal.stacks) == 2 else 1
    stacks, blinds, antes = ([scale * chip for chip in part] for part in (deal.stacks, deal.blinds[::turn], deal.antes))
    return native.holdem_rules(
        stacks, blinds, antes, [scale * deal.min_bet] * 4, [0] * 4, False, False, odd, True, MENU, True, 0
    )


def hands(seed: int, rules: native.HoldemRules, rename: list[int] | None = None) -> Iterator[native.HoldemHand]:
    """Every state of one random hand; cards renamed by a table."""
    rng = random.Random(seed)
    deck = list(range(52))
    rng.shuffle(deck)
    cards = iter(deck if rename is None else [rename[card] for card in deck])
    hand = native.HoldemHand(rules)
    yield hand
    while hand.actor != -2:
        hand = hand.deal(bytes([next(cards)])) if hand.actor == -1 else hand.act(random_action(rng, hand.limits()))
        yield hand


@pytest.mark.parametrize("seed", SEEDS)
def test_chips_are_conserved_and_returns_sum_to_zero(seed: int) -> None:
    *_, last = states = list(hands(seed, rules_of(seed, odd=("exact", "seats", "first")[seed % 3])))
    whole = sum(states[0].stacks) + states[0].pot
    for hand in states:
        assert sum(hand.stacks) + hand.pot == whole
        assert hand.pot == sum(hand.invested)
        assert min(hand.stacks) >= 0
        assert min(hand.bets) >= 0
    assert sum(last.payoff_parts()) == 0
    assert all(won >= -put for won, put in zip(last.returns(), last.invested, strict=True))


@pytest.mark.parametrize("seed", SEEDS)
def test_suits_renamed_change_nothing(seed: int) -> None:
    rules = rules_of(seed)
    suits = random.Random(seed).sample(range(4), 4)
    *_, plain = hands(seed, rules)
    *_, renamed = hands(seed, rules, [card // 4 * 4 + suits[card % 4] for card in range(52)])
    assert plain.payoff_parts() == renamed.payoff_parts()


@pytest.mark.parametrize("seed", SEEDS)
def test_hands_swapped_between_tied_seats_swap_payoffs(seed: int) -> None:
    """Everyone calls a small bet; whoever holds a hand wins what it wins, in any seat."""
    players = 2 + seed % 8
    game = Holdem(players=players, stack="100", blinds="1/2", odd_chips="exact")
    deck = random.Random(seed).sample(range(52), 2 * players + 5)
    moved = random.Random(-seed - 1).sample(range(players), players)
    results = []
    for seats in (list(range(players)), moved):
        hand = game.root().deal(bytes(card for seat in seats for card in deck[2 * seat : 2 * seat + 2]))
        board = iter(deck[2 * players :])
        while hand.actor != -2:
            hand = hand.deal(bytes([next(board)])) if hand.actor == -1 else hand.act(0)
        results.append(hand.payoff_parts())
    assert [results[1][moved.index(seat)] for seat in range(players)] == results[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_chips_scaled_scale_payoffs(seed: int) -> None:
    small, large = native.HoldemHand(rules_of(seed)), native.HoldemHand(rules_of(seed, scale=7))
    rng = random.Random(seed)
    deck = iter(rng.sample(range(52), 52))
    while small.actor != -2:
        if small.actor == -1:
            card = bytes([next(deck)])
            small, large = small.deal(card), large.deal(card)
            continue
        limits = small.limits()
        assert large.limits() == (limits[0], 7 * limits[1], limits[2], 7 * limits[3], 7 * limits[4])
        action = random_action(rng, limits)
        small, large = small.act(action), large.act(7 * action if action > 0 else action)
    assert large.payoff_parts() == [7 * part for part in small.payoff_parts()]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_view_does_not_change_with_hidden_cards(seed: int) -> None:
    rules = rules_of(seed)
    for hand in hands(seed, rules):
        if hand.actor < 0:
            continue
        seat = hand.actor
        held = [card for other in range(hand.players) if other != seat for card in hand.hole(other)]
        turned = dict(zip(held, held[1:] + held[:1], strict=True))
        other = native.HoldemHand(rules)
        for who, _, action, *_ in hand.events():
            other = other.deal(bytes([turned.get(action, action)])) if who < 0 else other.act(action)
        mine, theirs = hand.view(seat), other.view(seat)
        assert mine == theirs
        assert str(mine) == str(theirs)
        assert mine.events() == theirs.events()
        assert mine.words() == theirs.words()
        assert mine.hole == hand.hole(seat)
        assert not hasattr(mine, "returns")


@pytest.mark.parametrize("seed", range(60))
def test_every_state_is_restored_from_its_events(seed: int) -> None:
    game = Holdem(players=2 + seed % 8, stack="40bb", blinds="1/2")
    for hand in hands(seed, game.rules):
        again = game.restore(hand.events())
        assert str(again) == str(hand)
        assert (again.actor, again.stacks, again.bets, again.events()) == (
            hand.actor, hand.stacks, hand.bets, hand.events(),
        )  # fmt: skip


@pytest.mark.parametrize("seed", range(60))
def test_a_hand_written_as_phh_replays_to_the_same_end(seed: int) -> None:
    game = Holdem(players=2 + seed % 8, stack="15bb", blinds="1/2", ante="1", odd_chips=("exact", "seats")[seed % 2])
    *_, hand = hands(seed, game.rules)
    (record,) = parse_phh(write_phh([record_of(game, hand, [f"player {k}" for k in range(game.players)])]))
    played = replay(record)
    assert played.difference() == ""
    assert played.hand.betting == hand.betting


def test_tables_step_like_hands() -> None:
    """The batch against single hands dealt the same cards."""
    game = Holdem(players=3, stack="10bb", blinds="1/2")
    tables = native.HoldemTables(game.rules, 64, 5, 2)
    followed = [game.root().deal(bytes([52] * 6)) for _ in range(64)]
    for step in range(200):
        actions = tables.sample(9, step)
        assert tables.legal[range(64), actions].all()
        for k, hand in enumerate(followed):
            assert tables.actor[k] == hand.actor
            assert tables.stacks[k].tolist() == hand.stacks
            assert tables.legal[k].nonzero()[0].tolist() == list(hand.legal())
        rewards, over = tables.step(actions)
        assert abs(rewards.sum(axis=1)).max() < 1e-9
        for k, action in enumerate(actions.tolist()):
            hand = followed[k].child(action)
            while hand.actor == -1:
                hand = hand.deal(bytes([52]))
            assert over[k] == (hand.actor == -2)
            followed[k] = game.root().deal(bytes([52] * 6)) if over[k] else hand


def test_random_play_is_sampling_and_stepping() -> None:
    """One call of many rounds against one call a round, whatever the threads."""
    rules = Holdem(players=4, stack="30bb", menu="min+100%+a").rules
    stepped, played = (native.HoldemTables(rules, 300, 5, threads) for threads in (1, 2))
    rewards, hands = np.zeros((300, 4)), np.zeros(300, int)
    for step in range(7, 60):
        won, over = stepped.step(stepped.sample(9, step))
        rewards += won
        hands += over
    total, ended = played.play(9, 7, 53)
    assert (total == rewards).all()
    assert (ended == hands).all()
    assert hands.sum() > 1000
    assert (played.stacks == stepped.stacks).all()
    assert (played.hole == stepped.hole).all()
