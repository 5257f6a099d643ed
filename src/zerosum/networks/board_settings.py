"""Which network plays a board game; needs no PyTorch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from zerosum.errors import SettingsError
from zerosum.settings import within

if TYPE_CHECKING:
    from zerosum.games.gomoku import Gomoku
    from zerosum.networks.gomoku import BoardNet

KINDS = ("swift", "pattern", "alphazero")


@dataclass(frozen=True)
class BoardNetworkSettings:
    kind: str = "swift"
    channels: int = 32
    blocks: int = 3

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise SettingsError(f"network: kind: got {self.kind!r}, wanted one of {', '.join(KINDS)}")
        within("network: channels", self.channels, 1, 1024)
        within("network: blocks", self.blocks, 0, 100)

    @property
    def any_size(self) -> bool:
        """Whether it plays on boards of every size."""
        return self.kind != "alphazero"

    def build(self, game: Gomoku) -> BoardNet:
        """A new network for a game's board and lines."""
        from zerosum.networks.gomoku import AlphaZeroNet, SwiftNet

        if self.kind == "alphazero":
            return AlphaZeroNet((game.height, game.width), self.channels, self.blocks)
        if self.kind == "pattern":
            from zerosum.networks.patterns import PatternNet

            return PatternNet(self.channels, self.blocks, game.line)
        return SwiftNet(self.channels, self.blocks, game.line)
