"""A solve's memory: its clock, its checkpoints and its curve, in a run directory where it has one."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

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

    @classmethod
    def of(cls, row: dict[str, Any]) -> Point | None:
        """A row of the metrics, if it is one."""
        values = [row.get(name) for name in ("iteration", "exploitability", "seconds")]
        if not all(isinstance(value, (int, float)) for value in values):
            return None
        return cls(int(row["iteration"]), float(row["exploitability"]), float(row["seconds"]))


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
        """Goes to where the last checkpoint was made; returns the curve up to it."""
        found = self.run.last_checkpoint() if self.run is not None else None
        if self.run is None or found is None:
            return []
        about = found.about
        for key, wanted in self._identity().items():
            if about.get(key) != wanted:
                raise RunError(
                    f"{self.run.path}: its checkpoint is of {key} {about.get(key)}, its settings of {wanted}"
                )
        try:
            self.solving.restore(found.iteration, found.tensors)
        except (TypeError, ValueError):
            raise RunError(f"{self.run.path}: its checkpoint does not fit the game") from None
        self.solving.advance(about["reached"])  # a sampled solve is saved at its last whole batch
        self.seconds_before = about["seconds"]
        points = {point.iteration: point for row in self.run.metrics() if (point := Point.of(row)) is not None}
        curve = [points[iteration] for iteration in sorted(points) if iteration <= about["reached"]]
        self.run.rewrite_metrics([asdict(point) for point in curve])
        return curve

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

    def _identity(self) -> dict[str, Any]:
        solving = self.solving
        return {"game": solving.tree.game.spec(), "algorithm": solving.algorithm, "seed": solving.seed}

    def _save_checkpoint(self, run: RunDirectory) -> None:
        reached = self.solving.iteration
        iteration, tensors = self.solving.state()
        about = {"iteration": iteration, "reached": reached, "seconds": self.seconds(), **self._identity()}
        run.save_checkpoint(Checkpoint(about, tensors))
        self.next_save = time.perf_counter() + CHECKPOINT_SECONDS
