"""Files of a run that were cut, changed or lost, and disks that are full: noticed, said, and survived."""

from __future__ import annotations

import json
import resource
import subprocess
from typing import TYPE_CHECKING

import pytest

from e2e.command import ZEROSUM, refusal, report, zerosum
from e2e.training import train

if TYPE_CHECKING:
    from pathlib import Path


def test_a_truncated_checkpoint_is_passed_over(tmp_path: Path) -> None:
    run = tmp_path / "run"
    wanted = train(tmp_path / "quiet")["weights_sha256"]
    train(run, "--set", "run.iterations=30")
    report("train", "--resume", run, "--set", "run.iterations=45")
    newest = max((run / "checkpoints").iterdir())
    newest.write_bytes(newest.read_bytes()[: newest.stat().st_size // 2])
    done = zerosum("train", "--resume", run, "--set", "run.iterations=60", "--json")
    assert f"{newest}: not a readable checkpoint" in done.stderr
    assert "looking for an older one" in done.stderr
    assert "going on from iteration 30" in done.stderr
    assert json.loads(done.stdout)["weights_sha256"] == wanted


@pytest.mark.slow
def test_a_damaged_block_of_networks_is_noticed(tmp_path: Path) -> None:
    run = tmp_path / "run"
    train(run, "--set", "run.iterations=30")
    report("train", "--resume", run, "--set", "run.iterations=45")
    block = max((run / "mixture").glob("networks-*"))
    block.write_bytes(block.read_bytes()[:-10])
    assert "its checksum does not match" in refusal("evaluate", run / "mixture")
    done = zerosum("train", "--resume", run, "--set", "run.iterations=60", "--json")
    assert "trying an older checkpoint" in done.stderr
    assert report("evaluate", run / "mixture")["exploitability"] == pytest.approx(
        json.loads(done.stdout)["exploitability"], abs=1e-9
    )


@pytest.mark.slow
def test_networks_that_are_lost_are_not_learnt_anew_in_silence(tmp_path: Path) -> None:
    run = tmp_path / "run"
    train(run, "--set", "run.iterations=30")
    report("train", "--resume", run, "--set", "run.iterations=45")
    before = (run / "metrics.jsonl").read_bytes()
    min((run / "mixture").glob("networks-*")).unlink()
    done = zerosum("train", "--resume", run, "--set", "run.iterations=60", code=2)
    assert "no checkpoint has all the networks of its mixture; begin a new run" in done.stderr
    assert (run / "metrics.jsonl").read_bytes() == before


def test_no_checkpoint_that_can_be_read(tmp_path: Path) -> None:
    run = tmp_path / "run"
    train(run)
    for path in (run / "checkpoints").iterdir():
        path.write_bytes(b"nothing")
    done = zerosum("train", "--resume", run, code=2)
    assert "none of its checkpoints can be read; delete them to begin anew" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    """The system refuses files beyond a size, as a full disk would; the run ends with one line and can go on."""
    run = tmp_path / "run"
    wanted = train(tmp_path / "quiet")["weights_sha256"]
    train(run, "--set", "run.iterations=20")

    def no_large_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))

    command = [*ZEROSUM, "train", "--resume", str(run), "--set", "run.iterations=60", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=no_large_files)
    assert done.returncode == 2, done.stderr
    assert "cannot be written (File too large)" in done.stderr
    assert "Traceback" not in done.stderr
    assert not [path for path in run.rglob(".*") if path.is_file()]  # nothing half-written
    assert report("train", "--resume", run)["weights_sha256"] == wanted


@pytest.mark.slow
def test_settings_that_lost_a_section_are_noticed(tmp_path: Path) -> None:
    run = tmp_path / "run"
    train(run)
    text = (run / "settings.toml").read_text()
    (run / "settings.toml").write_text(text[: text.index("[average]")])
    said = zerosum("train", "--resume", run, "--set", "run.iterations=80", code=2).stderr
    assert "its checkpoint is of settings" in said
