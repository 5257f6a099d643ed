"""Which network plays a board game; needs no PyTorch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from zerosum.errors import SettingsError
from zerosum.settings import within

if TYPE_CHECKING:
    from zerosum.networks.gomoku import AlphaZeroNet, SwiftNet

KINDS = ("swift", "alphazero")


@dataclass(frozen=True)
class BoardNetworkSettings:
    kind: str = "swift"
    channels: int = 32
    blocks: int = 4
    reach: int = 3  # cells each way that swift's first layer sees

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise SettingsError(f"network: kind: got {self.kind!r}, wanted one of {', '.join(KINDS)}")
        within("network: channels", self.channels, 1, 1024)
        within("network: blocks", self.blocks, 0, 100)
        within("network: reach", self.reach, 1, 10)

    def build(self, board: tuple[int, int]) -> AlphaZeroNet | SwiftNet:
        """A new network for a board of so many rows and columns."""
        from zerosum.networks.gomoku import AlphaZeroNet, SwiftNet

        if self.kind == "alphazero":
            return AlphaZeroNet(board, self.channels, self.blocks)
        return SwiftNet(self.channels, self.blocks, self.reach)
