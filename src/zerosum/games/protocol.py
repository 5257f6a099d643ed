"""What a game is: a value with a root state. States and views are values too; nothing here ever changes.

A policy sees a view, never a state, so that hidden cards cannot leak.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

CHANCE = -1
TERMINAL = -2


class View(Protocol):
    """Everything one seat knows when it is to act. Equal views are one information set, so a view is hashable."""

    @property
    def seat(self) -> int: ...

    @property
    def key(self) -> str:
        """Short, stable and unique among the seat's views: the name under which tables are saved."""
        ...

    def legal(self) -> Sequence[int]:
        """What the seat may do: the state's legal actions."""
        ...

    def words(self) -> str:
        """The situation in words a player reads: "holding K, facing a bet"."""
        ...

    def action_words(self, action: int) -> str:
        """What the action is called here: a bet facing a bet is a "call"."""
        ...

    def __hash__(self) -> int: ...


class State(Protocol):
    """A position. `child` gives a new one; the old one stays as it was."""

    @property
    def actor(self) -> int:
        """The seat to act, or CHANCE, or TERMINAL."""
        ...

    def legal(self) -> Sequence[int]:
        """The actor's actions, in ascending order; numbers below the game's `num_actions`."""
        ...

    def chance(self) -> Sequence[tuple[int, float]]:
        """At a chance node, its outcomes and their probabilities."""
        ...

    def child(self, action: int) -> State: ...

    def view(self, seat: int) -> View: ...

    def returns(self) -> Sequence[float]:
        """At the end, what each player wins."""
        ...

    def __str__(self) -> str: ...


class Game(Protocol):
    """Rules with their settings. Hashable: equal games share one compiled tree."""

    @property
    def players(self) -> int: ...

    @property
    def num_actions(self) -> int: ...

    def root(self) -> State: ...

    def spec(self) -> str:
        """The text that loads this game again, such as `leduc:ranks=4`."""
        ...

    def __hash__(self) -> int: ...


def key_of(view: View) -> Hashable:
    """A name for a view that is unique over all seats."""
    return (view.seat, view.key)
