"""Botzone's hold'em for six: requests from the engine, answers that its rules allow, whatever the table did."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch

from zerosum.games.holdem import Holdem
from zerosum.networks.settings import NetworkSettings
from zerosum.policy.holdem_networks import MixturePlayer, Sight
from zerosum.policy.scripted import Scripted
from zerosum.protocols.botzone_holdem import SAYS_ALL_IN, SAYS_CALL, SAYS_FOLD, HoldemBot, botzone_card

if TYPE_CHECKING:
    from zerosum.native import HoldemHand

GAME = Holdem(players=6, order="botzone")


def network_player() -> MixturePlayer:
    """Two networks whose weights are noise: they do anything."""
    torch.manual_seed(4)
    settings = NetworkSettings(hidden=16, layers=1, features="sixmax")
    network = Sight(GAME, settings).network()
    weights = np.stack(
        [network.flat.numpy() + 0.3 * np.random.default_rng(k).normal(size=network.flat.numel()) for k in (1, 2)]
    )
    shares = np.array([0.5, 1.0, 1.0])
    return MixturePlayer("noise", GAME, settings, [weights.astype(np.float32)], [shares])


def request(hand: HoldemHand, dealer: int, number: int) -> dict[str, Any]:
    """What the site tells the player to act; the small blind sits after the dealer."""
    kinds = {-1: "fold", 0: "call"}
    players = hand.players
    return {
        "num_players": players,
        "dealer_id": dealer,
        "my_id": (hand.actor + dealer + 1) % players,
        "my_chips": hand.stacks[hand.actor],
        "my_cards": [botzone_card(card) for card in hand.hole(hand.actor)],
        "public_cards": [botzone_card(card) for card in hand.board],
        "history": [
            {
                "round": street,
                "player_id": (seat + dealer + 1) % players,
                "action": -2 if all_in and action != 0 else action if action <= 0 else added,
                "action_type": kinds.get(action, "raise"),
            }
            for seat, street, action, added, all_in in hand.events()
            if seat >= 0
        ],
        "hand": number,
        "max_hand": 100,
        "total_win_chips": [0] * players,
    }


def played(hand: HoldemHand, said: int) -> HoldemHand:
    """What the site does with an answer; refuses what it would."""
    fold, call, may_raise, low, high = hand.limits()
    stack, bet = hand.stacks[hand.actor], hand.bets[hand.actor]
    if said == SAYS_FOLD:
        return hand.act(-1 if fold else 0)
    if said == SAYS_ALL_IN:
        return hand.act(high if may_raise else 0)
    assert 0 not in [chips for chips, folded in zip(hand.stacks, hand.folded, strict=True) if not folded]
    if said == SAYS_CALL:
        assert call < stack
        return hand.act(0)
    assert may_raise
    assert low <= bet + said < high
    return hand.act(bet + said)


@pytest.mark.parametrize("name", ["networks", "tight-aggressive", "all-in"])
def test_answers_are_legal(name: str) -> None:
    warned: list[str] = []
    player = network_player() if name == "networks" else Scripted(name)
    bot = HoldemBot(player, GAME, 9, warned.append, 6)
    rng = random.Random(3)
    answers = []
    for number in range(30):
        hand, dealer = GAME.deal(5, number), number % 6
        while hand.actor >= 0:
            if rng.random() < 0.5:
                said = bot.answer(json.dumps({"requests": [request(hand, dealer, number)], "responses": []}))
                answers.append(said)
                hand = played(hand, said)
            else:
                fold, _, may_raise, low, high = hand.limits()
                hand = hand.act(rng.choice([0, 0, *([-1] * 3 * fold), *([low, min(high, 3 * low)] * may_raise)]))
    assert warned == []
    assert len(answers) > 30
    assert set(answers) == {SAYS_ALL_IN} if name == "all-in" else len(set(answers)) > 2


def test_the_same_network_plays_a_whole_hand() -> None:
    asked: list[float] = []

    class Noting(MixturePlayer):
        def act(self, views: Any, uniforms: Any, once: Any) -> list[int]:  # noqa: ARG002
            asked.extend(once)
            return [0] * len(views)

    player = network_player()
    bot = HoldemBot(Noting("n", GAME, player.settings, player.weights, player.shares), GAME, 9, pytest.fail, 6)
    hand = GAME.deal(1, 0)
    while hand.actor >= 0:
        bot.answer(json.dumps(request(hand, 0, 7)))
        hand = hand.act(0)
    assert len(asked) == 24
    assert len(set(asked)) == 1


def test_too_many_players_are_folded_for() -> None:
    warned: list[str] = []
    bot = HoldemBot(Scripted("all-in"), GAME, 9, warned.append, 6)
    hand = Holdem(players=7, order="botzone").deal(1, 0)
    assert bot.answer(json.dumps(request(hand, 0, 0))) == SAYS_FOLD
    assert "got 7 players, wanted 2 to 6" in warned[0]
