"""Players who follow a simple script: opponents to try things against, and yardsticks.

A player gives the engine's action for what a seat sees: -1 fold, 0 check or call, else the chips to bet or raise to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from zerosum import native
from zerosum.errors import PolicyError
from zerosum.games.holdem import CALL, FOLD
from zerosum.settings import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from zerosum.native import HoldemView


class Player(Protocol):
    """A seat at a table."""

    name: str

    def act(self, views: Sequence[HoldemView], uniforms: Sequence[float]) -> list[int]:
        """An action of the engine for each view, drawn with a number from [0, 1) where luck is needed."""
        ...


class Scripted:
    """A player whose script looks at one view at a time."""

    def __init__(self, name: str, script: Callable[[HoldemView, float], int]) -> None:
        self.name = name
        self.script = script

    def act(self, views: Sequence[HoldemView], uniforms: Sequence[float]) -> list[int]:
        return [self.script(view, uniform) for view, uniform in zip(views, uniforms, strict=True)]


def strength(view: HoldemView) -> float:
    """How good the hand is, 0 to 1: the exact chance to win against a random one, before the flop an estimate."""
    high, low = sorted((card // 4 for card in view.hole), reverse=True)
    if view.board:
        wins, ties, total = native.versus_random(bytes(view.hole), bytes(view.board))
        return (wins + ties / 2) / total
    if high == low:
        return 0.5 + 0.35 * (high + 1) / 13
    suited = 0.03 * (view.hole[0] % 4 == view.hole[1] % 4)
    return 0.32 + 0.22 * high / 12 + 0.11 * low / 12 + suited + 0.02 * (high - low <= 2)


def _fold(view: HoldemView, _uniform: float) -> int:
    return FOLD if view.limits()[0] else CALL


def _call(_view: HoldemView, _uniform: float) -> int:
    return CALL


def _all_in(view: HoldemView, _uniform: float) -> int:
    _, _, raises, _, high = view.limits()
    return high if raises else CALL


def _random(view: HoldemView, uniform: float) -> int:
    legal = view.legal()
    return view.amount(legal[int(uniform * len(legal))])


def _raise_pots(view: HoldemView, pots: float) -> int:
    """A bet of so many pots, as near as the rules allow; a call where no raise is allowed."""
    _, call, raises, low, high = view.limits()
    if not raises:
        return CALL
    return min(high, max(low, max(view.bets) + int(pots * (view.pot + call))))


def _pot(view: HoldemView, _uniform: float) -> int:
    return _raise_pots(view, 1.0)


def _price(view: HoldemView) -> float:
    """The share of the pot that a call would have to win."""
    call = view.limits()[1]
    return call / (view.pot + call) if call else 0.0


def _tight_aggressive(view: HoldemView, uniform: float) -> int:
    good = strength(view) - 0.03 * (view.players - sum(view.folded) - 2)
    if good > 0.65 and view.raises < 3:
        return _raise_pots(view, 0.5 + 0.5 * uniform)
    return CALL if good > 0.52 and good > _price(view) + 0.05 else _fold(view, uniform)


def _loose_passive(view: HoldemView, uniform: float) -> int:
    good = strength(view)
    if good > 0.9 and uniform < 0.3:
        return _raise_pots(view, 0.5)
    return CALL if good > _price(view) - 0.05 or good > 0.45 else _fold(view, uniform)


def _equity(view: HoldemView, uniform: float) -> int:
    good = strength(view)
    if good > 0.6 and view.raises < 3 and uniform < good:
        return _raise_pots(view, 2 * good - 0.7)
    return CALL if good > _price(view) else _fold(view, uniform)


SCRIPTS: dict[str, Callable[[HoldemView, float], int]] = {
    "random": _random,
    "call": _call,
    "fold": _fold,
    "all-in": _all_in,
    "pot": _pot,
    "tight-aggressive": _tight_aggressive,
    "loose-passive": _loose_passive,
    "equity": _equity,
}


def scripted_player(name: str) -> Scripted:
    """The player of that name."""
    if name not in SCRIPTS:
        raise PolicyError(f"unknown player {name!r}; {nearest(name, SCRIPTS)}")
    return Scripted(name, SCRIPTS[name])
