"""Fits both heads of a network at once: squared error on the regrets, cross entropy on the average strategy.

A step draws rows of both players' regrets and of strategies; each head learns from its own rows, the trunk from all. As
everywhere in Deep CFR a sample of iteration t weighs 2t/T, and a step that is not finite is never taken.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np
import torch

from zerosum.learn.fit import SMALLEST_SCALE, FitReport, cross_entropy, squared_error
from zerosum.networks.heads_up import ACTIONS
from zerosum.networks.small import Backpropagation

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from torch import Tensor

    from zerosum.learn.adam import Adam
    from zerosum.learn.fit import Loss
    from zerosum.learn.rows import Rows
    from zerosum.networks.heads_up_flat import FlatTwoHeads

SIZED = 200_000  # rows that are looked at to know the size of all


@dataclass(frozen=True)
class Head:
    """What one head learns from: as many rows from each of its buffers, and what their values are divided by."""

    rows: Sequence[Rows]
    batch_rows: int
    loss: Loss
    columns: slice
    size: float = 1.0

    @property
    def means(self) -> list[float]:
        """The mean weight of each buffer's rows."""
        return [float(rows.weight.mean()) for rows in self.rows]


def size_of(rows: Sequence[Rows]) -> float:
    """The root mean square of the values of what is legal, each counted by its row's weight; of many rows, of some."""
    squares = legal = 0.0
    for part in rows:
        some = slice(None, None, 1 + len(part) // SIZED)
        weight = part.weight[some].astype(np.float64)
        squares += float(weight @ np.square(part.values[some], dtype=np.float64).sum(axis=1))
        legal += float(weight @ part.legal[some].sum(axis=1))
    return max(float(np.sqrt(squares / max(legal, SMALLEST_SCALE))), SMALLEST_SCALE)


def heads_of(advantages: Sequence[Rows], advantage_batch: int, strategies: Rows, strategy_batch: int) -> list[Head]:
    """The regret head and the policy head; regrets are divided by their size."""
    return [
        Head(advantages, advantage_batch, squared_error, slice(0, ACTIONS), size_of(advantages)),
        Head([strategies], strategy_batch, cross_entropy, slice(ACTIONS, 2 * ACTIONS)),
    ]


def fit_heads(
    network: FlatTwoHeads,
    adam: Adam,
    averaged: Tensor,
    heads: Sequence[Head],
    steps: int,
    learning_rate: float,
    clip: float | None,
    average: float,
    precision: torch.dtype,
    key: tuple[int, ...],
) -> list[FitReport]:
    """A report for each head. `averaged` follows the weights; nothing changes if anything is not finite."""
    start = time.perf_counter()
    before = adam.weights.clone(), adam.state(), averaged.clone()
    way, luck = Backpropagation(network, precision), np.random.Generator(np.random.Philox(np.random.SeedSequence(key)))
    losses, means = torch.zeros(len(heads)), [head.means for head in heads]
    for _ in range(steps):
        parts = [_drawn(head, mean, luck) for head, mean in zip(heads, means, strict=True)]
        answer = way.answer(network.sees(torch.cat([features for features, _, _ in parts])))
        slope, at = torch.zeros_like(answer), 0
        for number, (head, (features, values, share)) in enumerate(zip(heads, parts, strict=True)):
            rows = slice(at, at + len(features))
            loss, by_answer = head.loss(answer[rows, head.columns], values, share)
            slope[rows, head.columns] = by_answer / len(features)
            losses[number] += loss / len(features)
            at += len(features)
        way.back(slope)
        norm = torch.linalg.vector_norm(way.gradient).item()
        if not isfinite(norm):
            adam.weights.copy_(before[0])
            adam.restore(before[1])
            averaged.copy_(before[2])
            return [_report(head, float("nan"), 0, start, undone=True) for head in heads]
        if clip is not None and norm > clip:
            way.gradient *= clip / norm
        adam.step(way.gradient, learning_rate)
        averaged.lerp_(adam.weights, 1.0 - average)
    return [_report(head, loss / steps, steps, start) for head, loss in zip(heads, losses.tolist(), strict=True)]


def _report(head: Head, loss: float, steps: int, start: float, undone: bool = False) -> FitReport:
    """The time of a fit is told once, with its first head."""
    seconds = time.perf_counter() - start if head.columns.start == 0 else 0.0
    return FitReport(loss, steps if head.columns.start == 0 else 0, sum(map(len, head.rows)), seconds, undone)


def _drawn(head: Head, means: list[float], luck: np.random.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Features, values and how much each counts, of rows drawn from every buffer."""
    found: list[tuple[npt.NDArray[np.float32], ...]] = []
    for rows, mean in zip(head.rows, means, strict=True):
        some = luck.integers(0, len(rows), -(-head.batch_rows // len(head.rows)))
        legal = rows.legal[some]
        share = (rows.weight[some] / np.float32(mean))[:, None] * legal
        if head.loss is squared_error:
            share = share / legal.sum(axis=1, keepdims=True)
        values = np.where(legal, rows.values[some], 0.0) / np.float32(head.size)
        found.append((rows.features[some], values.astype(np.float32, copy=False), share.astype(np.float32)))
    told = [torch.from_numpy(np.concatenate(column)) for column in zip(*found, strict=True)]
    return told[0], told[1], told[2]
