"""A solve's memory: its clock, its checkpoints and its curve, in a run directory where it has one."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from zerosum.errors import RunError
from zerosum.policy.storage import save_policy
from zerosum.runs.directory import Checkpoint

if TYPE_CHECKING:
    from zerosum.runs.directory import RunDirectory
    from zerosum.solve.iterates import Iterate, Solving

FIRST_CHECKPOINT_SECONDS = 1.0
CHECKPOINT_SECONDS = 5.0


@dataclass(frozen=True)
class Point:
    """A point of the convergence curve."""

    iteration: int
    exploitability: float
    seconds: float


class Keeper:
    """Keeps time, and saves a solve into its run directory, if it has one."""

    def __init__(self, solving: Solving, run: RunDirectory | None) -> None:
        self.solving, self.run = solving, run
        self.start = time.perf_counter()
        self.next_save = self.start + FIRST_CHECKPOINT_SECONDS
        self.seconds_before = 0.0

    def seconds_here(self) -> float:
        return max(time.perf_counter() - self.start, 1e-9)

    def seconds(self) -> float:
        """Seconds of solving, those of earlier sittings included."""
        return self.seconds_before + self.seconds_here()

    def restore(self) -> list[Point]:
        """Goes to the last checkpoint; returns the curve up to it."""
        found = self.run.last_checkpoint() if self.run is not None else None
        if self.run is None or found is None:
            return []
        try:
            self.solving.restore(found.iteration, found.tensors)
        except (TypeError, ValueError) as error:
            reason = str(error).splitlines()[0]
            raise RunError(f"{self.run.path}: its checkpoint does not fit the game ({reason})") from None
        self.seconds_before = found.seconds
        rows = {row["iteration"]: row for row in self.run.metrics() if row["iteration"] <= found.iteration}
        return [Point(**rows[iteration]) for iteration in sorted(rows)]

    def log(self, point: Point) -> None:
        if self.run is not None:
            self.run.log(asdict(point))

    def breathe(self) -> None:
        """Saves a checkpoint when it is time."""
        if self.run is not None and time.perf_counter() >= self.next_save:
            self._save_checkpoint(self.run)

    def finish(self, iterate: Iterate) -> None:
        if self.run is not None and iterate.iteration > 0:
            save_policy(iterate.policy, self.run.policy)
            self._save_checkpoint(self.run)

    def _save_checkpoint(self, run: RunDirectory) -> None:
        iteration, tensors = self.solving.state()
        run.save_checkpoint(Checkpoint(iteration, self.seconds(), tensors))
        self.next_save = time.perf_counter() + CHECKPOINT_SECONDS
