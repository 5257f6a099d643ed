"""A training run as it goes by: a live table on a terminal, JSON lines elsewhere; and Ctrl-C, once and twice."""

from __future__ import annotations

import json
import signal
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.live import Live
from rich.table import Table

from zerosum.cli.console import number
from zerosum.runs.board import Board

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from zerosum.learn.presets import AnySettings
    from zerosum.learn.watching import Progress

REFRESH_SECONDS = 0.25


@contextmanager
def watching(settings: AnySettings, quiet: bool) -> Iterator[TrainingView]:
    """Shows a run until the block ends. The first Ctrl-C asks it to stop, the second one ends it there and then."""
    console = Console(stderr=True)
    view = TrainingView(settings, console, sys.stderr if quiet else sys.stdout)
    before = signal.signal(signal.SIGINT, view.interrupted)
    try:
        if console.is_terminal:
            with Live(console=console, transient=True, auto_refresh=False) as view.live:
                yield view
        else:
            yield view
    finally:
        signal.signal(signal.SIGINT, before)
        if view.board is not None:
            view.board.close()


class TrainingView:
    """A watcher of a run."""

    def __init__(self, settings: AnySettings, console: Console, lines: Any) -> None:
        self.settings, self.console, self.lines = settings, console, lines
        self.live: Live | None = None
        self.board: Board | None = None
        self.path: Path | None = None
        self.wanted_to_stop = False
        self.shown_at = 0.0
        self.silent = False  # nothing but the live table

    def started(self, path: Path, memory_bytes: int) -> None:
        self.path = path
        self.noted(f"{path}: buffers of {memory_bytes / 1e6:,.1f} MB")

    def interrupted(self, *_: Any) -> None:
        if self.wanted_to_stop:
            raise KeyboardInterrupt
        self.wanted_to_stop = True
        self.noted("saving and leaving; Ctrl-C again stops now")

    def stopping(self) -> bool:
        return self.wanted_to_stop

    def stepped(self, progress: Progress) -> None:
        if self.live is not None and time.perf_counter() - self.shown_at >= REFRESH_SECONDS:
            self.shown_at = time.perf_counter()
            self.live.update(self._table(progress), refresh=True)

    def measured(self, row: dict[str, Any]) -> None:
        if self.board is None and self.path is not None:
            self.board = Board(self.path, int(row["iteration"]))
        if self.board is not None:
            self.board.add(row)
        if self.live is None and not self.silent:
            print(json.dumps(row), file=self.lines, flush=True)

    def noted(self, text: str) -> None:
        if self.live is not None:
            self.live.console.print(text, markup=False, highlight=False)
        elif not self.silent:
            print(json.dumps({"note": text}), file=sys.stderr, flush=True)

    def _table(self, progress: Progress) -> Table:
        row = progress.row
        run = self.settings.run
        table = Table.grid(padding=(0, 2))
        table.add_column(style="bold")
        table.add_column(justify="right")
        table.add_column(style="bold")
        table.add_column(justify="right")
        left = self._time_left(progress)
        losses = ", ".join(f"{name} {loss:.4f}" for name, loss in row.get("losses", {}).items())
        fills = ", ".join(f"{name} {b['stored']:,}/{b['capacity']:,}" for name, b in row.get("buffers", {}).items())
        policies = ", ".join(f"{name} {number(value)}" for name, value in row.get("policies", {}).items())
        table.add_row(run.game, run.algorithm, "time", f"{progress.seconds:,.0f} s")
        table.add_row("iteration", f"{progress.iteration:,}", "time left", left)
        memory = f"{row.get('memory_usage', 0) / 1e6:,.0f} MB"
        if "games" in row:
            table.add_row("games", f"{row['games']:,}", "memory", memory)
            speed, games = row.get("simulations_per_second", 0), row.get("games_per_hour", 0)
            table.add_row("simulations/s", f"{speed:,.0f}", "games/hour", f"{games:,.0f}")
            if "sparring" in row:
                told = row["sparring"]
                table.add_row("sparring", f"{told['moves']:,} moves", "given away", f"{told['given_away']:,}")
            table.add_row("batches/s", f"{row.get('batches_per_second', 0):,.0f}", "losses", losses)
            table.add_row("Elo", f"{row['elo']:+.0f}", "buffers", fills)
            return table
        if "scores" in row:
            off = ", ".join(f"{street} {score['equity_error']:.4f}" for street, score in row["scores"].items())
            table.add_row("batches/s", f"{row['batches_per_second']:,.0f}", "losses", losses)
            table.add_row("memory", memory, "equity off by", off)
            return table
        table.add_row("nodes", f"{progress.nodes:,}", "memory", memory)
        table.add_row(
            "nodes/s", f"{row.get('nodes_per_second', 0):,.0f}", "samples/s", f"{row.get('samples_per_second', 0):,.0f}"
        )
        table.add_row("batches/s", f"{row.get('batches_per_second', 0):,.0f}", "losses", losses)
        table.add_row("exploitability", policies, "buffers", fills)
        return table

    def _time_left(self, progress: Progress) -> str:
        """By the limit that is nearest."""
        run = self.settings.run
        shares = [
            done / limit
            for done, limit in (
                (progress.iteration, run.iterations),
                (progress.nodes, getattr(run, "nodes", None)),
                (progress.seconds, run.minutes and 60 * run.minutes),
            )
            if limit
        ]
        share = max(shares, default=0.0)
        return f"{progress.seconds * (1 / share - 1):,.0f} s" if share > 0 else "until it is stopped"
