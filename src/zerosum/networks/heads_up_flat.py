"""The network beside CardModel as Deep CFR trains it: all weights in one row, both heads as one last layer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from zerosum.networks.heads_up import ACTIONS, HISTOGRAM, network_for
from zerosum.networks.small import Perceptron

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from zerosum.networks.heads_up import TwoHeads
    from zerosum.networks.heads_up_settings import HeadsUpNetworkSettings


class FlatTwoHeads(Perceptron):
    """[B, 50 + F] histograms and betting -> [B, 10]: regrets, then strategy logits."""

    def __init__(self, settings: HeadsUpNetworkSettings) -> None:
        torch.nn.Module.__init__(self)
        self.settings = settings
        hidden, inputs = settings.hidden, HISTOGRAM + network_for(settings).betting
        self._begin([inputs, hidden, hidden, hidden // 2, 2 * ACTIONS], 0.0)

    def plays(self) -> TwoHeads:
        """The same as the network that is saved and played."""
        network = network_for(self.settings)
        found = {}
        *hidden, (weight, bias) = self._split(self.flat.detach())
        for number, (between, begin) in enumerate(hidden):
            found[f"backbone.{2 * number}.weight"], found[f"backbone.{2 * number}.bias"] = between, begin
        for name, rows in (("regret_head", slice(0, ACTIONS)), ("policy_head", slice(ACTIONS, 2 * ACTIONS))):
            found[f"{name}.weight"], found[f"{name}.bias"] = weight[rows], bias[rows]
        network.load_state_dict(found)
        return network.eval()


def flat_two_heads(settings: HeadsUpNetworkSettings, weights: npt.NDArray[np.float32]) -> FlatTwoHeads:
    """The network with these weights."""
    network = FlatTwoHeads(settings)
    network.flat.data = torch.from_numpy(weights)
    return network
