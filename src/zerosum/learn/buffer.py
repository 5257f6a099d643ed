"""Reservoir buffers (Vitter 1985): flat arrays that hold a uniform sample of everything that was ever added.

The count of samples *seen* and the number *stored* are different numbers. What happens to the n-th sample depends on
(seed, stream, n) alone, so the contents are the same however the samples arrive.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from zerosum import native
from zerosum.errors import SettingsError
from zerosum.games.size import bytes_available
from zerosum.settings import within

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

FIELDS = ("features", "legal", "values", "weight")


@dataclass(frozen=True)
class BufferSettings:
    """`merge`: rows with equal features become one weighted mean; exact, and worth much where rows repeat."""

    capacity_rows: int = 100_000
    merge: bool = True
    start_rows: int = 1  # seen before a network is trained

    def __post_init__(self) -> None:
        within("buffer: capacity_rows", self.capacity_rows, 1, 10**9)
        within("buffer: start_rows", self.start_rows, 1, 10**12)


@dataclass(frozen=True)
class Rows:
    """Samples: what was seen, what was legal there, what was found, and how much it counts."""

    features: npt.NDArray[np.float32]  # [N, F]
    legal: npt.NDArray[np.bool_]  # [N, A]
    values: npt.NDArray[Any]  # [N, A]
    weight: npt.NDArray[Any]  # [N]

    def __len__(self) -> int:
        return len(self.weight)


class ReservoirBuffer:
    """Rows in preallocated arrays; once full, new ones compete with the old for their places."""

    def __init__(self, capacity_rows: int, features: int, actions: int, seed: int, stream: int) -> None:
        self.capacity_rows, self.seed, self.stream = capacity_rows, seed, stream
        self.seen = 0
        self._arrays: dict[str, npt.NDArray[Any]] = {
            "features": np.zeros((capacity_rows, features), np.float32),
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


Buffer = ReservoirBuffer | MergedBuffer


def make_buffer(settings: BufferSettings, features: int, actions: int, seed: int, stream: int) -> Buffer:
    """An empty buffer; `stream` tells the buffers of a run apart."""
    needed = settings.capacity_rows * (4 * features + (9 if settings.merge else 5) * actions + 8)
    available = bytes_available()
    if needed > available:
        size = f"{settings.capacity_rows:,} rows need {needed / 1e9:.1f} GB"
        raise SettingsError(f"buffer: capacity_rows: {size}, wanted at most the {available / 1e9:.1f} GB there are")
    if settings.merge:
        return MergedBuffer(settings.capacity_rows, features, actions)
    return ReservoirBuffer(settings.capacity_rows, features, actions, seed, stream)
