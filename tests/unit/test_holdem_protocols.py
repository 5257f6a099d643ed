"""Hold'em as Botzone and ACPC tell it: cards, hands and answers at the edges of our own numbering and rules."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from zerosum import native
from zerosum.errors import RuleError
from zerosum.games.holdem import CALL, FOLD, Holdem
from zerosum.policy.scripted import scripted_player
from zerosum.protocols.acpc import match_state
from zerosum.protocols.acpc_bot import AcpcBot
from zerosum.protocols.botzone_holdem import HoldemBot, botzone_card, parse_request, replay_request
from zerosum.protocols.botzone_judge import check_said
from zerosum.protocols.lines import LineReader, raw_text, readable, requests

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zerosum.native import HoldemView

BOTZONE = Holdem(order="botzone")
OURS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]  # spec 3: id = rank * 4 + suit
THEIRS = [rank + suit for rank in "23456789TJQKA" for suit in "hdsc"]  # spec 6: Botzone's suits


class Fixed:
    """Always wants the same."""

    name = "fixed"

    def __init__(self, action: int) -> None:
        self.action = action

    def act(self, views: Sequence[HoldemView], _uniforms: Sequence[float], _once: Sequence[float] = ()) -> list[int]:
        return [self.action] * len(views)


class Sizes(Fixed):
    """Wants a number of the menu."""

    def act(self, views: Sequence[HoldemView], _uniforms: Sequence[float], _once: Sequence[float] = ()) -> list[int]:
        return [view.amount(self.action) for view in views]


def silent(_line: str) -> None:
    pass


@pytest.mark.parametrize("card", range(52))
def test_every_card_in_every_numbering(card: int) -> None:
    """Card by card: our number, Botzone's and ACPC's letters name the same card."""
    theirs = THEIRS.index(OURS[card])
    assert native.card_of_botzone(theirs) == card
    assert botzone_card(card) == theirs
    assert native.card_named(OURS[card]) == card
    hand = Holdem().deal_cards([card, *[other for other in range(52) if other != card][:8]])
    assert match_state(hand, 0, 0).split(":")[4].startswith(OURS[card])


def test_what_is_no_card() -> None:
    assert [native.card_of_botzone(number) for number in (-1, 52, 10**12)] == [52] * 3
    assert [native.card_named(text) for text in ("", "A", "as", "AS", "1c", "Acc", "é")] == [52] * 7


def request(**fields: Any) -> dict[str, Any]:
    whole = {"num_players": 2, "dealer_id": 0, "my_id": 1, "my_chips": 19950, "my_cards": [0, 4], "public_cards": []}
    return {**whole, "history": [], "hand": 0, "max_hand": 70, "total_win_chips": [0, 0], "new_field": None, **fields}


def said(*actions: tuple[int, int]) -> list[dict[str, Any]]:
    return [{"round": 0, "player_id": player, "action": chips, "action_type": "?"} for player, chips in actions]


def botzone_answer(player: Any, told: Any) -> int:
    return HoldemBot(player, BOTZONE, 1, silent).answer(json.dumps(told))


def test_who_sits_where_on_botzone() -> None:
    """The dealer is the big blind, the other the small blind, who acts first on every street."""
    first = replay_request(parse_request(request()), BOTZONE, check_chips=True)
    assert (first.hand.actor, first.hand.bets) == (0, [50, 100])
    flop = request(history=said((1, 0), (0, 0)), public_cards=[8, 12, 16], my_chips=19900)
    second = replay_request(parse_request(flop), BOTZONE, check_chips=True)
    assert (second.hand.actor, second.hand.street, second.hand.pot) == (0, 1, 200)
    assert second.hand.hole(0) == tuple(native.card_of_botzone(card) for card in (0, 4))
    six = {"num_players": 6, "dealer_id": 4, "my_id": 2, "my_chips": 20000, "history": said((5, 0), (0, 0), (1, 0))}
    table = replay_request(parse_request(request(**six)), BOTZONE, check_chips=True)
    assert (table.hand.actor, table.hand.bets) == (3, [100, 100, 100, 0, 0, 0])
    assert botzone_answer(Fixed(CALL), request(**six)) == -1  # nobody taught it to play with six


def test_the_dealer_may_have_the_small_blind() -> None:
    """Not Botzone's rule, but what the chips and players of a request say counts."""
    told: list[str] = []
    bot = HoldemBot(Fixed(CALL), BOTZONE, 1, told.append)
    assert bot.answer(json.dumps(request(my_id=0))) == 0
    assert "small blind" in told[0]


