"""How far CardModel is from the truth on cards it was not trained on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from zerosum.networks.heads_up import HISTOGRAM

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torch import Tensor

    from zerosum.learn.cardmodel.targets import CardRows
    from zerosum.networks.heads_up import CardModel

ROWS = 4096  # asked at once


def distance(said: Tensor, wanted: Tensor) -> Tensor:
    """[B, 50] histograms -> [B] earth mover's distance between them, with equities from 0 to 1."""
    return (said - wanted).cumsum(dim=1).abs().sum(dim=1) / HISTOGRAM


def scores(model: CardModel, rows: Mapping[str, CardRows]) -> dict[str, dict[str, float]]:
    """By street: the mean absolute error of the equity, and the mean distance of the histograms."""
    found = {}
    for street, truth in rows.items():
        wrong = far = 0.0
        for start in range(0, len(truth), ROWS):
            part = slice(start, start + ROWS)
            cards = torch.from_numpy(truth.cards[part])
            with torch.inference_mode():
                equity, histogram = model(cards[:, :2], cards[:, 2:])
                wrong += float((equity[:, 0] - torch.from_numpy(truth.equity[part])).abs().sum())
                far += float(distance(histogram, torch.from_numpy(truth.histogram[part])).sum())
        found[street] = {"equity_error": wrong / len(truth), "histogram_distance": far / len(truth)}
    return found
