"""Adam (Kingma & Ba 2015) over one row of weights: a handful of operations a step, and a state that is three arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt
    from torch import Tensor

BETAS = (0.9, 0.999)
EPSILON = 1e-8


class Adam:
    """Moments of the gradient, and the steps they make. `l2` is a penalty in the loss: l2/2 × the squared weights."""

    def __init__(self, weights: Tensor, l2: float) -> None:
        self.weights, self.l2 = weights, l2
        self.first, self.second, self.steps = torch.zeros_like(weights), torch.zeros_like(weights), 0

    def step(self, gradient: Tensor, learning_rate: float) -> None:
        if self.l2 > 0.0:
            gradient = gradient.add(self.weights, alpha=self.l2)
        self.steps += 1
        self.first.lerp_(gradient, 1.0 - BETAS[0])
        self.second.mul_(BETAS[1]).addcmul_(gradient, gradient, value=1.0 - BETAS[1])
        size = (self.second / (1.0 - BETAS[1] ** self.steps)).sqrt_().add_(EPSILON)
        self.weights.addcdiv_(self.first, size, value=-learning_rate / (1.0 - BETAS[0] ** self.steps))

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """Arrays to be saved."""
        moments = {"first": self.first.cpu().numpy().copy(), "second": self.second.cpu().numpy().copy()}
        return {**moments, "steps": np.array([self.steps], np.int64)}

    def restore(self, saved: Mapping[str, npt.NDArray[Any]]) -> None:
        self.first.copy_(torch.from_numpy(saved["first"].copy()))
        self.second.copy_(torch.from_numpy(saved["second"].copy()))
        self.steps = int(saved["steps"][0])
