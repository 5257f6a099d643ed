"""Workers: they walk the game by external sampling with the strategies the chief hands out.

Walks have numbers, and what a walk finds depends on its number alone, so it does not matter who walks it.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Protocol

from zerosum.networks.small import alone

if TYPE_CHECKING:
    import numpy.typing as npt

    from zerosum.learn.deepcfr.ground import Ground, Task


class Worker:
    """Walks what it is given; holds nothing between two tasks."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground

    def walk(self, task: Task, playing: Any, baseline: npt.NDArray[Any] | None) -> Any:
        return self.ground.walk(task, playing, baseline)


class Workers(Protocol):
    """All who walk."""

    def walk(self, iteration: int, traverser: int, playing: Any, baseline: npt.NDArray[Any] | None) -> list[Any]:
        """All walks of one traverser in one iteration: what was found, in parts, in the order of the walks."""
        ...

    def close(self) -> None: ...


class ThreadWorkers:
    """Workers on threads of this process; the native walks release the interpreter's lock."""

    def __init__(self, ground: Ground, workers: int) -> None:
        self.ground, self.count = ground, workers
        self.worker = Worker(ground)
        self.pool = ThreadPoolExecutor(workers, initializer=alone) if workers > 1 else None

    def walk(self, iteration: int, traverser: int, playing: Any, baseline: npt.NDArray[Any] | None) -> list[Any]:
        tasks = self.ground.tasks(iteration, traverser, self.count)
        if self.pool is None or len(tasks) == 1:
            return [self.worker.walk(task, playing, baseline) for task in tasks]
        jobs = [self.pool.submit(self.worker.walk, task, playing, baseline) for task in tasks]
        return [job.result() for job in jobs]

    def close(self) -> None:
        if self.pool is not None:
            self.pool.shutdown(cancel_futures=True)
