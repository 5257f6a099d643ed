"""Heads-up hold'em played by CardModel and CFRNetwork: masked softmax of the strategy head, small chances dropped."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import torch

from zerosum.encoding.heads_up import heads_up_history, heads_up_inputs
from zerosum.errors import PolicyError
from zerosum.networks.heads_up import ACTIONS, HISTOGRAM, CardModel, CFRNetwork, TwoHeads

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from zerosum.games.holdem import Holdem
    from zerosum.games.protocol import View

ROWS = 4096  # asked at once
KEPT = 200_000  # histograms that are remembered


def strategy_of(
    logits: npt.NDArray[np.float32], legal: npt.NDArray[np.bool_], denoise_below: float | None
) -> npt.NDArray[np.float64]:
    """[B, A] logits -> [B, A] probabilities: none where illegal, those under the bound dropped, never all of them."""
    if not np.isfinite(logits).all():
        raise PolicyError("a network's answer is not finite: its weights are too large")
    masked = np.where(legal, logits.astype(np.float64), -np.inf)  # -1e9 would do, were logits never below it
    shares: npt.NDArray[np.float64] = np.exp(masked - masked.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    if denoise_below is not None:
        kept = np.where(shares < denoise_below, 0.0, shares)
        shares = np.where(kept.sum(axis=1, keepdims=True) > 0, kept, shares)
        shares /= shares.sum(axis=1, keepdims=True)
    return shares


@dataclass(eq=False)
class HeadsUpPolicy:
    """A policy over the five actions of the menu; what the cards say is computed once for each hand and board."""

    game: Holdem
    cards: CardModel = field(repr=False)
    network: TwoHeads = field(repr=False)
    denoise_below: float | None = 0.03

    def __post_init__(self) -> None:
        if self.game.players != 2 or self.game.num_actions != ACTIONS:
            raise PolicyError(f"a network for heads-up hold'em and five actions, not for {self.game.spec()}")
        self.cards.eval()
        self.network.eval()
        self._kept: dict[bytes, npt.NDArray[np.float32]] = {}

    @classmethod
    def untrained(cls, game: Holdem, seed: int) -> HeadsUpPolicy:
        """Networks as they are before any training."""
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            return cls(game, CardModel(), CFRNetwork())

    def __call__(self, views: Sequence[View]) -> npt.NDArray[np.float64]:
        """B views -> [B, 5]."""
        seen = heads_up_inputs(views, ACTIONS)
        histograms = self._histograms(seen.hole, seen.board)
        betting = seen.env if self.network.settings.kind == "cfr" else heads_up_history(views)
        with torch.inference_mode():
            _, logits = self.network(torch.from_numpy(histograms), torch.from_numpy(betting))
        return strategy_of(logits.numpy(), seen.legal, self.denoise_below)

    def equity(self, view: View) -> float:
        """What CardModel thinks of the hand against a random one."""
        seen = heads_up_inputs([view], ACTIONS)
        with torch.inference_mode():
            equity, _ = self.cards(torch.from_numpy(seen.hole), torch.from_numpy(seen.board))
        return float(equity[0, 0])

    def _histograms(self, hole: npt.NDArray[np.int64], board: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """[B, 50], each hand and board computed once."""
        rows = np.hstack([np.sort(hole, axis=1), np.sort(board[:, :3], axis=1), board[:, 3:]]).astype(np.uint8)
        keys = [row.tobytes() for row in rows]
        missing = list({key: k for k, key in enumerate(keys) if key not in self._kept}.items())
        if len(self._kept) + len(missing) > KEPT:
            self._kept.clear()
            missing = list({key: k for k, key in enumerate(keys)}.items())
        for start in range(0, len(missing), ROWS):
            part = missing[start : start + ROWS]
            numbers = torch.from_numpy(rows[[k for _, k in part]].astype(np.int64))
            with torch.inference_mode():
                _, found = self.cards(numbers[:, :2], numbers[:, 2:])
            self._kept.update(zip((key for key, _ in part), found.numpy(), strict=True))
        if not keys:
            return np.empty((0, HISTOGRAM), dtype=np.float32)
        return np.stack([self._kept[key] for key in keys])
