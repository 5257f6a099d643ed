"""Matches: how fast, how much each technique saves, and that all of them tell the same: `make bench`.

Both sides of a comparison alternate and medians are taken, because machines are noisy.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from dataclasses import asdict, dataclass
from math import hypot
from pathlib import Path
from typing import TYPE_CHECKING

import pyspiel
import rlcard
from rlcard.agents import RandomAgent

import zerosum as zs
from zerosum.evaluate.exact import expected_value
from zerosum.evaluate.lbr import local_best_response
from zerosum.evaluate.match import MatchResult, play_match
from zerosum.evaluate.roster import Entrant, entrants
from zerosum.games.holdem import Holdem
from zerosum.games.leduc import Leduc
from zerosum.policy.heads_up import HeadsUpPolicy

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 5


@dataclass(frozen=True)
class Row:
    """What was measured, and what was wanted at least."""

    what: str
    got: float
    wanted: float
    note: str


def rate(play: Callable[[], int]) -> float:
    start = time.perf_counter()
    hands = play()
    return hands / (time.perf_counter() - start)


def ours() -> int:
    game = Holdem()
    return play_match(game, entrants(["random", "call"], game), hands=100_000, threads=2).hands


def openspiel(hands: int = 300) -> int:
    """OpenSpiel's own loop: uniform play heads-up, 200 big blinds, fold, call, pot and all-in."""
    game = pyspiel.load_game(
        "universal_poker(betting=nolimit,numPlayers=2,numRounds=4,blind=100 50,firstPlayer=2 1 1 1,numSuits=4,"
        "numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,stack=20000 20000,bettingAbstraction=fcpa)"
    )
    rng = random.Random(1)
    for _ in range(hands):
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(rng.random() * len(actions))])
        state.returns()
    return hands


def rlcards(hands: int = 100) -> int:
    """RLCard's own loop: its environment and its random agents."""
    env = rlcard.make("no-limit-holdem")
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])
    for _ in range(hands):
        env.run(is_training=False)
    return hands


def speed() -> list[Row]:
    sides = (ours, openspiel, rlcards)
    rounds = [[rate(side) for side in sides] for _ in range(ROUNDS + 1)][1:]
    mine, spiel, cards = (statistics.median(column) for column in zip(*rounds, strict=True))
    note = f"OpenSpiel's loop {spiel:,.0f}: {mine / spiel:,.0f} x; RLCard's {cards:,.0f}: {mine / cards:,.0f} x"
    return [Row("hands/s between scripted players, heads-up, all techniques, two threads", mine, 100_000, note)]


def disagreement(found: MatchResult, truth: float | None = None) -> float:
    """The largest distance of a technique from the truth, or from the plain estimate, in its 95 % intervals."""
    plain = found.techniques[0]
    return max(
        abs(t.mbb_per_hand - truth) / t.ci95
        if truth is not None
        else abs(t.mbb_per_hand - plain.mbb_per_hand) / hypot(t.ci95, plain.ci95)
        for t in found.techniques[truth is None :]
    )


def told(found: MatchResult) -> str:
    return ", ".join(f"{t.name} {t.fewer:.2f} x" for t in found.techniques)


def techniques() -> list[Row]:
    game = Leduc()
    better, worse = (zs.solve(game, "cfr+", iterations=n).policy for n in (300, 20))
    leduc = play_match(game, [Entrant("300", better), Entrant("20", worse)], hands=2_000_000, seed=1, threads=2)
    truth = 500 * (expected_value(game, [better, worse])[0] + expected_value(game, [worse, better])[1])
    poker = Holdem()
    holdem = play_match(poker, entrants(["random", "call"], poker), hands=1_000_000, seed=1, threads=2)
    return [
        Row(
            "Leduc, cfr+ after 300 v 20 iterations: fewer hands with AIVAT", leduc.techniques[-1].fewer, 50, told(leduc)
        ),
        Row(
            "  intervals from the exact value, at most (1.5 allowed)",
            -disagreement(leduc, truth),
            -1.5,
            "2,000,000 hands",
        ),
        Row("hold'em, random v call: fewer hands with all techniques", holdem.techniques[-1].fewer, 5, told(holdem)),
        Row(
            "  intervals from the plain estimate, at most (1.5 allowed)", -disagreement(holdem), -1.5, "1,000,000 hands"
        ),
    ]


def networks() -> list[Row]:
    game = Holdem()
    policy = HeadsUpPolicy.untrained(game, 1)

    def match() -> int:
        return play_match(game, entrants(["untrained:1", "untrained:2"], game), hands=20_000, threads=2).hands

    def respond() -> int:
        return local_best_response(game, policy, deals=20).hands

    return [
        Row("hands/s between network policies (608,253 parameters), heads-up", rate(match), 5_000, "two threads"),
        Row("local best response with a bet menu against such a network, hands/s", rate(respond), 15, "two threads"),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", help="also write the figures here")
    args = parser.parse_args()
    rows: list[Row] = []
    for part in (speed, techniques, networks):
        for row in part():
            rows.append(row)
            verdict = f"(wanted {abs(row.wanted):,g}) {'ok' if row.got >= row.wanted else 'MISSED'}"
            print(f"{row.what}: {abs(row.got):,.4g} {verdict}{'; ' + row.note if row.note else ''}", flush=True)
    if args.json:
        Path(args.json).write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n")
    return 0 if all(row.got >= row.wanted for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
