"""Gomoku positions as networks see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from zerosum.games.gomoku import GomokuState


def planes_of(states: Sequence[GomokuState]) -> npt.NDArray[np.float32]:
    """[B, 3, h, w]: own stones, the other's, ones where the first player moves."""
    game = states[0].game
    planes = np.zeros((len(states), 3, game.num_actions), np.float32)
    for row, state in zip(planes, states, strict=True):
        mover = len(state.moves) % 2
        row[0, list(state.moves[mover::2])] = 1
        row[1, list(state.moves[1 - mover :: 2])] = 1
        row[2] = mover == 0
    return planes.reshape(len(states), 3, game.height, game.width)
