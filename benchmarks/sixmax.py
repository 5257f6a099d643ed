"""The ladder of six-max policies: scripted tables, earlier checkpoints, mixed tables; in big blinds per 100 hands.

    python benchmarks/sixmax.py sixmax --run RUN --out docs/results/sixmax.md

Each line is one match of six with every deal in every seating; the policy is wanted above zero, or above the other.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import torch

from zerosum.evaluate.match import MatchResult, play_match
from zerosum.evaluate.roster import entrants
from zerosum.games.catalog import load_game

SCRIPTS = ("random", "call", "tight-aggressive", "loose-passive", "equity")
MIXED = (
    SCRIPTS,
    ("tight-aggressive", "tight-aggressive", "equity", "equity", "call"),
    ("loose-passive", "call", "loose-passive", "call", "random"),
)


@dataclass(frozen=True)
class Line:
    """A table, what its first player won, and how many hands a second were played."""

    who: str
    table: str
    bb_per_100: float
    ci95: float
    hands: int
    speed: float

    @property
    def is_above(self) -> bool:
        return self.bb_per_100 > self.ci95


def played(who: str, others: tuple[str, ...], hands: int, table: str | None = None) -> Line:
    game = load_game("sixmax")
    start = time.perf_counter()
    found: MatchResult = play_match(game, entrants([who, *others], game), hands=hands, seed=12, threads=2)
    first = found.players[0]
    speed = found.hands / (time.perf_counter() - start)
    names = table or (f"five × {others[0]}" if len(set(others)) == 1 else ", ".join(others))
    line = Line(who, names, first.mbb_per_hand / 10, first.ci95 / 10, found.hands, speed)
    verdict = "" if line.is_above else " (not above zero)"
    print(
        f"{who} v {names}: {line.bb_per_100:+,.1f} ± {line.ci95:,.1f} bb/100, {line.hands:,} hands{verdict}", flush=True
    )
    return line


def ladder(policy: str, run: str | None, marks: list[int], hands: int) -> dict[str, list[Line]]:
    """What is played: each script alone, the run's own past, and mixed tables."""
    parts = {"Scripted tables": [played(policy, (name,) * 5, hands) for name in SCRIPTS]}
    if run is not None:
        few = max(6, hands // 2)
        names = {f"{run}@{mark}": f"after {mark} iterations" for mark in marks}
        parts["Checkpoints"] = [
            played(f"{run}@{late}", (f"{run}@{early}",) * 5, few, f"five × the same run {names[f'{run}@{early}']}")
            for early, late in pairwise(marks)
        ]
        parts["Checkpoints"].append(
            played(policy, (f"{run}@{marks[0]}",) * 5, few, f"five × its run {names[f'{run}@{marks[0]}']}")
        )
    parts["Mixed tables"] = [played(policy, others, max(6, hands // 2)) for others in MIXED]
    return parts


def page(parts: dict[str, list[Line]], command: str, labels: dict[str, str]) -> str:
    lines = [
        "# Six-max: how good it is",
        "",
        "Big blinds per 100 hands with 95 % intervals, every deal in every seating, all-ins paid by their average.",
        "Made by",
        "",
        f"```\n{command}\n```",
        "",
        "With more than two players no equilibrium is promised and no exploitability measured: these",
        "are results against the tables that are named, and say nothing of others.",
    ]
    for title, rows in parts.items():
        lines += [
            "",
            f"## {title}",
            "",
            "| player | table | bb/100 | hands | hands/s |",
            "| --- | --- | ---: | ---: | ---: |",
        ]
        for row in rows:
            who = labels.get(row.who, row.who)
            won = f"{row.bb_per_100:+,.1f} ± {row.ci95:,.1f}"
            lines.append(f"| {who} | {row.table} | {won} | {row.hands:,} | {row.speed:,.0f} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("policy", help="a policy or run directory, or one that comes along")
    parser.add_argument("--run", help="a run whose checkpoints meet each other")
    parser.add_argument("--marks", type=int, nargs="*", default=[25, 75, 150], help="its iterations")
    parser.add_argument("--hands", type=int, default=102_000)
    parser.add_argument("--out", help="write a page here")
    args = parser.parse_args()
    torch.set_num_threads(1)
    parts = ladder(args.policy, args.run, args.marks, args.hands)
    if args.out:
        more = f" --run RUN --marks {' '.join(map(str, args.marks))}" if args.run else ""
        command = f"python benchmarks/sixmax.py {args.policy}{more} --hands {args.hands} --out docs/results/sixmax.md"
        labels = {f"{args.run}@{mark}": f"the run after {mark} iterations" for mark in args.marks}
        Path(args.out).write_text(page(parts, command, labels))
    return 0 if all(line.is_above for rows in parts.values() for line in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
