"""Deep CFR of heads-up hold'em with both networks: nodes a second, and where the time goes: `make bench`.

A node is a decision of one hand, answered by the network; ends of the betting are not counted. The other side of the
comparison asks CardModel again at every decision instead of once a deal, seat and street. Where others are at work on
the machine the clock says little, so speeds are also told by the processor's time, as if both threads had a core each
to themselves; that is what is held against the bar.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from zerosum import native
from zerosum.learn.deepcfr.crew import ground_for
from zerosum.learn.deepcfr.ground import Task
from zerosum.learn.deepcfr.heads_up import HeadsUpGame
from zerosum.learn.presets import load_settings
from zerosum.networks.heads_up import ACTIONS
from zerosum.networks.heads_up_flat import FlatTwoHeads, flat_two_heads
from zerosum.networks.small import alone
from zerosum.policy.matching import regret_matching

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    Walk = Callable[[HeadsUpGame, npt.NDArray[np.float32], int], tuple[int, dict[str, float]]]

WANTED = 100_000.0  # nodes a second on two cores
ROUNDS = 5
THREADS = 2


def network(ground: HeadsUpGame) -> npt.NDArray[np.float32]:
    """Weights whose play goes on for long: as a young network's does."""
    torch.manual_seed(1)
    made = FlatTwoHeads(ground.network)
    with torch.no_grad():
        made.flat.add_(0.02 * torch.randn_like(made.flat))
    return made.flat.detach().numpy().copy()


def once_a_street(ground: HeadsUpGame, weights: npt.NDArray[np.float32], number: int) -> tuple[int, dict[str, float]]:
    """As training walks."""
    found = ground.walk(Task(number, number % 2, 0, ground.settings.walks.lease), [weights] * 2, None)
    return found.nodes, found.seconds


def every_time(ground: HeadsUpGame, weights: npt.NDArray[np.float32], number: int) -> tuple[int, dict[str, float]]:
    """The same walks, with CardModel asked at each decision."""
    history = ground.network.kind == "history"
    how = ground.settings.walks
    walks = native.HeadsUpWalks(ground.game.rules, history, 0, number, number % 2, 0, how.lease, how.hands)
    cards, plays = walks.cards(), flat_two_heads(ground.network, weights).to(ground.precision)
    while (asked := walks.pending()) is not None:
        rows, betting, legal = asked
        with torch.inference_mode():
            shown = ground._shown(cards[rows])
            said = plays(torch.from_numpy(np.hstack([shown, betting])))[:, :ACTIONS]
        walks.answer(regret_matching(said.float().numpy(), legal, otherwise="best"))
    return walks.samples()[-1], {}


@dataclass(frozen=True)
class Speed:
    """Nodes a second on two threads by the clock and by the processor's time, and the seconds of each part."""

    clock: float
    processor: float
    parts: dict[str, float]


def speed_of(walk: Walk, ground: HeadsUpGame, weights: npt.NDArray[np.float32], first: int) -> Speed:
    alone()
    parts: dict[str, float] = {}
    start, busy = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(THREADS, initializer=alone) as pool:
        found = list(pool.map(lambda number: walk(ground, weights, number), range(first, first + 2 * THREADS)))
    seconds, busy = time.perf_counter() - start, (time.process_time() - busy) / THREADS
    for _, told in found:
        for name, part in told.items():
            parts[name] = parts.get(name, 0.0) + part
    nodes = sum(nodes for nodes, _ in found)
    return Speed(nodes / seconds, nodes / busy, parts)


def measured(preset: str) -> dict[str, Any]:
    settings = load_settings(preset)
    ground = ground_for(settings)
    assert isinstance(ground, HeadsUpGame)
    weights = network(ground)
    ours: list[Speed] = []
    theirs: list[Speed] = []
    parts: dict[str, float] = {}
    for turn in range(ROUNDS):
        ours.append(speed_of(once_a_street, ground, weights, 10 * turn))
        theirs.append(speed_of(every_time, ground, weights, 10 * turn))
        for name, seconds in ours[-1].parts.items():
            parts[name] = parts.get(name, 0.0) + seconds
    whole = sum(parts.values())
    shares = {name: seconds / whole for name, seconds in parts.items()}
    speeds = {
        "nodes_per_second": statistics.median(one.clock for one in ours),
        "by_processor_time": statistics.median(one.processor for one in ours),
        "asked_each_time": statistics.median(one.processor for one in theirs),
    }
    return {"preset": preset, **speeds, "wanted": WANTED, "shares": shares}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args()
    rows = [measured(preset) for preset in ("holdem-hu", "holdem-hu-history")]
    if args.json:
        print(json.dumps(rows))
    else:
        for row in rows:
            ratio, wanted = row["by_processor_time"] / row["asked_each_time"], row["by_processor_time"] / row["wanted"]
            shares = ", ".join(f"{name} {share:.0%}" for name, share in row["shares"].items())
            speeds = f"{row['nodes_per_second']:,.0f} nodes/s on {THREADS} threads by the clock"
            print(f"{row['preset']}: {speeds}, {row['by_processor_time']:,.0f} by the processor's time ({shares})")
            print(f"  {wanted:.2f} x the {row['wanted']:,.0f} wanted; {ratio:.2f} x asking CardModel at every decision")
    return 0 if all(row["by_processor_time"] >= row["wanted"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
