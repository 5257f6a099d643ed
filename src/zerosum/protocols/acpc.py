"""The match protocol of the Annual Computer Poker Competition, version 2.0.0: lines out, lines in.

`MATCHSTATE:position:hand:betting:hole|hole/flop/turn/river` tells a program what it sees; where it is to act it answers
with the same line and `:f`, `:c` or `:rN`, N being all it will have put in over the whole hand. Heads-up, seat 0 is the
big blind, as in the engine.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from zerosum.errors import RuleError
from zerosum.games.holdem import CALL, FOLD
from zerosum.games.holdem.telling import cards_text

if TYPE_CHECKING:
    from zerosum.native import HoldemHand

VERSION = "VERSION:2.0.0"


def match_state(hand: HoldemHand, seat: int, number: int, *, shown: bool = False, everyone: bool = False) -> str:
    """What a seat is told; with `shown` the cards of those who are in, as at a showdown, or of everyone, for a log."""
    holes = "|".join(
        cards_text(hand.hole(other)) if other == seat or everyone or (shown and not hand.folded[other]) else ""
        for other in range(hand.players)
    )
    board = hand.board
    parts = [cards_text(board[a:b]) for a, b in ((0, 3), (3, 4), (4, 5)) if len(board) >= b]
    return f"MATCHSTATE:{seat}:{number}:{hand.betting}:{'/'.join([holes, *parts])}"


def parse_action(text: str, hand: HoldemHand) -> int:
    """`f`, `c` or `rN` -> the engine's action for the seat to act."""
    if text == "f":
        return FOLD
    if text == "c":
        return CALL
    if re.fullmatch(r"r[0-9]{1,13}", text):
        to = int(text[1:]) - _before(hand)
        if to <= 0:
            raise RuleError(f"got {text}, wanted {_wanted(hand)}")
        return to
    raise RuleError(f"got action {text[:40]!r}, wanted f, c or r and chips")


def parse_answer(line: str, state: str, hand: HoldemHand) -> int:
    """A program's answer to a state -> the engine's action; refuses what is not one, or not legal."""
    if not line.startswith(f"{state}:"):
        raise RuleError(f"got {line[:80]!r}, wanted {state}: and an action")
    action = parse_action(line[len(state) + 1 :], hand)
    act_said(hand, action)
    return action


def act_said(hand: HoldemHand, action: int) -> HoldemHand:
    """After an engine's action; refuses what the rules forbid in the protocol's own words."""
    try:
        return hand.act(action)
    except RuleError:
        got = "f" if action == FOLD else f"r{_before(hand) + action}"
        raise RuleError(f"got {got}, wanted {_wanted(hand)}") from None


def _before(hand: HoldemHand) -> int:
    """What the seat to act has put in on earlier streets."""
    return hand.invested[hand.actor] - hand.bets[hand.actor]


def _wanted(hand: HoldemHand) -> str:
    fold, _, may_raise, low, high = hand.limits()
    words = "f or c" if fold else "c"
    if not may_raise:
        return words
    return f"{words}, or r{_before(hand) + low} to r{_before(hand) + high}: all that it has put in over the hand"
