"""A replay buffer: the newest transitions push out the oldest, as action values want them (a reservoir does not)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt


class Replay:
    """The last transitions of a player: what it saw, did and won, and what it saw next."""

    def __init__(self, capacity_rows: int) -> None:
        self.capacity_rows, self.seen = capacity_rows, 0
        self.arrays: dict[str, npt.NDArray[Any]] = {
            "infoset": np.zeros(capacity_rows, np.int32),
            "column": np.zeros(capacity_rows, np.int32),
            "reward": np.zeros(capacity_rows, np.float64),
            "following": np.zeros(capacity_rows, np.int32),
        }

    @property
    def stored(self) -> int:
        return min(self.seen, self.capacity_rows)

    def add(self, columns: Mapping[str, npt.NDArray[Any]]) -> None:
        count = len(columns["infoset"])
        slots = np.arange(self.seen, self.seen + count) % self.capacity_rows
        for name, array in self.arrays.items():
            array[slots] = columns[name]
        self.seen += count
