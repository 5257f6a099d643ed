"""Tabular solving against OpenSpiel and LiteEFG, both sides in one run: `make bench`.

Each comparison alternates between the two sides and reports the median of each, because machines are noisy; what is
judged is the ratio. One thread, except where a row says two.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from dataclasses import asdict, dataclass
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Any

import LiteEFG
import numpy as np
import pyspiel
from LiteEFG.baselines import CFRplus

import zerosum as zs
from zerosum import native
from zerosum.games.tree import compile_tree
from zerosum.solve.iterates import Solving

if TYPE_CHECKING:
    from collections.abc import Callable

SECONDS = 0.4  # of each side, in each round
ROUNDS = 5


@dataclass(frozen=True)
class Row:
    """One comparison: how often a second, or how soon, and by what factor we are ahead."""

    what: str
    peer: str
    ours: float
    theirs: float
    unit: str
    wanted: float

    @property
    def ratio(self) -> float:
        return self.theirs / self.ours if self.unit == "s" else self.ours / self.theirs


def per_second(step: Callable[[], None], count: int) -> float:
    """How many of the `count` things that a step does are done in a second."""
    start, steps = time.perf_counter(), 0
    while (elapsed := time.perf_counter() - start) < SECONDS or steps == 0:
        step()
        steps += 1
    return steps * count / elapsed


def against(what: str, peer: str, wanted: float, ours: tuple[Any, int], theirs: tuple[Any, int], unit: str) -> Row:
    for step, _ in (ours, theirs):
        step()  # warm
    rounds = [(per_second(*ours), per_second(*theirs)) for _ in range(ROUNDS)]
    medians = [statistics.median(side) for side in zip(*rounds, strict=True)]
    return Row(what, peer, medians[0], medians[1], unit, wanted)


def openspiel_cfr_plus(name: str) -> Any:
    return pyspiel.CFRPlusSolver(pyspiel.load_game(name))


class Lite:
    """LiteEFG's CFR+ as its own examples run it."""

    def __init__(self, name: str) -> None:
        out, sys.stdout = sys.stdout, sys.stderr
        try:
            self.env = LiteEFG.OpenSpielEnv(pyspiel.load_game(name), traverse_type="Enumerate", regenerate=True)
            self.graph = CFRplus.graph()
            self.env.set_graph(self.graph)
        finally:
            sys.stdout = out

    def step(self) -> None:
        self.graph.update_graph(self.env)
        self.env.update_strategy(self.graph.current_strategy(), update_best=False)

    def exploitability(self) -> None:
        self.env.exploitability(self.graph.current_strategy(), "linear-avg-iterate")


def our_cfr_plus(spec: str, count: int) -> tuple[Callable[[], None], int]:
    solver = Solving(zs.tree_of(zs.load_game(spec)), "cfr+").solver
    return (lambda: solver.run(count)), count


def iterations() -> list[Row]:
    unit = "iterations/s"
    lite, dice = Lite("leduc_poker"), Lite("liars_dice")
    leduc, kuhn = openspiel_cfr_plus("leduc_poker"), openspiel_cfr_plus("kuhn_poker")
    return [
        against(
            "Leduc CFR+", "OpenSpiel", 500, our_cfr_plus("leduc", 500), (leduc.evaluate_and_update_policy, 1), unit
        ),
        against("Leduc CFR+", "LiteEFG", 100, our_cfr_plus("leduc", 500), (lite.step, 1), unit),
        against("Kuhn CFR+", "OpenSpiel", 60, our_cfr_plus("kuhn", 5000), (kuhn.evaluate_and_update_policy, 1), unit),
        against("liar's dice CFR+", "LiteEFG", 20, our_cfr_plus("liars-dice", 5), (dice.step, 1), unit),
    ]


def exploitabilities() -> list[Row]:
    game = zs.load_game("leduc")
    policy = zs.solve(game, "cfr+", iterations=200).policy
    theirs, loaded = openspiel_cfr_plus("leduc_poker"), pyspiel.load_game("leduc_poker")
    for _ in range(20):
        theirs.evaluate_and_update_policy()
    table = theirs.tabular_average_policy()
    lite = Lite("leduc_poker")
    for _ in range(200):
        lite.step()

    def ours() -> None:
        zs.exploitability(game, policy)

    def openspiel() -> None:
        pyspiel.exploitability(loaded, table)

    unit = "calls/s"
    return [
        against("Leduc exploitability", "OpenSpiel", 1000, (ours, 1), (openspiel, 1), unit),
        against("Leduc exploitability", "LiteEFG", 5, (ours, 1), (lite.exploitability, 1), unit),
    ]


