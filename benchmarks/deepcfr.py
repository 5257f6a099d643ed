"""Deep CFR against OpenSpiel's, and what its parts can do: `make bench`.

Both sides of a comparison run in turn on one thread for the networks, and medians of their ratios are taken, because
machines are noisy.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel
import torch
from open_spiel.python import policy as openspiel_policy
from open_spiel.python.algorithms import exploitability as openspiel_exploitability
from open_spiel.python.pytorch import deep_cfr as openspiel

import zerosum as zs
from zerosum.learn.buffer import BufferSettings
from zerosum.learn.deepcfr.chief import Chief
from zerosum.learn.deepcfr.learner import Learner
from zerosum.learn.deepcfr.listed import ListedGame
from zerosum.learn.deepcfr.settings import FitSettings, RunSettings, TrainSettings, WalkSettings
from zerosum.learn.deepcfr.worker import ThreadWorkers
from zerosum.learn.presets import load_settings
from zerosum.learn.reservoir import ReservoirBuffer
from zerosum.learn.rows import Rows
from zerosum.networks.settings import NetworkSettings
from zerosum.networks.small import alone
from zerosum.policy.matching import regret_matching

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 3
HIDDEN = (64, 64, 64)
TARGET = 0.3
PATIENCE = 100  # times our own time, with a peer that may never get there


@dataclass(frozen=True)
class Row:
    """What was measured, and what was wanted at least."""

    what: str
    got: float
    wanted: float | None
    note: str

    def is_met(self) -> bool:
        return self.wanted is None or self.got >= self.wanted


class Theirs:
    """OpenSpiel's Deep CFR, its nodes counted."""

    def __init__(self, traversals: int, steps: int, batch: int | None) -> None:
        self.game = pyspiel.load_game("leduc_poker")
        self.solver = openspiel.DeepCFRSolver(
            self.game,
            policy_network_layers=HIDDEN,
            advantage_network_layers=HIDDEN,
            num_traversals=traversals,
            learning_rate=1e-3,
            batch_size_advantage=batch,
            batch_size_strategy=batch,
            advantage_network_train_steps=steps,
            policy_network_train_steps=1_000,
            reinitialize_advantage_networks=False,
        )
        self.traversals, self.nodes = traversals, 0
        walk = self.solver._traverse_game_tree

        def counted(state: Any, player: int) -> Any:
            self.nodes += 1
            return walk(state, player)

        self.solver._traverse_game_tree = counted

    def collect(self, player: int) -> None:
        for _ in range(self.traversals):
            self.solver._traverse_game_tree(self.solver._root_node, player)

    def iterate(self) -> None:
        """One iteration, as its `solve` does it."""
        for player in range(2):
            self.collect(player)
            self.solver._learn_advantage_network(player)
        self.solver._iteration += 1

    def exploitability(self) -> float:
        self.solver._reinitialize_policy_network()
        self.solver._learn_strategy_network()
        average = openspiel_policy.tabular_policy_from_callable(self.game, self.solver.action_probabilities)
        return float(openspiel_exploitability.exploitability(self.game, average))


def ours(traversals: int, steps: int, batch: int | None) -> Chief:
    settings = TrainSettings(
        RunSettings("leduc"),
        WalkSettings(per_player=traversals),
        BufferSettings(capacity_rows=1_000_000, merge=False),
        NetworkSettings(hidden=HIDDEN[0], layers=len(HIDDEN), features="plain"),
        FitSettings(steps=steps, batch_rows=batch),
    )
    return chief_of(settings)


def chief_of(settings: TrainSettings) -> Chief:
    ground = ListedGame(zs.load_game(settings.run.game), settings)
    return Chief(ground, settings, ThreadWorkers(ground, 1), Learner(ground, settings), None)


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def repeated(work: Callable[[], object], times: int) -> None:
    for _ in range(times):
        work()


def collection() -> list[Row]:
    """Nodes a second while collecting, the network asked as often as an iteration asks it, and rows put in buffers."""
    chief, theirs = ours(1_000, 1, 256), Theirs(20, 1, 256)
    theirs.iterate()
    chief.step()
    rates, ratios, samples = [], [], []
    for round_ in range(ROUNDS):
        before = theirs.nodes
        took = seconds(partial(theirs.collect, 0))
        their_rate = (theirs.nodes - before) / took

        def collect(iteration: int = round_ + 2) -> tuple[int, int]:
            nodes = rows = 0
            for k in range(20):
                playing = chief.ground.updated(chief.playing, 0, chief.ground.piece(chief.learner.networks, 0))
                (found,) = chief.workers.walk(iteration * 20 + k, 0, playing, None)
                rows += chief.ground.add_advantages(chief.learner.buffers["advantage0"], found, 1.0)
                nodes += found.nodes
            return nodes, rows

        start = time.perf_counter()
        nodes, rows = collect()
        took = time.perf_counter() - start
        rates.append(nodes / took)
        samples.append(rows / took)
        ratios.append(nodes / took / their_rate)
    ratio, rate = statistics.median(ratios), statistics.median(rates)
    stored = statistics.median(samples)
    return [
        Row("collection, nodes/s against OpenSpiel's", ratio, 100, f"{rate:,.0f} nodes/s"),
        Row(
            "samples/s while collecting, against the source design's 5,000", stored / 5_000, 1, f"{stored:,.0f} rows/s"
        ),
    ]


