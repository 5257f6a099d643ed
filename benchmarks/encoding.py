"""Six-max states -> 261 numbers: building the batch and running the network, apart: `python benchmarks/encoding.py`.

Building is held against a plain Python builder; the network against the bare matrix products that its real tokens need.
One thread; both sides alternate and medians of processor time are taken, because machines are shared.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from zerosum.encoding import StateBatchBuilder, StateEncoder
from zerosum.encoding.history_encoder import TOKENS_AT_ONCE
from zerosum.games.holdem import PokerGame, SixMax

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor

SIZES = (1, 256, 4_096, 16_384)
ROUNDS = 5
PLAIN_STATES = 2_000  # for the plain builder, which is slow
GPU_MS = {1: 0.5, 256: 2.0, 4_096: 10.0, 16_384: 35.0}


@dataclass(frozen=True)
class Row:
    """What was measured, and what was wanted at most; nothing is wanted of some."""

    what: str
    got: float
    unit: str
    wanted: float | None = None
    at_least: bool = False

    @property
    def is_met(self) -> bool:
        if self.wanted is None:
            return True
        return self.got >= self.wanted if self.at_least else self.got <= self.wanted


def games(count: int) -> list[PokerGame]:
    """States somewhere in a hand that is played at random, without all-ins."""
    rng, game = random.Random(1), SixMax()
    found: list[PokerGame] = []
    while len(found) < count:
        table = PokerGame(game, seed=rng.randrange(2**60))
        for _ in range(rng.randrange(16)):
            choices = [number for number in table.hand.legal() if number != game.num_actions - 1]
            table.hand = table.hand.child(rng.choice(choices))
            if table.is_over:
                break
        if not table.is_over:
            found.append(table)
    return found


def seconds(work: Callable[[], object], repeat: int = 1) -> float:
    start = time.process_time()
    for _ in range(repeat):
        work()
    return (time.process_time() - start) / repeat


def medians(sides: Sequence[Callable[[], object]], repeat: int = 1) -> list[float]:
    """The median time of each, in turns; the first turn does not count."""
    turns = [[seconds(side, repeat) for side in sides] for _ in range(ROUNDS + 1)][1:]
    return [statistics.median(column) for column in zip(*turns, strict=True)]


def bare_products(tokens: int, pooled: int) -> Callable[[], None]:
    """The products of a layer: in to 64, to queries, keys and values, out, to 256, and back to 64 for `pooled` rows.

    The mean over a history is linear, so no more than one row for each history needs the last one. In parts of the size
    that suits the processor's cache; attention's own products are left out.
    """
    parts = max(1, -(-tokens // TOKENS_AT_ONCE))
    rows, last = max(1, tokens // parts), max(1, pooled // parts)
    shapes = [(rows, 17, 64), (rows, 64, 192), (rows, 64, 64), (rows, 64, 256), (last, 256, 64)]
    products = [(torch.randn(n, k), torch.randn(k, m), torch.empty(n, m)) for n, k, m in shapes]

    def multiply() -> None:
        for _ in range(parts):
            for left, right, out in products:
                torch.mm(left, right, out=out)

    return multiply


def measure(tables: list[PokerGame], encoder: StateEncoder, device: torch.device) -> list[Row]:
    builder, count = StateBatchBuilder(device), len(tables)
    batch = builder.build_batch_from_games(tables)
    real = ~batch["action_mask"]
    tokens, histories = int(real.sum()), int(real.any(dim=1).sum())
    repeat = max(1, 512 // count)
    sides: list[Callable[[], object]] = [
        lambda: builder.build_batch_from_games(tables),
        lambda: encoder(batch),
        bare_products(tokens, histories),
        bare_products(tokens, tokens),  # the last product for each token, as the layer is written down
    ]
    build, network, bare, written = medians(sides, repeat)
    large, gpu = count >= 4_096 and device.type == "cpu", device.type != "cpu"
    return [
        Row(f"batch {count:,}: build", 1e3 * build, "ms"),
        Row(f"batch {count:,}: network", 1e3 * network, "ms", 0.5 if count == 1 else GPU_MS[count] if gpu else None),
        Row(f"batch {count:,}: bare products of {tokens:,} tokens", 1e3 * bare, "ms"),
        Row(f"batch {count:,}: network / bare products", network / bare, "times", 2.0 if large else None),
        Row(f"batch {count:,}: network / products as the layer is written down", network / written, "times"),
        Row(f"batch {count:,}: build and network", 1e3 * (build + network), "ms", 0.5 if count == 1 else None),
    ]


def building(tables: list[PokerGame]) -> list[Row]:
    """The native builder and a plain one: a dictionary for each state, lists of numbers, tensors at the end."""
    builder = StateBatchBuilder()
    some = tables[:PLAIN_STATES]
    states = [table.get_state_for_player(table.current_player) for table in some]

    def plain() -> dict[str, Tensor]:
        return builder.build_batch_from_dicts([table.get_state_for_player(table.current_player) for table in some])

    native, whole, ready = medians(
        [lambda: builder.build_batch_from_games(some), plain, lambda: builder.build_batch_from_dicts(states)]
    )
    rate = len(some) / native
    return [
        Row("native builder", rate, "states/s"),
        Row("a plain Python builder takes longer", whole / native, "times", 50.0, at_least=True),
        Row("the same from dictionaries that are there already", ready / native, "times"),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", help="also write the figures here")
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    encoder, tables = StateEncoder().to(device).eval(), games(max(SIZES))
    rows = building(tables)
    with torch.inference_mode():
        for size in SIZES:
            rows += measure(tables[:size], encoder, device)
    for row in rows:
        bar = f" (wanted {'at least' if row.at_least else 'at most'} {row.wanted:g})" if row.wanted is not None else ""
        print(f"{row.what}: {row.got:,.3f} {row.unit}{bar}{'' if row.is_met else ' MISSED'}", flush=True)
    if args.json:
        Path(args.json).write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n")
    return 0 if all(row.is_met for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
