"""`zerosum match` for Gomoku: two players, each opening with both colours.

Two networks with a number of simulations play many games at once. Against the clock, or with a player of another kind,
they play one game after the other.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from zerosum.errors import SettingsError

if TYPE_CHECKING:
    import argparse

    from zerosum.evaluate.board_games import BoardMover, Played
    from zerosum.evaluate.board_match import BoardMatch
    from zerosum.games.gomoku import Gomoku

DEFAULT_GAMES = 200
DEFAULT_THINK_MS = 300
GRACE_SECONDS = 0.2  # what a move may be late without losing the game
OPENING_MOVES = 3
GOMOCUP = "gomocup:"


def run(args: argparse.Namespace, game: Gomoku) -> int:
    from zerosum.cli.board_players import check_known
    from zerosum.cli.match import threads_of
    from zerosum.search.classical import is_classical
    from zerosum.settings import within

    if len(args.players) != 2:
        raise SettingsError(f"match: got {len(args.players)} players, wanted 2 for {game.spec()}")
    if args.until_ci is not None or args.hands is not None:
        raise SettingsError(f"match: got --hands or --until-ci, wanted --games for {game.spec()}")
    games = DEFAULT_GAMES if args.games is None else args.games
    within("games", games, 2, 10**6)
    if games % 2:
        raise SettingsError(f"games: got {games}, wanted an even number: each opening is played with both colours")
    within("seed", args.seed, 0, 2**63 - 1)
    within("threads", threads_of(args), 1, 1024)
    if args.simulations is not None:
        within("simulations", args.simulations, 1, 10**8)
    if args.opening_moves is not None:
        within("opening-moves", args.opening_moves, 0, 400)
        if args.openings is None:
            raise SettingsError("match: got --opening-moves, wanted --openings FILE with it")
    for name in args.players:
        if not name.startswith(GOMOCUP):
            check_known(name)
    others = any(is_classical(name) or name.startswith(GOMOCUP) for name in args.players)
    wanted = args.think_ms is not None or args.openings is not None or args.out is not None
    if others or wanted:
        return _against_the_clock(args, game, games)
    return _together(args, game, games)


def _together(args: argparse.Namespace, game: Gomoku, games: int) -> int:
    from zerosum.cli.board_players import board_network, play_settings
    from zerosum.cli.console import live
    from zerosum.cli.match import threads_of
    from zerosum.evaluate.board_match import play_board_match

    settings = play_settings(args.simulations)
    policies = [board_network(name) for name in args.players]
    for name, policy in zip(args.players, policies, strict=True):
        policy.check_plays(game, name)
    first, second = (policy.evaluator(game, threads_of(args)) for policy in policies)
    with live() as line:
        result = play_board_match(game, (first, second), (settings, settings), games, args.seed, line.counting("games"))
    _tell(args, game, result, f"{settings.simulations} simulations a move", [])
    return 0


def _against_the_clock(args: argparse.Namespace, game: Gomoku, games: int) -> int:
    from zerosum.cli.console import live
    from zerosum.evaluate.board_games import play_pair
    from zerosum.evaluate.board_match import summed
    from zerosum.games.gomoku_records import check_writing, write_records
    from zerosum.settings import within

    think_ms = DEFAULT_THINK_MS if args.think_ms is None else args.think_ms
    within("think-ms", think_ms, 1, 10**7)
    if args.simulations is not None:
        raise SettingsError("match: got --simulations, wanted --think-ms for games against the clock")
    if args.out is not None:
        check_writing(args.out, game)
    openings = _openings(args, game, games // 2)
    players = (_player(args, args.players[0], game, think_ms), _player(args, args.players[1], game, think_ms))
    played: list[Played] = []
    try:
        with live() as line:
            counted = line.counting("games")
            for opening in openings:
                played += play_pair(game, players, opening, think_ms / 1000, GRACE_SECONDS)
                counted(len(played), 2 * len(openings))
                if args.out is not None:
                    write_records(args.out, [one.record for one in played], len(played) - 2)
    finally:
        for player in players:
            player.close()
    faults = [f"{args.players[one.faulty]}: {one.fault}" for one in played if one.faulty is not None]
    _tell(args, game, summed([one.result for one in played]), f"{think_ms} ms a move", faults)
    return 0


def _openings(args: argparse.Namespace, game: Gomoku, count: int) -> list[tuple[int, ...]]:
    """From a file, over and over, or random ones."""
    import numpy as np

    from zerosum.evaluate.board_match import central_opening
    from zerosum.games.gomoku_records import openings_of, read_records

    if args.openings is None:
        luck = np.random.Generator(np.random.Philox(np.random.SeedSequence(args.seed)))
        return [central_opening(game, OPENING_MOVES, luck).moves for _ in range(count)]
    found = openings_of(read_records(args.openings), game, args.openings, args.opening_moves)
    return [found[i % len(found)] for i in range(count)]


def _player(args: argparse.Namespace, name: str, game: Gomoku, think_ms: int) -> BoardMover:
    from zerosum.cli.board_players import board_player
    from zerosum.protocols.gomocup_program import GomocupProgram

    if name.startswith(GOMOCUP):
        program = GomocupProgram(name.removeprefix(GOMOCUP), think_ms / 1000, GRACE_SECONDS)
        program.check(game)
        return program
    player = board_player(name, args.threads, args.seed)
    player.check(game)
    return player


def _tell(args: argparse.Namespace, game: Gomoku, result: BoardMatch, how: str, faults: list[str]) -> None:
    if args.json:
        told = {"wins": result.wins, "draws": result.draws, "losses": result.losses, "score": result.score}
        more = {"ci95": result.ci95, "elo": result.elo, "sprt": result.test.verdict, "faults": faults}
        print(json.dumps({"game": game.spec(), "players": args.players, "games": result.games, **told, **more}))
        return
    a, b = args.players
    print(f"{a} v {b}, {game.spec()}, {result.games} games, {how}")
    scored = f"{result.score:.1%} ± {result.ci95:.1%} (95 %)"
    print(f"  {result.wins} won, {result.draws} drawn, {result.losses} lost: {scored}")
    print(f"  {result.elo:+.0f} Elo; stronger by 10 Elo rather than 0: {result.test.verdict}")
    for fault in faults:
        print(f"  lost by a fault: {fault}")
