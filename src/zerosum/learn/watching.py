"""A run as others see it: where it is, who watches, and what it came to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from zerosum.policy.table import TablePolicy


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


@dataclass(frozen=True)
class Trained:
    """What a run came to."""

    row: dict[str, Any]
    weights_hash: str
    finished: bool
    policy: TablePolicy | None
