"""What `zerosum train` refuses, with one line that says why, before it makes anything."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from e2e.command import ZEROSUM, refusal, zerosum

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["leduc-sdcrf"], "unknown preset 'leduc-sdcrf'; did you mean leduc-sdcfr?"),
        (["missing.toml"], "missing.toml: cannot be read (No such file or directory)"),
        ([], "got no preset, wanted one such as leduc-sdcfr"),
        (
            ["leduc-sdcfr", "--set", "walks.stratifed=true"],
            "unknown setting stratifed; did you mean stratified?",
        ),
        (["leduc-sdcfr", "--set", "walk.lease=3"], "unknown setting walk; did you mean walks?"),
        (["leduc-sdcfr", "--set", "walks"], "set: got 'walks', wanted section.key=value"),
        (["leduc-sdcfr", "--set", "walks.per_player=many"], "walks: per_player: got 'many', wanted int"),
        (["leduc-sdcfr", "--set", "walks.per_player=0"], "walks: per_player: got 0, wanted 1 to 1000000000"),
        (["leduc-sdcfr", "--set", "run.game=leduk"], "unknown game 'leduk'; did you mean leduc?"),
        (["leduc-sdcfr", "--set", "run.algorithm=cfr"], "run: unknown algorithm 'cfr'"),
        (["leduc-sdcfr", "--set", "walks.baseline=network"], "walks: baseline: got network, wanted table"),
        (["leduc-sdcfr", "--set", "run.game=holdem"], "the deals of holdem cannot be listed"),
        (["leduc-sdcfr", "--set", "run.device=gpu9"], "device: got 'gpu9', wanted auto, cpu or a GPU that is here"),
        (["leduc-sdcfr", "--workers", "0"], "workers: got 0, wanted 1 to 1024"),
        (["leduc-sdcfr", "--minutes", "-1"], "run: minutes: got -1.0, wanted 0.0 to"),
        (["leduc-nfsp", "--set", "run.game=holdem"], "cannot be listed"),
        (["leduc-sdcfr", "--set", "walks.per_player=50"], "walks: per_player: got 50, wanted a multiple of 120"),
        (["leduc-sdcfr", "--set", "advantage.batch_rows=0"], "batch_rows: got 0, wanted 1 to"),
        (
            ["leduc-sdcfr", "--set", "buffer.merge=false"],
            "advantage: visits: got 0.5, wanted 1 where rows are not merged",
        ),
        (["leduc-sdcfr", "--set", "run.algorithm=deep-cfr"], "strategy: train: got false, wanted true"),
    ],
)
def test_what_is_refused_leaves_nothing(tmp_path: Path, arguments: list[str], wanted: str) -> None:
    assert wanted in refusal("train", *arguments, "--out", tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_resuming_with_other_settings_is_refused(tmp_path: Path, finished: tuple[Path, dict[str, Any]]) -> None:
    run, _ = finished
    before = (run / "settings.toml").read_bytes()
    said = refusal("train", "--resume", run, "--set", "advantage.steps=21")
    assert f"{run}: a run with advantage.steps = 10, got 21" in said
    assert "a run with run.seed = 0, got 5" in refusal("train", "--resume", run, "--seed", "5")
    assert "a run with run.game = leduc, got kuhn" in refusal("train", "kuhn-sdcfr", "--resume", run)
    assert "holds no run to resume" in refusal("train", "--resume", tmp_path / "none")
    assert "holds a run already" in refusal("train", "leduc-sdcfr", "--out", run)
    assert "device: got 'gpu9'" in zerosum("train", "--resume", run, "--set", "run.device=gpu9", code=2).stderr
    assert (run / "settings.toml").read_bytes() == before


def test_runs_of_solve_and_train_are_told_apart(tmp_path: Path, finished: tuple[Path, dict[str, Any]]) -> None:
    zerosum("solve", "kuhn", "--iterations", "5", "--out", tmp_path / "solve")
    assert "a run of zerosum solve" in refusal("train", "--resume", tmp_path / "solve")
    assert "a run of zerosum train" in refusal("solve", "--resume", finished[0])


@pytest.mark.slow
def test_what_does_not_fit_into_memory_is_refused(tmp_path: Path) -> None:
    run = tmp_path / "run"
    wide = ("--set", "network.hidden=65536", "--set", "network.layers=60")
    assert "weights need" in refusal("train", "kuhn-sdcfr", *wide, "--out", run)
    assert "rows need" in refusal("train", "leduc-paper", "--set", "buffer.capacity_rows=1e9", "--out", run)
    few = refusal("train", "leduc-sdcfr", "--set", "buffer.capacity_rows=100", "--out", run)
    assert "buffer: more than 100 different rows" in few
    assert not run.exists()


def test_training_says_what_is_missing_without_pytorch(tmp_path: Path) -> None:
    blocked = tmp_path / "torch.py"
    blocked.write_text("raise ImportError\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [*ZEROSUM, "train", "kuhn-sdcfr", "--out", str(tmp_path / "run")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "zerosum train: PyTorch is not installed, wanted the extra 'train'\n"
