"""What a run drives: something that learns an iteration at a time, can be saved, and has policies to measure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    import numpy.typing as npt

    from zerosum.learn.buffer import Buffer
    from zerosum.learn.deepcfr.learner import Learner
    from zerosum.learn.fit import FitReport


@dataclass
class StepReport:
    """What one iteration did."""

    nodes: int = 0
    samples: int = 0
    batches: int = 0
    walk_seconds: float = 0.0
    fit_seconds: float = 0.0
    losses: dict[str, float] = field(default_factory=dict)
    events: list[str] = field(default_factory=list)

    def note(self, name: str, fitted: FitReport) -> None:
        """A network was fitted, or its fit had to be undone."""
        self.fit_seconds += fitted.seconds
        self.batches += fitted.steps
        if fitted.undone:
            self.events.append(f"{name}: a step was not finite (loss {fitted.loss}), its fit was undone")
        else:
            self.losses[name] = fitted.loss

    def add(self, other: StepReport) -> None:
        self.nodes += other.nodes
        self.samples += other.samples
        self.batches += other.batches
        self.walk_seconds += other.walk_seconds
        self.fit_seconds += other.fit_seconds
        self.losses.update(other.losses)
        self.events.extend(other.events)


class Trainer(Protocol):
    iteration: int
    nodes: int
    buffers: dict[str, Buffer]
    learner: Learner
    trained: list[bool]  # whether each player's network was

    def step(self) -> StepReport: ...

    def finish(self) -> StepReport:
        """What is to be done before the policies are saved for good; a run that goes on does without it."""
        ...

    def policies(self) -> dict[str, npt.NDArray[np.float64]]:
        """[sequences] by name, the run's own policy first."""
        ...

    def weights_hash(self) -> str: ...

    def state(self) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]: ...

    def restore(self, about: Mapping[str, Any], tensors: Mapping[str, npt.NDArray[Any]]) -> None: ...
