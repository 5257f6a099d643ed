"""Policies of a few words for any betting game: `call`, `fold`, `raise`, told by what its actions are called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from zerosum.games.protocol import Game, View

# The first of these that is offered is taken.
WISHES = {
    "call": ("check", "call", "pass"),
    "fold": ("check", "fold", "pass"),
    "raise": ("raise", "bet", "call", "check"),
}
WISHES["all-in"] = WISHES["pot"] = WISHES["raise"]  # where there is one size


@dataclass(frozen=True)
class SimplePolicy:
    """Takes the first offered action of a list."""

    game: Game
    name: str

    def __call__(self, views: Sequence[View]) -> npt.NDArray[np.float64]:
        """B views -> [B, A]."""
        answer = np.zeros((len(views), self.game.num_actions))
        for row, view in zip(answer, views, strict=True):
            legal = list(view.legal())
            words = [view.action_words(action) for action in legal]
            wished = [k for wish in WISHES[self.name] for k, word in enumerate(words) if word.startswith(wish)]
            row[legal[wished[0] if wished else 0]] = 1.0
        return answer