@pytest.mark.parametrize(
    ("player", "fields", "answer"),
    [
        (Fixed(CALL), {}, 0),
        (Fixed(FOLD), {}, -1),
        (Sizes(2), {}, 200),  # half the pot is to 200, 150 more; twice the big blind is safe
        (Sizes(3), {}, 250),  # the pot: to 300
        (Sizes(4), {}, -2),
        (Fixed(FOLD), {"history": said((1, 0)), "my_id": 0, "my_chips": 19900}, 0),  # a check is free
        (Fixed(CALL), {"history": said((1, -2)), "my_id": 0, "my_chips": 19900}, -2),  # after an all-in only that or -1
        (Sizes(3), {"history": said((1, 750)), "my_id": 0, "my_chips": 19900}, 2300),  # to 2,400
        (Sizes(2), {"history": said((1, 950)), "my_id": 0, "my_chips": 19900}, 1900),  # to 2,000
        (Fixed(1), {}, -1),  # not a legal raise: folds
        (Fixed(CALL), {"dealer_id": 0.0, "my_cards": [0, 4.0]}, 0),  # whole numbers, however they are written
        (Fixed(CALL), {"public_cards": 7, "hand": "x", "my_chips": None}, 0),
        (Fixed(CALL), {"history": said((1, 60)), "my_id": 0, "my_chips": 19900}, 0),  # a raise smaller than any of ours
        (Fixed(CALL), {"history": said((1, 10**30)), "my_id": 0, "my_chips": 19900}, -2),  # more than there is: all-in
        (Fixed(CALL), {"history": [{"player_id": 1, "action": 1e18}], "my_id": 0, "my_chips": 19900}, -2),
    ],
)
def test_answers_to_botzone(player: Fixed, fields: dict[str, Any], answer: int) -> None:
    assert botzone_answer(player, {"requests": [{"old": 1}, request(**fields)], "responses": [0]}) == answer
    assert botzone_answer(player, request(**fields)) == answer
    assert botzone_answer(player, {"request": request(**fields)}) == answer
    assert botzone_answer(player, {"requests": [json.dumps(request(**fields))]}) == answer


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"my_cards": [0]}, "my_cards: got [0], wanted two cards from 0 to 51"),
        ({"my_cards": [0, 0]}, "my_cards, public_cards: got 0 twice"),
        ({"my_cards": [0, 52]}, "my_cards: got [0, 52], wanted two cards from 0 to 51"),
        ({"my_cards": "AsKs"}, 'my_cards: got "AsKs", wanted two cards from 0 to 51'),
        (
            {"public_cards": [1, 2, 3, 5, 6, 7]},
            "public_cards: got [1, 2, 3, 5, 6, 7], wanted up to five cards from 0 to 51",
        ),
        ({"dealer_id": 2}, "dealer_id: got 2, wanted 0 to 1"),
        ({"my_id": None}, "my_id: got null, wanted 0 to 1"),
        ({"my_id": "0"}, 'my_id: got "0", wanted 0 to 1'),
        ({"my_id": True}, "my_id: got true, wanted 0 to 1"),
        ({"num_players": 11}, "num_players: got 11, wanted 2 to 10"),
        ({"history": said((1, 0))}, "player 0 is to act, and my_id is 1"),
        ({"history": said((1, 0), (0, 0))}, "public_cards: got 0, the history wants 3"),
        ({"history": said((1, -1))}, "history: the hand is over"),
        ({"history": [7]}, "history[0]: got 7, wanted a player and an action"),
        ({"history": said((1, 0), (0, -7))}, "history[1].action: got -7, wanted -2, -1, 0 or chips"),
        ({"history": [{"player_id": 1, "action": 0.5}]}, "history[0].action: got 0.5, wanted -2, -1, 0 or chips"),
    ],
)
def test_requests_that_cannot_be(fields: dict[str, Any], says: str) -> None:
    heard: list[str] = []
    warned: list[str] = []
    HoldemBot(Fixed(CALL), BOTZONE, 1, warned.append).converse([json.dumps(request(**fields))], heard.append, False)
    assert heard == ['{"response": -1}']
    assert warned == [f"{says}; folds"]


