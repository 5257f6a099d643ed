"""The policy that knows nothing: every legal action alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from zerosum.games.protocol import Game, View


@dataclass(frozen=True)
class UniformPolicy:
    """Picks any legal action alike."""

    game: Game

    def __call__(self, views: Sequence[View]) -> npt.NDArray[np.float64]:
        """B views -> [B, A]."""
        answer = np.zeros((len(views), self.game.num_actions))
        for row, view in zip(answer, views, strict=True):
            legal = list(view.legal())
            row[legal] = 1.0 / len(legal)
        return answer
