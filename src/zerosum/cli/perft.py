"""`zerosum perft`: the size of a game's tree: a hold'em game's betting street by street, a board's games ply by ply."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from zerosum.games.gomoku import Gomoku
    from zerosum.games.holdem import Holdem

MOST_GAMES = 10**7  # that are counted at the last ply, where nobody says how many plies


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "perft",
        help="count the decisions of a hold'em betting tree, or the games on a board",
        description="Hold'em: counts the decision nodes of the betting tree with every size of bet, cards aside. "
        "Gomoku: counts how many games last for so many moves.",
    )
    parser.add_argument("game", metavar="GAME", help="such as holdem:stack=20,blinds=1/2 or gomoku:size=3,line=3")
    parser.add_argument("--plies", type=int, metavar="N", help="Gomoku: moves to count (default: while it is quick)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zerosum import load_game
    from zerosum.errors import GameError, SettingsError
    from zerosum.games.gomoku import Gomoku
    from zerosum.games.holdem import Holdem

    game = load_game(args.game)
    if isinstance(game, Gomoku):
        return _of_board(args, game)
    if not isinstance(game, Holdem):
        raise GameError(f"{args.game}: got another game, wanted holdem, sixmax, flop-holdem or gomoku")
    if args.plies is not None:
        raise SettingsError(f"plies: got {args.plies}, wanted nothing: {game.spec()} is counted by streets")
    return _of_betting(args, game)


def _of_betting(args: argparse.Namespace, game: Holdem) -> int:
    from zerosum import native
    from zerosum.cli.console import print_table
    from zerosum.games.holdem import STREETS

    nodes = native.holdem_perft(game.rules)
    if args.json:
        print(json.dumps({"game": game.spec(), "nodes": dict(zip(STREETS, nodes, strict=False)), "total": sum(nodes)}))
        return 0
    rows = [[street, f"{count:,}"] for street, count in zip(STREETS, nodes, strict=False)]
    print_table(("street", "decision nodes"), [*rows, ["all", f"{sum(nodes):,}"]])
    return 0


def _of_board(args: argparse.Namespace, game: Gomoku) -> int:
    from zerosum import native
    from zerosum.cli.console import print_table
    from zerosum.settings import within

    plies = args.plies
    if plies is None:
        quick = (ply for ply in range(1, game.num_actions + 1) if math.perm(game.num_actions, ply) <= MOST_GAMES)
        plies = max(quick)
    within("plies", plies, 1, game.num_actions)
    games = [native.gomoku_perft(game.rules, ply) for ply in range(1, plies + 1)]
    if args.json:
        print(json.dumps({"game": game.spec(), "games": games, "total": sum(games)}))
        return 0
    print_table(("moves", "games"), [[str(ply), f"{count:,}"] for ply, count in enumerate(games, 1)])
    return 0
