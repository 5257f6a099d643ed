"""A run that is killed, interrupted or left ends as if nobody had; and only one process works on it."""

from __future__ import annotations

import json
import signal
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from e2e.command import refusal, report, started, zerosum
from e2e.training import SMALL
from zerosum.runs.directory import RunDirectory

if TYPE_CHECKING:
    from pathlib import Path

BOARD = ("--set", "run.iterations=1", "--set", "selfplay.games=24", "--set", "replay.first_rows=10")


def killed_at_random(run: Path, kills: int, seed: int) -> dict[str, Any]:
    """Starts a run, kills it at random moments so many times, and lets it end."""
    luck = np.random.default_rng(seed)
    options = ("--set", "strategy.train=true", "--set", "strategy.every=20", "--set", "run.checkpoint_seconds=0.05")
    command: list[str | Path] = ["train", "leduc-sdcfr", *SMALL, *options, "--out", run]
    done = 0
    while done < kills:
        process = started(*command, until=run / "settings.toml")
        time.sleep(float(luck.random()) * 1.5)
        process.send_signal(signal.SIGKILL)
        _, told = process.communicate()
        assert process.returncode in (0, -signal.SIGKILL), told
        command = ["train", "--resume", run]
        done += 1
    return report(*command)


def _check_killed(run: Path, finished: tuple[Path, dict[str, Any]], kills: int, seed: int = 9) -> None:
    quiet, wanted = finished
    found = killed_at_random(run, kills, seed)
    assert found["weights_sha256"] == wanted["weights_sha256"]
    rows = [[json.loads(line) for line in (one / "metrics.jsonl").read_text().splitlines()] for one in (run, quiet)]
    keys = ("iteration", "nodes", "exploitability", "losses", "buffers", "distance")
    assert [[row[key] for key in keys] for row in rows[0]] == [[row[key] for key in keys] for row in rows[1]]
    mixture = report("evaluate", run / "mixture")
    assert mixture["exploitability"] == pytest.approx(found["policies"]["mixture"], abs=1e-9)


def test_a_killed_run_ends_as_if_never_killed(tmp_path: Path, finished: tuple[Path, dict[str, Any]]) -> None:
    _check_killed(tmp_path / "run", finished, 3)


@pytest.mark.parametrize(("preset", "options"), [("leduc-sdcfr", SMALL), ("gomoku-5x5-4", BOARD)])
def test_a_run_without_a_checkpoint_begins_anew_and_says_so(
    tmp_path: Path, preset: str, options: tuple[str, ...]
) -> None:
    run = tmp_path / "run"
    zerosum("train", preset, *options, "--out", run)
    rows = [json.loads(line)["iteration"] for line in (run / "metrics.jsonl").read_text().splitlines()]
    for checkpoint in (run / "checkpoints").iterdir():
        checkpoint.unlink()
    said = zerosum("train", "--resume", run).stderr
    assert f"{run}: has no checkpoint yet, begins anew" in said
    assert [json.loads(line)["iteration"] for line in (run / "metrics.jsonl").read_text().splitlines()] == rows


@pytest.mark.slow
def test_a_run_killed_twenty_times_ends_as_if_never_killed(
    tmp_path: Path, finished: tuple[Path, dict[str, Any]]
) -> None:
    for seed in range(4):
        _check_killed(tmp_path / f"run{seed}", finished, 5, seed)


def test_ctrl_c_saves_and_leaves(tmp_path: Path) -> None:
    run = tmp_path / "run"
    long = ("--set", "run.iterations=100000")
    process = started("train", "leduc-sdcfr", *long, "--out", run, "--json", until=run / "settings.toml")
    time.sleep(2.0)
    process.send_signal(signal.SIGINT)
    out, told = process.communicate(timeout=60)
    assert process.returncode == 130, told
    found = json.loads(out)
    assert not found["finished"]
    assert found["iterations"] > 0
    assert "saving and leaving" in told
    assert "stopped early; go on with --resume" in told
    further = report("train", "--resume", run, "--set", f"run.iterations={found['iterations'] + 3}")
    assert further["iterations"] == found["iterations"] + 3


def test_ctrl_c_twice_stops_now(tmp_path: Path) -> None:
    run = tmp_path / "run"
    long = ("--set", "advantage.steps=1000000", "--set", "run.iterations=10")
    process = started("train", "leduc-sdcfr", *long, "--out", run, "--json", until=run / "settings.toml")
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "zerosum train: interrupted" in told


@pytest.mark.slow
def test_a_stop_does_not_change_where_a_target_is_reached(tmp_path: Path) -> None:
    target = ("--set", "run.target=0.25", "--set", "run.evaluate_every=20", "--set", "run.iterations=400")
    whole = report("train", "leduc-sdcfr", *target, "--out", tmp_path / "whole")
    assert whole["iterations"] % 20 == 0
    run = tmp_path / "run"
    report("train", "leduc-sdcfr", *target, "--set", f"run.iterations={whole['iterations'] - 7}", "--out", run)
    found = report("train", "--resume", run, "--set", "run.iterations=400")
    assert found["weights_sha256"] == whole["weights_sha256"]


@pytest.mark.slow
def test_a_run_that_is_stopped_at_once_can_go_on(tmp_path: Path) -> None:
    for preset in ("kuhn-sdcfr", "leduc-nfsp"):
        run = tmp_path / preset
        nothing = report("train", preset, "--minutes", "0", "--out", run)
        assert nothing["iterations"] == 0
        assert report("train", "--resume", run, "--minutes", "1", "--set", "run.iterations=2")["iterations"] == 2


@pytest.mark.slow
def test_two_processes_do_not_train_one_run(tmp_path: Path) -> None:
    run = tmp_path / "run"
    long = ("--set", "run.iterations=100000")
    process = started("train", "leduc-sdcfr", *long, "--out", run, "--json", until=run / "metrics.jsonl")
    said = zerosum("train", "--resume", run, code=2).stderr
    assert f"{run}: another process is at work on this run" in said
    process.send_signal(signal.SIGKILL)
    process.communicate()


def test_a_run_at_work_keeps_its_settings(tmp_path: Path) -> None:
    run = tmp_path / "run"
    report("train", "kuhn-sdcfr", "--minutes", "0", "--out", run)
    before = (run / "settings.toml").read_bytes()
    with RunDirectory(run).locked():
        said = refusal("train", "--resume", run, "--minutes", "1")
    assert f"{run}: another process is at work on this run" in said
    assert (run / "settings.toml").read_bytes() == before
