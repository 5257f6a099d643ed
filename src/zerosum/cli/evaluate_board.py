"""`zerosum evaluate POLICY --exact`: a network for a small board against the truth."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from zerosum.errors import SettingsError

if TYPE_CHECKING:
    import argparse

    import numpy as np

    from zerosum.evaluate.perfect import Judged, Labelled, PerfectScore
    from zerosum.games.gomoku import Gomoku, GomokuState
    from zerosum.networks.inference import Evaluator
    from zerosum.search.proof import ProofSolver
    from zerosum.search.settings import SearchSettings

MOST_SIMULATIONS = 200
DEFAULT_POSITIONS, DEFAULT_GAMES = 1_000, 40
LABEL_SECONDS = 10.0
LEAST_SHARE = 3  # a third of the cells hold stones
OPENING_MOVES = 2
MOST_TRIES = 200


@dataclass(frozen=True)
class Exam:
    """Who is asked, by whom, and how."""

    args: argparse.Namespace
    solver: ProofSolver
    evaluate: Evaluator
    search: SearchSettings
    luck: np.random.Generator


def run(args: argparse.Namespace, game: Gomoku) -> int:
    import os

    import numpy as np

    from zerosum.cli.board_players import board_network
    from zerosum.evaluate.perfect import plain
    from zerosum.search.classical import is_classical
    from zerosum.search.proof import ProofSolver
    from zerosum.settings import within

    if not args.exact:
        raise SettingsError(f"{game.spec()}: cannot be listed, wanted --exact: proved positions and a perfect player")
    if args.lbr or args.exploitability or args.best_response:
        raise SettingsError(f"{game.spec()}: got --lbr, --exploitability or --best-response, wanted --exact alone")
    simulations = MOST_SIMULATIONS if args.simulations is None else args.simulations
    within("simulations", simulations, 1, 10**6)
    args.positions = DEFAULT_POSITIONS if args.positions is None else args.positions
    args.games = DEFAULT_GAMES if args.games is None else args.games
    within("positions", args.positions, 1, 10**7)
    within("games", args.games, 2, 10**6)
    within("seed", args.seed, 0, 2**63 - 1)
    if args.every_reply is not None:
        within("every-reply", args.every_reply, 1, 400)
    if is_classical(args.policy):
        raise SettingsError(f"{args.policy}: plays without a network, wanted one for --exact")
    solver = ProofSolver(game)
    policy = board_network(args.policy, game)
    threads = len(os.sched_getaffinity(0))
    evaluate = policy.evaluator(threads=threads)
    exam = Exam(args, solver, evaluate, plain(simulations), np.random.default_rng(args.seed))
    report: dict[str, Any] = {"game": game.spec(), "policy": args.policy, "simulations": simulations}
    report["positions"] = _positions(exam)
    if args.every_reply is None:
        report["perfect"] = _games(exam)
    else:
        report["replies"] = _replies(exam)
    if args.json:
        print(json.dumps(report))
    return 0


def _positions(exam: Exam) -> dict[str, Any]:
    from zerosum.cli.console import live
    from zerosum.evaluate.perfect import judge_network, judge_search, labelled_positions

    args, solver = exam.args, exam.solver
    least = solver.game.num_actions // LEAST_SHARE
    found: list[Labelled] = []
    discarded = 0
    with live() as line:
        counted = line.counting("positions")
        for one in labelled_positions(solver, args.positions, least, LABEL_SECONDS, exam.luck):
            if one is None:
                discarded += 1
            else:
                found.append(one)
                counted(len(found), args.positions)
    judged: dict[str, Judged] = {
        "network": judge_network(exam.evaluate, found),
        "search": judge_search(exam.evaluate, found, exam.search),
    }
    values = {str(value): sum(one.value == value for one in found) for value in (1, 0, -1)}
    if not args.json:
        print(
            f"{args.policy}, {solver.game.spec()}: {len(found):,} random positions of at least {least} stones "
            f"({values['1']:,} won, {values['0']:,} drawn, {values['-1']:,} lost), {discarded} not proved in "
            f"{LABEL_SECONDS:.0f} s"
        )
        for name, one_judged in judged.items():
            how = "the network alone" if name == "network" else f"{exam.search.simulations} simulations"
            right = f"right value {100 * one_judged.value_correct:.2f} %"
            print(f"  {how}: {right}, value-keeping move {100 * one_judged.move_correct:.2f} %")
    return {
        "least_stones": least,
        "labels": values,
        "discarded": discarded,
        **{name: {"value": one.value_correct, "move": one.move_correct} for name, one in judged.items()},
    }


def _games(exam: Exam) -> dict[str, Any]:
    """From the empty board and from random openings, or from each once, in either colour, with and without search."""
    from zerosum.cli.console import live
    from zerosum.evaluate.perfect import play_perfect

    args, solver, luck = exam.args, exam.solver, exam.luck
    root = solver.game.root()
    told: dict[str, Any] = {}
    for name, how in (("network", None), ("search", exam.search)):
        for colour, words in ((0, "first"), (1, "second")):
            half = args.games // 2
            if args.every_opening:
                starts = {"every opening": _every(solver, colour, OPENING_MOVES)}
            else:
                drawn = [_opening(solver, colour, luck) for _ in range(half // 2)]
                starts = {"empty board": [root] * (half - half // 2), "random openings": drawn}
            for start, openings in starts.items():
                with live() as line:
                    counted = line.counting(f"{name} as {words} player, {start}")
                    score = play_perfect(exam.evaluate, solver, how, openings, colour, luck, counted)
                told[f"{name} {words} {start}"] = asdict(score)
                if not args.json:
                    _print_score(f"{name} as {words} player, {start}", score)
    return told


def _replies(exam: Exam) -> dict[str, Any]:
    """From the empty board and every opening of two stones, in either colour, with search."""
    from zerosum.cli.console import live
    from zerosum.evaluate.replies import errors_after_replies

    args, solver = exam.args, exam.solver
    told: dict[str, Any] = {}
    for colour, words in ((0, "first"), (1, "second")):
        told[words] = []
        with live() as line:
            openings, counted = _every(solver, colour, 0), line.counting(f"every reply, {words} player")
            asked = (exam.evaluate, solver, exam.search, openings, colour, args.every_reply, counted)
            for number, move in enumerate(errors_after_replies(*asked), 1):
                told[words].append({"positions": move.positions, "given_away": len(move.errors)})
                if not args.json:
                    where = f"every reply to every opening, move {number} as {words} player"
                    print(f"  {where}: {len(move.errors):,} of {move.positions:,} given away")
    return told


def _opening(solver: ProofSolver, colour: int, luck: np.random.Generator) -> GomokuState:
    """Random stones that give away neither a draw nor a win that a colour has on the empty board, if there are such."""
    from zerosum.evaluate.perfect import random_opening

    for _ in range(MOST_TRIES):
        state = random_opening(solver.game, OPENING_MOVES, luck)
        if _is_fair(solver, state, colour):
            break
    return state


def _every(solver: ProofSolver, colour: int, least: int) -> list[GomokuState]:
    """All such openings of at least so many stones, one of those that symmetries make the same."""
    from zerosum.evaluate.perfect import every_opening

    openings = [solver.game.root(), *every_opening(solver.game)]
    return [state for state in openings if len(state.moves) >= least and _is_fair(solver, state, colour)]


def _is_fair(solver: ProofSolver, state: GomokuState, colour: int) -> bool:
    return _worth(solver, state, colour) >= max(0, _worth(solver, solver.game.root(), colour))


def _worth(solver: ProofSolver, state: GomokuState, colour: int) -> int:
    return solver.value(state) * (1 if state.actor == colour else -1)


def _print_score(name: str, score: PerfectScore) -> None:
    result = f"{score.wins} won, {score.draws} drawn, {score.losses} lost of {score.games}"
    print(f"  {name}, against a perfect player: {result}; {score.lost_value} games given away")
