"""Every way in which a perfect player can lead a network from some openings, and where the network gives value away.

Games drawn at random tell how often that happens. Here nothing is left to luck: the network plays one move in each
position, the perfect player every one of its replies, and positions that are the same turned or mirrored are met once.
Where all of a won game's positions are met without an error, the network always wins it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from zerosum.evaluate.perfect import TOGETHER, alike, perfect_replies, searched
from zerosum.games.protocol import TERMINAL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from zerosum.evaluate.perfect import Stones
    from zerosum.games.gomoku import GomokuState
    from zerosum.networks.inference import Evaluator
    from zerosum.search.proof import ProofSolver
    from zerosum.search.settings import SearchSettings


@dataclass(frozen=True)
class MoveErrors:
    """At one of the network's moves: the positions it was led to, and those in which it gave value away."""

    positions: int
    errors: list[tuple[int, ...]]


def errors_after_replies(
    evaluate: Evaluator,
    solver: ProofSolver,
    search: SearchSettings,
    openings: Sequence[GomokuState],
    colour: int,
    moves: int,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[MoveErrors]:
    """For each of the network's first moves with a colour, while there are games; one in which it erred is over."""
    states = list(openings)
    for _ in range(moves):
        states = _led(solver, states, colour)
        if not states:
            return
        errors, after = [], []
        for first in range(0, len(states), TOGETHER):
            some = states[first : first + TOGETHER]
            for state, (_, cell) in zip(some, searched(evaluate, some, search), strict=True):
                if cell in solver.keeping_moves(state, [cell]):
                    after.append(state.child(cell))
                else:
                    errors.append(state.moves)
            if progress is not None:
                progress(first + len(some), len(states))
        yield MoveErrors(len(states), errors)
        states = after


def _led(solver: ProofSolver, states: Iterable[GomokuState], colour: int) -> list[GomokuState]:
    """Where it is the network's turn, after every reply where it was not."""
    found: dict[Stones, GomokuState] = {}
    for state in states:
        if state.actor == TERMINAL:
            continue
        replies = [] if state.actor == colour else perfect_replies(solver, state)
        for after in [state] if state.actor == colour else [state.child(cell) for cell in replies]:
            if after.actor != TERMINAL:
                found.setdefault(alike(after), after)
    return list(found.values())
