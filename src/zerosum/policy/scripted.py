"""Hold'em players who follow a simple script: opponents to try things against, and yardsticks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from zerosum import native
from zerosum.errors import PolicyError
from zerosum.settings import nearest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zerosum.native import HoldemView

SCRIPTS = tuple(native.script_names())


@dataclass(frozen=True)
class Scripted:
    """A player of `SCRIPTS`; matches play it natively."""

    name: str

    def act(self, views: Sequence[HoldemView], uniforms: Sequence[float], _once: Sequence[float] = ()) -> list[int]:
        return [native.script_action(self.name, view, uniform) for view, uniform in zip(views, uniforms, strict=True)]


def scripted_player(name: str) -> Scripted:
    """The player of that name."""
    if name not in SCRIPTS:
        raise PolicyError(f"unknown player {name!r}; {nearest(name, SCRIPTS)}")
    return Scripted(name)
