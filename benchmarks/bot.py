"""How fast a heads-up bot decides: our C++, ONNX Runtime's two sessions, PyTorch, one row at a time: `make bench`.

New cards at every decision, one thread, and the building of features counts. Sides alternate and medians are taken,
because machines are noisy; start-up and memory are those of the compiled bot with one request of Botzone's.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch

from zerosum.encoding.heads_up import heads_up_inputs
from zerosum.export import export_weights_bin
from zerosum.export.bot import bot_source
from zerosum.export.onnx import OnnxPolicy, onnx_models
from zerosum.export.source import SOURCES
from zerosum.export.states import random_views
from zerosum.games.holdem import Holdem
from zerosum.policy.heads_up import HeadsUpPolicy
from zerosum.policy.player import PolicyPlayer
from zerosum.protocols.acpc import match_state

if TYPE_CHECKING:
    from collections.abc import Callable

    from zerosum.native import HoldemView

DECISIONS, ROUNDS = 2000, 7
COMPILE = (os.environ.get("CXX", "c++"), "-O2", "-std=c++17")
REQUEST = {"num_players": 2, "dealer_id": 0, "my_id": 1, "my_chips": 19950, "my_cards": [0, 4], "public_cards": []}


@dataclass(frozen=True)
class Took:
    """Microseconds for a decision."""

    median: float
    p99: float


def decisions(game: Holdem) -> list[tuple[str, HoldemView]]:
    """One decision of each of many hands, as a line of ACPC's protocol and as a view."""
    found = []
    for number, view in enumerate(random_views(game, 40 * DECISIONS, seed=1)):
        if not number % 40:
            state = match_state_of(view, number)
            found.append((state, view))
    return found


def match_state_of(view: HoldemView, number: int) -> str:
    """What the seat hears: the hand replayed with its own cards."""
    hand = Holdem().restore([event[:3] for event in view.events()])
    return match_state(hand, view.seat, number).replace("????", "")


def timed(decide: Callable[[HoldemView], object], views: list[HoldemView]) -> Took:
    took = []
    for view in views:
        start = time.perf_counter()
        decide(view)
        took.append(1e6 * (time.perf_counter() - start))
    return Took(statistics.median(took), float(np.percentile(took, 99)))


def middle(rounds: list[Took]) -> Took:
    """The medians of rounds."""
    return Took(statistics.median(one.median for one in rounds), statistics.median(one.p99 for one in rounds))


def cold_start(bot: Path) -> tuple[float, float]:
    """Milliseconds from nothing to the first answer, the median of many starts, and the most megabytes in memory."""
    line = json.dumps({"requests": [{**REQUEST, "history": [], "hand": 0}], "responses": []}) + "\n"
    took = []
    for _ in range(20):
        start = time.perf_counter()
        done = subprocess.run(
            [str(bot), "--one-shot"], input=line, capture_output=True, text=True, cwd=bot.parent, check=True
        )
        took.append(1e3 * (time.perf_counter() - start))
        assert "response" in done.stdout
        assert not done.stderr, done.stderr
    with subprocess.Popen(
        [str(bot)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=bot.parent
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(line)
        process.stdin.flush()
        process.stdout.readline()
        status = Path(f"/proc/{process.pid}/status").read_text()
        process.stdin.close()
    peak = next(float(row.split()[1]) for row in status.splitlines() if row.startswith("VmHWM"))
    return statistics.median(took), peak / 1024


def build(folder: Path, policy: HeadsUpPolicy) -> None:
    """The bot, what times it, and both kinds of weights."""
    (folder / "bot.cpp").write_text(
        bot_source(HeadsUpPolicy(Holdem(order="botzone"), policy.cards, policy.network), "bench")[0]
    )
    export_weights_bin(policy.cards, folder / "card_model.bin")
    export_weights_bin(policy.network, folder / "cfr_net.bin")
    for name, model in zip(("card_model", "cfr_net"), onnx_models(policy), strict=True):
        (folder / f"{name}.onnx").write_bytes(model)
    timer = SOURCES / "bots" / "time_answers.cpp"
    subprocess.run([*COMPILE, "bot.cpp", "-o", "bot"], cwd=folder, check=True)
    subprocess.run([*COMPILE, f"-I{SOURCES}", str(timer), "-o", "time_answers"], cwd=folder, check=True)


def main() -> int:
    torch.set_num_threads(1)
    policy = HeadsUpPolicy.untrained(Holdem(), 1)
    told = decisions(policy.game)
    lines, views = "\n".join(line for line, _ in told), [view for _, view in told]
    sides: dict[str, list[Took]] = {name: [] for name in ("C++", "ONNX Runtime", "its sessions alone", "PyTorch")}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build(folder, policy)
        onnx = OnnxPolicy(folder)
        onnx_player, torch_player = PolicyPlayer("onnx", onnx), PolicyPlayer("torch", policy)
        rows = {id(view): heads_up_inputs([view], 5) for view in views}
        for _ in range(ROUNDS):
            timer = [str(folder / "time_answers"), str(folder / "card_model.bin"), str(folder / "cfr_net.bin"), "5"]
            done = subprocess.run(timer, input=lines, capture_output=True, text=True, check=True)
            sides["C++"] += [Took(*map(float, line.split())) for line in done.stdout.splitlines()]
            sides["ONNX Runtime"].append(timed(lambda view: onnx_player.act([view], [0.5]), views))
            sides["its sessions alone"].append(
                timed(lambda view: onnx.logits(rows[id(view)].hole, rows[id(view)].board, rows[id(view)].env), views)
            )
            policy._kept.clear()
            sides["PyTorch"].append(timed(lambda view: torch_player.act([view], [0.5]), views))
        start_ms, megabytes = cold_start(folder / "bot")
    found = {name: middle(rounds) for name, rounds in sides.items()}
    ours = found["C++"]
    for name, one in found.items():
        print(f"{name:20} {one.median:8.1f} µs a decision, 99 % within {one.p99:8.1f} µs")
    wants = [
        ("C++, 99th percentile, ms", ours.p99 / 1000, 0.2, False),
        ("C++ v ONNX Runtime, features counted, times as fast", found["ONNX Runtime"].median / ours.median, 1.5, True),
        ("C++ v its two sessions alone, times as fast", found["its sessions alone"].median / ours.median, 1.5, True),
        ("C++ v PyTorch, times as fast", found["PyTorch"].median / ours.median, 5.0, True),
        ("from nothing to the first answer, ms", start_ms, 50.0, False),
        ("memory, MB", megabytes, 20.0, False),
    ]
    good = True
    for what, got, wanted, least in wants:
        fine = got >= wanted if least else got <= wanted
        good &= fine
        print(
            f"{what:55} {got:8.2f}  wanted {'at least' if least else 'at most'} {wanted:g}  {'' if fine else 'MISSED'}"
        )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
