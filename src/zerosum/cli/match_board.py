"""`zerosum match` for Gomoku: two networks, each with its search, from random openings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from zerosum.errors import SettingsError

if TYPE_CHECKING:
    import argparse

    from zerosum.games.gomoku import Gomoku

DEFAULT_GAMES = 200


def run(args: argparse.Namespace, game: Gomoku) -> int:
    from zerosum.cli.board_players import board_network, play_settings
    from zerosum.cli.console import live
    from zerosum.cli.match import finite, threads_of
    from zerosum.evaluate.board_match import play_board_match
    from zerosum.settings import within

    if len(args.players) != 2:
        raise SettingsError(f"match: got {len(args.players)} players, wanted 2 for {game.spec()}")
    if args.until_ci is not None or args.out is not None or args.hands is not None:
        raise SettingsError(f"match: got --hands, --until-ci or --out, wanted --games for {game.spec()}")
    games = DEFAULT_GAMES if args.games is None else args.games
    within("games", games, 2, 10**6)
    within("seed", args.seed, 0, 2**63 - 1)
    if args.simulations is not None:
        within("simulations", args.simulations, 1, 10**8)
    settings = play_settings(args.simulations)
    policies = [board_network(name, game) for name in args.players]
    from zerosum.networks.inference import evaluator_for

    first, second = (evaluator_for(p.network, p.board, threads=threads_of(args)) for p in policies)
    with live() as line:
        result = play_board_match(game, (first, second), (settings, settings), games, args.seed, line.counting("games"))
    if args.json:
        told = {"wins": result.wins, "draws": result.draws, "losses": result.losses, "score": result.score}
        more = {"ci95": finite(result.ci95), "elo": result.elo, "sprt": result.test.verdict}
        print(json.dumps({"game": game.spec(), "players": args.players, "games": result.games, **told, **more}))
        return 0
    a, b = args.players
    print(f"{a} v {b}, {game.spec()}, {result.games} games, {settings.simulations} simulations a move")
    scored = f"{result.score:.1%} ± {result.ci95:.1%} (95 %)"
    print(f"  {result.wins} won, {result.draws} drawn, {result.losses} lost: {scored}")
    print(f"  {result.elo:+.0f} Elo; stronger by 10 Elo rather than 0: {result.test.verdict}")
    return 0
