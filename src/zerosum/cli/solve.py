"""`zerosum solve`: a game in, a policy with its proof out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from zerosum.errors import RunError

if TYPE_CHECKING:
    import argparse

    from zerosum.runs.directory import RunDirectory
    from zerosum.solve.solution import Solution, SolveSettings


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "solve",
        help="solve a small game exactly",
        description="Solves a game by counterfactual regret minimisation and says exactly how far from perfect it is.",
    )
    parser.add_argument("game", metavar="GAME", nargs="?", help="name or name:key=value,... (see zerosum games)")
    parser.add_argument(
        "--algorithm",
        metavar="NAME",
        help="cfr, cfr+ (default), lcfr, dcfr, dcfr+, pcfr+, pdcfr+, or sampled: external, outcome, pcs",
    )
    parser.add_argument("--iterations", type=int, metavar="N", help="stop after N (default 10,000; sampled 1,000,000)")
    parser.add_argument("--target", type=float, metavar="X", help="stop at an exploitability of X")
    parser.add_argument("--seed", type=int, metavar="S", help="for the sampled algorithms (default 0)")
    parser.add_argument("--threads", type=int, metavar="T", help="for the sampled ones; never changes the result")
    parser.add_argument("--out", metavar="DIR", help="keep the run here: settings, curve, checkpoints, policy")
    parser.add_argument("--resume", metavar="DIR", help="go on with the run kept here")
    parser.add_argument("--plot", metavar="FILE", help="draw the convergence curve, .svg or .png")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zerosum.cli.console import SOLVE_COLUMNS, live, print_table, solve_row
    from zerosum.games.catalog import load_game
    from zerosum.games.tree import tree_of
    from zerosum.runs.plots import check_plot_path, plot_convergence
    from zerosum.solve.solution import Limits, find_solution

    if args.plot:
        check_plot_path(args.plot)
    resumed, settings = _settings(args)
    limits = Limits.of(settings.algorithm, args.iterations, args.target)
    with live() as line:
        tree = tree_of(load_game(settings.game), line.compiling(settings.game))
        solution = find_solution(
            tree,
            settings.algorithm,
            limits,
            seed=settings.seed,
            threads=args.threads,
            watcher=line.solving(f"{settings.game} {settings.algorithm}", limits.iterations),
            run=resumed or _new_run(args.out, settings),
        )
    if args.plot:
        curve = [(point.iteration, point.exploitability) for point in solution.history]
        plot_convergence(args.plot, {f"{settings.game} {settings.algorithm}": curve})
    if args.json:
        print(json.dumps(report(solution)))
    else:
        print_table(SOLVE_COLUMNS, [solve_row(solution)])
        if not solution.finished:
            print(
                "stopped early"
                + (f"; go on with --resume {args.resume or args.out}" if args.resume or args.out else "")
            )
        elif limits.target is not None and solution.exploitability > limits.target:
            print(f"the target of {limits.target:g} was not reached in {solution.iterations:,} iterations")
    return 0 if solution.finished else 130


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
        return None, SolveSettings(wanted["game"], args.algorithm or "cfr+", args.seed or 0)
    if args.out is not None and args.out != args.resume:
        raise RunError("got both --out and --resume, wanted one of them: a run goes on in its own directory")
    directory, settings = RunDirectory.open(args.resume, SolveSettings)
    for key, value in wanted.items():
        if value is not None and value != getattr(settings, key):
            raise RunError(f"{args.resume}: a run with {key} {getattr(settings, key)}, got {key} {value}")
    return directory, settings


def _new_run(out: str | None, settings: SolveSettings) -> RunDirectory | None:
    from zerosum.runs.directory import RunDirectory

    return None if out is None else RunDirectory.create(out, settings)
