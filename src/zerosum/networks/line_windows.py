"""What a Gomoku network is told about lines, so that it need not find out what a line is.

A window is `line` cells in a row. One side can still fill it when the other has no stone there and it lies on the
board. For each side, direction and step j there is a channel: a window with s stones counts max(0, s − j) there,
j = −1 .. line − 2, and every cell gets the sum over the windows it lies in. Any function of s is a mix of these.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class LineWindows(nn.Module):
    """Planes [B, 4, h, w] (own stones, the other's, anything, ones) -> [B, 8·line, h, w]. Nothing in it is learnt."""

    stones: Tensor
    less: Tensor
    spread: Tensor

    def __init__(self, line: int) -> None:
        super().__init__()
        self.reach, self.channels = line - 1, 2 * len(DIRECTIONS) * line
        much = line + 1
        stones = torch.zeros(self.channels, 4, line, line)
        less = torch.zeros(self.channels)
        spread = torch.zeros(self.channels, 1, line, line)
        sorts = [(side, way, step) for side in (0, 1) for way in DIRECTIONS for step in range(-1, line - 1)]
        for channel, (side, (down, right), step) in enumerate(sorts):
            less[channel] = -step - much * line  # what is not on the board, or the other's, outweighs all stones
            for i in range(line):
                # A window is kept at the upper left corner of the square around it.
                row, column = i * down, i * right + (self.reach if right < 0 else 0)
                stones[channel, side, row, column] = 1
                stones[channel, 1 - side, row, column] = -much
                stones[channel, 3, row, column] = much
                spread[channel, 0, self.reach - row, self.reach - column] = 1 / line
        for name, buffer in (("stones", stones), ("less", less), ("spread", spread)):
            self.register_buffer(name, buffer, persistent=False)

    def forward(self, planes: Tensor) -> Tensor:
        after = functional.pad(planes, (0, self.reach, 0, self.reach))
        windows = functional.relu(functional.conv2d(after, self.stones, self.less))
        before = functional.pad(windows, (self.reach, 0, self.reach, 0))
        return functional.conv2d(before, self.spread, groups=self.channels)
