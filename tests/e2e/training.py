"""Small training runs, as several tests want them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from e2e.command import report

if TYPE_CHECKING:
    from pathlib import Path

SMALL = ("--set", "run.iterations=60", "--set", "run.evaluate_every=20", "--set", "advantage.steps=10")


def train(run: Path, *more: str | Path, preset: str = "leduc-sdcfr") -> dict[str, Any]:
    return report("train", preset, *SMALL, "--out", run, *more)
