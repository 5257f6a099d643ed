"""One iteration's learning: steps of Adam on positions drawn from the replay window, each in a random symmetry."""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Protocol

import numpy as np
import torch

from zerosum.encoding.symmetries import cell_maps
from zerosum.networks.swift_native import SwiftGradients, is_native

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

    from zerosum.learn.alphazero.selfplay import Positions
    from zerosum.learn.alphazero.settings import FitSettings
    from zerosum.networks.gomoku import BoardNet


@dataclass(frozen=True)
class FitReport:
    """Mean losses over the steps, the norms of the last gradient by layer, and whether a step was not finite."""

    policy_loss: float
    value_loss: float
    steps: int
    seconds: float
    norms: dict[str, float]
    undone: bool = False


class Gradients(Protocol):
    """Planes, shares of the cells and results -> the losses of the policy and of the value; sets the gradient of the
    first plus `value_weight` times the second.
    """

    def __call__(self, planes: Tensor, policy: Tensor, value: Tensor, value_weight: float) -> tuple[float, float]: ...


class TorchGradients:
    """By PyTorch's backward pass."""

    def __init__(self, network: BoardNet) -> None:
        self.network = network

    def __call__(self, planes: Tensor, policy: Tensor, value: Tensor, value_weight: float) -> tuple[float, float]:
        policy_loss, value_loss = self.network.losses(planes, policy, value)
        self.network.zero_grad(set_to_none=True)
        torch.autograd.backward(policy_loss + value_weight * value_loss)
        return policy_loss.item(), value_loss.item()


def gradients_for(network: BoardNet, board: tuple[int, int], threads: int, engine: str) -> Gradients:
    """What is fastest here: native code where it knows the network and may be used, else PyTorch."""
    on_cpu = next(network.parameters()).device.type == "cpu"
    if is_native(network) and on_cpu and engine == "auto":
        return SwiftGradients(network, board, threads)
    return TorchGradients(network)


def optimiser_for(network: BoardNet, settings: FitSettings) -> torch.optim.Adam:
    return torch.optim.AdamW(
        network.parameters(), lr=settings.learning_rate, weight_decay=settings.weight_decay, foreach=True
    )


def fit(
    network: BoardNet,
    optimiser: torch.optim.Optimizer,
    rows: Positions,
    board: tuple[int, int],
    settings: FitSettings,
    steps: int,
    learning_rate: float,
    key: tuple[int, ...],
    out_of_time: Callable[[], bool] = lambda: False,
    follow: Callable[[], None] = lambda: None,
    gradients: Gradients | None = None,
) -> FitReport:
    """Takes steps on rows drawn by `key`, fewer when time is over; one that is not finite ends it and is not taken.
    `follow` is called after each. `gradients`: what says how the losses change, if not PyTorch.
    """
    start = time.perf_counter()
    luck = np.random.Generator(np.random.Philox(np.random.SeedSequence(key)))
    maps, device = cell_maps(*board), next(network.parameters()).device
    for group in optimiser.param_groups:
        group["lr"] = learning_rate
    network.train()
    gradients = gradients or TorchGradients(network)
    sums, norms, undone, taken = np.zeros(2), {}, False, 0
    for step in range(steps):
        planes, policy, value = _batch(rows, board, maps, settings.batch_rows, luck, device)
        policy_loss, value_loss = gradients(planes, policy, value, settings.value_weight)
        norm = float(torch.nn.utils.clip_grad_norm_(network.parameters(), settings.clip))
        if not isfinite(norm):
            undone = True
            break
        is_last = step == steps - 1 or out_of_time()
        if is_last:
            norms = {name: float(p.grad.norm()) for name, p in network.named_parameters() if p.grad is not None}
        optimiser.step()
        follow()
        sums += policy_loss, value_loss
        taken += 1
        if is_last:
            break
    network.eval()
    policy_mean, value_mean = (sums / max(taken, 1)).tolist()
    return FitReport(policy_mean, value_mean, taken, time.perf_counter() - start, norms, undone)


class Mean:
    """A mean of a network's weights over its last steps, each older one counting for less (Polyak & Juditsky 1992, as
    an exponential mean). Over all of them while there are fewer.
    """

    def __init__(self, network: BoardNet, mean: BoardNet, steps: int) -> None:
        self.network, self.mean, self.steps, self.taken = network, mean, steps, 0

    def follow(self) -> None:
        """The network has taken a step."""
        self.taken += 1
        pairs = zip(self.mean.state_dict().values(), self.network.state_dict().values(), strict=True)
        for mean, new in pairs:
            if mean.is_floating_point():
                mean.lerp_(new, 1 / min(self.taken, self.steps))
            else:
                mean.copy_(new)


def _batch(
    rows: Positions,
    board: tuple[int, int],
    maps: np.ndarray,
    count: int,
    luck: np.random.Generator,
    device: torch.device,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    chosen = luck.integers(0, len(rows), count)
    turned = maps[luck.integers(0, len(maps), count)]  # [count, cells]
    stones = np.take_along_axis(rows.stones[chosen], turned, axis=1)
    planes = np.empty((count, 3, stones.shape[1]), np.float32)
    planes[:, 0], planes[:, 1], planes[:, 2] = stones == 1, stones == -1, rows.black[chosen][:, None]
    policy = np.take_along_axis(rows.policy[chosen], turned, axis=1)
    return (
        torch.from_numpy(planes.reshape(count, 3, *board)).to(device),
        torch.from_numpy(policy).to(device),
        torch.from_numpy(rows.value[chosen]).to(device),
    )
