"""A policy sees views, never states, and always a batch of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from zerosum.games.protocol import View


class Policy(Protocol):
    def __call__(self, views: Sequence[View]) -> npt.NDArray[np.float64]:
        """B views -> [B, A] probabilities over the game's actions, zero where illegal."""
        ...
