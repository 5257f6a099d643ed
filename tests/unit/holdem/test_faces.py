"""Settings, menus, translation, records and the one-object face: what they give and what they refuse."""

from __future__ import annotations

import copy
import pickle
from typing import Any, cast

import pytest

from zerosum import load_game, native
from zerosum.errors import RuleError, ZerosumError
from zerosum.games.holdem import (
    BetTranslator,
    Holdem,
    PokerGame,
    SixMax,
)
from zerosum.policy.scripted import SCRIPTS, scripted_player


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("holdem:players=1", "players: got 1, wanted 2 to 10"),
        ("holdem:stack=0", "stack: got 0, wanted 1"),
        ("holdem:stack=-5", "stack: got '-5', wanted chips"),
        ("holdem:stack=10/20/30", "stack: got 3 in '10/20/30', wanted 1 or 2"),
        ("holdem:blinds=50", "blinds: got '50', wanted 2 to 2"),
        ("holdem:blinds=0/0", "big blind: got 0"),
        ("holdem:blinds=a/b", "blinds: got 'a', wanted chips"),
        ("holdem:order=online", "order: got 'online', wanted standard or botzone"),
        ("holdem:menu=33", "menu: got '33', wanted sizes such as 33%, 2.5x, min or a"),
        ("holdem:menu=0%", "menu: got '0%'"),
        ("holdem:menu=50%+50%", "50% is given twice"),
        ("holdem:menu=a/50%", "all or none"),
        ("flop-holdem:menu=50%", "limit betting has one size"),
        ("holdem:streets=5", "streets: got 5"),
        ("holdem:raises=0", "raises: got '0'"),
    ],
)
def test_settings_that_cannot_be(text: str, says: str) -> None:
    with pytest.raises(ZerosumError) as error:
        load_game(text)
    assert says in str(error.value)


def test_a_menu_by_street() -> None:
    game = Holdem(menu="33%+66%+100%+2.5x+a/50%+a", menu_raises=0)
    hand = game.root().deal(bytes(range(4)))
    assert game.num_actions == 7
    assert [hand.amount(k) for k in range(7)] == [-1, 0, -2, 232, 300, 250, 20_000]
    hand = hand.act(0).act(0).deal(bytes([10, 20, 30]))
    assert [hand.amount(k) for k in range(7)] == [-2, 0, 100, -2, -2, -2, 19_900]


def test_bets_of_any_size_go_to_the_menu_and_back() -> None:
    """Pseudo-harmonic: pots of 1/2 and 1 around 3/4."""
    translator = BetTranslator()
    hand = Holdem().root().deal(bytes(range(4))).act(0).act(0).deal(bytes([10, 20, 30]))
    assert [translator.cfr_to_engine(hand, k) for k in (1, 2, 3, 4)] == [0, 100, 200, 19_900]
    with pytest.raises(RuleError, match="not offered here, wanted one of 1, 2, 3, 4"):
        translator.cfr_to_engine(hand, 0)
    lower = (1 - 0.75) * (1 + 0.5) / ((1 - 0.5) * (1 + 0.75))
    assert translator.engine_to_cfr(hand, 150, lower - 1e-9) == 2
    assert translator.engine_to_cfr(hand, 150, lower + 1e-9) == 3
    assert translator.engine_to_cfr(hand, 200, 0.5) == 3
    assert translator.engine_to_cfr(hand, 0, 0.5) == 1
    hand = Holdem(menu="100%+a").root().deal(bytes(range(4))).act(0).act(0).deal(bytes([10, 20, 30]))
    below = (1 - 0.5) * 1 / (1 * 1.5)  # between a check, 0 pots, and one pot
    assert translator.engine_to_cfr(hand, 100, below - 1e-9) == 1
    assert translator.engine_to_cfr(hand, 100, below + 1e-9) == 2
    with pytest.raises(RuleError, match="not legal"):
        translator.engine_to_cfr(hand, 50, 0.5)


def test_an_ante_of_one_seat_stays_in_the_pot() -> None:
    assert Holdem(players=3, ante="0/100/0").deal(1).pot == 250
    assert Holdem(players=3, ante="100").deal(1).pot == 450


def test_hands_are_copied_compared_and_pickled() -> None:
    game = SixMax()
    hand = game.deal(5, 3).act(0).act(300)
    for other in (copy.copy(hand), copy.deepcopy(hand), pickle.loads(pickle.dumps(hand))):
        assert other == hand
        assert other.act(0) == hand.act(0)
        assert other.act(0) != hand
    assert game.deal(1) == game.deal(1) != game.deal(2)
    while hand.actor >= 0:
        assert native.HoldemHand.load(game.rules, hand.save()) == hand
        hand = hand.act(0)
    assert native.HoldemHand.load(game.rules, hand.save()).returns() == hand.returns()
    for saved in (b"", hand.save()[:-1], hand.save()[6:], bytes(len(hand.save()))):
        with pytest.raises(RuleError, match="load: not a hand"):
            native.HoldemHand.load(game.rules, saved)
    with pytest.raises(RuleError, match="restore: got"):
        game.restore([(-1, 0, card) for card in range(12)] + [(0, 0, 0)])


