"""The networks of heads-up hold'em: cards -> the distribution of equity, and with the betting -> a strategy."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from zerosum.encoding.heads_up import HISTORY
from zerosum.networks.heads_up_settings import HeadsUpNetworkSettings

HISTOGRAM = 50
ACTIONS = 5
ENV = 5


class CardModel(nn.Module):
    """Hole cards [B, 2] and board [B, 5] (52 where missing) -> equity [B, 1] and its histogram on the river [B, 50]."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(53, 64, padding_idx=52)
        self.backbone = nn.Sequential(
            nn.Linear(128, 512), nn.ReLU(), nn.LayerNorm(512),
            nn.Linear(512, 512), nn.ReLU(), nn.LayerNorm(512),
            nn.Linear(512, 256), nn.ReLU(), nn.LayerNorm(256),
        )  # fmt: skip
        self.equity_head = nn.Sequential(nn.Linear(256, 32), nn.ReLU(), nn.Linear(32, 1), nn.Sigmoid())
        self.histogram_head = nn.Sequential(nn.Linear(256, 64), nn.ReLU(), nn.Linear(64, HISTOGRAM), nn.Softmax(dim=-1))

    def features(self, hole: Tensor, board: Tensor) -> Tensor:
        """[B, 256]."""
        cards = torch.cat([self.embedding(hole).sum(dim=1), self.embedding(board).sum(dim=1)], dim=1)
        features: Tensor = self.backbone(cards)
        return features

    def forward(self, hole: Tensor, board: Tensor) -> tuple[Tensor, Tensor]:
        features = self.features(hole, board)
        return self.equity_head(features), self.histogram_head(features)


class TwoHeads(nn.Module):
    """A histogram [B, 50] and numbers of the betting [B, F] -> regrets [B, 5] and strategy logits [B, 5]."""

    def __init__(self, settings: HeadsUpNetworkSettings, betting: int) -> None:
        super().__init__()
        self.settings, self.betting, hidden = settings, betting, settings.hidden
        self.backbone = nn.Sequential(
            nn.Linear(HISTOGRAM + betting, hidden), nn.ReLU(),
            nn.Linear(hidden, hidden), nn.ReLU(),
            nn.Linear(hidden, hidden // 2), nn.ReLU(),
        )  # fmt: skip
        self.regret_head = nn.Linear(hidden // 2, ACTIONS)
        self.policy_head = nn.Linear(hidden // 2, ACTIONS)

    def forward(self, histogram: Tensor, betting: Tensor) -> tuple[Tensor, Tensor]:
        features = self.backbone(torch.cat([histogram, betting], dim=1))
        return self.regret_head(features), self.policy_head(features)


class CFRNetwork(TwoHeads):
    """Sees five numbers of the betting: the pot, both stacks, the street and the position."""

    def __init__(self) -> None:
        super().__init__(HeadsUpNetworkSettings("cfr"), ENV)


class HistoryNetwork(TwoHeads):
    """Also sees what was raised on every street, by whom and how far (`encoding/heads_up.py`)."""

    def __init__(self, settings: HeadsUpNetworkSettings) -> None:
        super().__init__(settings, HISTORY)


def network_for(settings: HeadsUpNetworkSettings) -> TwoHeads:
    """The network that these settings describe, as it is before any training."""
    return CFRNetwork() if settings.kind == "cfr" else HistoryNetwork(settings)
