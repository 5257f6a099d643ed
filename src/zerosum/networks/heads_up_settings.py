"""Which network plays heads-up hold'em, apart from the networks, so that settings can be read without PyTorch."""

from __future__ import annotations

from dataclasses import dataclass

from zerosum.errors import SettingsError
from zerosum.settings import nearest, within

KINDS = ("cfr", "history")
CFR_HIDDEN = 256


@dataclass(frozen=True)
class HeadsUpNetworkSettings:
    """`cfr` is CFRNetwork, whose shape is fixed; `history` also sees the betting's history, and has this width."""

    kind: str = "cfr"
    hidden: int = CFR_HIDDEN

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise SettingsError(f"network: unknown kind {self.kind!r}; {nearest(self.kind, KINDS)}")
        within("network: hidden", self.hidden, 8, 4096)
        if self.kind == "cfr" and self.hidden != CFR_HIDDEN:
            raise SettingsError(f"network: hidden: got {self.hidden}, wanted {CFR_HIDDEN}: the shape of cfr is fixed")
