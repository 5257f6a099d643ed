"""Menus of bet sizes, and the way between them and bets of any size.

A menu is written `33%+66%+100%+2.5x+a`, one for each street with slashes between: `%` of the pot after calling, `x`
times the bet faced (the big blind where there is none), `min` the smallest legal, `a` all-in. The actions are 0 fold,
1 check or call, a bet of each size in turn, and all-in last. Limit betting has the one size `raise`.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from zerosum.errors import RuleError, SettingsError
from zerosum.games.holdem.engine import CALL, FOLD

if TYPE_CHECKING:
    from zerosum.native import HoldemHand, HoldemView

Size = tuple[int, int, int]  # (0 pot | 1 times | 2 least, numerator, denominator)
_POT, _TIMES, _LEAST = 0, 1, 2
_MIN = (_LEAST, 1, 1)


def parse_menu(text: str, streets: int, where: str, *, limit: bool = False) -> tuple[list[list[Size]], bool]:
    """Text -> sizes for each street, and whether all-in is offered."""
    if limit:
        if text != "raise":
            raise SettingsError(f"{where}: got {text!r}, wanted raise: limit betting has one size")
        return [[_MIN] for _ in range(streets)], False
    parts = text.split("/")
    if len(parts) > streets:
        raise SettingsError(f"{where}: got {len(parts)} streets in {text!r}, wanted at most {streets}")
    menus = [_street(part, where) for part in parts]
    if len({all_in for _, all_in in menus}) > 1:
        raise SettingsError(f"{where}: got all-in (a) on some streets of {text!r}, wanted it on all or none")
    sizes = [sizes for sizes, _ in menus]
    return sizes + sizes[-1:] * (streets - len(sizes)), menus[0][1]


def _street(text: str, where: str) -> tuple[list[Size], bool]:
    sizes: list[Size] = []
    all_in = False
    for token in re.split(r"[+,\s]+", text.strip()):
        if token in ("a", "none"):
            all_in |= token == "a"
            continue
        size = _MIN if token == "min" else _size(token, where)
        if size in sizes:
            raise SettingsError(f"{where}: {token} is given twice")
        sizes.append(size)
    return sizes, all_in


def _size(token: str, where: str) -> Size:
    found = re.fullmatch(r"(\d{1,5}(?:\.\d{1,4})?)(%|x)", token)
    if not found or float(found[1]) == 0:
        raise SettingsError(f"{where}: got {token!r}, wanted sizes such as 33%, 2.5x, min or a")
    kind = _POT if found[2] == "%" else _TIMES
    share = Fraction(found[1]) / (100 if kind == _POT else 1)
    return kind, share.numerator, share.denominator


class BetTranslator:
    """Between a menu's numbers and the engine's actions, both ways.

    A bet between two sizes goes to the lower one A with probability (B − x)(1 + A) / ((B − A)(1 + x)), all in pots: the
    pseudo-harmonic mapping (Ganzfried & Sandholm 2013).
    """

    def cfr_to_engine(self, hand: HoldemHand | HoldemView, number: int) -> int:
        """A number of the menu -> -1 fold, 0 check or call, else the chips to bet or raise to."""
        action = hand.amount(number)
        if action == -2:
            offered = ", ".join(str(k) for k in hand.legal())
            raise RuleError(f"action {number}: not offered here, wanted one of {offered}")
        return action

    def engine_to_cfr(self, hand: HoldemHand | HoldemView, action: int, uniform: float) -> int:
        """Any legal action of the engine -> the nearest number of the menu, drawn with `uniform` from [0, 1)."""
        fold, _, raises, low, high = hand.limits()
        if action == FOLD and fold:
            return 0
        if action == CALL:
            return 1
        if action < 0 or not raises or not low <= action <= high:
            raises_to = f", or {low} to {high}" if raises else ""
            raise RuleError(f"action {action}: not legal here, wanted {'-1, ' if fold else ''}0{raises_to}")
        offered = sorted((hand.amount(number), number) for number in hand.legal() if hand.amount(number) > 0)
        exact = [number for amount, number in offered if amount == action]
        if exact:
            return exact[0]
        below = [(amount, number) for amount, number in offered if amount < action]
        above = [(amount, number) for amount, number in offered if amount > action]
        if not above:
            return below[-1][1] if below else 1
        lower, number = below[-1] if below else (max(hand.bets), 1)
        a, x, b = (self._pots(hand, amount) for amount in (lower, action, above[0][0]))
        return number if uniform < (b - x) * (1 + a) / ((b - a) * (1 + x)) else above[0][1]

    @staticmethod
    def _pots(hand: HoldemHand | HoldemView, amount: int) -> float:
        """A raise to `amount` as a share of the pot after calling."""
        highest = max(hand.bets)
        return (amount - highest) / (hand.pot + highest - hand.bets[hand.actor])