def test_lines_that_are_no_requests() -> None:
    heard: list[str] = []
    warned: list[str] = []
    lines = ["{", "\n", "[" * 100_000, "null", '{"requests": []}', '{"requests": 3}', "\x00", json.dumps(request())]
    HoldemBot(Fixed(CALL), BOTZONE, 1, warned.append).converse(lines, heard.append, True)
    assert [json.loads(line)["response"] for line in heard[::2]] == [-1] * 7 + [0]
    assert len(warned) == 7
    heard.clear()
    HoldemBot(Fixed(CALL), BOTZONE, 1, warned.append).converse(lines[1:2] + lines[-1:], heard.append, False)
    assert heard == ['{"response": 0}']  # one turn, after an empty line


def test_requests_of_several_lines() -> None:
    """JSON may be spread over lines that come at once; what makes none together is taken line by line."""

    def told(*lines: str) -> list[str]:
        waiting = list(lines)
        return list(requests(lambda _seconds: waiting.pop(0) if waiting else None))

    assert told("{", '"a": [1,', "", "2]", "}", "[3]") == ['{\n"a": [1,\n\n2]\n}', "[3]"]
    assert told("\ufeff{", "}") == ["\ufeff{\n}"]
    for apart in (["{", "", "[[[[", "{}", '"', "[1"], ["[", "x", "]", "}"], ["[" * 100_000, "]"]):
        assert told(*apart) == apart


def test_lines_of_a_pipe() -> None:
    ours, theirs = os.pipe()
    reader = LineReader(ours)
    os.write(theirs, b"one\r\n\ntw")
    assert [reader.next(None), reader.next(None), reader.next(0.01)] == ["one", "", None]
    os.write(theirs, "ö".encode() + b"\xff")
    os.close(theirs)
    last = reader.next(0.01) or ""
    assert (last[:3], readable(last), raw_text(last), reader.next(None)) == (
        "twö",
        "tw\\xc3\\xb6\\xff",
        "twö".encode() + b"\xff",
        None,
    )
    os.close(ours)
    assert readable("\ud800") == "\\ud800"  # JSON can name it, UTF-8 cannot


def test_what_the_judge_refuses() -> None:
    hand = BOTZONE.deal(0)
    for fine in (-1, -2, 0, 150, 19949):
        check_said(hand, fine)
    for wrong in (-3, 1, 50, 149, 19950, 10**9, 1.0, True, None, "0", {"x": 1}):
        with pytest.raises(RuleError, match="wanted"):
            check_said(hand, wrong)
    facing = hand.act(20000)
    check_said(facing, -2)
    for wrong in (0, 19900):
        with pytest.raises(RuleError, match="after an all-in, wanted -1 or -2"):
            check_said(facing, wrong)


