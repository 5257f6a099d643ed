"""A seat at a table: what it sees in, an action of the engine out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from zerosum.native import HoldemView
    from zerosum.policy.protocol import Policy


class Player(Protocol):
    """Gives -1 to fold, 0 to check or call, else the chips to bet or raise to."""

    @property
    def name(self) -> str: ...

    def act(self, views: Sequence[HoldemView], uniforms: Sequence[float], once: Sequence[float]) -> list[int]:
        """An action of the engine for each view, drawn with a number from [0, 1) where luck is needed.

        `once` is such a number too, that stays the same for the seat throughout a hand.
        """
        ...


@dataclass(frozen=True)
class PolicyPlayer:
    """Plays a policy over the game's menu."""

    name: str
    policy: Policy

    def act(self, views: Sequence[HoldemView], uniforms: Sequence[float], _once: Sequence[float] = ()) -> list[int]:
        return chosen_actions(self.policy(views), views, uniforms)


def chosen_actions(
    strategy: npt.NDArray[np.float64], views: Sequence[HoldemView], uniforms: Sequence[float]
) -> list[int]:
    """[B, A] probabilities over the menu -> an action of the engine for each view."""
    shares = strategy.cumsum(axis=1)
    numbers = (shares <= np.asarray(uniforms)[:, None] * shares[:, -1:]).sum(axis=1)
    return [view.amount(number) for view, number in zip(views, numbers.tolist(), strict=True)]
