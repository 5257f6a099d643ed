"""`zerosum solve`: a game in, a policy with its proof out."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from zerosum.errors import RunError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from zerosum.runs.directory import RunDirectory
    from zerosum.solve.solution import Limits, Solution, SolveSettings


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "solve",
        help="solve a small game exactly",
        description="Solves a game by counterfactual regret minimisation and says exactly how far from perfect it is. "
        "Gomoku on at most 64 cells is proved: who wins, and which moves keep that.",
    )
    parser.add_argument("game", metavar="GAME", nargs="?", help="name or name:key=value,... (see zerosum games)")
    parser.add_argument(
        "--algorithm",
        metavar="NAME",
        help="cfr, cfr+ (default), lcfr, dcfr, dcfr+, pcfr+, pdcfr+, or sampled: external, outcome, pcs",
    )
    parser.add_argument(
        "--iterations", type=int, metavar="N", help="stop after N (without --target: 10,000; sampled 1,000,000)"
    )
    parser.add_argument(
        "--target", type=float, metavar="X", help="stop at an exploitability of X, or after N if that is given too"
    )
    parser.add_argument("--seed", type=int, metavar="S", help="for the sampled algorithms (default 0)")
    parser.add_argument("--threads", type=int, metavar="T", help="for the sampled ones; never changes the result")
    parser.add_argument("--out", metavar="DIR", help="keep the run here: settings, curve, checkpoints, policy")
    parser.add_argument("--resume", metavar="DIR", help="go on with the run kept here, to its own or to new limits")
    parser.add_argument("--plot", metavar="FILE", help="draw the convergence curve, .svg or .png")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zerosum.cli import prove
    from zerosum.cli.console import SOLVE_COLUMNS, live, print_table, solve_row
    from zerosum.games.catalog import load_game
    from zerosum.games.gomoku import Gomoku
    from zerosum.games.tree import tree_of
    from zerosum.runs.directory import RunDirectory
    from zerosum.runs.plots import check_plot_path, plot_convergence
    from zerosum.solve.iterates import check_luck
    from zerosum.solve.solution import Limits, find_solution

    if args.game is not None and isinstance(game := load_game(args.game), Gomoku):
        return prove.run(args, game)
    directory, settings = _settings(args)
    check_luck(settings.seed, args.threads)
    limits = Limits.of(settings.algorithm, settings.iterations, settings.target)
    if args.plot is not None:
        check_plot_path(args.plot)
    if args.out is not None and directory is None:
        RunDirectory.check_new(args.out)
    with live() as line:
        tree = tree_of(load_game(settings.game), line.compiling(settings.game))
        if args.out is not None and directory is None:
            directory = RunDirectory.create(args.out, settings)
        solution = find_solution(
            tree,
            settings.algorithm,
            limits,
            seed=settings.seed,
            threads=args.threads,
            watcher=line.solving(f"{settings.game} {settings.algorithm}", limits.iterations),
            run=directory,
        )
    if args.plot is not None:
        curve = [(point.iteration, point.exploitability) for point in solution.history]
        plot_convergence(args.plot, {f"{settings.game} {settings.algorithm}": curve})
    if args.json:
        print(json.dumps(report(solution)))
    else:
        print_table(SOLVE_COLUMNS, [solve_row(solution)])
    for remark in _remarks(solution, limits, directory):
        print(remark, file=sys.stderr if args.json else sys.stdout)
    return 0 if solution.finished else 130


def _remarks(solution: Solution, limits: Limits, directory: RunDirectory | None) -> Iterator[str]:
    if not solution.finished:
        where = f"; go on with --resume {shlex.quote(str(directory.path))}" if directory else ""
        yield f"stopped early{where}"
    elif limits.iterations is not None and solution.iterations > limits.iterations:
        yield f"nothing to do: the run is past {limits.iterations:,} iterations; ask for more with --iterations"
    elif limits.target is not None and solution.exploitability > limits.target:
        yield f"the target of {limits.target:g} was not reached in {solution.iterations:,} iterations"


def report(solution: Solution) -> dict[str, Any]:
    """What --json prints."""
    tree = solution.iterate.tree
    return {
        "game": tree.game.spec(),
        "algorithm": solution.iterate.algorithm,
        "iterations": solution.iterations,
        "value": list(solution.value),
        "exploitability": solution.exploitability,
        "nash_conv": solution.nash_conv,
        "seconds": solution.seconds,
        "iterations_per_second": solution.iterations_per_second,
        "infosets": tree.infosets,
        "nodes": tree.nodes,
    }


def _settings(args: argparse.Namespace) -> tuple[RunDirectory | None, SolveSettings]:
    """What to solve: as the command says, or as the run to go on with was begun; the two must not disagree."""
    from zerosum.games.catalog import load_game
    from zerosum.runs.directory import RunDirectory
    from zerosum.solve.algorithms import algorithm_named
    from zerosum.solve.solution import SolveSettings

    wanted = {"game": args.game and load_game(args.game).spec(), "algorithm": args.algorithm, "seed": args.seed}
    if wanted["algorithm"] is not None:
        algorithm_named(wanted["algorithm"])
    if args.resume is None:
        if args.game is None:
            raise RunError("got no GAME, wanted one (see zerosum games) or --resume DIR")
        algorithm = args.algorithm or "cfr+"
        return None, SolveSettings(wanted["game"], algorithm, args.seed or 0, args.iterations, args.target)
    if args.out is not None and args.out != args.resume:
        raise RunError("got both --out and --resume, wanted one of them: a run goes on in its own directory")
    directory, settings = RunDirectory.open(args.resume, SolveSettings)
    for key, value in wanted.items():
        if value is not None and value != getattr(settings, key):
            raise RunError(f"{args.resume}: a run with {key} {getattr(settings, key)}, got {key} {value}")
    if args.iterations is not None or args.target is not None:
        settings = replace(settings, iterations=args.iterations, target=args.target)
    return directory, settings
