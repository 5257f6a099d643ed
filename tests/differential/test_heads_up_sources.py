"""The same situation from our engine, OpenSpiel, ACPC's lines and Botzone's requests: the same numbers to networks."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from zerosum.encoding.heads_up import heads_up_history, heads_up_inputs
from zerosum.errors import RuleError
from zerosum.games.holdem import Holdem
from zerosum.games.openspiel_holdem import hand_of, universal_poker
from zerosum.protocols.acpc import match_state
from zerosum.protocols.acpc_bot import parse_state, replay_state
from zerosum.protocols.botzone_holdem import botzone_card, parse_request, replay_request

if TYPE_CHECKING:
    from collections.abc import Iterator

    from zerosum.native import HoldemHand, HoldemView


def decisions(game: Holdem, hands: int, seed: int) -> Iterator[HoldemHand]:
    """Hands at a decision, in random play with sizes on and off the menu."""
    luck = random.Random(seed)
    for number in range(hands):
        hand = game.deal(seed, number)
        while hand.actor >= 0:
            yield hand
            fold, _, raises, low, high = hand.limits()
            chance = luck.random()
            if raises and chance < 0.4:
                hand = hand.act(luck.choice([low, min(high, luck.randint(low, 6 * low)), min(high, 3 * low), high]))
            else:
                hand = hand.act(-1 if fold and chance > 0.9 else 0)


def numbers(view: HoldemView) -> list[Any]:
    seen = heads_up_inputs([view], 5)
    return [part.ravel().tolist() for part in (seen.hole, seen.board, seen.env, seen.legal, heads_up_history([view]))]


def test_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = Holdem()
    theirs = pyspiel.load_game(universal_poker(game))
    compared = 0
    for hand in decisions(game, 40, 1):
        state = theirs.new_initial_state()
        put = list(game.amounts()[1])
        for seat, _, action, added, _ in hand.events():
            if seat >= 0:
                put[seat] += added
            state.apply_action(action if seat < 0 else action + 1 if action <= 0 else put[seat])
        assert state.current_player() == hand.actor
        found = hand_of(state, game)
        assert numbers(found.view(found.actor)) == numbers(hand.view(hand.actor))
        compared += 1
    assert compared > 100
    with pytest.raises(RuleError, match="wanted heads-up"):
        universal_poker(Holdem(order="botzone"))


def test_openspiel_states_of_other_games_are_refused() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = Holdem()
    for ours, theirs, name in (
        ("stack=20000 20000", "stack=5000 5000", "stack"),
        ("blind=100 50", "blind=50 100", "blind"),
        ("firstPlayer=2 1 1 1", "firstPlayer=1 1 1 1", "firstPlayer"),
        ("fullgame", "fcpa", "bettingAbstraction"),
    ):
        state = pyspiel.load_game(universal_poker(game).replace(ours, theirs)).new_initial_state()
        with pytest.raises(RuleError, match=f"{name}: got"):
            hand_of(state, game)


def test_acpc() -> None:
    game = Holdem()
    compared = 0
    for hand in decisions(game, 100, 2):
        found = replay_state(parse_state(match_state(hand, hand.actor, 7)), game)
        assert numbers(found.view(found.actor)) == numbers(hand.view(hand.actor))
        compared += 1
    assert compared > 300


def request(hand: HoldemHand, dealer: int) -> dict[str, Any]:
    """What Botzone would ask the seat to act: the small blind, seat 0, sits after the dealer."""
    players = [(dealer + 1) % 2, dealer]  # by seat
    history = [
        {"round": street, "player_id": players[seat], "action": -1 if action < 0 else added, "action_type": "x"}
        for seat, street, action, added, _ in hand.events()
        if seat >= 0
    ]
    return {
        "num_players": 2,
        "dealer_id": dealer,
        "my_id": players[hand.actor],
        "my_chips": hand.stacks[hand.actor],
        "my_cards": [botzone_card(card) for card in hand.hole(hand.actor)],
        "public_cards": [botzone_card(card) for card in hand.board],
        "history": history,
        "hand": 3,
    }


def test_botzone() -> None:
    game, compared = Holdem(order="botzone"), 0
    for number, hand in enumerate(decisions(game, 100, 3)):
        found = replay_request(parse_request(request(hand, number % 2)), game, check_chips=True).hand
        assert numbers(found.view(found.actor)) == numbers(hand.view(hand.actor))
        compared += 1
    assert compared > 300


def test_a_view_shows_nothing_of_the_other_hand() -> None:
    """Other cards of the other seat, the same numbers."""
    luck = np.random.default_rng(4)
    for _ in range(50):
        deck = luck.permutation(52)
        one, two = (Holdem().deal_cards([*deck[:2], *other, *deck[6:11]]) for other in (deck[2:4], deck[4:6]))
        for action in (300, 0, 0):
            one, two = one.act(action), two.act(action)
        assert numbers(one.view(0)) == numbers(two.view(0))
