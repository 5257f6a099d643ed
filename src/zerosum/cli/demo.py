"""`zerosum demo`: the main job, from nothing, in a few minutes. `make demo` runs it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

SOLVES = (
    ("kuhn", "cfr", 10_000),
    ("kuhn", "cfr+", 10_000),
    ("kuhn", "pcfr+", 10_000),
    ("leduc", "cfr", 10_000),
    ("leduc", "cfr+", 10_000),
    ("leduc", "dcfr", 10_000),
    ("leduc", "pcfr+", 100_000),
    ("leduc", "pdcfr+", 100_000),
    ("leduc", "external", 1_000_000),
)


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser("demo", help="solve Kuhn and Leduc with several algorithms, and draw how they converge")
    parser.add_argument("--out", metavar="DIR", default="runs/demo", help="where the plot goes (default runs/demo)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zerosum.cli.console import SOLVE_COLUMNS, live, print_table, solve_row
    from zerosum.games.catalog import load_game
    from zerosum.runs.files import make_directory
    from zerosum.runs.plots import plot_convergence
    from zerosum.solve.solution import Limits, find_solution

    out = make_directory(args.out)
    rows, curves = [], {}
    with live() as line:
        for spec, algorithm, iterations in SOLVES:
            limits = Limits.of(algorithm, iterations, None)
            watcher = line.solving(f"{spec} {algorithm}", iterations)
            solution = find_solution(load_game(spec), algorithm, limits, watcher=watcher)
            if not solution.finished:
                raise KeyboardInterrupt
            rows.append(solve_row(solution))
            curves[f"{spec} {algorithm}"] = [(point.iteration, point.exploitability) for point in solution.history]
    print_table(SOLVE_COLUMNS, rows)
    picture = Path(out) / "convergence.svg"
    plot_convergence(picture, curves)
    print(f"\nconvergence plot: {picture}")
    return 0
