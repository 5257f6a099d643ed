"""The network beside CardModel as Deep CFR trains it: all weights in one row, both heads as one last layer.

It is trained on chips put in, where the network that plays sees stacks, and on both times eight: most pots are small
beside 20,000 chips, and a bfloat16 near 1 cannot tell a stack from one that has called. What was raised on every street
goes in at a fifth of its size, so that a network first learns what holds whatever happened before. Both are linear
changes of what goes in, so the first layer of what is saved takes them in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from zerosum.encoding.heads_up import HISTORY, STREETS
from zerosum.networks.heads_up import ACTIONS, HISTOGRAM, network_for
from zerosum.networks.small import Perceptron

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from zerosum.networks.heads_up import TwoHeads
    from zerosum.networks.heads_up_settings import HeadsUpNetworkSettings

CHIPS = slice(HISTOGRAM, HISTOGRAM + 3)  # the pot and both stacks
TIMES = torch.tensor([8.0, -8.0, -8.0])
PLUS = torch.tensor([0.0, 8.0, 8.0])
PAST = slice(HISTOGRAM + HISTORY - STREETS, HISTOGRAM + HISTORY)  # what was raised, where a network sees that
PAST_TIMES = 0.2


class FlatTwoHeads(Perceptron):
    """[B, 50 + F] histograms and betting -> [B, 10]: regrets, then strategy logits."""

    def __init__(self, settings: HeadsUpNetworkSettings) -> None:
        torch.nn.Module.__init__(self)
        self.settings = settings
        hidden, inputs = settings.hidden, HISTOGRAM + network_for(settings).betting
        self._begin([inputs, hidden, hidden, hidden // 2, 2 * ACTIONS], 0.0)

    @staticmethod
    def sees(features: Tensor) -> Tensor:
        """[B, 50 + F] -> the same with the pot and what both have put in, times eight, and less of the past."""
        seen = features.clone()
        seen[:, CHIPS] = features[:, CHIPS] * TIMES + PLUS
        seen[:, PAST] *= PAST_TIMES
        return seen

    def forward(self, features: Tensor) -> Tensor:
        return super().forward(self.sees(features).to(self.flat.dtype))

    def plays(self) -> TwoHeads:
        """The same as the network that is saved and played."""
        network = network_for(self.settings)
        found = {}
        *hidden, (weight, bias) = self._split(self.flat.detach().clone())
        first, begins = hidden[0]
        begins += first[:, CHIPS] @ PLUS
        first[:, CHIPS] *= TIMES
        first[:, PAST] *= PAST_TIMES
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
