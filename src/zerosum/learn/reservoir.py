"""Reservoir buffers (Vitter 1985): flat arrays that hold a uniform sample of everything that was ever added.

The count of samples *seen* and the number *stored* are different numbers. What happens to the n-th sample depends on
(seed, stream, n) alone, so the contents are the same however the samples arrive.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from zerosum import native
from zerosum.learn.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

FIELDS = ("features", "legal", "values", "weight")


class ReservoirBuffer:
    """Rows in preallocated arrays; once full, new ones compete with the old for their places."""

    def __init__(
        self, capacity_rows: int, features: int, actions: int, seed: int, stream: int, kind: str = "float32"
    ) -> None:
        self.capacity_rows, self.seed, self.stream = capacity_rows, seed, stream
        self.seen = 0
        self._arrays: dict[str, npt.NDArray[Any]] = {
            "features": np.zeros((capacity_rows, features), kind),
            "legal": np.zeros((capacity_rows, actions), np.bool_),
            "values": np.zeros((capacity_rows, actions), np.float32),
            "weight": np.zeros(capacity_rows, np.float32),
        }

    @property
    def stored(self) -> int:
        return min(self.seen, self.capacity_rows)

    @property
    def bytes_reserved(self) -> int:
        return sum(array.nbytes for array in self._arrays.values())

    def add(self, rows: Rows) -> None:
        count = len(rows)
        if self.seen + count <= self.capacity_rows:  # filling up
            for name in FIELDS:
                self._arrays[name][self.seen : self.seen + count] = getattr(rows, name)
        else:
            kept, slots = native.reservoir(self.seed, self.stream, self.seen, count, self.capacity_rows)
            for name in FIELDS:
                self._arrays[name][slots] = getattr(rows, name)[kept]
        self.seen += count

    def rows(self) -> Rows:
        """What is stored; views, not copies."""
        return Rows(**{name: self._arrays[name][: self.stored] for name in FIELDS})

    def state(self) -> tuple[dict[str, int], dict[str, npt.NDArray[Any]]]:
        """Numbers and arrays to be saved."""
        return {"seen": self.seen}, {name: self._arrays[name][: self.stored] for name in FIELDS}

    def restore(self, numbers: Mapping[str, int], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        self.seen = int(numbers["seen"])
        for name in FIELDS:
            self._arrays[name][: self.stored] = arrays[name]
