"""`zerosum tournament`: every pair of players, a matrix of results, and ratings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse

    from zerosum.evaluate.tournament import Tournament


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from zerosum.cli.match import add_shared

    parser = verbs.add_parser("tournament", help="every pair of players, a matrix of results, and ratings")
    parser.add_argument("players", nargs="+", metavar="PLAYER", help="two or more; see zerosum match")
    parser.add_argument("--game", required=True, metavar="GAME", help="a game for two, such as holdem or leduc")
    parser.add_argument("--hands", type=int, default=20_000, metavar="N", help="for each pair (default 20,000)")
    add_shared(parser)
    parser.add_argument("--plot", metavar="FILE.svg|.png", help="draw the matrix")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zerosum.cli.console import live, print_table
    from zerosum.cli.leaving import end_what_was_started
    from zerosum.cli.match import threads_of
    from zerosum.evaluate.roster import entrants
    from zerosum.evaluate.tournament import play_tournament
    from zerosum.games.catalog import load_game
    from zerosum.runs.plots import check_plot_path, plot_matrix

    end_what_was_started()
    if args.plot:
        check_plot_path(args.plot)
    game = load_game(args.game)
    players = entrants(args.players, game)
    with live() as line:
        found = play_tournament(
            game, players, hands=args.hands, seed=args.seed, threads=threads_of(args), progress=line.counting("pairs")
        )
    if args.plot:
        plot_matrix(args.plot, found.names, found.mbb_per_hand, "mbb/hand won by the row from the column")
    if args.json:
        print(json.dumps(_as_json(found)))
        return 0
    rows = [
        [
            found.names[k],
            f"{found.ratings[k].elo:+,.0f} ± {found.ratings[k].ci95:,.0f}",
            *(
                "" if k == other else f"{found.mbb_per_hand[k][other]:+,.0f} ± {found.ci95[k][other]:,.0f}"
                for other in range(len(found.names))
            ),
        ]
        for k in sorted(range(len(found.names)), key=lambda k: -found.ratings[k].elo)
    ]
    print(f"{found.game}: {found.hands:,} hands for each pair; mbb/hand won by the row, 95 % intervals")
    print_table(("player", "Elo", *found.names), rows)
    return 0


def _as_json(found: Tournament) -> dict[str, Any]:
    return {
        "game": found.game,
        "hands": found.hands,
        "players": list(found.names),
        "mbb_per_hand": found.mbb_per_hand,
        "ci95": found.ci95,
        "ratings": [
            {"name": name, "elo": rating.elo, "ci95": rating.ci95}
            for name, rating in zip(found.names, found.ratings, strict=True)
        ],
    }
