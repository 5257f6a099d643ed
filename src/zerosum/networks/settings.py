"""What a small network looks like; apart from the network, so that settings can be read without PyTorch."""

from __future__ import annotations

from dataclasses import dataclass

from zerosum.errors import SettingsError
from zerosum.settings import nearest, within

KINDS = ("perceptron", "cfr", "history")
PRECISIONS = ("float32", "bfloat16", "auto")
ACTIVATIONS = {"relu": 0.0, "leaky-relu": 0.2}  # the slope below zero
SIXMAX = "sixmax"  # features: the 261-number encoding of hold'em for two to six


@dataclass(frozen=True)
class NetworkSettings:
    """Hidden layers, all of one width; `features` says how much is worked out for the network (see encoding).

    Of kind `cfr` or `history` it is one of the networks of heads-up hold'em, of which `hidden` alone is told here, and
    `cards` names the CardModel that goes before it: a run, a policy, a .pt file, or one that comes along.
    """

    hidden: int = 64
    layers: int = 3
    activation: str = "relu"
    features: str = "full"
    kind: str = "perceptron"
    cards: str = "cardmodel"
    precision: str = "float32"  # of products in training; `auto` is bfloat16 where the processor has it
    denoise_below: float = 0.03  # chances under that are dropped in play; 0: none

    def __post_init__(self) -> None:
        within("network: hidden", self.hidden, 1, 65_536)
        within("network: layers", self.layers, 1, 64)
        within("network: denoise_below", self.denoise_below, 0.0, 0.5)
        if self.precision not in PRECISIONS or (self.kind == "perceptron" and self.precision != PRECISIONS[0]):
            wanted = " or ".join(PRECISIONS) if self.kind != "perceptron" else PRECISIONS[0]
            raise SettingsError(f"network: precision: got {self.precision!r}, wanted {wanted} for {self.kind}")
        if self.kind not in KINDS:
            raise SettingsError(f"network: unknown kind {self.kind!r}; {nearest(self.kind, KINDS)}")
        if self.activation not in ACTIVATIONS:
            known = nearest(self.activation, ACTIVATIONS)
            raise SettingsError(f"network: unknown activation {self.activation!r}; {known}")