def sampling() -> list[Row]:
    tree = zs.tree_of(zs.load_game("leduc"))
    ours = native.SampledSolver(tree.native, "external", 1, 2)
    theirs = pyspiel.ExternalSamplingMCCFRSolver(pyspiel.load_game("leduc_poker"), 1)
    walks = against(  # both walk once for each of two players in an iteration
        "Leduc external sampling, two threads",
        "OpenSpiel",
        50,
        (lambda: ours.run(10_000), 20_000),
        (theirs.run_iteration, 2),
        "walks/s",
    )
    seeds = (1, 2, 3)
    mine = statistics.median(our_time_to(0.05, seed) for seed in seeds)
    yours = statistics.median(their_time_to(0.05, seed) for seed in seeds)
    sooner = Row("Leduc external sampling, two threads, to exploitability 0.05", "OpenSpiel", mine, yours, "s", 50)
    return [walks, sooner]


def time_to(target: float, run: Callable[[int], None], exploitability: Callable[[], float]) -> float:
    """Seconds of walking, not of looking, until exploitability is at most `target`."""
    done, spent = 0, 0.0
    while done == 0 or exploitability() > target:
        more = max(2_000, done // 10)
        start = time.perf_counter()
        run(more)
        spent += time.perf_counter() - start
        done += more
    return spent


def our_time_to(target: float, seed: int) -> float:
    solving = Solving(zs.tree_of(zs.load_game("leduc")), "external", seed, threads=2)
    return time_to(target, solving.solver.run, lambda: solving.iterate().exploitability)


def their_time_to(target: float, seed: int) -> float:
    game = pyspiel.load_game("leduc_poker")
    solver = pyspiel.ExternalSamplingMCCFRSolver(game, seed)

    def run(iterations: int) -> None:
        for _ in range(iterations):
            solver.run_iteration()

    return time_to(target, run, lambda: pyspiel.exploitability(game, solver.average_policy()))


def scaling() -> list[dict[str, float]]:
    """Liar's dice with three to eight faces: 1e3 to 8e6 nodes."""
    rows = []
    for faces in range(3, 9):
        start = time.perf_counter()
        tree = compile_tree(zs.load_game(f"liars-dice:faces={faces}"))
        compiled = time.perf_counter() - start
        solver = Solving(tree, "cfr+").solver
        count = max(1, 2_000_000 // tree.nodes)
        solver.run(count)
        times = []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            solver.run(count)
            times.append((time.perf_counter() - start) / count)
        seconds = statistics.median(times)
        rows.append(
            {"faces": faces, "nodes": tree.nodes, "iteration": seconds, "nodes_per_second": tree.nodes / compiled}
        )
        text = f"{1e6 * seconds:>9.1f} µs an iteration, {1e9 * seconds / tree.nodes:.2f} ns a node"
        print(f"  {tree.nodes:>9,} nodes: {text}; compiled at {tree.nodes / compiled:,.0f} nodes/s", flush=True)
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", help="also write the figures here")
    args = parser.parse_args()
    rows: list[Row] = []
    for part in (iterations, exploitabilities, sampling):
        for row in part():
            rows.append(row)
            sign = "ok" if row.ratio >= row.wanted else "MISSED"
            print(
                f"{row.what}: {row.ours:,.4g} {row.unit}, {row.peer} {row.theirs:,.4g} {row.unit}: "
                f"{row.ratio:,.0f} × (wanted {row.wanted:g} ×) {sign}",
                flush=True,
            )
    print("time of a CFR+ iteration against the size of the tree, liar's dice:")
    sizes = scaling()
    exponent = float(np.polyfit([log(row["nodes"]) for row in sizes], [log(row["iteration"]) for row in sizes], 1)[0])
    fits = 0.9 <= exponent <= 1.15
    print(f"  exponent {exponent:.3f} (wanted 0.9 to 1.15) {'ok' if fits else 'MISSED'}")
    if args.json:
        figures = {
            "comparisons": [{**asdict(row), "ratio": row.ratio} for row in rows],
            "scaling": {"sizes": sizes, "exponent": exponent},
        }
        Path(args.json).write_text(json.dumps(figures, indent=2) + "\n")
    return 0 if fits and all(row.ratio >= row.wanted for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
