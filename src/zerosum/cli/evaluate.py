"""`zerosum evaluate`: how good a saved policy is, exactly."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser("evaluate", help="measure a saved policy: exploitability, NashConv, value")
    parser.add_argument("policy", metavar="POLICY_DIR", help="a policy directory, or a run directory that holds one")
    parser.add_argument("--game", metavar="GAME", help="the game it should be for; another one is refused")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zerosum.cli.console import live, number, print_table
    from zerosum.evaluate.exact import best_response, expected_value, exploitability, nash_conv
    from zerosum.games.catalog import load_game
    from zerosum.policy.storage import load_policy

    with live() as line:
        wanted = None if args.game is None else load_game(args.game)
        policy = load_policy(args.policy, wanted, line.compiling(args.policy))
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
    made = f" ({origin.algorithm}, {origin.iterations:,} iterations)" if origin else ""
    print(f"{tree.game.spec()}{made}: {tree.infosets:,} information sets, {tree.nodes:,} nodes")
    rows = [
        [str(p), f"{v:+.9f}", f"{b:+.9f}", number(b - v)] for p, (v, b) in enumerate(zip(values, best, strict=True))
    ]
    print_table(("player", "value", "best response against it", "gain"), rows)
    print(f"exploitability {number(measures['exploitability'])}, NashConv {number(measures['nash_conv'])}")
    return 0
