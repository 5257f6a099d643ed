"""Which networks a run has: small ones over rows of numbers, or six-max's with its own encoder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zerosum.networks.settings import SIXMAX
from zerosum.networks.sixmax import SixMaxNet, SixMaxStrategyNet
from zerosum.networks.small import AdvantageNet, StrategyNet

if TYPE_CHECKING:
    from zerosum.networks.settings import NetworkSettings

AnyAdvantageNet = AdvantageNet | SixMaxNet
AnyStrategyNet = StrategyNet | SixMaxStrategyNet


def advantage_network(inputs: int, actions: int, settings: NetworkSettings) -> AnyAdvantageNet:
    return (SixMaxNet if settings.features == SIXMAX else AdvantageNet)(inputs, actions, settings)


def strategy_network(inputs: int, actions: int, settings: NetworkSettings) -> AnyStrategyNet:
    return (SixMaxStrategyNet if settings.features == SIXMAX else StrategyNet)(inputs, actions, settings)
