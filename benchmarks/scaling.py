"""Training on a cluster: what Ray costs against threads, what a second worker brings, and what a thousand would.

The same iterations of flop hold'em, with networks of three layers 1,024 wide, are walked by threads and by Ray's
workers, one and two of each, in turn: the same work, bit for bit. From what that cost (seconds a lease, bytes of what
is handed out and found, the chief's and the learner's own time) a simulation of the schedule tells what 1 to 1,000
workers would do; what it says of 1 and 2 is checked against what they did. `make bench` runs it.
"""

from __future__ import annotations

import argparse
import heapq
import json
import statistics
import sys
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerosum.learn.buffer import BufferSettings
from zerosum.learn.cluster.session import joined
from zerosum.learn.cluster.workers import DEPTH
from zerosum.learn.deepcfr.chief import Chief
from zerosum.learn.deepcfr.crew import LocalCrew
from zerosum.learn.deepcfr.settings import AverageSettings, FitSettings, RunSettings, TrainSettings, WalkSettings
from zerosum.networks.settings import NetworkSettings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zerosum.learn.cluster.crew import RayCrew
    from zerosum.learn.deepcfr.crew import Crew
    from zerosum.learn.deepcfr.learner import Learnt

ROUNDS = 5
LEASE, LEASES = 250, 16  # walks in one, and how many for each player and iteration
TINY = 500  # leases of a single walk
WORKERS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000)
PER_NODE = 8  # workers on a machine of the simulated cluster
APART = 0.15  # how far the simulation may be from what was measured


@dataclass(frozen=True)
class Row:
    """What was measured, and its bar: at least, or at most."""

    what: str
    got: float
    least: float | None = None
    most: float | None = None

    def is_met(self) -> bool:
        return (self.least is None or self.got >= self.least) and (self.most is None or self.got <= self.most)


@dataclass(frozen=True)
class Costs:
    """Of one player's turn, as measured here."""

    lease_seconds: list[float]  # a worker's, while as many walk as the side has threads
    found_bytes: float  # what a lease brings back
    rows: float  # samples in it
    handout_bytes: float  # what goes out before a player's walks
    learn_seconds: float  # the learner's, for a lease
    chief_seconds: float = 0.0  # the chief's own time for a lease


def settings() -> TrainSettings:
    return TrainSettings(
        RunSettings("flop-holdem", seed=1),
        WalkSettings(per_player=LEASE * LEASES, lease=LEASE),
        BufferSettings(capacity_rows=20_000, merge=False),
        NetworkSettings(hidden=1024, layers=3),
        FitSettings(steps=1, batch_rows=512),
        average=AverageSettings(keep_networks=True),
    )


class Side:
    """One way to walk: a chief with its crew, how long each iteration took, and how much of that was walking."""

    def __init__(self, name: str, crew: Crew, detail: bool = False) -> None:
        self.name, self.crew = name, crew
        self.chief = Chief(crew.ground, settings(), crew.workers(), crew.learner(), None)
        self.chief.step()  # whoever is slow to come up is up now
        self.seconds: list[float] = []
        self.walking: list[float] = []
        self.turns: list[Costs] = []  # where they were looked at in detail
        if detail:
            self._watch(self.chief)

    def step(self) -> None:
        start = time.perf_counter()
        report = self.chief.step()
        self.seconds.append(time.perf_counter() - start)
        self.walking.append(report.walk_seconds)

    def _watch(self, chief: Chief) -> None:
        ground, learner = chief.ground, chief.learner
        walk, learn = ground.walk, learner.learn
        walked: list[float] = []

        def timed_walk(*told: Any) -> Any:
            start = time.perf_counter()
            found = walk(*told)
            walked.append(time.perf_counter() - start)
            return found

        def timed_learn(player: int, iteration: int, parts: Sequence[Any]) -> Learnt:
            start = time.perf_counter()
            learnt = learn(player, iteration, parts)
            took = (time.perf_counter() - start) / len(parts)
            size = sum(bytes_of(vars(part).values()) for part in parts) / len(parts)
            out = bytes_of(chief.playing)
            self.turns.append(Costs(walked.copy(), size, learnt.samples / len(parts), out, took))
            walked.clear()
            return learnt

        setattr(ground, "walk", timed_walk)  # noqa: B010
        setattr(learner, "learn", timed_learn)  # noqa: B010


