"""How many bytes a search may take of what a program was given."""

from __future__ import annotations

import os
from pathlib import Path

from zerosum.games.size import bytes_available

LEAST_BYTES = 20 << 20  # a search may always take so much
OTHER_BYTES = 16 << 20  # of a limit, for what threads and questions take


def bytes_for_search(most_bytes: int, taken: int) -> int:
    """What is left of a limit by a program that takes so much itself; without one (0) half of what is free."""
    left = int(bytes_available()) // 2
    return max(min(left, most_bytes - taken - OTHER_BYTES) if most_bytes > 0 else left, LEAST_BYTES)


def resident_bytes() -> int:
    """What this program takes now; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0
