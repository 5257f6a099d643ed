"""What a small network looks like; apart from the network, so that settings can be read without PyTorch."""

from __future__ import annotations

from dataclasses import dataclass

from zerosum.errors import SettingsError
from zerosum.settings import nearest, within

ACTIVATIONS = {"relu": 0.0, "leaky-relu": 0.2}  # the slope below zero
SIXMAX = "sixmax"  # features: the 261-number encoding of hold'em for two to six


@dataclass(frozen=True)
class NetworkSettings:
    """Hidden layers, all of one width; `features` says how much is worked out for the network (see encoding)."""

    hidden: int = 64
    layers: int = 3
    activation: str = "relu"
    features: str = "full"

    def __post_init__(self) -> None:
        within("network: hidden", self.hidden, 1, 65_536)
        within("network: layers", self.layers, 1, 64)
        if self.activation not in ACTIVATIONS:
            known = nearest(self.activation, ACTIVATIONS)
            raise SettingsError(f"network: unknown activation {self.activation!r}; {known}")