def measured() -> tuple[list[Side], float]:
    """All sides in turn, so that a machine that slows down is as slow for all; and what a lease costs the chief."""
    with joined("ray", 3, None):
        from zerosum.learn.cluster.crew import RayCrew

        sides = [
            Side("threads 1", LocalCrew(settings(), 1), detail=True),
            Side("threads 2", LocalCrew(settings(), 2), detail=True),
            Side("ray 1", RayCrew(settings(), 1, print)),
            Side("ray 2", RayCrew(settings(), 2, print)),
        ]
        for _ in range(ROUNDS):
            for side in sides:
                side.step()
        if len({side.chief.weights_hash() for side in sides}) != 1:
            raise SystemExit("the sides did not do the same work")
        for side in sides:
            side.crew.close()
        tiny = replace(settings(), walks=WalkSettings(per_player=TINY, lease=1))
        return sides, tiny_leases(RayCrew(tiny, 2, print))


def tiny_leases(crew: RayCrew) -> float:
    """Seconds for which a lease keeps the chief busy: there is nearly nothing to walk in these."""
    workers, playing = crew.workers(), crew.ground.uniform()
    workers.walk(1, 0, playing, None)
    start = time.perf_counter()
    workers.walk(2, 0, playing, None)
    took = time.perf_counter() - start
    crew.close()
    return took / TINY


def bytes_of(arrays: Any) -> float:
    return float(sum(array.nbytes for array in arrays if hasattr(array, "nbytes")))


