"""How well Deep CFR learns, and what each of its parts brings: writes docs/results/. Takes about half an hour.

Every figure is the exploitability (NashConv / 2) in thousandths of an ante, exact, after a training run of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zerosum.runs.plots import plot_curves

SEEDS = (1, 2, 3)
PLAIN = ("walks.stratified=false", "walks.baseline=none")
RAW = ("buffer.merge=false", "buffer.capacity_rows=2000000", "advantage.batch_rows=1024", "advantage.visits=1.0")
BITS = ("network.features=plain",)


@dataclass(frozen=True)
class Variant:
    """A run to be made with several seeds; at most `wanted` on average."""

    name: str
    preset: str
    changes: tuple[str, ...] = ()
    wanted: float | None = None
    seeds: tuple[int, ...] = SEEDS
    minutes: float | None = None


PARTS = (
    Variant("raw samples: one bit a card, gradient steps on 1,024 of them", "leduc-sdcfr", (*PLAIN, *BITS, *RAW)),
    Variant("equal rows merged", "leduc-sdcfr", (*PLAIN, *BITS)),
    Variant("and features of rank, betting and pot: plain external sampling", "leduc-sdcfr", PLAIN, 35),
    Variant("and deals shared out", "leduc-sdcfr", PLAIN[1:]),
    Variant("and a baseline: `leduc-sdcfr` as it comes", "leduc-sdcfr", (), 18),
)
OTHERS = (
    Variant("`leduc-deepcfr`", "leduc-deepcfr", (), 60),
    Variant("`leduc-nfsp`", "leduc-nfsp"),
    Variant("`kuhn-sdcfr`", "kuhn-sdcfr", (), 2),
)
LONG = Variant(
    "`leduc-sdcfr`, 30 minutes, no limit of nodes", "leduc-sdcfr",
    ("run.nodes=1e15", "average.keep_networks=false"), 10, (1,), 30.0,
)  # fmt: skip


def train(variant: Variant, seed: int, folder: Path) -> dict[str, Any]:
    """One run; its last row with its curve."""
    run = folder / f"{abs(hash((variant.name, seed)))}"
    command = [sys.executable, "-m", "zerosum", "train", variant.preset, "--seed", str(seed), "--workers", "1"]
    for change in variant.changes:
        command += ["--set", change]
    if variant.minutes is not None:
        command += ["--minutes", str(variant.minutes)]
    done = subprocess.run([*command, "--out", str(run), "--json"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr[-2000:]}")
    found: dict[str, Any] = json.loads(done.stdout)
    rows = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    found["curve"] = [(row["nodes"], 1000 * row["exploitability"]) for row in rows]
    print(f"{variant.name}, seed {seed}: {1000 * found['exploitability']:.2f} in {found['seconds']:.0f} s", flush=True)
    return found


def row_of(variant: Variant, found: list[dict[str, Any]]) -> str:
    scores = [1000 * one["exploitability"] for one in found]
    wanted = "" if variant.wanted is None else f"≤ {variant.wanted:g}"
    nodes = statistics.mean(one["nodes"] for one in found)
    took = statistics.mean(one["seconds"] for one in found)
    each = ", ".join(f"{score:.1f}" for score in scores)
    return f"| {variant.name} | {statistics.mean(scores):.1f} | {each} | {wanted} | {nodes / 1e6:.1f} | {took:.0f} |"


def page(results: dict[Variant, list[dict[str, Any]]], command: str, jobs: int) -> str:
    head = "| run | mean | seeds | wanted | million nodes | seconds |\n| --- | ---: | --- | ---: | ---: | ---: |"
    parts = "\n".join(row_of(variant, results[variant]) for variant in PARTS)
    rest = "\n".join(row_of(variant, found) for variant, found in results.items() if variant not in PARTS)
    both = [one["policies"] for one in results.get(OTHERS[0], [])]
    told = "; ".join(f"{1000 * one['strategy']:.1f} and {1000 * one['mixture']:.1f}" for one in both)
    cores = len(os.sched_getaffinity(0))
    return f"""# What Deep CFR learns here

Made by `{command}`. Exploitability (NashConv / 2) in thousandths of an ante, exact; a node is every state
visited by a walk, chance and ends included. {jobs} runs at a time shared {cores} cores, so seconds are more than one
run alone takes.

## What each part brings, on Leduc at 10 million nodes

Each line adds one thing to the line before it; nothing else changes.

{head}
{parts}

![exploitability against nodes, every seed](leduc.svg)

## Other runs

{head}
{rest}

`leduc-deepcfr` yields two policies: its strategy network and the mixture of its advantage networks. By seed: {told}.
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("docs/results"), metavar="DIR")
    cores = len(os.sched_getaffinity(0))
    parser.add_argument("--jobs", type=int, default=cores, metavar="N", help="runs at once (default: one a core)")
    parser.add_argument("--long", action="store_true", help="also the run of 30 minutes")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    variants = [*([LONG] if args.long else []), *PARTS, *OTHERS]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(args.jobs) as pool:
        jobs = {v: [pool.submit(train, v, seed, Path(folder)) for seed in v.seeds] for v in variants}
        results = {variant: [job.result() for job in found] for variant, found in jobs.items()}
    curves = {
        f"{variant.name.split(':')[0].strip('`')}, seed {seed}": one["curve"]
        for variant in PARTS
        for seed, one in zip(variant.seeds, results[variant], strict=True)
    }
    plot_curves(args.out / "leduc.svg", curves, "nodes", "exploitability, thousandths of an ante")
    command = f"python benchmarks/learning.py{' --long' if args.long else ''}"
    (args.out / "leduc.md").write_text(page(results, command, args.jobs))
    kept = ("seed", "iterations", "nodes", "seconds", "exploitability", "policies", "weights_sha256", "curve")
    raw = {v.name: [{key: one[key] for key in kept} for one in found] for v, found in results.items()}
    (args.out / "leduc.json").write_text(json.dumps(raw) + "\n")
    return 0 if all(is_met(variant, found) for variant, found in results.items()) else 1


def is_met(variant: Variant, found: list[dict[str, Any]]) -> bool:
    mean = statistics.mean(1000 * one["exploitability"] for one in found)
    return variant.wanted is None or mean <= variant.wanted


if __name__ == "__main__":
    sys.exit(main())
