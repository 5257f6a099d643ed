"""A Gomoku network whose first layers are looked up.

A pattern is what lies along one direction around a cell: empty, own, the other's or off the board, up to four cells
each way. A small network turns each of the 4^9 patterns into a few numbers, the same for all directions and both
ways to read it; a cell gets the sum over its four directions. To play, those numbers are computed once and kept as a
table, so that most of the network costs four look-ups a cell (the idea is that of efficiently updatable networks,
Nasu 2018, on lines instead of pieces). What follows is small: blocks that mix neighbours (depthwise, then pointwise
convolutions), and heads that pool the whole board. Nothing depends on the board's size.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from zerosum.networks.gomoku import OutcomeNet, pooled
from zerosum.networks.line_windows import DIRECTIONS
from zerosum.networks.pattern_table import HEAD, HIDDEN, INNER, OUTSIDE, reach_of


class PatternBlock(nn.Module):
    """Mixes each cell with its neighbours; begins as nothing."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.depth = nn.Conv2d(channels, channels, 3, padding=1, groups=channels)
        self.point = nn.Conv2d(channels, channels, 1)
        for weights in self.point.parameters():
            nn.init.zeros_(weights)

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.point(functional.relu(self.depth(x))))


class PatternNet(OutcomeNet):
    """For boards of any size and lines of one length."""

    def __init__(self, channels: int = 32, blocks: int = 1, line: int = 5) -> None:
        super().__init__()
        self.reach = reach_of(line)
        self.width = 2 * self.reach + 1
        self.channels = channels
        self.read = nn.Linear(3 * self.width, INNER)
        self.weigh = nn.Linear(INNER, INNER)
        self.tell = nn.Linear(INNER, channels)
        self.blocks = nn.ModuleList(PatternBlock(channels) for _ in range(blocks))
        self.policy_conv = nn.Conv2d(channels, HEAD, 1)
        self.policy_around = nn.Linear(2 * channels, HEAD)
        self.policy_out = nn.Conv2d(HEAD, 1, 1)
        self.value_conv = nn.Conv2d(channels, channels, 1)
        self.value_hidden = nn.Linear(2 * channels, HIDDEN)
        self.value_out = nn.Linear(HIDDEN, 3)

    def codes(self, planes: Tensor) -> Tensor:
        """[B, h·w, 4] the number of the pattern around each cell in each direction."""
        height, width = planes.shape[2:]
        what = (planes[:, 0] + 2 * planes[:, 1]).to(torch.int64)
        wide = functional.pad(what, (self.reach,) * 4, value=OUTSIDE)
        found = []
        for down, right in DIRECTIONS:
            code = torch.zeros_like(what)
            for k in range(self.width):
                row, column = self.reach + (k - self.reach) * down, self.reach + (k - self.reach) * right
                code += wide[:, row : row + height, column : column + width] << (2 * k)
            found.append(code.flatten(1))
        return torch.stack(found, dim=2)

    def patterns(self, codes: Tensor) -> Tensor:
        """[N] numbers of patterns -> [N, channels] what each of them says."""
        digits = codes[:, None] >> torch.arange(0, 2 * self.width, 2, device=codes.device) & 3
        bits = torch.stack([digits == sort for sort in (1, 2, OUTSIDE)], dim=2).to(self.read.weight.dtype)
        either = functional.relu(self.read(bits.flatten(1))) + functional.relu(self.read(bits.flip(1).flatten(1)))
        told: Tensor = self.tell(functional.relu(self.weigh(either)))
        return told

    def heads(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of the cells [B, h·w], and of win, draw and loss [B, 3]."""
        rows, _, height, width = planes.shape
        codes = self.codes(planes).view(-1, len(DIRECTIONS))
        # Most patterns of a batch are the same few thousand: each is computed once.
        place = torch.zeros(4**self.width, dtype=torch.int64, device=codes.device)
        place[codes.view(-1)] = 1
        seen = place.nonzero().squeeze(1)
        place[seen] = torch.arange(len(seen), device=codes.device)
        sums = functional.embedding_bag(place[codes], self.patterns(seen), mode="sum")
        x = functional.relu(sums).view(rows, height, width, self.channels).permute(0, 3, 1, 2)
        for block in self.blocks:
            x = block(x)
        policy = self.policy_conv(x) + self.policy_around(pooled(x))[:, :, None, None]
        logits = self.policy_out(functional.relu(policy)).flatten(1)
        value = functional.relu(self.value_hidden(pooled(functional.relu(self.value_conv(x)))))
        return logits, self.value_out(value)