def simulated(costs: Costs, workers: int, leases: int, bytes_per_second: float) -> float:
    """Seconds of one player's turn: the handout goes to each machine, the chief gives and takes leases one at a time,
    what they found comes in through one line, and the learner takes it in when all is there.
    """
    clock = costs.handout_bytes * -(-workers // PER_NODE) / bytes_per_second
    line = 0.0
    queues = [0.0] * workers  # when each worker will have walked what it holds
    back: list[tuple[float, int]] = []  # when what was found is with the chief
    given = 0

    def give(worker: int) -> None:
        nonlocal clock, given
        clock += costs.chief_seconds / 2
        walk = costs.lease_seconds[given % len(costs.lease_seconds)]
        queues[worker] = max(queues[worker], clock) + walk
        heapq.heappush(back, (queues[worker], worker))
        given += 1

    holds = [0] * workers

    def hand_out(to: Sequence[int]) -> None:
        """As workers.py does: one ahead for each, but the last ones only to those who hold none."""
        for worker in to:
            if given < leases and holds[worker] < (DEPTH if leases - given > workers else 1):
                give(worker)
                holds[worker] += 1

    for _ in range(DEPTH):
        hand_out(range(workers))
    while back:
        done, worker = heapq.heappop(back)
        line = max(line, done) + costs.found_bytes / bytes_per_second
        clock = max(clock, line) + costs.chief_seconds / 2
        holds[worker] -= 1
        hand_out([worker])
    return clock + leases * costs.learn_seconds


def typical(turns: Sequence[Costs]) -> Costs:
    """All turns taken together."""

    def mean(name: str) -> float:
        return float(statistics.mean(getattr(turn, name) for turn in turns))

    seconds = [second for turn in turns for second in turn.lease_seconds]
    names = ("found_bytes", "rows", "handout_bytes", "learn_seconds", "chief_seconds")
    return Costs(seconds, **{name: mean(name) for name in names})


def scaled(costs: Costs, bytes_per_second: float) -> list[dict[str, float]]:
    """What workers bring when each gets 16 leases a turn, of the size measured and of ten times that."""
    table = []
    for workers in WORKERS:
        line = {"workers": float(workers)}
        for size in (1, 10):
            line.update({f"{name}_{size}": value for name, value in turn(costs, workers, size, bytes_per_second)})
        table.append(line)
    return table


def turn(costs: Costs, workers: int, size: int, bytes_per_second: float) -> list[tuple[str, float]]:
    """How many times faster than one worker, and how busy the line, the chief and the learner are."""
    large = replace(
        costs,
        lease_seconds=[size * seconds for seconds in costs.lease_seconds],
        found_bytes=size * costs.found_bytes,
        learn_seconds=size * costs.learn_seconds,
    )
    leases = 16 * workers
    seconds = simulated(large, workers, leases, bytes_per_second)
    return [
        ("faster", workers * simulated(large, 1, 16, bytes_per_second) / seconds),
        ("bytes_per_second", leases * large.found_bytes / seconds),
        ("chief", leases * large.chief_seconds / seconds),
        ("learner", leases * large.learn_seconds / seconds),
    ]


def rows_of(sides: Sequence[Side]) -> list[Row]:
    one, two, ray_one, ray_two = sides
    here = 1e12  # bytes a second: a line within one machine is no line

    def ratio(slow: Sequence[float], fast: Sequence[float]) -> float:
        return statistics.median(a / b for a, b in zip(slow, fast, strict=True))

    def expected(workers: int) -> list[float]:
        """Seconds of each iteration, one turn for each of the two players, from leases walked by as many threads."""
        seconds = [simulated(turn, workers, LEASES, here) for turn in sides[workers - 1].turns]
        return [a + b for a, b in zip(seconds[::2], seconds[1::2], strict=True)]

    return [
        Row("1 -> 2 workers on Ray, times faster", ratio(ray_one.seconds, ray_two.seconds), least=1.7),
        Row("1 -> 2 threads, times faster", ratio(one.seconds, two.seconds)),
        Row("Ray against threads, 1 worker, overhead", ratio(ray_one.seconds, one.seconds) - 1, most=0.15),
        Row("Ray against threads, 2 workers, overhead", ratio(ray_two.seconds, two.seconds) - 1, most=0.15),
        Row("simulated against measured, 1 worker, off by", abs(ratio(expected(1), ray_one.seconds) - 1), most=APART),
        Row("simulated against measured, 2 workers, off by", abs(ratio(expected(2), ray_two.seconds) - 1), most=APART),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gbit", type=float, default=10.0, help="the line into the chief's machine (default: 10)")
    parser.add_argument("--json", metavar="FILE", help="write what was found here too")
    args = parser.parse_args()
    sides, chief = measured()
    for side in sides:
        side.turns = [replace(turn, chief_seconds=chief) for turn in side.turns]
    rows, costs = rows_of(sides), typical(sides[1].turns)
    for side in sides:
        walking = statistics.median(side.walking)
        print(f"{side.name:10} {statistics.median(side.seconds):6.2f} s an iteration, {walking:6.2f} s of them walking")
    for row in rows:
        bar = f">= {row.least}" if row.least is not None else f"<= {row.most}" if row.most is not None else ""
        print(f"{row.what:48} {row.got:8.3f}  {bar:8} {'ok' if row.is_met() else 'MISSED'}")
    lease = statistics.mean(costs.lease_seconds)
    print(
        f"a lease of {LEASE:,} walks: {1e3 * lease:.0f} ms, {costs.found_bytes / 1e3:,.0f} kB, {costs.rows:,.0f} rows"
    )
    print(f"a handout: {costs.handout_bytes / 1e3:,.0f} kB")
    print(f"a lease costs the chief {1e3 * costs.chief_seconds:.1f} ms, the learner {1e3 * costs.learn_seconds:.1f} ms")
    table = scaled(costs, args.gbit * 1e9 / 8)
    print(f"simulated: 16 leases a worker and turn, {PER_NODE} workers a machine, a line of {args.gbit:g} Gbit/s")
    print(f"          leases of {LEASE:,} walks                    leases of {10 * LEASE:,} walks")
    print("workers   x faster   MB/s in   chief   learner   x faster   MB/s in   chief   learner")
    for line in table:
        cells = [
            f"{line[f'faster_{size}']:10.1f} {line[f'bytes_per_second_{size}'] / 1e6:9.1f}"
            f" {line[f'chief_{size}']:7.0%} {line[f'learner_{size}']:9.0%}"
            for size in (1, 10)
        ]
        print(f"{line['workers']:7,.0f} {' '.join(cells)}")
    if args.json:
        told = {"rows": [asdict(row) for row in rows], "costs": asdict(costs), "scaled": table}
        Path(args.json).write_text(json.dumps(told, indent=1) + "\n")
    return 0 if all(row.is_met() for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
