"""`zerosum equity`: hands and ranges against each other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from zerosum.cards.equity import Equity, PlayerEquity

RANKS = "AKQJT98765432"


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "equity",
        help="equities of hands and ranges against each other",
        description="Hands (AhKh), ranges (QQ+,AKs,A5s-A2s,KTo+,76s:0.5) and random against each other. One alone "
        "plays against a random hand. Enumerated where that takes seconds, sampled otherwise.",
    )
    parser.add_argument("hands", metavar="HAND|RANGE|random", nargs="+", help="one to ten players")
    parser.add_argument("--board", metavar="CARDS", default="", help="three to five cards, such as 2h7dTc")
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--exact", action="store_true", help="enumerate, even where that takes up to an hour")
    way.add_argument("--samples", type=int, metavar="N", help="sample N deals")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="for sampling (default 0)")
    parser.add_argument("--threads", type=int, metavar="T", help="never changes the result")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zerosum.cards.equity import equity

    found = equity(
        args.hands,
        args.board,
        exact=args.exact,
        samples=args.samples,
        seed=args.seed,
        threads=args.threads,
        grids=not args.json,
    )
    if args.json:
        fields = ("hand", "equity", "win", "tie", "stderr")
        players = [{name: getattr(player, name) for name in fields} for player in found.players]
        print(json.dumps({"board": found.board, "method": found.method, "players": players}))
    else:
        _print(found)
    return 0


def _print(found: Equity) -> None:
    from zerosum.cli.console import print_table

    how = "exact" if found.samples is None else f"monte-carlo, {found.samples:,} samples"
    print(f"board {found.board or '(none)'}, {how}")
    rows = [
        [
            player.hand,
            f"{player.equity:.6%}" if found.samples is None else f"{player.equity:.3%} ± {1.96 * player.stderr:.3%}",
            f"{player.win:.3%}",
            f"{player.tie:.3%}",
        ]
        for player in found.players
    ]
    print_table(("hand", "equity" if found.samples is None else "equity (95 %)", "win", "tie"), rows)
    for player in found.players:
        if player.grid is not None:
            _print_grid(player)


def _print_grid(player: PlayerEquity) -> None:
    """Equities in per cent by class of hand: suited above the diagonal, offsuit below."""
    if player.grid is None:
        return
    print(f"\n{player.hand}: equity in % by hand (suited above the diagonal)")
    print("    " + "".join(f"{rank:>4}" for rank in RANKS))
    for rank, row in zip(RANKS, player.grid, strict=True):
        cells = "".join("   ." if cell != cell else f"{100 * cell:4.0f}" for cell in row)
        print(f"{rank:>4}{cells}")
