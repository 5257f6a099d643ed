"""The networks of Deep CFR (Brown et al. 2019): a row of features in, a number for each action out.

All weights of a network are one row of numbers, and its gradient is written out by hand (a test holds it against
PyTorch's): networks this small spend most of their time on what happens between the matrix products, and this way there
is little of it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

import numpy as np
import torch
from torch import Tensor, nn

from zerosum.errors import SettingsError
from zerosum.networks.settings import ACTIVATIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from zerosum.networks.settings import NetworkSettings


BFLOAT16 = ("avx512_bf16", "amx_bf16", "bf16")  # what processors that multiply in it say they can


class Perceptron(nn.Module):
    """[B, F] -> [B, A]; the last layer begins at zero, so that an untrained network prefers nothing."""

    def __init__(self, inputs: int, actions: int, settings: NetworkSettings) -> None:
        super().__init__()
        self._begin([inputs, *[settings.hidden] * settings.layers, actions], ACTIVATIONS[settings.activation])

    def _begin(self, widths: list[int], slope: float) -> None:
        """Random weights for layers of these widths, the features' first."""
        self.widths, self.slope = widths, slope
        flat = torch.zeros(sum((before + 1) * after for before, after in pairwise(self.widths)))
        for weight, bias in self._split(flat)[:-1]:
            bound = weight.shape[1] ** -0.5  # as PyTorch begins linear layers
            weight.uniform_(-bound, bound)
            bias.uniform_(-bound, bound)
        self.flat = nn.Parameter(flat)

    def _split(self, flat: Tensor) -> list[tuple[Tensor, Tensor]]:
        """The weight [out, in] and bias [out] of each layer, as views of a row of numbers."""
        layers, at = [], 0
        for before, after in pairwise(self.widths):
            middle, end = at + before * after, at + (before + 1) * after
            layers.append((flat[at:middle].view(after, before), flat[middle:end]))
            at = end
        return layers

    def forward(self, features: Tensor) -> Tensor:
        return self._answers(self._split(self.flat), features)[-1]

    def way_back(self) -> Backpropagation:
        return Backpropagation(self)

    def _answers(self, layers: list[tuple[Tensor, Tensor]], features: Tensor) -> list[Tensor]:
        """What each layer says, the features first."""
        said = [features]
        for number, (weight, bias) in enumerate(layers, 1):
            answer = torch.addmm(bias, said[-1], weight.t())
            said.append(answer if number == len(layers) else nn.functional.leaky_relu(answer, self.slope))
        return said


class Backpropagation:
    """A network's answers, and the way back from them to the gradient of all its weights.

    In another precision than the weights' the products are made in it: twice as fast where a processor has bfloat16.
    """

    def __init__(self, network: Perceptron, precision: torch.dtype = torch.float32) -> None:
        self.network, self.precision = network, precision
        self.gradient = torch.zeros_like(network.flat.detach())  # as one row, like the weights
        self._layers = network._split(network.flat.detach())
        self._parts = network._split(self.gradient)
        self._used = self._layers
        self._said: list[Tensor] = []

    def answer(self, features: Tensor) -> Tensor:
        """[B, F] -> [B, A]."""
        self._used = self._layers
        if self.precision != torch.float32:
            self._used = [(weight.to(self.precision), bias.to(self.precision)) for weight, bias in self._layers]
        self._said = self.network._answers(self._used, features.to(self.precision))
        return self._said[-1].float()

    def back(self, by_answer: Tensor) -> None:
        """Fills in the gradient for the last answer; `by_answer` [B, A] is the loss's derivative by it."""
        behind = by_answer.to(self.precision)
        for number in range(len(self._layers) - 1, -1, -1):
            weight, bias = self._parts[number]
            if self.precision == torch.float32:
                torch.mm(behind.t(), self._said[number], out=weight)
            else:
                weight.copy_(torch.mm(behind.t(), self._said[number]))
            torch.sum(behind, dim=0, dtype=torch.float32, out=bias)
            if number > 0:
                below = torch.mm(behind, self._used[number][0])
                behind = torch.ops.aten.leaky_relu_backward(below, self._said[number], self.network.slope, True)


class AdvantageNet(Perceptron):
    """Features [B, F] -> advantages [B, A], linear."""


class StrategyNet(Perceptron):
    """Features [B, F] -> logits [B, A]; `strategy` is their softmax over what is legal."""

    def strategy(self, features: Tensor, legal: Tensor) -> Tensor:
        """[B, A] probabilities."""
        return torch.softmax(self(features).masked_fill(~legal, -torch.inf), dim=1)


class Flat(Protocol):
    """A network whose weights are one row of numbers."""

    @property
    def flat(self) -> Tensor: ...


def flat_weights(network: Flat) -> npt.NDArray[np.float32]:
    """All weights as one row."""
    return network.flat.detach().cpu().numpy().copy()


def set_flat_weights(network: Flat, weights: npt.NDArray[np.float32]) -> None:
    """The inverse of `flat_weights`."""
    with torch.no_grad():
        network.flat.copy_(torch.from_numpy(np.asarray(weights, np.float32).copy()))


def alone() -> None:
    """One thread for networks, in this thread: the same bits everywhere, and small ones gain nothing from more."""
    torch.set_num_threads(1)


def device_named(name: str) -> torch.device:
    """`auto` is the GPU where there is one."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError):
        raise SettingsError(
            f"run: device: got {name!r}, wanted auto, cpu or a GPU that is here, such as cuda"
        ) from None
    return device


def precision_named(name: str) -> torch.dtype:
    """Of products in training; `auto` is bfloat16 where the processor multiplies in it: elsewhere that is slower."""
    if name == "auto":
        able: Mapping[str, object] = getattr(torch.cpu, "get_capabilities", dict)()
        name = "bfloat16" if any(able.get(way, False) for way in BFLOAT16) else "float32"
    return torch.bfloat16 if name == "bfloat16" else torch.float32
