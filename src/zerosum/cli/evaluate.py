"""`zerosum evaluate`: how good a policy is, exactly where that can be had."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse

    from zerosum.games.holdem import Holdem
    from zerosum.games.protocol import Game
    from zerosum.policy.protocol import Policy


DEFAULT_HANDS = 200


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "evaluate",
        help="measure a policy: exploitability, NashConv, value; against local best response in hold'em",
        description="In a game that can be listed: exact exploitability, NashConv, value and best responses. In "
        "heads-up hold'em: what local best response wins from it, a lower bound on what can be won. On a small Gomoku "
        "board: how often the value is right and the move keeps it, and games against a perfect player; without proofs "
        "in its search.",
    )
    parser.add_argument("policy", metavar="POLICY", help="a policy or run directory, or a player such as uniform")
    parser.add_argument("--game", metavar="GAME", help="the game it is for; needed with a player's name")
    parser.add_argument("--exploitability", action="store_true", help="only exploitability and NashConv")
    parser.add_argument("--best-response", action="store_true", help="only the best responses; on rivers in hold'em")
    parser.add_argument("--lbr", action="store_true", help="local best response (hold'em)")
    parser.add_argument("--exact", action="store_true", help="Gomoku: proved positions, and a player who never errs")
    parser.add_argument("--positions", type=int, metavar="N", help="proved for --exact (default 1,000)")
    parser.add_argument(
        "--every-opening", action="store_true", help="--exact: not random openings, but each of two stones once"
    )
    parser.add_argument(
        "--every-reply",
        type=int,
        metavar="N",
        help="--exact: instead of games, every reply to every opening, for N moves of the network",
    )
    parser.add_argument("--games", type=int, metavar="N", help="against the perfect player (default 40)")
    parser.add_argument("--simulations", type=int, metavar="N", help="of the search in --exact (default 200)")
    parser.add_argument("--hands", type=int, metavar="N", help="hands or rivers of hold'em (default 200)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="for hold'em and --exact (default 0)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from pathlib import Path

    from zerosum.errors import PolicyError, SettingsError
    from zerosum.games.catalog import load_game
    from zerosum.games.gomoku import Gomoku
    from zerosum.games.holdem import Holdem
    from zerosum.policy.headers import shipped_names

    saved = Path(args.policy).is_dir() or args.policy in shipped_names()
    game = load_game(_game_of(args.policy)) if args.game is None and saved else None
    game = game if args.game is None else load_game(args.game)
    if isinstance(game, Gomoku):
        from zerosum.cli import evaluate_board

        if args.hands is not None:
            raise SettingsError(f"hands: got {args.hands}, wanted a game of hold'em for it")
        return evaluate_board.run(args, game)
    if game is None and not saved and Path(args.policy).name == args.policy:
        raise PolicyError(f"{args.policy}: no such directory; the name of a player needs --game")
    if args.exact:
        raise SettingsError("exact: got no policy of gomoku, wanted one; games that can be listed need no --exact")
    for name in ("positions", "games", "simulations", "every_reply", "every_opening"):
        if (value := getattr(args, name)) is not None and value is not False:
            raise SettingsError(f"{name.replace('_', '-')}: got {value}, wanted a policy of gomoku and --exact for it")
    if isinstance(game, Holdem):
        return _run_holdem(args, game)
    if args.lbr or args.hands is not None:
        raise SettingsError(f"{'lbr' if args.lbr else 'hands'}: got no game of hold'em, wanted --game holdem")
    return _run_exact(args, game)


def _game_of(directory: str) -> str:
    """What the policy in a directory is for."""
    from zerosum.policy.headers import find_header, read_header

    return str(read_header(find_header(directory))["game"])


def _run_holdem(args: argparse.Namespace, game: Holdem) -> int:
    from zerosum.errors import PolicyError, SettingsError
    from zerosum.evaluate.roster import entrant
    from zerosum.settings import within

    if game.players != 2 or args.exploitability:
        raise SettingsError(f"{game.spec()}: cannot be listed, wanted heads-up and --lbr or --best-response")
    one = entrant(args.policy, game)
    if one.policy is None:
        why = "its bets are not on a menu, or it is a mixture of networks"
        raise PolicyError(f"{one.name}: {why}; wanted a strategy network, uniform, random, call or fold")
    args.hands = DEFAULT_HANDS if args.hands is None else args.hands
    within("hands", args.hands, 2, 10**8)
    within("seed", args.seed, 0, 2**63 - 1)
    report = {"game": game.spec(), "policy": one.name}
    if args.lbr or not args.best_response:
        report["lbr"] = _lbr(args, game, one.policy)
    if args.best_response:
        report["rivers"] = _rivers(args, game, one.policy)
    if args.json:
        print(json.dumps(report))
    return 0


def _lbr(args: argparse.Namespace, game: Holdem, policy: Policy) -> Any:
    from zerosum.cli.console import live
    from zerosum.evaluate.lbr import local_best_response

    found = {}
    with live() as line:
        for name, bets in (("check and call", False), ("bet menu", True)):
            found[name] = local_best_response(
                game, policy, deals=-(-args.hands // 2), bets=bets, seed=args.seed, progress=line.counting(name)
            )
    if not args.json:
        print(f"{args.policy}, {game.spec()}: what local best response wins, a lower bound on what can be won")
        for name, result in found.items():
            size = f"{result.mbb_per_hand:+,.1f} ± {result.ci95:,.1f} mbb/hand"
            print(f"  {name}: {size} (95 %, {result.hands:,} duplicate hands)")
    return {
        name: {"hands": result.hands, "mbb_per_hand": result.mbb_per_hand, "ci95": result.ci95}
        for name, result in found.items()
    }


def _rivers(args: argparse.Namespace, game: Holdem, policy: Policy) -> Any:
    from zerosum.cli.console import live
    from zerosum.evaluate.subgame import river_exploitability

    with live() as line:
        found = river_exploitability(
            game, policy, subgames=args.hands, seed=args.seed, progress=line.counting("rivers")
        )
    unit = 1000 / max(game.amounts()[1])
    mean, ci95 = unit * float(found.mean[0]), unit * float(found.ci95[0])
    if not args.json:
        print(f"{args.policy}, {game.spec()}: what best responses gain on the rivers its own play leads to")
        print(f"  {mean:+,.1f} ± {ci95:,.1f} mbb a river and player (95 %, {found.count:,} rivers, the menu's bets)")
    return {"subgames": found.count, "mbb_per_river": mean, "ci95": ci95}


def _run_exact(args: argparse.Namespace, game: Game | None) -> int:
    from pathlib import Path

    from zerosum.cli.console import live, number, print_table
    from zerosum.evaluate.exact import best_response, expected_value, exploitability, nash_conv
    from zerosum.evaluate.roster import entrant
    from zerosum.games.tree import tree_of
    from zerosum.policy.storage import load_policy
    from zerosum.policy.table import TablePolicy, tabulate

    with live() as line:
        if game is None or Path(args.policy).is_dir():
            policy = load_policy(args.policy, game, line.compiling(args.policy))
        else:
            named, tree = entrant(args.policy, game).policy, tree_of(game, line.compiling(args.game))
            assert named is not None  # every player of such a game is a policy
            policy = TablePolicy(tree, tabulate(tree, named))
    tree, origin = policy.tree, policy.origin
    values = expected_value(tree, policy)
    best = [best_response(tree, policy, player).value for player in range(tree.game.players)]
    measures = {"exploitability": exploitability(tree, policy), "nash_conv": nash_conv(tree, policy)}
    if args.json:
        report = {
            "game": tree.game.spec(),
            "algorithm": origin.algorithm if origin else None,
            "iterations": origin.iterations if origin else None,
            "value": list(values),
            "best_response_value": best,
            **measures,
            "infosets": tree.infosets,
            "nodes": tree.nodes,
        }
        print(json.dumps(report))
        return 0
    everything = not (args.exploitability or args.best_response)
    made = f" ({origin.algorithm}, {origin.iterations:,} iterations)" if origin else ""
    print(f"{tree.game.spec()}{made}: {tree.infosets:,} information sets, {tree.nodes:,} nodes")
    rows = [
        [str(p), f"{v:+.9f}", f"{b:+.9f}", number(b - v)] for p, (v, b) in enumerate(zip(values, best, strict=True))
    ]
    if everything or args.best_response:
        print_table(("player", "value", "best response against it", "gain"), rows)
    if everything or args.exploitability:
        print(f"exploitability {number(measures['exploitability'])}, NashConv {number(measures['nash_conv'])}")
    return 0
