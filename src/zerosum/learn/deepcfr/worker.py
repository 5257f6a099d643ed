"""Workers: they walk the game by external sampling with the strategies the chief hands out.

Walks have numbers, and what a walk finds depends on its number alone, so it does not matter who walks it.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING

from zerosum.learn.deepcfr.listed import Found, ListedGame, Task

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from zerosum.learn.deepcfr.settings import TrainSettings

FEWEST = 500  # walks worth a thread of their own


class Worker:
    """Walks what it is given; holds nothing between two tasks."""

    def __init__(self, game: ListedGame, settings: TrainSettings) -> None:
        self.game, self.settings = game, settings

    def walk(self, task: Task, profile: npt.NDArray[np.float64], baseline: npt.NDArray[np.float64] | None) -> Found:
        return self.game.walk(task, self.settings.walks, self.settings.run.seed, profile, baseline)


class ThreadWorkers:
    """Workers on threads of this process; the native walks release the interpreter's lock."""

    def __init__(self, game: ListedGame, settings: TrainSettings, workers: int) -> None:
        self.workers = [Worker(game, settings) for _ in range(workers)]
        self.walks = settings.walks.per_player
        self.pool = ThreadPoolExecutor(workers) if workers > 1 else None

    def walk(
        self,
        iteration: int,
        traverser: int,
        profile: npt.NDArray[np.float64],
        baseline: npt.NDArray[np.float64] | None,
    ) -> Found:
        """All walks of one traverser in one iteration, in their order."""
        parts = max(1, min(len(self.workers), self.walks // FEWEST))
        edges = [self.walks * k // parts for k in range(parts + 1)]
        tasks = [Task(iteration, traverser, a, b - a) for a, b in pairwise(edges)]
        if self.pool is None or parts == 1:
            return Found.joined([self.workers[0].walk(task, profile, baseline) for task in tasks])
        jobs = [
            self.pool.submit(worker.walk, task, profile, baseline)
            for worker, task in zip(self.workers, tasks, strict=False)
        ]
        return Found.joined([job.result() for job in jobs])

    def close(self) -> None:
        if self.pool is not None:
            self.pool.shutdown(cancel_futures=True)
