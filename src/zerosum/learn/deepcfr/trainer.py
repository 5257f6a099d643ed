"""What a run drives: something that learns an iteration at a time, can be saved, and has policies to measure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    import numpy.typing as npt

    from zerosum.learn.buffer import Fill
    from zerosum.learn.deepcfr.learner import Learnt
    from zerosum.learn.fit import FitReport


@dataclass(frozen=True)
class Standing:
    """What a run can be measured by, in plain arrays: policies [sequences] by name where the game can be listed, the
    run's own first, and the weights of the players' newest networks.
    """

    policies: dict[str, npt.NDArray[np.float64]]
    networks: list[npt.NDArray[np.float32] | None]


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
    parts: dict[str, float] = field(default_factory=dict)  # seconds of walking by part, where they are told

    def note(self, name: str, fitted: FitReport) -> None:
        """A network was fitted, or its fit had to be undone."""
        self.fit_seconds += fitted.seconds
        self.batches += fitted.steps
        if fitted.undone:
            self.events.append(f"{name}: a step was not finite (loss {fitted.loss}), its fit was undone")
        else:
            self.losses[name] = fitted.loss

    def take(self, learnt: Learnt) -> None:
        """The learner was told what walks found."""
        self.nodes += learnt.nodes
        self.samples += learnt.samples
        self._add_parts(learnt.parts)
        for name, fitted in learnt.fits:
            self.note(name, fitted)

    def add(self, other: StepReport) -> None:
        self.nodes += other.nodes
        self.samples += other.samples
        self.batches += other.batches
        self.walk_seconds += other.walk_seconds
        self.fit_seconds += other.fit_seconds
        self.losses.update(other.losses)
        self.events.extend(other.events)
        self._add_parts(other.parts)

    def _add_parts(self, parts: dict[str, float]) -> None:
        for name, seconds in parts.items():
            self.parts[name] = self.parts.get(name, 0.0) + seconds

    def time_shares(self) -> dict[str, float]:
        """How the time was spent: parts of the walks, which share what walking took, and the fits."""
        told = sum(self.parts.values())
        whole = max(self.walk_seconds + self.fit_seconds, 1e-9)
        shares = {name: self.walk_seconds * seconds / max(told, 1e-9) / whole for name, seconds in self.parts.items()}
        return {**shares, "fit": self.fit_seconds / whole} if shares else {}


class Trainer(Protocol):
    iteration: int
    nodes: int

    def step(self) -> StepReport: ...

    def finish(self) -> StepReport:
        """What is to be done before the policies are saved for good; a run that goes on does without it."""
        ...

    def standing(self) -> Standing: ...

    def fills(self) -> dict[str, Fill]:
        """Of the buffers."""
        ...

    def strategy_weights(self) -> npt.NDArray[np.float32] | None:
        """Of the average-strategy network, once it was trained."""
        ...

    def weights_hash(self) -> str: ...

    def state(self) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]: ...

    def restore(self, about: Mapping[str, Any], tensors: Mapping[str, npt.NDArray[Any]]) -> None: ...
