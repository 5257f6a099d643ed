"""A board turned and mirrored: what is learnt in one position holds in up to eight."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt


def cell_maps(height: int, width: int) -> npt.NDArray[np.int64]:
    """[8 or 4, cells]: for each symmetry, the cell whose content comes to stand at each cell."""
    cells = np.arange(height * width).reshape(height, width)
    turns = range(4) if height == width else (0, 2)
    boards = [np.rot90(board, turn) for board in (cells, np.fliplr(cells)) for turn in turns]
    return np.stack([board.reshape(-1) for board in boards])
