"""`zerosum runs`: the runs in a directory, a line each."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser("runs", help="list runs: state, iterations, last exploitability, speed")
    parser.add_argument("directory", metavar="DIR", nargs="?", default="runs", help="where they are (default: runs)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zerosum.cli.console import number, print_table
    from zerosum.runs.overview import overviews

    found = overviews(args.directory)
    if args.json:
        print(json.dumps({"runs": [one.to_json() for one in found]}))
        return 0
    if not found:
        print(f"{args.directory}: no runs; make one with zerosum train leduc-sdcfr")
        return 0
    rows = [
        [
            one.name,
            one.game,
            one.algorithm,
            one.state,
            f"{one.iteration:,}",
            "-" if one.exploitability is None else number(one.exploitability),
            "-" if one.iterations_per_second is None else f"{one.iterations_per_second:,.1f}/s",
            f"{one.seconds:,.0f}",
        ]
        for one in found
    ]
    print_table(("run", "game", "algorithm", "state", "iterations", "exploitability", "speed", "seconds"), rows)
    return 0
