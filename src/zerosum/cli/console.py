"""What every verb prints with: tables on stdout, progress on stderr and only where someone watches."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from zerosum.solve.iterates import Iterate
    from zerosum.solve.keeping import Point
    from zerosum.solve.solution import Solution

SOLVE_COLUMNS = ("game", "algorithm", "iterations", "value (player 0)", "exploitability", "NashConv", "seconds")


class _Pipe(Console):
    """A console that leaves it to the command line what a reader who had enough, `head` say, means."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Columns of text, numbers to the right."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for k, column in enumerate(columns):
        numeric = all(row[k].replace(",", "").lstrip("+-")[:1].isdigit() for row in rows)
        table.add_column(Text(column), justify="right" if numeric else "left", no_wrap=numeric)
    for row in rows:
        table.add_row(*map(Text, row))
    longest = sum(max(len(text) + 2 for text in column) for column in zip(columns, *rows, strict=True))
    _Pipe(width=max(Console().width, longest)).print(table)  # a narrow terminal wraps lines; nothing is cut


@contextmanager
def live() -> Iterator[Live]:
    """A live line on stderr for the length of a block; nothing where stderr is not a terminal."""
    console = Console(stderr=True)
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield Live(progress)


class Live:
    """The live line: what is being done, and how far it is."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.task = progress.add_task("", total=None)

    def compiling(self, what: str) -> Callable[[int, float], None]:
        """A progress function for the tree compiler."""
        return lambda nodes, expected: self.progress.update(
            self.task, description=f"compiling {what}: {nodes:,} nodes", total=max(expected, nodes), completed=nodes
        )

    def counting(self, what: str) -> Callable[[int, int], None]:
        """A progress function for work that counts up to a known number."""
        return lambda done, total: self.progress.update(
            self.task, description=f"{what}: {done:,} of {total:,}", total=total, completed=done
        )

    def solving(self, title: str, iterations: int | None) -> SolveProgress:
        """A watcher for a solve."""
        self.progress.reset(self.task, total=iterations, description=title)
        return SolveProgress(self, title)


class SolveProgress:
    """Shows a solve go by: iterations and the last exploitability seen."""

    def __init__(self, line: Live, title: str) -> None:
        self.line, self.title, self.measured = line, title, ""

    def ticked(self, iteration: int) -> None:
        description = f"{self.title}: iteration {iteration:,}{self.measured}"
        self.line.progress.update(self.line.task, description=description, completed=iteration)

    def marked(self, _iterate: Iterate, point: Point) -> None:
        self.measured = f", exploitability {point.exploitability:.3g}"


def number(value: float) -> str:
    """A measure in a few characters."""
    return f"{value:.4g}" if 1e-3 <= abs(value) < 1e5 else f"{value:.3e}"


def solve_row(solution: Solution) -> list[str]:
    """A solution as a row of the table of solves."""
    iterate = solution.iterate
    return [
        iterate.tree.game.spec(),
        iterate.algorithm,
        f"{iterate.iteration:,}",
        f"{solution.value[0]:+.9f}",
        number(solution.exploitability),
        number(solution.nash_conv),
        f"{solution.seconds:.2f}",
    ]
