"""SwiftNet in native code: as it plays, and how its losses change with its weights.

`native/include/zerosum/nn/swift_net.hpp` and `swift_back.hpp` say how; `gomoku.py` is the same network in PyTorch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

import torch

from zerosum import native
from zerosum.networks.gomoku import SwiftNet
from zerosum.networks.residual_native import LANES

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from torch import nn

    from zerosum.networks.inference import Answers

    Floats = npt.NDArray[np.float32]


def is_native(network: nn.Module) -> TypeGuard[SwiftNet]:
    """Whether native code knows this network: no class of a user's own, which may do something else."""
    return type(network) is SwiftNet and network.channels % LANES == 0 and len(network.blocks) > 0


def _shape(network: SwiftNet, board: tuple[int, int]) -> dict[str, int]:
    height, width = board
    return {
        "height": height,
        "width": width,
        "line": network.line,
        "channels": network.channels,
        "blocks": len(network.blocks),
    }


def _flat(network: SwiftNet) -> Floats:
    flat: Floats = torch.nn.utils.parameters_to_vector(network.parameters()).detach().numpy()
    return flat


class SwiftEvaluator:
    """Answers by native code from the weights as they are now; every row for itself, so threads change nothing."""

    def __init__(self, network: SwiftNet, board: tuple[int, int], threads: int = 1) -> None:
        self._answers = native.SwiftNet(_flat(network), **_shape(network, board), threads=threads)

    def __call__(self, planes: Floats) -> Answers:
        return self._answers(planes)


class SwiftGradients:
    """What PyTorch's backward pass does, by native code; threads change nothing."""

    def __init__(self, network: SwiftNet, board: tuple[int, int], threads: int = 1) -> None:
        self._network = network
        self._learner = native.SwiftLearner(**_shape(network, board), threads=threads)

    def __call__(
        self, planes: torch.Tensor, policy: torch.Tensor, value: torch.Tensor, value_weight: float
    ) -> tuple[float, float]:
        """Sets the gradient of each parameter; the losses of the policy and of the value."""
        rows = (planes.numpy(), policy.numpy(), value.numpy())
        policy_loss, value_loss, flat = self._learner.losses(_flat(self._network), *rows, value_weight)
        gradients, first = torch.from_numpy(flat), 0
        for parameter in self._network.parameters():
            parameter.grad = gradients[first : first + parameter.numel()].view_as(parameter)
            first += parameter.numel()
        return policy_loss, value_loss
