"""A whole solve: until enough iterations or a good enough policy, watched by whoever asks, saved where asked."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from math import ceil, isfinite
from typing import TYPE_CHECKING, Protocol

from zerosum.errors import SettingsError
from zerosum.games.tree import Tree, tree_of
from zerosum.settings import whole
from zerosum.solve.algorithms import Sampled, algorithm_named
from zerosum.solve.iterates import Iterate, Solving
from zerosum.solve.keeping import Keeper, Point

if TYPE_CHECKING:
    from collections.abc import Iterator

    from zerosum.games.protocol import Game
    from zerosum.policy.table import TablePolicy
    from zerosum.runs.directory import RunDirectory

EXACT_ITERATIONS = 10_000
SAMPLED_ITERATIONS = 1_000_000
MOST_ITERATIONS = 10**15  # years of the smallest game, and exactly countable everywhere
MARK_RATIO = 1.05  # exploitability is looked at each time the iterations have grown by this


@dataclass(frozen=True)
class SolveSettings:
    """What a solve is; saved with its run. The number of threads is not part of it: it cannot change the result."""

    game: str
    algorithm: str
    seed: int = 0
    iterations: int | None = None
    target: float | None = None


@dataclass(frozen=True, eq=False)
class Solution:
    """What a solve found."""

    iterate: Iterate
    seconds: float
    iterations_per_second: float
    history: tuple[Point, ...] = field(repr=False)
    finished: bool

    @property
    def policy(self) -> TablePolicy:
        return self.iterate.policy

    @property
    def iterations(self) -> int:
        return self.iterate.iteration

    @property
    def value(self) -> tuple[float, ...]:
        return self.iterate.value

    @property
    def nash_conv(self) -> float:
        return self.iterate.nash_conv

    @property
    def exploitability(self) -> float:
        return self.iterate.exploitability


class Watcher(Protocol):
    """Who wants to see a solve go by. Either call may raise KeyboardInterrupt to end the solve early."""

    def ticked(self, iteration: int) -> None: ...

    def marked(self, iterate: Iterate, point: Point) -> None: ...


@dataclass(frozen=True)
class Limits:
    """When a solve is over: after `iterations`, or at an exploitability of `target`, whichever comes first."""

    iterations: int | None
    target: float | None

    @classmethod
    def of(cls, algorithm: str, iterations: int | None, target: float | None) -> Limits:
        if iterations is not None and whole("iterations", iterations) < 1:
            raise SettingsError(f"iterations: got {iterations}, wanted at least 1")
        if iterations is not None and iterations > MOST_ITERATIONS:
            raise SettingsError(f"iterations: got {iterations}, wanted at most {MOST_ITERATIONS}")
        if target is not None and not isinstance(target, (int, float)):
            raise SettingsError(f"target: got {target!r}, wanted a number")
        if target is not None and not (isfinite(target) and target > 0):
            raise SettingsError(f"target: got {target}, wanted an exploitability above 0")
        sampled = isinstance(algorithm_named(algorithm), Sampled)
        if iterations is None and target is None:
            iterations = SAMPLED_ITERATIONS if sampled else EXACT_ITERATIONS
        return cls(iterations, target)

    def marks(self) -> Iterator[int]:
        """The iterations at which to look, the last one included: the same ones wherever a solve was resumed."""
        mark = 0
        while self.iterations is None or mark < self.iterations:
            mark = max(mark + 1, ceil(mark * MARK_RATIO))
            if self.iterations is not None:
                mark = min(mark, self.iterations)
            yield mark


def find_solution(
    game: Game | Tree,
    algorithm: str,
    limits: Limits,
    *,
    seed: int = 0,
    threads: int | None = None,
    watcher: Watcher | None = None,
    run: RunDirectory | None = None,
) -> Solution:
    """Solves a game; with `run`, goes on from its last checkpoint and saves checkpoints and the policy there.

    An interrupt (Ctrl-C) ends the solve early and keeps what there is.
    """
    solving = Solving(tree_of(game), algorithm, seed, len(os.sched_getaffinity(0)) if threads is None else threads)
    keeper = Keeper(solving, run)
    history = keeper.restore()
    start, finished = solving.iteration, True
    latest = solving.iterate()

    def tick(iteration: int) -> None:
        if watcher is not None:
            watcher.ticked(iteration)
        keeper.breathe()

    try:
        for mark in limits.marks():
            if mark < start:
                continue
            if mark > start:
                solving.advance(mark, tick)
                latest = solving.iterate()
                point = Point(mark, latest.exploitability, keeper.seconds())
                history.append(point)
                keeper.log(point)
                if watcher is not None:
                    watcher.marked(latest, point)
            if limits.target is not None and latest.exploitability <= limits.target:
                break
    except KeyboardInterrupt:
        finished = False
        latest = solving.iterate()
    keeper.finish(latest)
    rate = (latest.iteration - start) / keeper.seconds_here()
    return Solution(latest, keeper.seconds(), rate, tuple(history), finished)
