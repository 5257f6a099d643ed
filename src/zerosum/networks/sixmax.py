"""The networks of six-max hold'em: the encoder of 261 numbers, learnt end to end, and a perceptron behind it.

Their inputs are the native rows of 184 bytes that `native.sixmax_rows` and `native.SixMaxWalks` give. Like the small
networks' their weights are one row of numbers; the gradient is PyTorch's, with a native way back through attention.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from zerosum import native
from zerosum.encoding.state_encoder import StateEncoder
from zerosum.networks.settings import ACTIVATIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from zerosum.networks.settings import NetworkSettings

ROW_BYTES = 184
ROWS_AT_ONCE = 8192


class SixMaxNet(nn.Module):
    """[B, 184] rows -> [B, A]; the last layer begins at zero, so that an untrained network prefers nothing."""

    flat: Tensor  # all weights

    def __init__(self, _inputs: int, actions: int, settings: NetworkSettings) -> None:
        super().__init__()
        self.encoder = StateEncoder()
        widths = [self.encoder.output_dim, *[settings.hidden] * settings.layers]
        layers: list[nn.Module] = []
        for before, after in pairwise(widths):
            layers += [nn.Linear(before, after), nn.LeakyReLU(ACTIVATIONS[settings.activation])]
        self.trunk = nn.Sequential(*layers)
        self.head = nn.Linear(widths[-1], actions)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)
        self.eval()  # dropout would be noise on top of noise
        self._tie()

    def forward(self, rows: Tensor) -> Tensor:
        if torch.is_grad_enabled() or len(rows) <= ROWS_AT_ONCE:
            return self.answers(rows)
        return torch.cat([self.answers(part) for part in torch.split(rows, ROWS_AT_ONCE)])

    def answers(self, rows: Tensor) -> Tensor:
        answer: Tensor = self.head(self.features(rows))
        return answer

    def features(self, rows: Tensor) -> Tensor:
        """[B, 184] -> [B, hidden]."""
        device = self.flat.device
        ranks, suits, numbers, tokens, places, offsets, which = native.sixmax_inputs(rows.cpu().numpy())
        cards = torch.from_numpy(ranks).to(device), torch.from_numpy(suits).to(device)
        told = torch.from_numpy(tokens).to(device), torch.from_numpy(places).to(device)
        known, shared = torch.from_numpy(numbers).to(device), torch.from_numpy(which).to(device)
        seen = self.encoder.encode_inputs(*cards, known, *told, offsets, shared)
        answer: Tensor = self.trunk(seen)
        return answer

    def split(self, flat: Tensor) -> list[Tensor]:
        """Each parameter's part of a row of numbers."""
        parts = torch.split(flat, [parameter.numel() for parameter in self.parameters()])
        return [part.view_as(parameter) for part, parameter in zip(parts, self.parameters(), strict=True)]

    def way_back(self) -> SixMaxWayBack:
        return SixMaxWayBack(self)

    def _tie(self) -> None:
        """Makes every parameter a view of one row of numbers."""
        self.flat = torch.cat([parameter.detach().reshape(-1) for parameter in self.parameters()])
        for parameter, part in zip(self.parameters(), self.split(self.flat), strict=True):
            parameter.data = part

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> SixMaxNet:
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        self._tie()
        return self


class SixMaxStrategyNet(SixMaxNet):
    """[B, 184] rows -> logits [B, A]; `strategy` is their softmax over what is legal."""

    def strategy(self, rows: Tensor, legal: Tensor) -> Tensor:
        """[B, A] probabilities."""
        return torch.softmax(self(rows).masked_fill(~legal, -torch.inf), dim=1)


class SixMaxWayBack:
    """A network's answers, and the way back from them to the gradient of all its weights."""

    def __init__(self, network: SixMaxNet) -> None:
        self.network = network
        self.gradient = torch.zeros_like(network.flat)
        for parameter, part in zip(network.parameters(), network.split(self.gradient), strict=True):
            parameter.grad = part
        self._said: Tensor | None = None

    def answer(self, rows: Tensor) -> Tensor:
        """[B, 184] -> [B, A]."""
        self._said = self.network.answers(rows)
        return self._said.detach()

    def back(self, by_answer: Tensor) -> None:
        """Fills in the gradient for the last answer; `by_answer` [B, A] is the loss's derivative by it."""
        assert self._said is not None
        self.gradient.zero_()
        self._said.backward(by_answer)  # type: ignore[no-untyped-call]
