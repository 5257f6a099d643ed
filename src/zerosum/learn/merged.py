"""Buffers that keep rows with equal features as one: exact, and worth much where rows repeat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from zerosum.errors import SettingsError
from zerosum.learn.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt


class MergedBuffer:
    """Rows with equal features and legal actions kept as one: their weighted mean, and their weight.

    The loss over the merged rows differs from that over all of them by a constant, so nothing is lost.
    """

    def __init__(self, capacity_rows: int, features: int, actions: int) -> None:
        self.capacity_rows, self.seen = capacity_rows, 0
        self._features = np.zeros((capacity_rows, features), np.float32)
        self._legal = np.zeros((capacity_rows, actions), np.bool_)
        self._sum = np.zeros((capacity_rows, actions))
        self._weight = np.zeros(capacity_rows)
        self._slots: dict[bytes, int] = {}

    @property
    def stored(self) -> int:
        """How many different rows there are."""
        return int(np.count_nonzero(self._weight[: len(self._slots)]))

    @property
    def bytes_reserved(self) -> int:
        return sum(array.nbytes for array in (self._features, self._legal, self._sum, self._weight))

    def add(self, rows: Rows) -> None:
        slots = self.slots_of(rows.features, rows.legal)
        self.add_at(slots, rows.values, rows.weight)

    def add_at(self, slots: npt.NDArray[np.int64], values: npt.NDArray[Any], weight: npt.NDArray[Any]) -> None:
        """Adds rows whose slots are known."""
        np.add.at(self._sum, slots, values * weight[:, None])
        np.add.at(self._weight, slots, weight)
        self.seen += len(slots)

    def slots_of(self, features: npt.NDArray[np.float32], legal: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """[N] where each row's equals are kept; room is made for new ones."""
        if not len(features):
            return np.zeros(0, np.int64)
        keys = np.hstack([features.view(np.uint8).reshape(len(features), -1), legal.view(np.uint8)])
        distinct, first, which = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        slots = np.empty(len(distinct), np.int64)
        order = np.argsort(first)  # new rows get their slots in the order in which they came
        for k in order:
            key = distinct[k].tobytes()
            slot = self._slots.get(key)
            if slot is None:
                slot = self._claim(key, features[first[k]], legal[first[k]])
            slots[k] = slot
        return slots[which.reshape(-1)]

    def _claim(self, key: bytes, features: npt.NDArray[np.float32], legal: npt.NDArray[np.bool_]) -> int:
        if len(self._slots) == self.capacity_rows:
            raise SettingsError(
                f"buffer: more than {self.capacity_rows:,} different rows, wanted more capacity_rows or merge = false"
            )
        slot = self._slots[key] = len(self._slots)
        self._features[slot], self._legal[slot] = features, legal
        return slot

    def rows(self) -> Rows:
        """One row for each that differs and was seen."""
        seen = np.flatnonzero(self._weight[: len(self._slots)] > 0)
        weight = self._weight[seen]
        return Rows(self._features[seen], self._legal[seen], self._sum[seen] / weight[:, None], weight)

    def state(self) -> tuple[dict[str, int], dict[str, npt.NDArray[Any]]]:
        kept = slice(len(self._slots))
        arrays = {"features": self._features[kept], "legal": self._legal[kept]}
        return {"seen": self.seen}, {**arrays, "sum": self._sum[kept], "weight": self._weight[kept]}

    def restore(self, numbers: Mapping[str, int], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        self._slots.clear()
        self.slots_of(np.ascontiguousarray(arrays["features"]), np.ascontiguousarray(arrays["legal"]))
        kept = slice(len(self._slots))
        self._sum[kept], self._weight[kept] = arrays["sum"], arrays["weight"]
        self.seen = int(numbers["seen"])
