"""Settings, menus, translation, records and the one-object face: what they give and what they refuse."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING, Any, cast

import pytest

from zerosum import load_game, native
from zerosum.cards.names import parse_cards
from zerosum.errors import RuleError, ZerosumError
from zerosum.games.holdem import (
    BetTranslator,
    FlopHoldem,
    Holdem,
    PokerGame,
    SixMax,
    parse_phh,
    read_phh,
    record_of,
    replay,
    write_phh,
)
from zerosum.policy.scripted import SCRIPTS, scripted_player

if TYPE_CHECKING:
    from pathlib import Path

HAND = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [20, 20]
actions = ['d dh p1 AsKs', 'd dh p2 7c2d', 'p2 f']
finishing_stacks = [21, 19]
"""


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


@pytest.mark.parametrize(
    ("change", "line", "says"),
    [
        (("'NT'", "'PO'"), 1, "got variant 'PO', wanted NT or FT"),
        (("[20, 20]", "[20, 'x']"), 5, "starting_stacks: got x, wanted a number of chips"),
        (("[20, 20]", "[20]"), 5, "got 1 players"),
        (("[0, 0]", "[0]"), 2, "got 1 antes, wanted 2"),
        (("min_bet = 2", "min_bet 2"), 4, "wanted TOML"),
        (("min_bet = 2", "min_bet = [2"), 5, "unclosed array, wanted TOML"),
        (("'p2 f'", "'p1 f'"), 6, "out of turn: p2 is to act"),
        (("'p2 f'", "'p2 cbr 3'"), 6, "the minimum is 4"),
        (("'p2 f'", "'p2 cbr x'"), 6, "got 'x', wanted an amount"),
        (("'p2 f'", "'p2 jumps'"), 6, "wanted d dh, d db, f, cc, cbr or sm"),
        (("'p2 f'", "'p9 f'"), 6, "got player 'p9'"),
        (("'p2 f'", "'p2 cc'"), 6, "end too early: seat p1 is to act"),
        (("'p2 f'", "'p2 f', 'p1 sm QhQd'"), 6, "p1 was dealt AsKs"),
        (("7c2d", "7cAs"), 6, "As was dealt before"),
        (("7c2d", "7c"), 6, "got '7c', wanted two cards"),
        (("7c2d", "7cXd"), 6, "got 'Xd'"),
        (("'p2 f'", "'p2 cbr 99999999999999999999'"), 6, "wanted an amount of chips"),
        (("'p2 f'", "'p2 cbr 0'"), 6, "wanted an amount of chips"),
        (("'p2 f'", "'p\u0662 f'"), 6, "wanted p1 to p2"),
        (("'p2 f'", "'p2 cc', 'p1 cc', 'd db 4c5c6h7h9h'"), 6, "got 5 cards, wanted 3"),
        (("min_bet = 2", "min_bet = 0"), 4, "min_bet: got 0, wanted more than 0 chips"),
        (("[21, 19]", "['x', 'y']"), 7, "finishing_stacks: got x"),
        (("[21, 19]", "[nan, nan]"), 7, "finishing_stacks: got NaN"),
        (("[21, 19]", "5"), 7, "wanted a list of numbers"),
        (("min_bet = 2", "min_bet = 2\nmin_bet = 2"), 5, "wanted TOML"),
    ],
)
def test_malformed_records_name_file_and_line(tmp_path: Path, change: tuple[str, str], line: int, says: str) -> None:
    path = tmp_path / "hand.phh"
    path.write_text(HAND.replace(*change))
    with pytest.raises(ZerosumError) as error:
        for record in read_phh(path):
            replay(record)
    assert f"{path}:{line}:" in str(error.value)
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("change", "end"),
    [
        (("antes = [0, 0]", "antes = [0, 0] # it's"), ""),
        (("'d dh p1 AsKs',", "# [the first\n 'd dh p1 AsKs', # [ace] king\n"), ""),
        (("min_bet = 2", 'min_bet = 2\nvenue = """two\nlines = 3"""'), ""),
        (("min_bet = 2", "min_bet = 0x2"), ""),
        (("[20, 20]", "[inf, 20]"), ""),
        (("AsKs", "As??"), ""),
        (("min_bet = 2", "min_bet = 2.0"), "[metadata]\nnote = 'x'\n"),
    ],
)
def test_whatever_toml_allows_is_read(change: tuple[str, str], end: str) -> None:
    assert change[0] in HAND
    (record,) = parse_phh(HAND.replace(*change) + end)
    assert replay(record).hand.actor == -2


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "got no hand"),
        ("# nothing", "got no hand"),
        ("[1", ":1: expected"),
        ("[1]", "hand 1: got no field"),
        ("[1]\nx = 1\n[1]\nx = 1\n", ":3: cannot declare"),
        ("x = " + "[" * 3000, "cannot be read as TOML"),
        ("x = " + "9" * 5000, "cannot be read as TOML"),
    ],
)
def test_a_file_without_a_hand(text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "x.phh").write_text(text)
    with pytest.raises(ZerosumError) as error:
        list(read_phh(tmp_path / "x.phh"))
    assert says in str(error.value)


