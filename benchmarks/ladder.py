"""Gomoku networks against the players without one, at equal time: a table.

Each row is one `zerosum match`, as it stands in the table's last column; every opening is played with either colour.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from zerosum.policy.headers import find_header, read_header

OPPONENTS = ("random", "greedy", "mcts:1000000", "alphabeta:20")
HEAD = """# Gomoku: the ladder

Made by `{command}`. Networks and opponents have {think_ms} ms a move each; `mcts` plays as many random games
and `alphabeta` looks as deep as they find time for. Every opening of three random stones around the middle is
played with either colour; the interval is over openings.

| network | opponent | won | drawn | lost | score, 95 % | Elo | faults | minutes | command |
| --- | --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | --- |
"""


def match(name: str, opponent: str, games: int, think_ms: int) -> tuple[list[str], dict[str, Any]]:
    words = [
        "match",
        name,
        opponent,
        "--game",
        read_header(find_header(name))["game"],
        "--games",
        str(games),
        "--think-ms",
        str(think_ms),
    ]
    done = subprocess.run(
        [sys.executable, "-m", "zerosum", *words, "--json"], stdout=subprocess.PIPE, text=True, check=True
    )
    return words, json.loads(done.stdout)


def row(name: str, opponent: str, games: int, think_ms: int) -> tuple[str, bool]:
    """A line of the table, and whether the network is the better one for sure."""
    start = time.perf_counter()
    words, told = match(name, opponent, games, think_ms)
    minutes = (time.perf_counter() - start) / 60
    interval = told["ci95"] or 0.0
    cells = [name, f"`{opponent}`", *(str(told[key]) for key in ("wins", "draws", "losses"))]
    cells += [f"{told['score']:.1%} ± {interval:.1%}", f"{told['elo']:+.0f}", str(len(told["faults"]))]
    cells += [f"{minutes:.1f}", f"`zerosum {' '.join(words)}`"]
    return f"| {' | '.join(cells)} |", told["score"] - interval > 0.5


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200, help="for each pair of players (default 200)")
    parser.add_argument("--think-ms", type=int, default=50, help="a move (default 50)")
    parser.add_argument("policies", metavar="POLICY", nargs="+", help="a network's directory or name")
    parser.add_argument("--out", type=Path, help="write the table here as well, as it grows")
    args = parser.parse_args()
    text = HEAD.format(command=f"python benchmarks/ladder.py {' '.join(sys.argv[1:])}".strip(), think_ms=args.think_ms)
    beaten = True
    for name in args.policies:
        for opponent in OPPONENTS:
            line, better = row(name, opponent, args.games, args.think_ms)
            beaten &= better
            print(line, flush=True)
            text += line + "\n"
            if args.out:
                args.out.write_text(text)
    return 0 if beaten else 1


if __name__ == "__main__":
    sys.exit(main())
