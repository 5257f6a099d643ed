"""Keeps memory that walks will want again.

Large arrays come and go at every level of a walk. glibc would return each to the kernel and fetch it again, zeroed,
page by page, which costs processor time and, with several workers, the memory's bandwidth.
"""

from __future__ import annotations

import ctypes
import sys

TRIM_THRESHOLD, TOP_PAD, MMAP_THRESHOLD = -1, -2, -3  # mallopt(3)
KEPT_BYTES = 1 << 30
AHEAD_BYTES = 64 << 20
LARGEST_BYTES = 32 << 20  # the most that glibc takes from its heap


def keep_memory() -> None:
    """For this process, where the C library can; elsewhere nothing happens."""
    if sys.platform != "linux":
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        for option, value in ((MMAP_THRESHOLD, LARGEST_BYTES), (TRIM_THRESHOLD, KEPT_BYTES), (TOP_PAD, AHEAD_BYTES)):
            mallopt(option, value)