def test_a_field_missing_in_the_second_hand_is_looked_for_there(tmp_path: Path) -> None:
    path = tmp_path / "x.phhs"
    path.write_text(f"[1]\n{HAND}\n[2]\n{HAND.partition(chr(10))[2]}")
    with pytest.raises(ZerosumError, match=rf"x.phhs:{HAND.count(chr(10)) + 3}: got variant None"):
        [replay(record) for record in read_phh(path)]


def test_what_cannot_be_recorded_is_refused() -> None:
    for game in (FlopHoldem(), Holdem(order="botzone"), Holdem(streets=3)):
        hand = game.deal(1)
        while hand.actor >= 0:
            hand = hand.act(0)
        with pytest.raises(RuleError, match="wanted four streets in the standard order"):
            record_of(game, hand)
    with pytest.raises(ZerosumError, match="record: got None"):
        write_phh([{"venue": None}])
    assert write_phh([{"a b": "\x7f"}]) == '"a b" = "\\u007f"\n'


def test_a_third_of_a_chip_is_left_out_of_a_record() -> None:
    game = Holdem(players=3, stack="20", blinds="1/2", ante="1/0/0")
    board = parse_cards("AhKhQhJhTh")
    hand = game.deal_cards([*range(6), *board])
    while hand.actor >= 0:
        hand = hand.act(0)
    assert [end % 1 for end in hand.returns()] == pytest.approx([1 / 3] * 3)
    fields = record_of(game, hand)
    assert "finishing_stacks" not in fields
    (record,) = parse_phh(write_phh([fields]))
    assert replay(record).hand.returns() == hand.returns()


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


def test_a_record_of_decimals_unknown_cards_and_shows() -> None:
    text = """
    # a comment
    variant = "NT"
    ante_trimming_status = true
    antes = [0, 0, 0]
    blinds_or_straddles = [0.05, 0.10, 0]
    min_bet = 0.10
    starting_stacks = [1.25, 2, 3.5]
    actions = [
      'd dh p1 ????', 'd dh p2 AcAd', 'd dh p3 ????',  # dealt
      'p3 cbr 1.25', 'p1 cc', 'p2 f # too much',
      'p1 sm KsKd', 'p3 sm QhQc', 'd db 2c3d4h', 'd db 8s', 'd db 9s',
    ]
    finishing_stacks = [2.60, 1.90, 2.25]
    """
    (record,) = parse_phh(text)
    played = replay(record)
    assert played.scale == 100
    assert played.difference() == ""
    wrong = dict(record.fields) | {"finishing_stacks": record.fields["starting_stacks"]}
    told = type(played)(type(record)(wrong), played.hand, played.scale).difference()
    assert told.startswith("p1 ends with 2.6, recorded 1.25; p2 ends with 1.9, recorded 2")


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
