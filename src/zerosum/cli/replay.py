"""`zerosum replay`: recorded hands played again, and their finishing stacks checked."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse

    from zerosum.games.holdem.replay import Replay


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "replay",
        help="play recorded hands again and check how they end",
        description="Plays hands of .phh and .phhs files on our engine. Exits with 1 where a finishing stack differs.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="poker hand histories (.phh, .phhs)")
    parser.add_argument("--quiet", action="store_true", help="print only what differs, and the count")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zerosum.games.holdem.phh import read_phh
    from zerosum.games.holdem.replay import replay

    hands, checked, differences = 0, 0, list[dict[str, str]]()
    told: list[dict[str, Any]] = []
    for file in args.files:
        for record in read_phh(file):
            played = replay(record)
            hands += 1
            checked += "finishing_stacks" in record.fields
            difference = played.difference()
            if difference:
                differences.append({"hand": record.where, "difference": difference})
                print(f"{record.where}: {difference}", file=sys.stderr)
            if args.json and not args.quiet:
                told.append(_entry(played))
            elif not args.json and not args.quiet:
                _print(played)
    if args.json:
        result: dict[str, Any] = {"hands": hands, "checked": checked, "differing": len(differences)}
        result["differences"] = differences
        print(json.dumps(result | ({} if args.quiet else {"told": told})))
    else:
        print(f"{hands:,} hands replayed, {checked:,} finishing stacks checked, {len(differences):,} differ")
    return 1 if differences else 0


def _names(played: Replay) -> list[str]:
    names = played.record.fields.get("players")
    if isinstance(names, list) and len(names) == played.hand.players:
        return [str(name) for name in names]
    return [f"p{seat + 1}" for seat in range(played.hand.players)]


def _lines(played: Replay) -> list[str]:
    from zerosum.games.holdem.telling import cards_text, tell, tell_end

    names, hand = _names(played), played.hand
    holes = [f"{name} {cards_text(hand.hole(seat))}" for seat, name in enumerate(names)]
    return [", ".join(holes), *tell(hand, names, played.scale), *tell_end(hand, names, played.scale)]


def _entry(played: Replay) -> dict[str, Any]:
    stacks = [float(stack) for stack in played.finishing_stacks()]
    return {"hand": played.record.where, "told": _lines(played), "finishing_stacks": stacks}


def _print(played: Replay) -> None:
    print(played.record.where)
    for line in _lines(played):
        print(f"  {line}")
    print()
