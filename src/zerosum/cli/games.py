"""`zerosum games`: what can be played and solved."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser("games", help="list the games and their settings")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zerosum.cli.console import print_table
    from zerosum.games.catalog import GAMES, describe

    entries = [describe(name) for name in sorted(GAMES)]
    if args.json:
        print(json.dumps({"games": entries}))
        return 0
    rows = [
        [entry["name"], ",".join(f"{key}={value}" for key, value in entry["settings"].items()), entry["about"]]
        for entry in entries
    ]
    print_table(("game", "settings and their defaults", "about"), rows)
    print("\nGAME is name, or name:key=value,key=value, or openspiel:NAME(key=value).")
    return 0
