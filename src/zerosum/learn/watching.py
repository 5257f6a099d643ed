"""A run as others see it: where it is, who watches, and what it came to."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from zerosum.policy.table import TablePolicy
    from zerosum.runs.directory import RunDirectory


@dataclass(frozen=True)
class Progress:
    """Where a run is; `nodes` are those of walks or searches, `row` is the last row of its metrics."""

    iteration: int
    nodes: int
    seconds: float
    row: dict[str, Any]


class Watcher(Protocol):
    """Who wants to see a run go by; `stopping` says that it should be left at the next iteration."""

    def stopping(self) -> bool: ...

    def started(self, path: Path, memory_bytes: int) -> None: ...

    def stepped(self, progress: Progress) -> None: ...

    def measured(self, row: dict[str, Any]) -> None: ...

    def noted(self, text: str) -> None: ...


@contextmanager
def at_work(directory: RunDirectory, settings: Any, new: bool, memory_bytes: int, watcher: Watcher) -> Iterator[None]:
    """Within the block a run is this process's; who watches is told what it begins with."""
    with directory.at_work(settings, new):
        watcher.started(directory.path, memory_bytes)
        if not new and not directory.has_checkpoint():
            watcher.noted(f"{directory.path}: has no checkpoint yet, begins anew")
        yield


@dataclass(frozen=True)
class Trained:
    """What a run came to."""

    row: dict[str, Any]
    weights_hash: str
    finished: bool
    policy: TablePolicy | None
