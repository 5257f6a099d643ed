"""Where samples are kept: a reservoir of them, or rows merged with their equals; refused where memory is short."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from zerosum.errors import SettingsError
from zerosum.games.size import bytes_available
from zerosum.learn.merged import MergedBuffer
from zerosum.learn.reservoir import ReservoirBuffer
from zerosum.settings import within


@dataclass(frozen=True)
class BufferSettings:
    """`merge`: rows with equal features become one weighted mean; exact, and worth much where rows repeat."""

    capacity_rows: int = 100_000
    merge: bool = True
    start_rows: int = 1  # seen before a network is trained

    def __post_init__(self) -> None:
        within("buffer: capacity_rows", self.capacity_rows, 1, 10**9)
        within("buffer: start_rows", self.start_rows, 1, 10**12)


Buffer = ReservoirBuffer | MergedBuffer


class Fill(TypedDict):
    """How full a buffer is, in rows, and what it takes."""

    seen: int
    stored: int
    capacity: int
    bytes: int


def fill_of(buffer: Buffer) -> Fill:
    return {
        "seen": buffer.seen,
        "stored": buffer.stored,
        "capacity": buffer.capacity_rows,
        "bytes": buffer.bytes_reserved,
    }


def make_buffer(
    settings: BufferSettings, features: int, actions: int, seed: int, stream: int, kind: str = "float32"
) -> Buffer:
    """An empty buffer; `stream` tells the buffers of a run apart, `kind` is what features are made of."""
    needed = settings.capacity_rows * (np.dtype(kind).itemsize * features + (9 if settings.merge else 5) * actions + 8)
    available = bytes_available()
    if needed > available:
        size = f"{settings.capacity_rows:,} rows need {needed / 1e9:.1f} GB"
        raise SettingsError(f"buffer: capacity_rows: {size}, wanted at most the {available / 1e9:.1f} GB there are")
    if settings.merge:
        return MergedBuffer(settings.capacity_rows, features, actions)
    return ReservoirBuffer(settings.capacity_rows, features, actions, seed, stream, kind)