@pytest.mark.parametrize(
    ("line", "player", "answer"),
    [
        ("MATCHSTATE:1:0:r11576r20000:|2hAc", Fixed(CALL), "c"),  # the exchange of spec 6
        ("MATCHSTATE:1:0:r11576r20000:|2hAc", Fixed(FOLD), "f"),
        ("MATCHSTATE:1:7::|2hAc", Sizes(2), "r200"),
        ("MATCHSTATE:1:7::|2hAc", Sizes(4), "r20000"),
        ("MATCHSTATE:0:7:c:2hAc|", Sizes(3), "r300"),
        ("MATCHSTATE:0:7:c:2hAc|", Fixed(FOLD), "c"),  # nothing to call: no fold
        ("MATCHSTATE:0:7:r300c/:2hAc|/3c4c5c", Sizes(3), "r900"),  # the total over the whole hand
        ("MATCHSTATE:0:7:r300c/c:2hAc|/3c4c5c", Sizes(3), None),
        ("MATCHSTATE:0:7:r300c/cr900c/:2hAc|/3c4c5c/6c", Sizes(2), "r1800"),
        ("MATCHSTATE:0:7::2hAc|", Sizes(2), None),
        ("MATCHSTATE:0:7:f:2hAc|", Sizes(2), None),
        ("MATCHSTATE:1:7:r20000c///:2h3h|2sAc/3c4c5c/6c/7c", Sizes(2), None),
        ("MATCHSTATE:1:7:cc/cc/cc/cc:2h3h|2sAc/3c4c5c/6c/7c", Sizes(2), None),
        ("# a comment", Sizes(2), None),
        ("; a comment", Sizes(2), None),
        ("MATCHSTATE:1:7:r150:|2hAc", Fixed(CALL), None),
        ("MATCHSTATE:0:7:r150:2hAc|", Fixed(FOLD), "c"),  # a size that the rules do not have: calls
        ("MATCHSTATE:1:0:ffff:|AcAd", Sizes(2), None),
        ("MATCHSTATE:2:7::2hAc|", Sizes(2), None),
        ("MATCHSTATE:1:7::2hAc|", Sizes(2), "f"),  # our turn, but whose cards?
        ("MATCHSTATE:0:7:c:|", Sizes(2), "c"),
        ("MATCHSTATE:0:7:r300:AsAs|", Sizes(2), "f"),
        ("MATCHSTATE:0:7:r300c/:2hAc|/3c4c", Sizes(2), "c"),
        ("MATCHSTATE:0:7:r300c/:2hAc|", Sizes(2), "c"),
        ("MATCHSTATE:0:7:r300c/:2hAc|/3c2h4c", Sizes(2), "c"),
        ("MATCHSTATE:0:7:r300c/r300:2hAc|/3c4c5c", Sizes(2), None),  # as much as before: no raise
        ("MATCHSTATE:0:7:r300c/cr299:2hAc|/3c4c5c", Fixed(FOLD), "c"),
        ("", Sizes(2), None),
        ("HELLO", Sizes(2), None),
    ],
)
def test_answers_to_acpc(line: str, player: Fixed, answer: str | None) -> None:
    found = AcpcBot(player, Holdem(), 1, silent).answer(line)
    assert found == (None if answer is None else f"{line}:{answer}")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("MATCHSTATE:1:0:ffff:|AcAd", "it goes on after the end of the hand; gives no answer, the hand is over"),
        ("MATCHSTATE:0:0:r20000cc:AcAd|", "it goes on after the end of the hand; gives no answer, the hand is over"),
        (
            "MATCHSTATE:1:0:c/:|AcAd/2c3c4c",
            "got / where no street ends; gives no answer, it seems to be the other's turn",
        ),
        ("MATCHSTATE:1:0:f\udcff:|AcAd", "the betting is not f, c, r and chips, and slashes; gives no answer"),
    ],
)
def test_betting_that_cannot_be(line: str, says: str) -> None:
    warned: list[str] = []
    assert AcpcBot(Fixed(CALL), Holdem(), 1, warned.append).answer(line) is None
    assert len(warned) == 1
    assert f"'{readable(line)}': the betting is against the rules: {says}" in warned[0]


def test_scripts_speak_too() -> None:
    bot = AcpcBot(scripted_player("all-in"), Holdem(), 1, silent)
    assert bot.answer("MATCHSTATE:1:0::|2hAc") == "MATCHSTATE:1:0::|2hAc:r20000"
