"""`zerosum show`: a saved policy in words a player reads, or as CSV or JSON; for a board, what its search looks at."""

from __future__ import annotations

import csv
import json
import sys
from typing import TYPE_CHECKING

from zerosum.errors import PolicyError

if TYPE_CHECKING:
    import argparse

    from zerosum.policy.table import TablePolicy


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser("show", help="print a saved policy in words")
    parser.add_argument("policy", metavar="POLICY_DIR", help="a policy directory, or a run directory that holds one")
    parser.add_argument(
        "--infoset", metavar="TEXT", help="only the situations with this key, or with this in their words"
    )
    parser.add_argument("--moves", metavar='"R,C R,C"', help="Gomoku: the position after these moves")
    parser.add_argument("--simulations", type=int, metavar="N", help="Gomoku: of the search (default 400)")
    parser.add_argument("--tree", metavar="FILE.svg", help="Gomoku: draw the first plies of the search tree")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="player, key, situation, action, probability")
    form.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zerosum.cli.console import live
    from zerosum.policy.headers import find_header, read_header
    from zerosum.policy.storage import load_policy

    if read_header(find_header(args.policy))["kind"] == "board-network":
        from zerosum.cli import show_search

        return show_search.run(args)
    for name in ("moves", "simulations", "tree"):
        if getattr(args, name) is not None:
            raise PolicyError(f"{args.policy}: got --{name}, wanted a policy of gomoku for it")
    with live() as line:
        policy = load_policy(args.policy, progress=line.compiling(args.policy))
    chosen = _matching(policy, args.infoset)
    if args.csv:
        _print_csv(policy, chosen)
    elif args.json:
        _print_json(policy, chosen)
    else:
        _print_words(policy, chosen)
    return 0


def _matching(policy: TablePolicy, text: str | None) -> list[int]:
    views = policy.tree.views
    if text is None:
        return list(range(len(views)))
    exact = [number for number, view in enumerate(views) if text in (view.key, view.words())]
    chosen = exact or [number for number, view in enumerate(views) if text.lower() in view.words().lower()]
    if not chosen:
        example = f"'{views[0].words()}' ({views[0].key})" if views else "none"
        raise PolicyError(f"no situation matches {text!r}; they read like {example}")
    return chosen


def _print_words(policy: TablePolicy, chosen: list[int]) -> None:
    origin = policy.origin
    if origin is not None:
        print(
            f"{policy.tree.game.spec()}, {origin.algorithm}, {origin.iterations:,} iterations, "
            f"exploitability {origin.exploitability or 0.0:.3g}"
        )
    seat = -1
    for number in chosen:
        view = policy.tree.views[number]
        if view.seat != seat:
            seat = view.seat
            print(f"\nplayer {seat}")
        mix = ", ".join(f"{action} {p:.3f}" for action, p in policy.row(number).items())
        print(f"  {view.words()}: {mix}")


def _print_csv(policy: TablePolicy, chosen: list[int]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(("player", "key", "situation", "action", "probability"))
    for number in chosen:
        view = policy.tree.views[number]
        writer.writerows((view.seat, view.key, view.words(), *pair) for pair in policy.row(number).items())


def _print_json(policy: TablePolicy, chosen: list[int]) -> None:
    views = policy.tree.views
    rows = [
        {
            "player": views[number].seat,
            "key": views[number].key,
            "situation": views[number].words(),
            "actions": policy.row(number),
        }
        for number in chosen
    ]
    print(json.dumps({"game": policy.tree.game.spec(), "infosets": rows}))
