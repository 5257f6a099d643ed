"""The hold'em engine against pokers and PokerKit, both sides in one run: `make bench`.

Both sides of a comparison alternate and medians are taken, because machines are noisy. A step is one action
of one player, with what it takes to choose it: asking what is legal and drawing one; cards and new hands are in it too.
Fold, check or call, and the smallest raise are drawn from on every side.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import statistics
import sys
import time
import warnings
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pokerkit
import pokers

from zerosum import native
from zerosum.games.holdem import SixMax, parse_phh, record_of, write_phh

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

ROUNDS = 15
TABLES = 8192


@dataclass(frozen=True)
class Row:
    """What was measured on both sides, and the ratio wanted."""

    what: str
    peer: str
    ours: float
    theirs: float
    ratio: float
    unit: str
    bar: float


def compare(
    what: str, unit: str, ours: Callable[[], int], peers: Mapping[str, tuple[Callable[[], int], float]]
) -> list[Row]:
    """Ours and each peer's rate in turns: the medians, and the median of the ratios of each turn."""
    rounds = [[rate(ours), *(rate(theirs) for theirs, _ in peers.values())] for _ in range(ROUNDS + 1)][1:]
    return [
        Row(
            what,
            peer,
            statistics.median(turn[0] for turn in rounds),
            statistics.median(turn[k] for turn in rounds),
            statistics.median(turn[0] / turn[k] for turn in rounds),
            unit,
            bar,
        )
        for k, (peer, (_, bar)) in enumerate(peers.items(), 1)
    ]


def rate(play: Callable[[], int]) -> float:
    start = time.perf_counter()
    steps = play()
    return steps / (time.perf_counter() - start)


@contextmanager
def silenced() -> Iterator[None]:
    """Without what a native library prints."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def our_scalar(hands: int = 4_000) -> int:
    game, uniform, steps = SixMax(menu="min", menu_raises=0), random.Random(1).random, 0
    for number in range(hands):
        hand = game.deal(1, number)
        while legal := hand.legal():
            hand = hand.child(legal[int(uniform() * len(legal))])
            steps += 1
        hand.returns()
    return steps


def their_scalar(hands: int = 800) -> int:
    rng, steps = random.Random(1), 0
    with silenced():
        for hand in range(hands):
            state = pokers.State.from_seed(n_players=6, button=0, sb=0.5, bb=1.0, stake=100.0, seed=hand)
            while not state.final_state:
                legal = state.legal_actions
                action = legal[int(rng.random() * len(legal))]
                chips = 1.0 if action == pokers.ActionEnum.Raise else 0.0
                state = state.apply_action(pokers.Action(action, chips))
                steps += 1
                if state.status != pokers.StateStatus.Ok:
                    break
    return steps


def pokerkit_scalar(hands: int = 20) -> int:
    rng, steps = random.Random(1), 0
    for _ in range(hands):
        state = pokerkit.NoLimitTexasHoldem.create_state(
            tuple(pokerkit.Automation), True, 0, (50, 100), 100, (10_000,) * 6, 6
        )
        while state.status:
            actions = [state.check_or_call]
            if state.can_fold():
                actions.append(state.fold)
            if state.can_complete_bet_or_raise_to():
                actions.append(state.complete_bet_or_raise_to)
            actions[int(rng.random() * len(actions))]()
            steps += 1
    return steps


def scalar() -> list[Row]:
    peers = {"pokers": (their_scalar, 4.0), "PokerKit": (pokerkit_scalar, 300.0)}
    return compare("scalar steps from Python, six seats", "steps/s", our_scalar, peers)


def batched() -> list[Row]:
    tables = native.HoldemTables(SixMax(menu="min", menu_raises=0).rules, TABLES, 1, 2)
    rounds = 0

    def play() -> int:
        nonlocal rounds
        tables.play(1, rounds, 200)
        rounds += 200
        return 200 * TABLES

    def step() -> int:
        nonlocal rounds
        for _ in range(40):
            tables.step(tables.sample(1, rounds))
            rounds += 1
        return 40 * TABLES

    return [
        *compare("batched random play, six seats, two threads", "steps/s", play, {"pokers": (their_scalar, 100.0)}),
        *compare("the same, arrays in and out at each step", "steps/s", step, {"pokers": (their_scalar, 20.0)}),
    ]


def reading() -> list[Row]:
    game = SixMax()
    records = []
    for number in range(200):
        rng = random.Random(number)
        hand = game.deal(1, number)
        while legal := hand.legal():
            hand = hand.child(legal[int(rng.random() * len(legal))])
        records.append(record_of(game, hand))
    text = write_phh(records)

    def theirs() -> int:
        return len(list(pokerkit.HandHistory.load_all(io.BytesIO(text.encode()))))

    def ours() -> int:
        return len(list(parse_phh(text)))

    return compare("reading PHH", "hands/s", ours, {"PokerKit": (theirs, 20.0)})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", help="also write the figures here")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    rows: list[Row] = []
    for part in (scalar, batched, reading):
        for row in part():
            rows.append(row)
            sides = f"{row.ours:,.4g} {row.unit}, {row.peer} {row.theirs:,.4g}"
            verdict = f"(wanted {row.bar:g} ×) {'ok' if row.ratio >= row.bar else 'MISSED'}"
            print(f"{row.what}: {sides}: {row.ratio:,.1f} × {verdict}", flush=True)
    if args.json:
        Path(args.json).write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n")
    return 0 if all(row.ratio >= row.bar for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
