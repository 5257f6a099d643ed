"""Networks for Gomoku: planes [B, 3, h, w] (own stones, the other's, ones when the first player moves) -> a logit for
each cell [B, h·w] and the value to the side to move [B].

`AlphaZeroNet` is the usual residual tower (Silver et al. 2017). `SwiftNet` is ours: it is told about lines, has fewer
channels and no normalisation, and pools the whole board into every other block and both heads (after Wu 2019,
"Accelerating self-play learning in Go"), so it plays on boards of any size. It learns about win, draw and loss apart.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from zerosum.errors import PolicyError
from zerosum.networks.line_windows import LineWindows

if TYPE_CHECKING:
    import numpy.typing as npt

PLANES = 3


class ResidualBlock(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(channels)

    def forward(self, x: Tensor) -> Tensor:
        inner = functional.relu(self.bn1(self.conv1(x)))
        return functional.relu(x + self.bn2(self.conv2(inner)))


class BoardNet(nn.Module, ABC):
    """What the networks have in common: called with planes, they answer with logits and values."""

    board: tuple[int, int] | None = None  # the only one it is for

    @abstractmethod
    def losses(self, planes: Tensor, policy: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        """Of the policy and of the value; means over the rows."""

    def weights(self) -> dict[str, npt.NDArray[np.float32]]:
        """A copy of its weights by name."""
        return {name: tensor.detach().cpu().numpy().copy() for name, tensor in self.state_dict().items()}

    def predict(self, board: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.float32], float]:
        """One position [3, h, w] -> a probability for each cell, and the value; in evaluation mode, no gradients."""
        if self.board not in (None, np.shape(board)[1:]):
            raise PolicyError(f"a network for a board of {self.board}, got planes of {np.shape(board)}")
        was_training = self.training
        self.eval()
        with torch.inference_mode():
            logits, value = self(torch.from_numpy(np.asarray(board, np.float32))[None])
        self.train(was_training)
        return torch.softmax(logits[0], dim=0).numpy(), float(value[0])


class AlphaZeroNet(BoardNet):
    """For one board: a residual tower, a policy head and a value head."""

    board: tuple[int, int]

    def __init__(self, board_size: int | tuple[int, int], channels: int = 64, blocks: int = 4) -> None:
        super().__init__()
        height, width = (board_size, board_size) if isinstance(board_size, int) else board_size
        cells = height * width
        self.board, self.channels = (height, width), channels
        self.conv_input = nn.Conv2d(PLANES, channels, 3, padding=1, bias=False)
        self.bn_input = nn.BatchNorm2d(channels)
        self.res_blocks = nn.ModuleList(ResidualBlock(channels) for _ in range(blocks))
        self.policy_conv = nn.Conv2d(channels, 2, 1, bias=False)
        self.policy_bn = nn.BatchNorm2d(2)
        self.policy_fc = nn.Linear(2 * cells, cells)
        self.value_conv = nn.Conv2d(channels, 1, 1, bias=False)
        self.value_bn = nn.BatchNorm2d(1)
        self.value_fc1 = nn.Linear(cells, 256)
        self.value_fc2 = nn.Linear(256, 1)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        x = functional.relu(self.bn_input(self.conv_input(planes)))
        for block in self.res_blocks:
            x = block(x)
        policy = self.policy_fc(functional.relu(self.policy_bn(self.policy_conv(x))).flatten(1))
        value = functional.relu(self.value_fc1(functional.relu(self.value_bn(self.value_conv(x))).flatten(1)))
        return policy, torch.tanh(self.value_fc2(value)).squeeze(1)

    def losses(self, planes: Tensor, policy: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        """Cross-entropy of the policy, squared error of the value; means over the rows."""
        logits, answer = self(planes)
        return cross_entropy(logits, policy), functional.mse_loss(answer, value)


def pooled(x: Tensor) -> Tensor:
    """[B, C, h, w] -> [B, 2C]: the mean and the greatest of each channel."""
    return torch.cat([x.mean(dim=(2, 3)), x.amax(dim=(2, 3))], dim=1)


class OutcomeNet(BoardNet):
    """Learns about win, draw and loss apart; its value is the first less the last. Knows no board's size."""

    @abstractmethod
    def heads(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of the cells [B, h·w], and of win, draw and loss [B, 3]."""

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        logits, outcome = self.heads(planes)
        shares = torch.softmax(outcome, dim=1)
        return logits, shares[:, 0] - shares[:, 2]

    def losses(self, planes: Tensor, policy: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        """Cross-entropies of the policy and of win, draw and loss; means over the rows."""
        logits, outcome = self.heads(planes)
        shares = torch.stack([value.clamp_min(0), 1 - value.abs(), (-value).clamp_min(0)], dim=1)
        return cross_entropy(logits, policy), cross_entropy(outcome, shares)


class SwiftBlock(nn.Module):
    """A residual block that begins as nothing, so that a deep network begins as a shallow one."""

    def __init__(self, channels: int, looks_around: bool) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1)
        self.around = nn.Linear(2 * channels, channels) if looks_around else None
        nn.init.zeros_(self.conv2.weight)
        if self.conv2.bias is not None:
            nn.init.zeros_(self.conv2.bias)

    def forward(self, x: Tensor) -> Tensor:
        inner = self.conv1(x)
        if self.around is not None:
            inner = inner + self.around(pooled(x))[:, :, None, None]
        return functional.relu(x + self.conv2(functional.relu(inner)))


class SwiftNet(OutcomeNet):
    """For boards of any size and lines of one length."""

    def __init__(self, channels: int = 32, blocks: int = 3, line: int = 5) -> None:
        super().__init__()
        self.line, self.channels = line, channels
        self.lines = LineWindows(line)
        self.conv_input = nn.Conv2d(PLANES + 1 + self.lines.channels, channels, 3, padding=1)
        self.blocks = nn.ModuleList(SwiftBlock(channels, looks_around=number % 2 == 1) for number in range(blocks))
        head, hidden = 16, 64
        self.policy_conv = nn.Conv2d(channels, head, 1)
        self.policy_around = nn.Linear(2 * channels, head)
        self.policy_out = nn.Conv2d(head, 1, 1)
        self.value_conv = nn.Conv2d(channels, head, 1)
        self.value_hidden = nn.Linear(2 * head, hidden)
        self.value_out = nn.Linear(hidden, 3)

    def heads(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of the cells [B, h·w], and of win, draw and loss [B, 3]."""
        board = torch.ones_like(planes[:, :1])  # where it ends, the padding's zeros begin
        known = torch.cat([planes, board], dim=1)
        x = functional.relu(self.conv_input(torch.cat([known, self.lines(known)], dim=1)))
        for block in self.blocks:
            x = block(x)
        policy = self.policy_conv(x) + self.policy_around(pooled(x))[:, :, None, None]
        logits = self.policy_out(functional.relu(policy)).flatten(1)
        value = functional.relu(self.value_hidden(pooled(functional.relu(self.value_conv(x)))))
        return logits, self.value_out(value)


def cross_entropy(logits: Tensor, shares: Tensor) -> Tensor:
    return -(shares * torch.log_softmax(logits, dim=1)).sum(dim=1).mean()
