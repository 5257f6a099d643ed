"""`zerosum train`, `runs` and `report` as a user types them: determinism, kills, damage, and what is refused."""

from __future__ import annotations

import json
import os
import pty
import resource
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from e2e.command import ZEROSUM, refusal, report, zerosum
from zerosum.learn.presets import load_settings, preset_names
from zerosum.runs.directory import RunDirectory

SMALL = ("--set", "run.iterations=60", "--set", "run.evaluate_every=20", "--set", "advantage.steps=10")


def train(run: Path, *more: str | Path, preset: str = "leduc-sdcfr") -> dict[str, Any]:
    return report("train", preset, *SMALL, "--out", run, *more)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A small run that nobody disturbed; tests must not change it."""
    run = tmp_path_factory.mktemp("runs") / "quiet"
    return run, train(run, "--set", "strategy.train=true", "--set", "strategy.every=20")


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


def killed_at_random(run: Path, kills: int, seed: int) -> dict[str, Any]:
    """Starts a run, kills it at random moments so many times, and lets it end."""
    luck = np.random.default_rng(seed)
    options = ("--set", "strategy.train=true", "--set", "strategy.every=20", "--set", "run.checkpoint_seconds=0.05")
    command: list[str | Path] = ["train", "leduc-sdcfr", *SMALL, *options, "--out", run]
    done = 0
    while done < kills:
        process = subprocess.Popen([*ZEROSUM, *map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while process.poll() is None and not (run / "settings.toml").exists():
            time.sleep(0.01)
        time.sleep(float(luck.random()) * 1.5)
        process.send_signal(signal.SIGKILL)
        _, told = process.communicate()
        assert process.returncode in (0, -signal.SIGKILL), told
        command = ["train", "--resume", run]
        done += 1
    return report(*command)


def test_a_killed_run_ends_as_if_never_killed(tmp_path: Path, finished: tuple[Path, dict[str, Any]]) -> None:
    _check_killed(tmp_path / "run", finished, 3)


@pytest.mark.slow
def test_a_run_killed_twenty_times_ends_as_if_never_killed(
    tmp_path: Path, finished: tuple[Path, dict[str, Any]]
) -> None:
    for seed in range(4):
        _check_killed(tmp_path / f"run{seed}", finished, 5, seed)


def _check_killed(run: Path, finished: tuple[Path, dict[str, Any]], kills: int, seed: int = 9) -> None:
    quiet, wanted = finished
    found = killed_at_random(run, kills, seed)
    assert found["weights_sha256"] == wanted["weights_sha256"]
    rows = [[json.loads(line) for line in (one / "metrics.jsonl").read_text().splitlines()] for one in (run, quiet)]
    keys = ("iteration", "nodes", "exploitability", "losses", "buffers", "distance")
    assert [[row[key] for key in keys] for row in rows[0]] == [[row[key] for key in keys] for row in rows[1]]
    mixture = report("evaluate", run / "mixture")
    assert mixture["exploitability"] == pytest.approx(found["policies"]["mixture"], abs=1e-9)


def test_ctrl_c_saves_and_leaves(tmp_path: Path) -> None:
    run = tmp_path / "run"
    command = [*ZEROSUM, "train", "leduc-sdcfr", "--set", "run.iterations=100000", "--out", str(run), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not (run / "settings.toml").exists():
        time.sleep(0.05)
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
    command = [*ZEROSUM, "train", "leduc-sdcfr", *long, "--out", str(run), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not (run / "settings.toml").exists():
        time.sleep(0.05)
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "zerosum train: interrupted" in told


def test_a_terminal_shows_a_live_view(tmp_path: Path) -> None:
    mine, its = pty.openpty()
    command = [*ZEROSUM, "train", "leduc-sdcfr", *SMALL, "--out", str(tmp_path / "run"), "--json"]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=its, env=environment)
    os.close(its)
    shown = b""
    while True:
        try:
            part = os.read(mine, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    assert process.wait(timeout=60) == 0
    os.close(mine)
    assert process.stdout is not None
    assert json.loads(process.stdout.read())["finished"]
    process.stdout.close()
    text = shown.decode()
    for wanted in ("iteration", "nodes/s", "samples/s", "batches/s", "losses", "buffers", "memory", "time left"):
        assert wanted in text


def test_limits(tmp_path: Path) -> None:
    nodes = report("train", "leduc-sdcfr", "--set", "run.nodes=20_000", "--out", tmp_path / "nodes")
    assert 10_000 < nodes["nodes"] <= 20_000
    target = train(tmp_path / "target", "--set", "run.target=2.0")
    assert target["iterations"] == 20
    minutes = report("train", "leduc-sdcfr", "--minutes", "0.02", "--out", tmp_path / "minutes")
    assert 1.2 <= minutes["seconds"] < 10


@pytest.mark.parametrize("preset", preset_names())
def test_every_preset_trains(tmp_path: Path, preset: str) -> None:
    fast = ["--set", "run.iterations=3", "--set", "walks.per_player=240", "--set", "buffer.start_rows=10"]
    fast += ["--set", "walks.warm_up=0", "--set", "strategy.every=1", "--set", "run.evaluate_every=1"]
    found = report(
        "train", preset, *fast, "--set", "advantage.steps=2", "--set", "strategy.steps=2", "--out", tmp_path / "run"
    )
    assert found["iterations"] == 3
    assert report("evaluate", tmp_path / "run")["exploitability"] == pytest.approx(found["exploitability"])


def test_presets_hold_what_is_promised() -> None:
    assert set(preset_names()) >= {"kuhn-sdcfr", "leduc-sdcfr", "leduc-deepcfr", "leduc-nfsp", "leduc-paper"}
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


@pytest.mark.slow
def test_a_stop_does_not_change_where_a_target_is_reached(tmp_path: Path) -> None:
    target = ("--set", "run.target=0.25", "--set", "run.evaluate_every=20", "--set", "run.iterations=400")
    whole = report("train", "leduc-sdcfr", *target, "--out", tmp_path / "whole")
    assert whole["iterations"] % 20 == 0
    run = tmp_path / "run"
    report("train", "leduc-sdcfr", *target, "--set", f"run.iterations={whole['iterations'] - 7}", "--out", run)
    found = report("train", "--resume", run, "--set", "run.iterations=400")
    assert found["weights_sha256"] == whole["weights_sha256"]


def test_deep_cfr_ends_with_a_network_of_its_last_iteration(tmp_path: Path) -> None:
    few = ("--set", "run.iterations=7", "--set", "strategy.steps=20")
    found = report("train", "leduc-deepcfr", *few, "--out", tmp_path / "run")
    assert list(found["policies"]) == ["strategy", "mixture"]
    assert report("evaluate", tmp_path / "run")["exploitability"] == pytest.approx(found["policies"]["strategy"])
    further = report("train", "--resume", tmp_path / "run", "--set", "run.iterations=9")
    whole = report("train", "leduc-deepcfr", *few, "--set", "run.iterations=9", "--out", tmp_path / "whole")
    assert further["weights_sha256"] == whole["weights_sha256"]


@pytest.mark.slow
def test_a_run_that_is_stopped_at_once_can_go_on(tmp_path: Path) -> None:
    for preset in ("kuhn-sdcfr", "leduc-nfsp"):
        run = tmp_path / preset
        nothing = report("train", preset, "--minutes", "0", "--out", run)
        assert nothing["iterations"] == 0
        assert report("train", "--resume", run, "--minutes", "1", "--set", "run.iterations=2")["iterations"] == 2


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


def test_without_a_terminal_rows_are_json_lines(tmp_path: Path) -> None:
    done = zerosum("train", "leduc-sdcfr", *SMALL, "--out", tmp_path / "run")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["iteration"] for row in rows[:-1]] == [20, 40, 60]
    assert rows[-1]["finished"]


def test_runs_are_listed(finished: tuple[Path, dict[str, Any]]) -> None:
    run, found = finished
    told = zerosum("runs", run.parent).stdout
    assert "quiet" in told
    assert "finished" in told
    listed = report("runs", run.parent)["runs"]
    assert listed[0]["exploitability"] == found["exploitability"]
    assert listed[0]["state"] == "finished"
    assert "not a directory, wanted one with runs in it" in refusal("runs", run / "nowhere")


def test_a_report_is_one_page_with_everything_in_it(tmp_path: Path, finished: tuple[Path, dict[str, Any]]) -> None:
    run, _ = finished
    page = tmp_path / "report.html"
    zerosum("solve", "leduc", "--iterations", "50", "--out", tmp_path / "solve")
    zerosum("report", run, tmp_path / "solve", "--out", page)
    text = page.read_text()
    for wanted in (
        "<svg",
        "Exploitability",
        "Losses",
        "batches/s",
        "Rows stored",
        "[walks]",
        "total variation",
        "cfr+",
    ):
        assert wanted in text
    assert "src=" not in text.replace("xmlns", "")
    assert "holds no run" in refusal("report", tmp_path / "nothing", "--out", page)
    assert "wanted .html" in refusal("report", run, "--out", tmp_path / "report.pdf")


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


def test_training_says_what_is_missing_without_pytorch(tmp_path: Path) -> None:
    blocked = tmp_path / "torch.py"
    blocked.write_text("raise ImportError\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [*ZEROSUM, "train", "kuhn-sdcfr", "--out", str(tmp_path / "run")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "zerosum train: PyTorch is not installed, wanted the extra 'train'\n"


@pytest.mark.slow
def test_two_processes_do_not_train_one_run(tmp_path: Path) -> None:
    run = tmp_path / "run"
    command = [*ZEROSUM, "train", "leduc-sdcfr", "--set", "run.iterations=100000", "--out", str(run), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not (run / "metrics.jsonl").exists():
        time.sleep(0.05)
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


@pytest.mark.slow
def test_settings_that_lost_a_section_are_noticed(tmp_path: Path) -> None:
    run = tmp_path / "run"
    train(run)
    text = (run / "settings.toml").read_text()
    (run / "settings.toml").write_text(text[: text.index("[average]")])
    said = zerosum("train", "--resume", run, "--set", "run.iterations=80", code=2).stderr
    assert "its checkpoint is of settings" in said


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
