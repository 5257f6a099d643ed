"""`zerosum train` as a user types it: what a run leaves, that workers do not show, presets and limits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from e2e.command import refusal, report, zerosum
from e2e.training import train
from zerosum.learn.presets import load_settings, preset_names


def test_a_run_leaves_what_it_promises(finished: tuple[Path, dict[str, Any]]) -> None:
    run, found = finished
    assert found["iterations"] == 60
    assert found["finished"]
    assert 0 < found["exploitability"] == found["nash_conv"] / 2
    assert {entry.name for entry in run.iterdir()} == {
        "settings.toml", "metrics.jsonl", "checkpoints", "policy", "mixture", "strategy", "tensorboard",
    }  # fmt: skip
    rows = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    assert [row["iteration"] for row in rows] == [20, 40, 60]
    wanted = {"nodes", "exploitability", "nodes_per_second", "samples_per_second", "batches_per_second", "losses"}
    wanted |= {"buffers", "cpu_usage", "memory_usage", "gpu_usage", "policies", "distance", "seconds"}
    assert all(wanted <= set(row) for row in rows)
    assert list((run / "tensorboard").glob("events.out.tfevents.*"))


def test_the_mixture_of_networks_is_the_table_it_was_summed_to(finished: tuple[Path, dict[str, Any]]) -> None:
    run, found = finished
    table, mixture = (report("evaluate", place) for place in (run, run / "mixture"))
    assert mixture["exploitability"] == pytest.approx(found["exploitability"], abs=1e-9)
    assert table["value"] == pytest.approx(mixture["value"], abs=1e-9)
    strategy = report("evaluate", run / "strategy")
    assert strategy["exploitability"] == pytest.approx(found["policies"]["strategy"], abs=1e-5)


def test_learned_policies_are_shown_and_play(finished: tuple[Path, dict[str, Any]]) -> None:
    run, _ = finished
    assert "holding" in zerosum("show", run / "mixture", "--infoset", "holding Kc, first to act").stdout
    assert "beats uniform" in zerosum("match", run, "uniform", "--game", "leduc", "--hands", "4000").stdout


FLOP = """
[run]
game = "flop-holdem"
iterations = 2
evaluate_every = 2
[walks]
per_player = 60
lease = 20
baseline = "network"
[buffer]
capacity_rows = 500
merge = false
[network]
hidden = 16
[advantage]
steps = 5
batch_rows = 32
[strategy]
train = true
steps = 5
batch_rows = 32
"""


@pytest.mark.parametrize("workers", ["2", "4"])
@pytest.mark.parametrize("how", ["listed", "asking"])
def test_workers_do_not_show(tmp_path: Path, workers: str, how: str) -> None:
    more = ["--set", "walks.per_player=2400", "--set", "run.iterations=4", "--set", "run.evaluate_every=2"]
    preset = "leduc-sdcfr"
    if how == "asking":
        preset = str(tmp_path / "flop.toml")
        Path(preset).write_text(FLOP)
        more = []
    one, other = (
        report("train", preset, *more, "--out", tmp_path / f"run{count}", "--workers", count)
        for count in ("1", workers)
    )
    assert one["weights_sha256"] == other["weights_sha256"]


def test_limits(tmp_path: Path) -> None:
    nodes = report("train", "leduc-sdcfr", "--set", "run.nodes=20_000", "--out", tmp_path / "nodes")
    assert 10_000 < nodes["nodes"] <= 20_000
    target = train(tmp_path / "target", "--set", "run.target=2.0")
    assert target["iterations"] == 20
    minutes = report("train", "leduc-sdcfr", "--minutes", "0.02", "--out", tmp_path / "minutes")
    assert 1.2 <= minutes["seconds"] < 10


@pytest.mark.parametrize("preset", [name for name in preset_names() if name.startswith("gomoku")])
def test_every_preset_of_a_board_trains(tmp_path: Path, preset: str) -> None:
    fast = ["--set", "run.iterations=1", "--set", "selfplay.games=24", "--set", "replay.first_rows=10"]
    assert report("train", preset, *fast, "--out", tmp_path / "run")["iterations"] == 1


@pytest.mark.parametrize("preset", [name for name in preset_names() if name.startswith(("kuhn", "leduc"))])
def test_every_preset_of_a_listed_game_trains(tmp_path: Path, preset: str) -> None:
    fast = ["--set", "run.iterations=3", "--set", "walks.per_player=240", "--set", "buffer.start_rows=10"]
    fast += ["--set", "walks.warm_up=0", "--set", "strategy.every=1", "--set", "run.evaluate_every=1"]
    found = report(
        "train", preset, *fast, "--set", "advantage.steps=2", "--set", "strategy.steps=2", "--out", tmp_path / "run"
    )
    assert found["iterations"] == 3
    assert report("evaluate", tmp_path / "run")["exploitability"] == pytest.approx(found["exploitability"])


def test_presets_hold_what_is_promised() -> None:
    assert set(preset_names()) >= {"kuhn-sdcfr", "leduc-sdcfr", "leduc-deepcfr", "leduc-nfsp", "leduc-paper"}
    assert set(preset_names()) >= {"gomoku-5x5-4", "gomoku-6x6-4"}
    paper = load_settings("leduc-paper")
    assert (paper.network.hidden, paper.network.activation) == (512, "leaky-relu")
    assert (paper.advantage.batch_rows, paper.strategy.batch_rows) == (2048, 4096)
    assert (paper.buffer.capacity_rows, paper.buffer.start_rows) == (2_000_000, 1_000_000)
    assert (paper.advantage.l2, paper.advantage.clip, paper.advantage.decay, paper.walks.per_player) == (
        0.01,
        5.0,
        0.9,
        10_000,
    )


def test_deep_cfr_ends_with_a_network_of_its_last_iteration(tmp_path: Path) -> None:
    few = ("--set", "run.iterations=7", "--set", "strategy.steps=20")
    found = report("train", "leduc-deepcfr", *few, "--out", tmp_path / "run")
    assert list(found["policies"]) == ["strategy", "mixture"]
    assert report("evaluate", tmp_path / "run")["exploitability"] == pytest.approx(found["policies"]["strategy"])
    further = report("train", "--resume", tmp_path / "run", "--set", "run.iterations=9")
    whole = report("train", "leduc-deepcfr", *few, "--set", "run.iterations=9", "--out", tmp_path / "whole")
    assert further["weights_sha256"] == whole["weights_sha256"]


def test_networks_of_holdem_play_and_resume(tmp_path: Path) -> None:
    settings = tmp_path / "flop.toml"
    settings.write_text(FLOP)
    run = tmp_path / "run"
    whole = report("train", settings, "--set", "run.iterations=4", "--out", tmp_path / "whole")
    report("train", settings, "--out", run)
    found = report("train", "--resume", run, "--set", "run.iterations=4")
    assert found["weights_sha256"] == whole["weights_sha256"]
    for policy in (run, run / "mixture"):
        assert "random" in zerosum("match", policy, "random", "--game", "flop-holdem", "--hands", "200").stdout
    assert "a policy for flop-holdem, wanted one for holdem" in refusal("match", run, "random", "--game", "holdem")
