"""`zerosum judge botzone`: a local judge of Botzone's games."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from zerosum.protocols.botzone_judge import Score


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "judge",
        help="let two programs that speak Botzone's protocol play",
        description="Starts both programs and speaks Botzone's protocol with them. A program that asks for it is kept "
        "running between turns; with --one-shot each turn starts it anew. Exit code 1 where a program crashed, was "
        "late or said what it may not, else 0.",
    )
    parser.add_argument("site", choices=("botzone",), help="whose protocol")
    parser.add_argument("programs", nargs=2, metavar="COMMAND", help="such as ./bot, or 'zerosum bot POLICY ...'")
    parser.add_argument("--game", required=True, choices=("holdem", "gomoku"), help="what they play")
    parser.add_argument("--hands", type=int, metavar="N", help="hold'em: of one match (default 20)")
    parser.add_argument("--games", type=int, metavar="N", help="Gomoku: with colours changing (default 2)")
    parser.add_argument("--one-shot", action="store_true", help="start the programs anew for every turn")
    parser.add_argument("--turn-seconds", type=float, default=1.0, metavar="T", help="twice that for the first (1)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the cards (default 0)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zerosum.cli.leaving import end_what_was_started
    from zerosum.errors import SettingsError
    from zerosum.games.holdem import Holdem
    from zerosum.protocols.botzone_judge import judge_gomoku, judge_holdem
    from zerosum.protocols.botzone_program import BotzoneProgram
    from zerosum.settings import within

    end_what_was_started()
    holdem = args.game == "holdem"
    if (args.games if holdem else args.hands) is not None:
        raise SettingsError(f"judge: got {'--games' if holdem else '--hands'} for {args.game}")
    given = args.hands if holdem else args.games
    count = given if given is not None else 20 if holdem else 2
    within("hands" if holdem else "games", count, 1, 10**6)
    within("seed", args.seed, 0, 2**64 - 1)
    within("turn-seconds", args.turn_seconds, 0.01, 10**5)
    programs = [BotzoneProgram(command, args.turn_seconds, one_shot=args.one_shot) for command in args.programs]
    try:
        if holdem:
            score = judge_holdem(programs, Holdem(order="botzone"), count, args.seed)
        else:
            score = judge_gomoku(programs, count)
        starts = [program.starts for program in programs]
    finally:
        for program in programs:
            program.kill()
    if args.json:
        print(json.dumps(_as_json(args, score, starts)))
    else:
        _print(args, score, starts)
    return 1 if any(score.faults) else 0


def _as_json(args: argparse.Namespace, score: Score, starts: list[int]) -> dict[str, object]:
    players = [
        {"command": command, "won": won, "games": games, "starts": began, "faults": faults}
        for command, won, games, began, faults in zip(
            args.programs, score.won, score.games, starts, score.faults, strict=True
        )
    ]
    return {"game": args.game, "played": score.played, "draws": score.draws, "players": players}


def _print(args: argparse.Namespace, score: Score, starts: list[int]) -> None:
    from zerosum.cli.console import print_table

    what = "hands" if args.game == "holdem" else "games"
    rows = [
        [command, f"{won:+,.0f}" if what == "hands" else f"{won:,.0f}", f"{games:,}", f"{began:,}", f"{len(faults):,}"]
        for command, won, games, began, faults in zip(
            args.programs, score.won, score.games, starts, score.faults, strict=True
        )
    ]
    print(f"{score.played:,} {what} of {args.game}")
    print_table(("program", "chips" if what == "hands" else "won", f"{what} won", "started", "faults"), rows)
    for command, faults in zip(args.programs, score.faults, strict=True):
        for fault in faults[:5]:
            print(f"{command}: {fault}", file=sys.stderr)
