"""`zerosum demo`: the main job, from nothing, in a few minutes. `make demo` runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

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

LEARN = "leduc-sdcfr"
EXACT = "cfr+"
BOARD = "gomoku-5x5-4"
DEMO_GAMES, DEMO_SIMULATIONS = 10, 200


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "demo",
        help="solve Kuhn and Leduc, learn Leduc and a small Gomoku by self-play, play hold'em, make a C++ bot",
    )
    parser.add_argument("--out", metavar="DIR", default="runs/demo", help="where the plots go (default runs/demo)")
    parser.add_argument("--minutes", type=float, default=1.0, metavar="M", help="of learning (default 1)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zerosum.cli.demo_holdem import play_holdem
    from zerosum.runs.files import make_directory
    from zerosum.settings import within

    within("minutes", args.minutes, 0.01, 10**6)
    out = make_directory(args.out)
    _solve(out)
    _learn(out, args.minutes)
    _gomoku(out, args.minutes / 2)
    _report(out, play_holdem(out))
    return 0


def _report(out: Path, won: list[list[str]]) -> None:
    """What was learnt and won, on one page."""
    from zerosum.evaluate.distances import farthest_apart
    from zerosum.runs.overview import overview
    from zerosum.runs.report import write_report

    runs = [overview(out / name) for name in (LEARN, BOARD)]
    page = out / "report.html"
    apart = {one.path: farthest_apart(one.path) for one in runs[:1]}
    write_report(page, runs, apart, {"Heads-up no-limit hold'em against simple players": won})
    print(f"\nreport: {page}")


def _solve(out: Path) -> None:
    """Exact solvers: a table, and their curves."""
    from zerosum.cli.console import SOLVE_COLUMNS, live, print_table, solve_row
    from zerosum.games.catalog import load_game
    from zerosum.runs.plots import plot_convergence
    from zerosum.solve.solution import Limits, find_solution

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
    picture = out / "convergence.svg"
    plot_convergence(picture, curves)
    print(f"\nconvergence plot: {picture}")


def _learn(out: Path, minutes: float) -> None:
    """Single Deep CFR on Leduc beside the exact solver, at the same iterations."""
    from itertools import pairwise

    from zerosum.cli.console import number, print_table
    from zerosum.runs.plots import plot_convergence

    print(f"\nlearning Leduc by self-play ({LEARN}), for {minutes:g} minutes", flush=True)
    rows = _train(out, minutes)
    exact = _exact([row["iteration"] for row in rows])
    shown = sorted({round(k * (len(rows) - 1) / 7) for k in range(8)})
    told = [
        [
            f"{row['seconds']:.0f}",
            f"{row['iteration']:,}",
            f"{row['nodes']:,}",
            number(row["exploitability"]),
            number(exact[row["iteration"]]),
        ]
        for row in (rows[k] for k in shown)
    ]
    print_table(("seconds", "iterations", "nodes", "exploitability, learnt", f"exploitability, {EXACT}"), told)
    falls = sum(after["exploitability"] < before["exploitability"] for before, after in pairwise(rows))
    print(f"it fell in {falls} of {max(len(rows) - 1, 0)} looks; the networks saw cards and betting, never a table")
    picture = out / "learning.svg"
    learnt = [(row["iteration"], row["exploitability"]) for row in rows]
    plot_convergence(picture, {f"leduc {LEARN}": learnt, f"leduc {EXACT}": sorted(exact.items())})
    print(f"learning plot: {picture}")


def _train(out: Path, minutes: float) -> list[dict[str, Any]]:
    """The metrics of a training run, made anew."""
    import shutil

    from zerosum.cli.training_view import watching
    from zerosum.learn.deepcfr.crew import LocalCrew
    from zerosum.learn.deepcfr.training import Training
    from zerosum.learn.presets import load_settings
    from zerosum.runs.directory import RunDirectory

    path = out / LEARN
    shutil.rmtree(path, ignore_errors=True)
    settings = load_settings(LEARN, [f"run.minutes={minutes}", "run.nodes=1_000_000_000", "run.evaluate_every=20"])
    run = RunDirectory.create(path, settings)
    with watching(settings, quiet=True) as watcher:
        watcher.path = path
        watcher.silent = True
        trained = Training(settings, run, LocalCrew(settings, 1), watcher).go()
    if not trained.finished:
        raise KeyboardInterrupt
    return run.metrics()


def _gomoku(out: Path, minutes: float) -> None:
    """AlphaZero on a small board, and games of what it learnt against a player who never errs."""
    import shutil

    import numpy as np

    from zerosum.cli.training_view import watching
    from zerosum.evaluate.perfect import plain, play_perfect
    from zerosum.learn.alphazero.settings import AlphaZeroSettings
    from zerosum.learn.alphazero.training import conduct
    from zerosum.learn.presets import load_any_settings
    from zerosum.policy.board_network import load_board_network
    from zerosum.runs.directory import RunDirectory
    from zerosum.search.proof import ProofSolver

    print(f"\nlearning four in a row on 5 × 5 by self-play ({BOARD}), for {minutes:g} minutes", flush=True)
    path = out / BOARD
    shutil.rmtree(path, ignore_errors=True)
    settings = load_any_settings(BOARD, [f"run.minutes={minutes}"])
    assert isinstance(settings, AlphaZeroSettings)
    with watching(settings, quiet=True) as watcher:
        watcher.silent = True
        trained = conduct(settings, RunDirectory(path), True, 2, watcher)
    if not trained.finished:
        raise KeyboardInterrupt
    policy = load_board_network(path)
    solver, luck = ProofSolver(policy.game), np.random.default_rng(0)
    print(f"{trained.row['games']:,} games against itself; now {DEMO_GAMES} with each colour against the exact solver:")
    for colour, words in ((0, "first"), (1, "second")):
        openings = [policy.game.root()] * DEMO_GAMES
        search = plain(DEMO_SIMULATIONS)
        score = play_perfect(policy.evaluator(), solver, search, openings, colour, luck)
        print(
            f"  as {words} player: {score.wins} won, {score.draws} drawn, {score.losses} lost (a draw is perfect play)"
        )


def _exact(iterations: list[int]) -> dict[int, float]:
    from zerosum.games.catalog import load_game
    from zerosum.solve.iterates import iterates

    found = iterates(load_game("leduc"), EXACT, at=iterations)
    return {iterate.iteration: iterate.exploitability for iterate in found}
