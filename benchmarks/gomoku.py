"""Gomoku against the clock with a network: simulations a second, how late a move is, and how fast
forced wins are looked for.

Positions are of games that the network's own search began. A simulation is a visit to the root; one that needs no
network because its end is certain or its position known counts as well, as it does in a game.

With --games N it also plays so many games on each board as a Gomocup brain against `greedy`, 100 ms a move, while a
process keeps each core busy, and counts moves that were late by the clock of the manager, or not legal. On a virtual
machine the host may take a processor away meanwhile, which no program can help; Linux tells how long it was without
(`steal` in /proc/stat), so what was taken is told beside each move that was late, and counted apart.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from zerosum import native
from zerosum.cli.board_players import play_settings
from zerosum.evaluate.board_games import play_game
from zerosum.evaluate.board_match import central_opening
from zerosum.games.protocol import TERMINAL
from zerosum.policy.board_network import load_board_network
from zerosum.protocols.gomocup_program import GomocupProgram
from zerosum.search.classical import ClassicalPlayer
from zerosum.search.mcts import Searcher

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from zerosum.games.gomoku import Gomoku
    from zerosum.policy.board_network import BoardNetwork

THREADS = len(os.sched_getaffinity(0))
WANTED = {9: 10_000, 15: 4_000}  # simulations a second, by the width of the board
MOVES = 100  # against the clock
THINK_SECONDS = 0.1
POSITIONS = 200
STEAL = 8  # which number of /proc/stat's first line
COUNTED_SECONDS = 0.15  # until what was taken has been counted
TAKEN_AWAY_SECONDS = 0.04  # as much is what a brain holds back at least; less is not why it was late


@dataclass(frozen=True)
class Row:
    """What was measured, and what was aimed at."""

    what: str
    got: float
    wanted: float | None
    at_most: bool
    note: str

    @property
    def verdict(self) -> str:
        if self.wanted is None:
            return ""
        good = self.got <= self.wanted if self.at_most else self.got >= self.wanted
        return f" (wanted {'at most ' if self.at_most else ''}{self.wanted:,g}) {'ok' if good else 'MISSED'}"


def positions(game: Gomoku, searcher: Searcher, count: int) -> list[tuple[int, ...]]:
    """Open positions of games with a random first stone, from 2 stones on."""
    luck, found = np.random.default_rng(0), list[tuple[int, ...]]()
    while len(found) < count:
        state = game.root().child(int(luck.integers(game.num_actions)))
        while state.actor != TERMINAL and len(state.moves) < 40 and len(found) < count:
            searcher.go_to(state.moves)
            searcher.think(simulations=32)
            state = state.child(searcher.best())
            if state.actor != TERMINAL:
                found.append(state.moves)
    return found


def against_the_clock(name: str, policy: BoardNetwork) -> Iterator[Row]:
    """Fresh trees, so that no visit was made before the clock began."""
    searcher = Searcher(policy.game, policy.evaluator(), play_settings(), threads=THREADS)
    some = positions(policy.game, searcher, POSITIONS)
    visits, seconds, late = 0, 0.0, list[float]()
    for moves in some[:: max(POSITIONS // MOVES, 1)]:
        searcher.forget()
        start = time.perf_counter()
        searcher.go_to(moves)
        node = searcher.think(seconds=THINK_SECONDS)
        took = time.perf_counter() - start
        late.append(1000 * (took - THINK_SECONDS))
        if node.certain is None:  # a certain answer comes at once
            visits, seconds = visits + node.visits, seconds + took
    latest = float(np.percentile(late, 99))
    note = f"{THREADS} threads, {len(late)} moves of {1000 * THINK_SECONDS:.0f} ms, positions of its own games"
    yield Row(f"{name}: simulations/s", visits / seconds, WANTED.get(policy.game.width), False, note)
    yield Row(f"{name}: 99th percentile of lateness, ms", latest, 0.0, True, "less than 0: early")
    for what, threats in (("continuous fours", False), ("threats", True)):
        nodes, start = 0, time.perf_counter()
        while time.perf_counter() - start < 1.0:
            for moves in some:
                nodes += native.gomoku_forced_win(policy.game.rules, list(moves), 1000, threats)[1]
        rate = nodes / (time.perf_counter() - start)
        yield Row(f"{name}: {what}, million nodes/s", rate / 1e6, None, False, "one thread, setting up each position")


def spin() -> None:
    while True:
        pass


def stolen_seconds() -> float:
    """How long the host has kept processors to itself, since the machine began; 0 where nobody says."""
    try:
        first = Path("/proc/stat").read_text().splitlines()[0].split()
    except OSError:
        return 0.0
    return int(first[STEAL]) / os.sysconf("SC_CLK_TCK")


class WatchedProgram(GomocupProgram):
    """Also knows what the host had taken before the last move."""

    stolen_before = 0.0

    def move(self, moves: Sequence[int], seconds: float, stopping: Callable[[], bool] = lambda: False) -> int:
        self.stolen_before = stolen_seconds()
        return super().move(moves, seconds, stopping)

    def stolen(self) -> float:
        """What it took during the last move, just now."""
        time.sleep(COUNTED_SECONDS)
        return stolen_seconds() - self.stolen_before


def under_load(name: str, policy: BoardNetwork, games: int) -> Iterator[Row]:
    busy = [multiprocessing.Process(target=spin, daemon=True) for _ in range(THREADS)]
    for process in busy:
        process.start()
    brain = WatchedProgram(f"{sys.executable} -m zerosum bot {name} --protocol gomocup", THINK_SECONDS, 0.0)
    opponent = ClassicalPlayer("greedy", 0)
    luck, faults, wins, slowest, own_faults = np.random.default_rng(1), list[str](), 0, 0, 0
    began, taken = time.monotonic(), stolen_seconds()
    for number in range(games // 2):
        opening = central_opening(policy.game, 3, luck).moves
        for first in (0, 1):
            played = play_game(policy.game, (brain, opponent), first, opening, THINK_SECONDS, 0.0)
            wins += played.result > 0
            own = [ms for i, ms in enumerate(played.record.milliseconds) if played.record.players[i % 2] == brain.name]
            slowest = max([slowest, *own])
            if played.faulty == 0:
                stolen = brain.stolen()
                own_faults += stolen < TAKEN_AWAY_SECONDS
                faults.append(f"game {number + 1}: {played.fault}, processors taken {1000 * stolen:.0f} ms meanwhile")
    brain.close()
    minutes, taken = (time.monotonic() - began) / 60, stolen_seconds() - taken
    for process in busy:
        process.kill()
    note = f"{games} games, {wins} won, slowest other move {slowest} ms of {1000 * THINK_SECONDS:.0f}"
    yield Row(f"{name}: games lost by time or an illegal move, all cores busy", len(faults), 0.0, True, note)
    note = f"in {minutes:.1f} minutes the host took processors away for {taken:.1f} s{'; '.join(['', *faults])}"
    yield Row(f"{name}: of these, with the processors its own", own_faults, 0.0, True, note)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", help="also write the figures here")
    parser.add_argument("policies", metavar="POLICY", nargs="+", help="a network's directory or name")
    parser.add_argument("--games", metavar="N", type=int, default=0, help="games under load on each board (default 0)")
    args = parser.parse_args()
    rows: list[Row] = []
    for name in args.policies:
        policy = load_board_network(name)
        for row in (*against_the_clock(name, policy), *(under_load(name, policy, args.games) if args.games else ())):
            rows.append(row)
            print(f"{row.what}: {row.got:,.4g}{row.verdict}; {row.note}", flush=True)
    if args.json:
        Path(args.json).write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n")
    return 1 if any("MISSED" in row.verdict for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
