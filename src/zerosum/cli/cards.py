"""`zerosum cards build-tables`: every hand on every flop and turn, computed once and kept."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser("cards", help="tables of all hands on all boards")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    build = actions.add_parser(
        "build-tables",
        help="compute and keep equities and river histograms of all hands on all flops and turns",
        description="Exact equity against a random hand and the 50-bin histogram of river equities, for every "
        "canonical hand on the flop (134 MB) and on the turn (754 MB). Can be stopped and run again to go on.",
    )
    build.add_argument("--out", metavar="DIR", help="where to keep them (default: ~/.cache/zerosum/cards)")
    build.add_argument("--street", choices=("flop", "turn", "both"), default="both")
    build.add_argument("--threads", type=int, metavar="T", help="default: all cores")
    build.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zerosum.cards.tables import STREETS, build_tables, default_folder
    from zerosum.cli.console import live
    from zerosum.runs.files import make_directory
    from zerosum.settings import within

    threads = len(os.sched_getaffinity(0)) if args.threads is None else args.threads
    within("threads", threads, 1, 1024)
    folder = make_directory(Path(args.out) if args.out else default_folder())
    streets = [street for name, street in STREETS.items() if args.street in (name, "both")]
    for street in streets:
        print(f"{street.name}: {street.rows:,} hands, {street.size_bytes / 1e6:,.0f} MB in {folder}", flush=True)
        with live() as line:
            build_tables(folder, street, threads, line.counting(f"{street.name} boards"))
        print(f"{street.name}: complete")
    return 0