def whole_iteration() -> list[Row]:
    """100 traversals a player, 100 steps of 256 rows each: the same work on both sides."""
    chief, theirs = ours(100, 100, 256), Theirs(100, 100, 256)
    chief.step()
    theirs.iterate()
    ratios, times = [], []
    for _ in range(ROUNDS):
        their_time = seconds(theirs.iterate)
        times.append(seconds(chief.step))
        ratios.append(their_time / times[-1])
    return [Row(
        "a whole iteration with equal SGD work, times faster", statistics.median(ratios), 3,
        f"{1000 * statistics.median(times):.0f} ms; 100 traversals, 100 steps of 256 rows a player",
    )]  # fmt: skip


def time_to_target() -> list[Row]:
    """Seconds of training, without those of measuring, to an exploitability of 0.3."""
    chief = chief_of(load_settings("leduc-sdcfr", seed=1))
    our_seconds, found = 0.0, 1.0
    while found > TARGET:
        our_seconds += seconds(partial(repeated, chief.step, 5))
        found = measured(chief)
    theirs = Theirs(40, 20, 128)
    their_seconds, their_best = 0.0, 9.0
    while their_best > TARGET and their_seconds < PATIENCE * our_seconds:
        their_seconds += seconds(partial(repeated, theirs.iterate, 20))
        their_best = min(their_best, theirs.exploitability())
    gave_up = "" if their_best <= TARGET else f"; OpenSpiel given up at {their_best:.2f}, so at least"
    return [Row(
        f"time to exploitability {TARGET} on Leduc, times sooner", their_seconds / our_seconds, 50,
        f"{our_seconds:.2f} s against {their_seconds:.0f} s{gave_up}",
    )]  # fmt: skip


def measured(chief: Chief) -> float:
    assert isinstance(chief.ground, ListedGame)
    profile = chief.standing().policies["mixture"]
    return float(chief.ground.tree.native.best_responses(profile)[0].sum()) / 2


def traversals() -> list[Row]:
    settings = TrainSettings(RunSettings("leduc"), network=NetworkSettings())
    ground = ListedGame(zs.load_game("leduc"), settings)
    uniform = ground.uniform()
    count = 200_000
    rates = []
    for k in range(ROUNDS):
        start = time.perf_counter()
        found = ground.walks.run(uniform, None, False, 1, k + 1, 0, 0, count, 0, 2)
        rates.append(found[-1] / (time.perf_counter() - start))
    chief = chief_of(settings)
    asked = statistics.median(ask_network(chief, 10_000, k) for k in range(ROUNDS))
    return [
        Row("walks on a table, two threads, million nodes/s", statistics.median(rates) / 1e6, 10, ""),
        Row("walks that ask the network, thousand nodes/s", asked / 1e3, 300, "10,000 walks at once, one thread"),
    ]


def ask_network(chief: Chief, count: int, iteration: int) -> float:
    """Nodes a second where every level of the walks asks the network."""
    ground = chief.ground
    assert isinstance(ground, ListedGame)
    start = time.perf_counter()
    walks = ground.walks.ask(None, False, 1, iteration, 0, 0, count, 0)
    while (infosets := walks.pending()) is not None:
        features, legal = ground.features[infosets], ground.legal[infosets]
        strategy = np.zeros(legal.shape)
        owner = ground.tree.owner[infosets]
        for player in range(2):
            mine = owner == player
            with torch.inference_mode():
                said = chief.learner.networks.advantages[player](torch.from_numpy(features[mine])).numpy()
            strategy[mine] = regret_matching(said, legal[mine], otherwise="best")
        walks.answer(strategy)
    return walks.samples()[-1] / (time.perf_counter() - start)


def reservoir() -> list[Row]:
    count, width = 100_000, 30
    rng = np.random.default_rng(0)
    rows = Rows(
        rng.random((count, width), np.float32),
        np.ones((count, 3), np.bool_),
        rng.random((count, 3), np.float32),
        np.ones(count, np.float32),
    )
    buffer = ReservoirBuffer(1_000_000, width, 3, 0, 0)
    took = seconds(partial(repeated, partial(buffer.add, rows), 100))
    note = f"{width} features, ten times the capacity"
    return [Row("reservoir insertion, million rows/s", 100 * count / took / 1e6, 5, note)]


def batches() -> list[Row]:
    """The network and batch of the source design; how much of the time are matrix products."""
    alone_with_it = ["run.algorithm=sd-cfr", "strategy.train=false", "buffer.start_rows=1", "walks.warm_up=0"]
    chief = chief_of(load_settings("leduc-paper", [*alone_with_it, "advantage.steps=20"]))
    chief.step()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
        report = chief.step()
    events = profile.key_averages()
    products = sum(e.self_cpu_time_total for e in events if e.key in ("aten::mm", "aten::addmm"))
    share = products / 1e6 / report.fit_seconds
    note = f"512 wide, 2,048 rows; {share:.0%} of it in matrix products"
    what = "batches/s, the source design's network (it asks 200 of a GPU)"
    return [Row(what, report.batches / report.fit_seconds, None, note)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here, too")
    args = parser.parse_args()
    alone()
    rows: list[Row] = []
    for part in (collection, whole_iteration, traversals, reservoir, batches, time_to_target):
        for row in part():
            rows.append(row)
            verdict = "" if row.wanted is None else f" (wanted {row.wanted:g}) {'ok' if row.is_met() else 'MISSED'}"
            print(f"{row.what}: {row.got:,.4g}{verdict}{'; ' + row.note if row.note else ''}", flush=True)
    if args.json:
        args.json.write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n")
    return 0 if all(row.is_met() for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
