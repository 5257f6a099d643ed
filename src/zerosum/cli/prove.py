"""`zerosum solve` for Gomoku: who wins, by proof."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING

from zerosum.errors import SettingsError

if TYPE_CHECKING:
    import argparse

    from zerosum.games.gomoku import Gomoku

WORDS = {1: "the first player wins", 0: "a draw", -1: "the second player wins"}


def run(args: argparse.Namespace, game: Gomoku) -> int:
    from zerosum.search.proof import ProofSolver

    for name in ("algorithm", "iterations", "target", "seed", "threads", "out", "resume", "plot"):
        if getattr(args, name) is not None:
            got = f"{name}: got {getattr(args, name)}"
            raise SettingsError(f"{got}, wanted nothing: {game.spec()} is proved, not iterated")
    start = time.perf_counter()
    solver, root = ProofSolver(game), game.root()
    value = solver.value(root)
    proved = time.perf_counter() - start
    if sys.stderr.isatty():
        print(f"{WORDS[value]}: proved in {proved:.1f} s; now every first move", file=sys.stderr)
    best = [game.cell_name(cell) for cell in solver.best_moves(root)]
    seconds = time.perf_counter() - start
    if args.json:
        told = {"game": game.spec(), "value": value, "best_moves": best, "nodes": solver.nodes, "seconds": seconds}
        print(json.dumps(told))
        return 0
    line = [game.cell_name(cell) for cell in solver.principal_line(root)]
    print(f"{game.spec()}: {WORDS[value]} (value {value}), proved in {proved:.2f} s")
    print(f"  moves that keep it: {' '.join(best)}")
    print(f"  perfect play: {' '.join(line)}")
    print(f"  {solver.nodes:,} nodes, {seconds:.1f} s for all moves; cells are row,column, from 0")
    return 0
