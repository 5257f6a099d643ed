"""A solver is an iterator of iterates; the caller stops it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any

from zerosum import native
from zerosum.errors import SettingsError
from zerosum.evaluate.exact import expected_value, nash_conv
from zerosum.games.tree import Tree, tree_of
from zerosum.policy.table import Origin, TablePolicy
from zerosum.settings import whole, within
from zerosum.solve.algorithms import Algorithm, Discount, algorithm_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import numpy as np
    import numpy.typing as npt

    from zerosum.games.protocol import Game

BREATH_SECONDS = 0.1  # the longest native call, so that Ctrl-C and progress are prompt


@dataclass(frozen=True, eq=False)
class Iterate:
    """A solve's average policy after some iterations, and exact measures of it."""

    tree: Tree = field(repr=False)
    algorithm: str
    seed: int
    iteration: int
    probabilities: npt.NDArray[np.float64] = field(repr=False)

    @cached_property
    def _table(self) -> TablePolicy:
        return TablePolicy(self.tree, self.probabilities)

    @cached_property
    def policy(self) -> TablePolicy:
        origin = Origin(self.algorithm, self.iteration, self.exploitability, self.seed)
        return TablePolicy(self.tree, self.probabilities, origin)

    @cached_property
    def value(self) -> tuple[float, ...]:
        return expected_value(self.tree, self._table)

    @cached_property
    def nash_conv(self) -> float:
        return nash_conv(self.tree, self._table)

    @property
    def exploitability(self) -> float:
        return self.nash_conv / self.tree.game.players


class Solving:
    """One solve under way: a native solver, its tree, and what it is called."""

    def __init__(self, tree: Tree, algorithm: str | Algorithm, seed: int = 0, threads: int = 1) -> None:
        check_luck(seed, threads)
        seed = int(seed)
        chosen = algorithm_named(algorithm) if isinstance(algorithm, str) else algorithm
        self.tree, self.seed = tree, seed
        self.algorithm = algorithm if isinstance(algorithm, str) else repr(algorithm)
        self.solver: native.Solver | native.SampledSolver
        if isinstance(chosen, Discount):
            weights = (chosen.positive, chosen.negative, chosen.average, chosen.predictive, chosen.by_history)
            self.solver = native.Solver(tree.native, *weights)
        else:
            self.solver = native.SampledSolver(tree.native, chosen.sampling, seed, threads)
        self._per_second = 1000.0

    @property
    def iteration(self) -> int:
        return self.solver.iteration

    def advance(self, iteration: int, tick: Callable[[int], None] | None = None) -> None:
        """Runs up to an iteration, a breath at a time."""
        while self.solver.iteration < iteration:
            before, start = self.solver.iteration, time.perf_counter()
            try:
                self.solver.run(min(iteration - before, max(1, int(self._per_second * BREATH_SECONDS))))
            except RuntimeError as error:
                raise SettingsError(f"threads: {error}") from None
            elapsed = max(time.perf_counter() - start, 1e-6)
            self._per_second = (self.solver.iteration - before) / elapsed
            if tick is not None:
                tick(self.solver.iteration)

    def iterate(self) -> Iterate:
        """The average policy now."""
        profile = self.solver.average_profile()
        return Iterate(self.tree, self.algorithm, self.seed, self.solver.iteration, profile)

    def state(self) -> tuple[int, dict[str, npt.NDArray[np.float64]]]:
        """What a checkpoint holds: going on from it gives the same bits as never having stopped."""
        return self.solver.state()

    def restore(self, iteration: int, tensors: dict[str, npt.NDArray[Any]]) -> None:
        self.solver.restore(iteration, **tensors)


def check_luck(seed: int, threads: int | None) -> None:
    """Refuses a seed or a number of threads that cannot be."""
    within("seed", whole("seed", seed), 0, 2**64 - 1)
    if threads is not None:
        within("threads", whole("threads", threads), 1, 1024)


def iterates(
    game: Game | Tree,
    algorithm: str | Algorithm = "cfr+",
    *,
    seed: int = 0,
    threads: int = 1,
    at: Iterable[int] | None = None,
) -> Iterator[Iterate]:
    """The iterates of a solve: every one, or those after the iterations named in `at`.

    >>> for iterate in islice(iterates(game, CFR_PLUS), 1_000): ...
    """
    solving = Solving(tree_of(game), algorithm, seed, threads)
    for iteration in count(1) if at is None else at:
        solving.advance(iteration)
        yield solving.iterate()
