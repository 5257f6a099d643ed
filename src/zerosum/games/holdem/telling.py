"""A hand told for people, line by line."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from zerosum.cards.evaluation import evaluate, hand_name
from zerosum.cards.names import card_names
from zerosum.games.holdem.engine import STREETS, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from zerosum.native import HoldemHand, HoldemView


def cards_text(cards: Sequence[int]) -> str:
    """`AsKd`; `??` for a card that is not known."""
    return "".join("??" if card == UNKNOWN else card_names([card]) for card in cards)


def chips_text(chips: int, scale: int = 1) -> str:
    """Chips of which `scale` make one of the record's unit."""
    amount = Fraction(chips, scale)
    return f"{amount.numerator:,}" if amount.denominator == 1 else f"{float(amount):,.2f}"


def tell(hand: HoldemHand | HoldemView, names: Sequence[str], scale: int = 1, since: int = 0) -> Iterator[str]:
    """What happened, from event number `since` on; hole cards are left out."""
    players = hand.players
    bets, board, street = [0] * players, list[int](), -1
    for number, (seat, where, action, added, all_in) in enumerate(hand.events()):
        if number < 2 * players:
            continue
        if seat < 0:
            board.append(action)
            if len(board) >= 3 and number >= since:
                yield f"{STREETS[len(board) - 2]}: {cards_text(board)}"
            continue
        if where != street:
            bets, street = [0] * players, where
        opens = where > 0 and max(bets) == 0
        bets[seat] += added
        if number >= since:
            yield f"{names[seat]} {_said(names[seat], action, added, all_in, opens=opens, scale=scale)}"


def _said(name: str, action: int, added: int, all_in: bool, *, opens: bool, scale: int) -> str:
    if action < 0:
        return _verb(name, "fold")
    if action > 0:
        text = f"{_verb(name, 'bet' if opens else 'raise')}{'' if opens else ' to'} {chips_text(action, scale)}"
    else:
        text = f"{_verb(name, 'call')} {chips_text(added, scale)}" if added else _verb(name, "check")
    return text + (f" and {'are' if name == 'you' else 'is'} all-in" if all_in else "")


def _verb(name: str, verb: str) -> str:
    return verb if name == "you" else verb + "s"


def tell_end(hand: HoldemHand, names: Sequence[str], scale: int = 1) -> Iterator[str]:
    """Who shows what, and who wins or loses how much."""
    shown = [seat for seat in range(hand.players) if not hand.folded[seat]]
    board = hand.board
    for seat in shown:
        hole = hand.hole(seat)
        if len(shown) > 1 and UNKNOWN not in hole and len(board) >= 3:
            value = int(evaluate(np.array([[*hole, *board]], dtype=np.uint8))[0])
            yield f"{names[seat]} {_verb(names[seat], 'show')} {cards_text(hole)}: {hand_name(value)}"
    won = hand.returns()
    for seat, chips in enumerate(won):
        if chips:
            verb = _verb(names[seat], "win" if chips > 0 else "lose")
            yield f"{names[seat]} {verb} {abs(chips) / scale:,.10g}"
