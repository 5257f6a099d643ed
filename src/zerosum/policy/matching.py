"""Regret matching (Hart & Mas-Colell 2000) over rows of regrets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt


def regret_matching(
    regret: npt.NDArray[Any], legal: npt.NDArray[np.bool_], otherwise: Literal["uniform", "best"]
) -> npt.NDArray[np.float64]:
    """[B, A] regrets -> [B, A] strategies; where none is positive: uniform (tables) or the best action (networks)."""
    positive = np.where(legal, np.maximum(regret.astype(np.float64), 0.0), 0.0)
    total = positive.sum(axis=1, keepdims=True)
    if otherwise == "best":
        rest = np.zeros_like(positive)
        rest[np.arange(len(regret)), np.where(legal, regret, -np.inf).argmax(axis=1)] = 1.0
    else:
        rest = legal / legal.sum(axis=1, keepdims=True)
    some = total > 1e-30
    strategy: npt.NDArray[np.float64] = np.where(some, positive / np.where(some, total, 1.0), rest)
    return strategy
