"""`zerosum match`: players against each other, with intervals."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from zerosum.evaluate.batch import Batch
    from zerosum.evaluate.match import MatchResult
    from zerosum.evaluate.roster import Entrant
    from zerosum.games.holdem import Holdem
    from zerosum.games.protocol import Game


DEFAULT_HANDS = 20_000
MBB_PER_HAND = 10.0  # that make a big blind in 100 hands


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "match",
        help="players against each other: who wins how much, and how sure that is",
        description="Every deal is played in every seating. Players are policy directories or uniform, random, call, "
        "fold, all-in, pot; for hold'em also tight-aggressive, loose-passive, equity, untrained:SEED (networks), "
        "RUN@N (a run's first N networks), sixmax (it comes along) and "
        "acpc:COMMAND, a program that speaks the competition's protocol and is given host and port. For Gomoku: policy "
        "directories or networks that come along, random, greedy, mcts:N, alphabeta:DEPTH, and gomocup:COMMAND, a "
        "program that speaks that protocol (five in a row); random openings, each with both colours.",
    )
    parser.add_argument("players", nargs="+", metavar="PLAYER", help="one for each seat of the game")
    parser.add_argument("--game", required=True, metavar="GAME", help="what they play, such as holdem or leduc")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--hands", type=int, metavar="N", help="in whole deals (default 20,000)")
    length.add_argument("--until-ci", type=float, metavar="MBB", help="until the 95 %% interval is +- so many mbb/hand")
    add_shared(parser)
    length.add_argument("--games", type=int, metavar="N", help="Gomoku: each opening with both colours (default 200)")
    parser.add_argument("--simulations", type=int, metavar="N", help="Gomoku: searched for a move (default 400)")
    parser.add_argument("--think-ms", type=int, metavar="T", help="Gomoku: against the clock, so long a move (300)")
    parser.add_argument("--openings", metavar="FILE", help="Gomoku: begin with the games of an .sgf or .psq file")
    parser.add_argument(
        "--opening-moves", type=int, metavar="N", help="Gomoku: the first N moves of those games (default: all)"
    )
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="write the hands (.phhs) or games (.sgf, or .psq: FILE-0001.psq, FILE-0002.psq, ...) down",
    )
    parser.set_defaults(run=run)


def add_shared(parser: argparse.ArgumentParser) -> None:
    """What matches and tournaments have in common."""
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="for cards and choices (default 0)")
    parser.add_argument("--threads", type=int, metavar="T", help="never changes the result; default: all cores")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def threads_of(args: argparse.Namespace) -> int:
    return len(os.sched_getaffinity(0)) if args.threads is None else int(args.threads)


def run(args: argparse.Namespace) -> int:
    from zerosum.cli import match_board
    from zerosum.cli.console import live
    from zerosum.cli.leaving import end_what_was_started
    from zerosum.errors import SettingsError
    from zerosum.evaluate.match import play_match
    from zerosum.evaluate.roster import entrants
    from zerosum.games.catalog import load_game
    from zerosum.games.gomoku import Gomoku

    end_what_was_started()
    game = load_game(args.game)
    if isinstance(game, Gomoku):
        return match_board.run(args, game)
    gomoku_only = (args.games, args.simulations, args.think_ms, args.openings, args.opening_moves)
    if any(value is not None for value in gomoku_only):
        options = "--games, --simulations, --think-ms, --openings or --opening-moves"
        raise SettingsError(f"match: got {options}, wanted a game of gomoku for it")
    hands = DEFAULT_HANDS if args.hands is None else args.hands
    players = entrants(args.players, game)
    out = None if args.out is None else _Hands(args.out, game, players)
    with live() as line:
        show = line.counting("hands")

        def on_batch(batch: Batch, done: int, _ci95: float) -> None:
            if out is not None:
                out.add(batch)
            show(done, hands if args.until_ci is None else max(done, 1))

        result = play_match(
            game,
            players,
            hands=hands,
            until_ci=args.until_ci,
            seed=args.seed,
            threads=threads_of(args),
            on_batch=on_batch,
        )
    if out is not None:
        out.write()
    if args.until_ci is not None and max(player.ci95 for player in result.players) > args.until_ci:
        print(f"zerosum match: stopped after {result.hands:,} hands with a wider interval", file=sys.stderr)
    if args.json:
        print(json.dumps(as_json(result)))
    else:
        _print(result)
    return 0


class _Hands:
    """Hands to be written down."""

    def __init__(self, path: str, game: Game, players: list[Entrant]) -> None:
        from zerosum.errors import RunError
        from zerosum.games.holdem import Holdem
        from zerosum.runs.files import check_writable

        if not isinstance(game, Holdem):
            raise RunError(f"{path}: hands of {game.spec()} cannot be written as PHH, wanted hold'em")
        if Path(path).suffix.lower() in (".sgf", ".psq"):
            raise RunError(f"{path}: got the name of a game of gomoku, wanted one such as hands.phhs")
        check_writable(Path(path).absolute().parent)
        self.path, self.game, self.players = path, game, players
        self.records: list[dict[str, Any]] = []

    def add(self, batch: Batch) -> None:
        from zerosum.games.holdem import record_of

        game: Holdem = self.game
        hand_of: Callable[[int], Any] | None = batch.hands
        for number in range(len(batch.seats) if hand_of is not None else 0):
            names = [""] * game.players
            for player, seat in enumerate(batch.seats[number].tolist()):
                names[seat] = self.players[player].name
            if hand_of is not None:
                self.records.append(record_of(game, hand_of(number), names))

    def write(self) -> None:
        from zerosum.games.holdem import write_phh
        from zerosum.runs.files import write_atomically

        write_atomically(self.path, write_phh(self.records).encode())


def as_json(result: MatchResult) -> dict[str, Any]:
    players = [
        {
            **asdict(player),
            "ci95": finite(player.ci95),
            "bb_per_100": player.mbb_per_hand / MBB_PER_HAND,
            "bb_per_100_ci95": finite(player.ci95 / MBB_PER_HAND),
        }
        for player in result.players
    ]
    rates = {player["name"]: player.pop("rates") for player in players}
    return {
        "game": result.game,
        "hands": result.hands,
        "results": players,
        "rates": rates,
        "showdown": result.showdown,
        "faults": {name: list(faults) for name, faults in result.faults.items()},
        "techniques": [
            {**asdict(technique), "ci95": finite(technique.ci95), "fewer": finite(technique.fewer)}
            for technique in result.techniques
        ],
    }


def finite(number: float) -> float | None:
    """JSON has no infinity."""
    return number if isfinite(number) else None


def unit_of(result: MatchResult) -> tuple[str, float]:
    """Tables of more than two are told in big blinds per 100 hands, and how many mbb/hand that is."""
    return ("bb/100", MBB_PER_HAND) if len(result.players) > 2 else ("mbb/hand", 1.0)


def told(result: MatchResult) -> str:
    """The result in one line."""
    first = result.players[0]
    others = "the others" if len(result.players) > 2 else result.players[1].name
    unit, by = unit_of(result)
    won = f"{first.mbb_per_hand / by:+,.1f} ± {first.ci95 / by:,.1f} {unit}"
    size = f"{won} (95 %, {result.hands:,} duplicate hands)"
    if abs(first.mbb_per_hand) <= first.ci95:
        return f"{first.name} is level with {others}: {size}"
    return f"{first.name} {'beats' if first.mbb_per_hand > 0 else 'loses to'} {others} by {size}"


def _print(result: MatchResult) -> None:
    from zerosum.cli.console import print_table

    unit, by = unit_of(result)
    print(told(result))
    print()
    rows = [
        [
            player.name,
            f"{player.mbb_per_hand / by:+,.1f} ± {player.ci95 / by:,.1f}",
            f"{player.won:.1%}",
            "  ".join(f"{x / by:+,.0f}" for x in player.by_seat),
        ]
        for player in result.players
    ]
    print_table(("player", unit, "hands won", "by seat, plain"), rows)
    print()
    streets = list(dict.fromkeys(street for player in result.players for street in player.rates))
    rows = [
        [player.name, street, *(f"{share:.1%}" for share in player.rates[street].values())]
        for player in result.players
        for street in streets
        if street in player.rates
    ]
    kinds = next((list(player.rates[street]) for player in result.players for street in player.rates), [])
    print_table(("player", "street", *kinds), rows)
    if result.showdown is not None:
        print(f"\nshowdowns: {result.showdown:.1%} of hands")
    print()
    rows = [
        [
            t.name,
            f"{t.mbb_per_hand / by:+,.1f} ± {t.ci95 / by:,.1f}",
            "∞" if t.fewer == float("inf") else f"{t.fewer:,.2f} ×",
        ]
        for t in result.techniques
    ]
    for name, faults in result.faults.items():
        for fault in faults[:5]:
            print(f"{name}: {fault}", file=sys.stderr)
        if len(faults) > 5:
            print(f"{name}: {len(faults) - 5:,} more faults", file=sys.stderr)
    print_table(("technique", f"{result.players[0].name}, {unit}", "fewer hands than plain"), rows)
