"""ACPC's protocol: its lines as the specification gives them, and programs that behave or do not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from zerosum.cards.names import parse_cards
from zerosum.errors import ZerosumError
from zerosum.evaluate.match import MatchResult, play_match
from zerosum.evaluate.roster import Entrant, entrants
from zerosum.evaluate.tournament import play_tournament
from zerosum.games.holdem import Holdem
from zerosum.protocols.acpc import match_state, parse_action, parse_answer
from zerosum.protocols.program import AcpcProgram

BOT = Path(__file__).parents[1] / "programs" / "acpc_bot.py"


def program(mode: str, seconds: float = 10.0) -> Entrant:
    player = AcpcProgram(f"{sys.executable} {BOT} {mode}", seconds)
    return Entrant(player.name, player=player)


def match(mode: str, seconds: float = 10.0) -> MatchResult:
    game = Holdem()
    return play_match(game, [program(mode, seconds), *entrants(["pot"], game)], hands=60, seed=3)


def test_the_lines_of_the_specification() -> None:
    """r and all that was put in over the whole hand; a slash for every street, dealt out after an all-in too."""
    hand = Holdem().deal_cards(parse_cards("2c3d2hAc4c5c6c7c8d"))
    hand = hand.act(11576).act(20000)
    assert match_state(hand, 1, 0) == "MATCHSTATE:1:0:r11576r20000:|2hAc"
    assert parse_answer("MATCHSTATE:1:0:r11576r20000:|2hAc:c", match_state(hand, 1, 0), hand) == 0
    over = hand.act(0)
    assert match_state(over, 1, 0) == "MATCHSTATE:1:0:r11576r20000c///:|2hAc/4c5c6c/7c/8d"
    assert match_state(over, 0, 0, shown=True) == "MATCHSTATE:0:0:r11576r20000c///:2c3d|2hAc/4c5c6c/7c/8d"


def test_a_raise_counts_earlier_streets() -> None:
    hand = Holdem().deal_cards(parse_cards("2c3d2hAc4c5c6c7c8d")).act(300).act(0)
    assert hand.betting == "r300c/"
    assert parse_action("r700", hand) == 400
    assert hand.act(400).betting == "r300c/r700"
    for wrong in ("r300", "r299", "r399", "r20001", "f"):
        with pytest.raises(ZerosumError, match=f"got {wrong}, wanted c, or r400 to r20000"):
            parse_answer(f"state:{wrong}", "state", hand)


def test_a_program_plays_as_well_as_the_script_of_the_same_play() -> None:
    game = Holdem()
    found, wanted = match("call"), play_match(game, entrants(["call", "pot"], game), hands=60, seed=3)
    assert found.techniques[0] == wanted.techniques[0]
    assert found.players[0].by_seat == pytest.approx(wanted.players[0].by_seat)
    assert found.players[0].rates == wanted.players[0].rates
    assert list(found.faults.values()) == [()]


@pytest.mark.parametrize(
    ("mode", "seconds", "says"),
    [
        ("crash", 10.0, "it ended"),
        ("sleep", 0.5, "did not answer in time"),
        ("short", 10.0, "all that it has put in over the hand"),
        ("odd", 10.0, "got action 'raise', wanted f, c or r and chips"),
        ("other", 0.5, "wanted MATCHSTATE:"),
    ],
)
def test_what_a_program_does_wrong_is_noted_and_the_match_goes_on(mode: str, seconds: float, says: str) -> None:
    found = match(mode, seconds)
    (faults,) = found.faults.values()
    assert says in faults[0]
    assert found.hands == 60
    assert found.players[0].mbb_per_hand < -400  # it folded where it could have called


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("no-such-program", "cannot be started"),
        ("true", "got nothing, wanted it to connect"),
        (f"{sys.executable} {BOT} stranger", "got 'HELLO', wanted it to connect and say VERSION:2.0.0"),
        ("'", "No closing quotation"),
        ("", "got no command"),
    ],
)
def test_programs_that_are_none(command: str, says: str) -> None:
    with pytest.raises(ZerosumError, match=says):
        AcpcProgram(command).start()


@pytest.mark.parametrize("mode", ["comment", "double"])
def test_comments_and_answers_given_twice_are_passed_over(mode: str) -> None:
    found = match(mode)
    wanted = match("call")
    assert found.techniques == wanted.techniques
    (faults,) = found.faults.values()
    assert bool(faults) == (mode == "double")


def test_no_program_is_left_behind_and_none_started_in_vain() -> None:
    game = Holdem()
    one = program("mute")
    assert isinstance(one.player, AcpcProgram)
    with pytest.raises(ZerosumError, match="hands: got 0"):
        play_match(game, [one, *entrants(["pot"], game)], hands=0)
    assert one.player.process is None
    one.player.start()
    started = one.player.process
    assert started is not None
    assert started.poll() is None
    one.player.close()
    assert started.poll() is not None


def test_a_tournament_starts_a_program_for_each_match() -> None:
    game = Holdem()
    found = play_tournament(game, [program("call"), *entrants(["pot", "fold"], game)], hands=20)
    assert found.mbb_per_hand[0][1] == pytest.approx(0)


def test_programs_play_hold_em_only() -> None:
    with pytest.raises(ZerosumError, match="speaks hold'em"):
        entrants(["acpc:true", "call"], Holdem(order="botzone"))
