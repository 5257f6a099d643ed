"""`zerosum perft`: the size of a hold'em game's betting tree, street by street."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "perft",
        help="count the decisions of a hold'em betting tree",
        description="Counts the decision nodes of the betting tree with every size of bet, cards aside.",
    )
    parser.add_argument("game", metavar="GAME", help="such as holdem:stack=20,blinds=1/2")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zerosum import load_game, native
    from zerosum.cli.console import print_table
    from zerosum.errors import GameError
    from zerosum.games.holdem import STREETS, Holdem

    game = load_game(args.game)
    if not isinstance(game, Holdem):
        raise GameError(f"{args.game}: got a game without bet sizes, wanted holdem, sixmax or flop-holdem")
    nodes = native.holdem_perft(game.rules)
    if args.json:
        print(json.dumps({"game": game.spec(), "nodes": dict(zip(STREETS, nodes, strict=False)), "total": sum(nodes)}))
        return 0
    rows = [[street, f"{count:,}"] for street, count in zip(STREETS, nodes, strict=False)]
    print_table(("street", "decision nodes"), [*rows, ["all", f"{sum(nodes):,}"]])
    return 0
