"""Six-max as a user meets it: training that is killed and goes on, matches in big blinds per 100 hands, a table."""

from __future__ import annotations

import json
import signal
import time
import tomllib
from importlib import resources
from typing import TYPE_CHECKING

import pytest

from e2e.command import refusal, report, started, zerosum
from zerosum.policy.headers import SHIPPED, read_header

if TYPE_CHECKING:
    from pathlib import Path

TINY = [
    *("--set", "walks.per_player=12"),
    *("--set", "walks.lease=6"),
    *("--set", "lessons.steps=3"),
    *("--set", "lessons.rows=200"),
    *("--set", "buffer.capacity_rows=4000"),
    *("--set", "network.hidden=16"),
    *("--set", "network.layers=1"),
    *("--set", "advantage.steps=3"),
    *("--set", "advantage.batch_rows=64"),
    *("--set", "run.evaluate_every=100"),
]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four iterations at once."""
    path = tmp_path_factory.mktemp("sixmax") / "run"
    report("train", "sixmax", *TINY, "--set", "run.iterations=4", "--out", path, "--workers", "1")
    return path


def test_a_run_that_is_left_goes_on_to_the_same_weights(run: Path, tmp_path: Path) -> None:
    left = tmp_path / "left"
    report("train", "sixmax", *TINY, "--set", "run.iterations=2", "--out", left, "--workers", "2")
    found = report("train", "--resume", left, "--set", "run.iterations=4", "--workers", "1")
    again = report("train", "--resume", run)
    assert found["weights_sha256"] == again["weights_sha256"]
    assert found["nodes"] == again["nodes"]
    row = json.loads((run / "metrics.jsonl").read_text().splitlines()[-1])
    assert set(row["versus"]) == {"random", "call", "tight-aggressive", "loose-passive", "equity"}
    assert row["samples_per_second"] > 0
    assert row["buffers"]["advantage0"]["bytes"] == 4000 * (184 + 5 + 20 + 4)


def test_a_run_that_is_killed_ends_with_the_same_weights(run: Path, tmp_path: Path) -> None:
    """Killed twice, in the middle of an iteration: once it has a checkpoint, and a little later."""
    killed = tmp_path / "killed"
    often = ("--set", "run.checkpoint_seconds=0", "--set", "run.iterations=4")
    command: list[str | Path] = ["train", "sixmax", *TINY, *often, "--out", killed, "--workers", "2"]
    for moment in (0.0, 0.3):
        process = started(*command, until=killed / "checkpoints")
        while process.poll() is None and not list((killed / "checkpoints").glob("*.safetensors")):
            time.sleep(0.01)
        time.sleep(moment)
        process.send_signal(signal.SIGKILL)
        _, told = process.communicate()
        assert process.returncode == -signal.SIGKILL, told
        command = ["train", "--resume", killed]
    found, wanted = report("train", "--resume", killed), report("train", "--resume", run)
    assert found["weights_sha256"] == wanted["weights_sha256"]
    assert (found["nodes"], found["iterations"]) == (wanted["nodes"], 4)


def test_ctrl_c_saves_and_leaves(tmp_path: Path) -> None:
    left = tmp_path / "left"
    often = ("--set", "run.checkpoint_seconds=0")
    process = started("train", "sixmax", *TINY, *often, "--out", left, "--json", until=left / "checkpoints")
    process.send_signal(signal.SIGINT)
    out, told = process.communicate(timeout=60)
    assert process.returncode == 130, told
    assert "stopped early; go on with --resume" in told
    done = json.loads(out)["iterations"]
    assert report("train", "--resume", left, "--set", f"run.iterations={done + 1}")["iterations"] == done + 1


def test_a_table_of_six(run: Path) -> None:
    names = [str(run), f"{run}@1", "random", "call", "equity", "sixmax"]
    text = zerosum("match", *names, "--game", "sixmax", "--hands", "60").stdout
    assert "bb/100 (95 %, 60 duplicate hands)" in text
    found = report("match", *names, "--game", "sixmax", "--hands", "60")
    assert [row["name"] for row in found["results"]] == names
    assert sum(row["bb_per_100"] for row in found["results"]) == pytest.approx(0, abs=1e-6)
    for row in found["results"]:
        assert row["bb_per_100"] == pytest.approx(row["mbb_per_hand"] / 10)
        assert row["bb_per_100_ci95"] == pytest.approx(row["ci95"] / 10)
    assert found == report("match", *names, "--game", "sixmax", "--hands", "60", "--threads", "1")


def test_play_against_a_policy(run: Path) -> None:
    told = zerosum("play", "sixmax", "--against", run, "--seed", "3", "--hands", "2", stdin="c\n" * 30).stdout
    assert f"sixmax against {run}" in told
    assert "2 hands" in told
    assert "against sixmax" in zerosum("play", "sixmax", "--against", "sixmax", "--hands", "1", stdin="f\nf\n").stdout


def test_a_run_of_one_iteration_plays_uniformly(run: Path, tmp_path: Path) -> None:
    """Its first network is what the second iteration would have played with."""
    one = tmp_path / "one"
    report("train", "sixmax", *TINY, "--set", "run.iterations=1", "--out", one, "--workers", "1")
    five = [*["call"] * 5, "--game", "sixmax", "--hands", "60"]
    found, wanted = (report("match", name, *five)["results"][0]["bb_per_100"] for name in (one, f"{run}@0"))
    assert found == wanted
    assert "see them play with zerosum match" in refusal("show", one)
    report("train", "--resume", one, "--set", "run.iterations=2")
    assert report("match", one, *five)["results"][0]["bb_per_100"] != wanted


def test_refusals(run: Path) -> None:
    five = ["call"] * 5
    assert "@4: got 4 after @, wanted 0 to 3" in refusal("match", f"{run}@4", *five, "--game", "sixmax")
    assert "wanted 1 to 2" in refusal("match", f"{SHIPPED / 'sixmax'}@0", *five, "--game", "sixmax")
    for bad in ("x", "-1", ""):
        told = refusal("match", f"{run}@{bad}", *five, "--game", "sixmax")
        assert f"got '{bad}' after @, wanted a whole number" in told
    assert "wanted 6 for sixmax" in refusal("match", run, "call", "--game", "sixmax")
    assert "a policy for sixmax, wanted one for holdem" in refusal("match", run, "call", "--game", "holdem")
    assert "unknown player 'sixmx'" in refusal("match", "sixmx", *five, "--game", "sixmax")
    assert "wanted two to six" in refusal("train", "sixmax", "--set", "run.game=holdem:players=7", "--out", run / "x")
    assert "explore" in refusal("train", "sixmax", "--set", "walks.explore=2", "--out", run / "x")
    assert "baseline: got network, wanted none" in refusal(
        "train", "sixmax", "--set", "walks.baseline=network", "--out", run / "x"
    )


def test_the_policy_that_comes_along() -> None:
    folder = SHIPPED / "sixmax"
    header = read_header(folder)
    assert (header["kind"], header["game"], header["algorithm"]) == ("mixture", "sixmax", "sd-cfr")
    assert sum(file.stat().st_size for file in folder.iterdir()) < 800_000
    card = (folder / "CARD.md").read_text()
    for word in ("zerosum train sixmax", "minutes", "thin_mixture.py", "no equilibrium"):
        assert word in card
    limit = tomllib.loads(resources.files("zerosum.presets").joinpath("sixmax.toml").read_text())["run"]["minutes"]
    assert f"The preset's own limit is {limit} minutes; this run was given 100" in card
    assert "zerosum train sixmax --minutes 100 " in card
    first = report("match", "sixmax", *["call"] * 5, "--game", "sixmax", "--hands", "3000")["results"][0]
    assert first["bb_per_100"] > first["bb_per_100_ci95"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["random", "call", "tight-aggressive", "loose-passive", "equity"])
def test_it_beats_five_of_each_script(name: str) -> None:
    first = report("match", "sixmax", *[name] * 5, "--game", "sixmax", "--hands", "102000", "--seed", "12")["results"][
        0
    ]
    assert first["bb_per_100"] > first["bb_per_100_ci95"]
