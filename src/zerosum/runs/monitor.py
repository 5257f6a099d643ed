"""How busy the machine is: processor, memory and, where there is one, the GPU."""

from __future__ import annotations

import sys
from typing import Any

import psutil


class Monitor:
    """Figures for a row of metrics. Shares are of the whole machine, 0 to 1; memory of this process in bytes."""

    def __init__(self) -> None:
        self.process = psutil.Process()
        psutil.cpu_percent()  # the first call only starts the clock

    def figures(self) -> dict[str, Any]:
        return {
            "cpu_usage": psutil.cpu_percent() / 100,
            "memory_usage": self.process.memory_info().rss,
            "gpu_usage": _gpu_usage(),
        }


def _gpu_usage() -> dict[str, Any] | None:
    """Bytes allocated and reserved, and the share of time the GPU is at work; None where none is used."""
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_available():
        return None
    try:
        utilization = torch.cuda.utilization() / 100
    except Exception:  # needs a library of the driver's that may be missing
        utilization = None
    return {
        "memory_allocated": torch.cuda.memory_allocated(),
        "memory_reserved": torch.cuda.memory_reserved(),
        "utilization": utilization,
    }
