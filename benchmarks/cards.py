"""Card mathematics against eval7 and phevaluator, both sides in one run: `make bench`.

Both sides of a comparison alternate and the median of each is taken, because machines are noisy; a bar without a peer
is an absolute one. One thread, except where a row says two.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import eval7
import numpy as np
import phevaluator

from zerosum import native
from zerosum.cards.equity import equity
from zerosum.cards.evaluation import evaluate
from zerosum.cards.isomorphism import canonical_index
from zerosum.cards.names import card_names, parse_cards
from zerosum.cards.tables import FLOP, TURN, build_tables

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 5


@dataclass(frozen=True)
class Row:
    """What was measured, what a peer did, and whether the bar was met: a ratio, a rate or a time."""

    what: str
    ours: float
    theirs: float | None
    unit: str
    bar: str
    met: bool


def seconds(step: Callable[[], object]) -> float:
    start = time.perf_counter()
    step()
    return time.perf_counter() - start


def alternate(*steps: Callable[[], object]) -> list[float]:
    """The median seconds of each step, taken in turns."""
    rounds = [[seconds(step) for step in steps] for _ in range(ROUNDS + 1)][1:]
    return [statistics.median(column) for column in zip(*rounds, strict=True)]


def random_hands(count: int, size: int) -> np.ndarray:
    rng = np.random.default_rng(1)
    return rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (count, 1)), axis=1)[:, :size].copy()


def evaluation() -> list[Row]:
    count, few = 1_000_000, 20_000
    hands = random_hands(count, 7)
    objects = [[eval7.Card(card_names([card])) for card in hand] for hand in hands[:few].tolist()]
    numbers = hands[:few].tolist()
    ours, theirs, other = alternate(
        lambda: evaluate(hands),
        lambda: [eval7.evaluate(hand) for hand in objects],
        lambda: [phevaluator.evaluate_cards(*hand) for hand in numbers],
    )
    rate, peer, slow = count / ours, few / theirs, few / other
    (enumerated,) = alternate(lambda: native.count_classes(1))
    every = 133_784_560 / enumerated
    return [
        Row("random 7-card hands from numpy, v eval7", rate, peer, "hands/s", "80 × eval7", rate >= 80 * peer),
        Row("random 7-card hands from numpy, v phevaluator", rate, slow, "hands/s", "none", met=True),
        Row("native random 7-card hands", rate, None, "hands/s", "170 million/s", rate >= 170e6),
        Row("all 133,784,560 7-card hands counted", every, None, "hands/s", "870 million/s", every >= 870e6),
    ]


def sampling() -> list[Row]:
    hand, against, count = "AhKh", "22+,A2s+,K9s+,QTs+,AJo+", 1_000_000
    cards, villains = [eval7.Card("Ah"), eval7.Card("Kh")], eval7.HandRange(against)
    rows = []
    for board in ("", "2c7dJh"):
        shown = [eval7.Card(board[k : k + 2]) for k in range(0, len(board), 2)]
        ours, theirs = alternate(
            partial(equity, [hand, against], board, samples=count, threads=1, grids=False),
            partial(eval7.py_hand_vs_range_monte_carlo, cards, villains, shown, count),
        )
        name = f"Monte Carlo, hand v range, {'flop' if board else 'no board'}, v eval7"
        rows.append(Row(name, count / ours, count / theirs, "samples/s", "4 × eval7", theirs / ours >= 4))
    return rows


def exact() -> list[Row]:
    rows = []
    for board in ("2h3c9s", "2h3h9s", "2h3h9h"):
        (took,) = alternate(partial(native.versus_random, bytes(parse_cards("AhTc")), bytes(parse_cards(board))))
        rows.append(Row(f"exact hand v random on {board}", took, None, "s", "1 ms", took <= 1e-3))
    return rows


def indices() -> list[Row]:
    rows = []
    for size, recall in ((2, True), (5, True), (6, True), (7, True), (6, False), (7, False)):
        hands = random_hands(500_000, size)
        (took,) = alternate(partial(canonical_index, hands, recall=recall))
        rate = len(hands) / took
        name = f"canonical index, {size} cards, {'perfect recall' if recall else 'unordered board'}"
        rows.append(Row(name, rate, None, "hands/s", "20 million/s", rate >= 20e6))
    return rows


def tables() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        took = sum(seconds(partial(build_tables, Path(folder), street, 2)) for street in (FLOP, TURN))
    return [Row("histograms of all flops and turns, two threads, written to disk", took, None, "s", "60 s", took <= 60)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", help="also write the figures here")
    args = parser.parse_args()
    rows: list[Row] = []
    for part in (evaluation, sampling, exact, indices, tables):
        for row in part():
            rows.append(row)
            peer = "" if row.theirs is None else f", peer {row.theirs:,.4g}: {row.ours / row.theirs:,.1f} ×"
            verdict = f"(wanted {row.bar}) {'ok' if row.met else 'MISSED'}"
            print(f"{row.what}: {row.ours:,.4g} {row.unit}{peer} {verdict}", flush=True)
    if args.json:
        Path(args.json).write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n")
    return 0 if all(row.met for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