@pytest.mark.parametrize(
    "wrong",
    [
        {"sizes": [[(0, 1, 0)]] * 4},
        {"sizes": [[(1, -1, 2)]] * 4},
        {"sizes": [[(7, 1, 1)]] * 4},
        {"odd": "nonsense"},
        {"caps": [-1] * 4},
        {"menu_cap": -1},
    ],
)
def test_rules_that_cannot_be(wrong: dict[str, Any]) -> None:
    given: dict[str, Any] = {
        "stacks": [100, 100], "blinds": [2, 1], "antes": [0, 0], "bets": [2] * 4, "caps": [0] * 4, "limit": False,
        "botzone": False, "odd": "exact", "trim_antes": True, "sizes": [[(0, 1, 1)]] * 4, "all_in": True, "menu_cap": 0,
    }  # fmt: skip
    with pytest.raises(RuleError):
        native.holdem_rules(**(given | wrong))


def test_the_largest_sizes_do_not_overflow() -> None:
    hand = Holdem(players=10, stack=str(2**40), blinds="1/2", menu="99999.9999%+a", menu_raises=0).deal(1)
    assert hand.act(110_800_056_152).legal() == (0, 1, 3)


def test_a_raise_of_the_table_s_player_is_a_raise() -> None:
    for amount in (-1, 0, 10**9):
        with pytest.raises(RuleError, match="raise to"):
            PokerGame(seed=1).step("raise", amount)


def test_settings_are_text_and_seeds_are_whole() -> None:
    with pytest.raises(ZerosumError, match="stack: got 100, wanted text"):
        Holdem(stack=cast("Any", 100))
    with pytest.raises(ZerosumError, match="deal: got -1"):
        Holdem().deal(-1)
    assert Holdem(betting="limit").deal(1).legal() == (0, 1, 2)


def test_the_dictionary_for_a_player_hides_the_others_cards() -> None:
    game = PokerGame(seed=4)
    while not game.is_over:
        for seat in range(6):
            state = game.get_state_for_player(seat)
            assert state["hole_cards"] == list(game.hand.hole(seat))
            text = str(state)
            assert "hole" not in text.replace("'hole_cards'", "", 1)
            assert len(state["opponents"]) == 5
        game.step("call" if "call" in game.legal_actions() else "check")
    assert sum(game.returns()) == pytest.approx(0)
    positions = [game.get_state_for_player(seat)["my_position"] for seat in range(6)]
    assert positions == [4, 5, 0, 1, 2, 3]
    with pytest.raises(RuleError, match="hand is over"):
        game.step("fold")
    game.next_hand()
    with pytest.raises(RuleError, match=r"check: not legal here, wanted fold, call, raise, all-in"):
        game.step("check")
    heads_up = PokerGame(Holdem(), seed=1)
    assert [heads_up.get_state_for_player(seat)["my_position"] for seat in (0, 1)] == [5, 4]


@pytest.mark.parametrize("name", list(SCRIPTS))
def test_scripted_players_only_do_what_is_legal(name: str) -> None:
    player = scripted_player(name)
    for number in range(20):
        deal = SixMax().deal(3, number)
        while deal.actor >= 0:
            deal = deal.act(player.act([deal.view(deal.actor)], [0.37])[0])
        assert sum(deal.returns()) == pytest.approx(0)


def test_the_same_seed_deals_the_same_cards() -> None:
    game = Holdem(players=6)
    assert str(game.deal(7, 3)) == str(game.deal(7, 3))
    assert str(game.deal(7, 3)) != str(game.deal(7, 4))
    assert str(game.deal(7, 3)) != str(game.deal(8, 3))


def test_a_dealt_hand_shows_no_card_to_come() -> None:
    hand = Holdem().deal_cards(range(9))
    view = hand.view(0)
    assert hand.board == view.board == []
    assert str(hand) == "2c2d|2h2s "
    assert [event[2] for event in view.events()] == [0, 1, 52, 52]
    hand = hand.child(1).child(1)
    assert hand.board == [4, 5, 6]
    while hand.actor >= 0:
        hand = hand.child(1)
    assert [event[2] for event in hand.events() if event[0] < 0] == list(range(9))


@pytest.mark.parametrize(
    ("cards", "says"),
    [
        ([0, 1, 2], "deal: got 3 cards, wanted more"),
        ([0, 1, 2, 1], "deal: 2d is given twice"),
        ([0, 1, 2, 52], "deal: got card 52, wanted 0 to 51"),
    ],
)
def test_cards_that_cannot_be_dealt(cards: list[int], says: str) -> None:
    with pytest.raises(RuleError, match=says):
        Holdem().deal_cards(cards)


def test_the_menu_s_min_is_the_smallest_raise() -> None:
    hand = Holdem(menu="min+a", menu_raises=0, stack="350").deal(1)
    assert [hand.amount(number) for number in hand.legal()] == [-1, 0, 200, 350]
    hand = hand.child(2)
    assert [hand.amount(number) for number in hand.legal()] == [-1, 0, 300, 350]
    hand = hand.child(2)
    assert [hand.amount(number) for number in hand.legal()] == [-1, 0, 350]  # once, as all-in
