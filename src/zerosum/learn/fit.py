"""Fits a network to the rows of a buffer: masked, weighted losses; a step that is not finite is never taken.

A sample of iteration t weighs 2t/T: t divided by the mean weight of the rows, T/2 where every iteration brings as many.
Gradients, and so their clipping, keep one size throughout a run (plain t would not).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Protocol

import numpy as np
import torch

from zerosum.learn.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt
    from torch import Tensor

    from zerosum.learn.adam import Adam

SMALLEST_SCALE = 1e-9
DRAWN_ROWS = 200_000  # at once: what is drawn is copied


class FitSettings(Protocol):
    """What a fit needs to know."""

    @property
    def steps(self) -> int: ...
    @property
    def batch_rows(self) -> int | None: ...
    @property
    def clip(self) -> float | None: ...
    @property
    def scale(self) -> bool: ...
    @property
    def visits(self) -> float: ...


@dataclass(frozen=True)
class FitReport:
    """What a fit did: the mean loss of its steps, and whether it had to be undone."""

    loss: float
    steps: int
    rows: int
    seconds: float
    undone: bool = False


class WayBack(Protocol):
    """A network's answers, and the way back from them to its gradient."""

    gradient: Tensor

    def answer(self, features: Tensor) -> Tensor: ...

    def back(self, by_answer: Tensor) -> None: ...


class Network(Protocol):
    """What can be fitted."""

    def way_back(self) -> WayBack: ...


class Loss(Protocol):
    """A loss summed over rows, and its derivative. `share` [B, A] is how much each number counts, 0 where illegal."""

    def __call__(self, answer: Tensor, values: Tensor, share: Tensor) -> tuple[Tensor, Tensor]: ...


def squared_error(answer: Tensor, values: Tensor, share: Tensor) -> tuple[Tensor, Tensor]:
    """[B, A] advantages."""
    wrong = answer - values
    counted = wrong * share
    return (wrong * counted).sum(), 2.0 * counted


def cross_entropy(answer: Tensor, values: Tensor, share: Tensor) -> tuple[Tensor, Tensor]:
    """[B, A] logits, and probabilities to be met by their softmax over what is legal."""
    logs = torch.log_softmax(answer.masked_fill(share == 0, -torch.inf), dim=1)
    counted = values * share
    loss = -(counted * logs.clamp_min(-1e30)).sum()  # −inf × 0 would not be a number
    return loss, logs.exp() * counted.sum(dim=1, keepdim=True) - counted


@dataclass(frozen=True)
class _Batch:
    features: Tensor  # [B, F]
    values: Tensor  # [B, A]
    share: Tensor  # [B, A]

    def part(self, which: slice) -> _Batch:
        return _Batch(self.features[which], self.values[which], self.share[which])


def fit(
    network: Network,
    adam: Adam,
    rows: Rows,
    settings: FitSettings,
    learning_rate: float,
    loss_of: Loss,
    key: tuple[int, ...],
) -> FitReport:
    """Takes the settings' steps on rows drawn by `key`; goes back to where it began if anything is not finite."""
    start = time.perf_counter()
    before = adam.weights.clone(), adam.state()
    way = network.way_back()
    losses = torch.zeros((), device=way.gradient.device)
    count = settings.batch_rows or len(rows)
    for batch in _batches(rows, settings, loss_of is squared_error, key, way.gradient.device):
        loss, by_answer = loss_of(way.answer(batch.features), batch.values, batch.share)
        way.back(by_answer / count)
        norm = torch.linalg.vector_norm(way.gradient).item()
        if not isfinite(norm):  # no more is some part of the loss
            adam.weights.copy_(before[0])
            adam.restore(before[1])
            return FitReport(loss.item() / count, 0, len(rows), time.perf_counter() - start, undone=True)
        if settings.clip is not None and norm > settings.clip:
            way.gradient *= settings.clip / norm
        adam.step(way.gradient, learning_rate)
        losses += loss
    mean = losses.item() / count / settings.steps
    return FitReport(mean, settings.steps, len(rows), time.perf_counter() - start)


def _size(rows: Rows, share: npt.NDArray[np.float64]) -> float:
    """The root mean square of the values, each counted by its share."""
    values = np.where(rows.legal, rows.values, 0.0)
    return max(float(np.sqrt((share * np.square(values, dtype=np.float64)).sum() / share.sum())), SMALLEST_SCALE)


def _share(rows: Rows, settings: FitSettings, regression: bool) -> npt.NDArray[np.float64]:
    """[N, A] how much each number counts: weights of mean 1; a regression is a mean over what is legal."""
    weight = rows.weight.astype(np.float64) ** settings.visits
    share = (weight / weight.mean())[:, None] * rows.legal
    return np.asarray(share / rows.legal.sum(axis=1, keepdims=True) if regression else share)


def _tensors(rows: Rows, share: npt.NDArray[np.float64], size: float, device: torch.device) -> _Batch:
    if rows.features.dtype == np.uint8:  # its network reads it itself
        features = torch.from_numpy(rows.features)
    else:
        features = torch.from_numpy(rows.features.astype(np.float32, copy=False)).to(device)
    arrays = np.where(rows.legal, rows.values, 0.0) / size, share
    return _Batch(features, *(torch.from_numpy(array.astype(np.float32, copy=False)).to(device) for array in arrays))


def _batches(
    rows: Rows, settings: FitSettings, regression: bool, key: tuple[int, ...], device: torch.device
) -> Iterator[_Batch]:
    """All rows every time, or rows drawn by `key`, a few batches at once."""
    if settings.batch_rows is None:
        share = _share(rows, settings, regression)
        whole = _tensors(rows, share, _size(rows, share) if regression and settings.scale else 1.0, device)
        for _ in range(settings.steps):
            yield whole
        return
    luck = np.random.Generator(np.random.Philox(np.random.SeedSequence(key)))
    at_once, size = max(1, DRAWN_ROWS // settings.batch_rows), 0.0
    for first in range(0, settings.steps, at_once):
        count = min(at_once, settings.steps - first) * settings.batch_rows
        chosen = luck.integers(0, len(rows), count)
        drawn = Rows(rows.features[chosen], rows.legal[chosen], rows.values[chosen], rows.weight[chosen])
        share = _share(drawn, settings, regression)
        if first == 0:  # one size throughout a fit
            size = _size(drawn, share) if regression and settings.scale else 1.0
        part = _tensors(drawn, share, size, device)
        for start in range(0, count, settings.batch_rows):
            yield part.part(slice(start, start + settings.batch_rows))
