"""The metrics of a run for TensorBoard, beside the record in metrics.jsonl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


class Board:
    """Writes every number of a row as a scalar; nothing where TensorBoard's writer is not installed."""

    def __init__(self, run: Path, first: int) -> None:
        try:
            from tensorboardX import SummaryWriter
        except ImportError:
            self.writer = None
        else:  # steps of an earlier sitting that a resumed run takes again are dropped
            self.writer = SummaryWriter(str(run / "tensorboard"), purge_step=first or None, flush_secs=10)

    def add(self, row: Mapping[str, Any]) -> None:
        if self.writer is not None:
            for name, value in _numbers("", row):
                self.writer.add_scalar(name, value, int(row["iteration"]))

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()


def _numbers(prefix: str, row: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    for name, value in row.items():
        if isinstance(value, dict):
            yield from _numbers(f"{prefix}{name}/", value)
        elif isinstance(value, (int, float)) and not isinstance(value, bool) and name != "iteration":
            yield f"{prefix}{name}", float(value)
