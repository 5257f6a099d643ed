"""The command line as a user meets it."""

from __future__ import annotations

import csv
import json
import os
import pty
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from e2e.command import ZEROSUM, refusal, report, zerosum
from zerosum.games.catalog import GAMES

if TYPE_CHECKING:
    from pathlib import Path

SOLVE_KEYS = [
    "game",
    "algorithm",
    "iterations",
    "value",
    "exploitability",
    "nash_conv",
    "seconds",
    "iterations_per_second",
    "infosets",
    "nodes",
]


def test_games() -> None:
    names = [entry["name"] for entry in report("games")["games"]]
    assert names == sorted(GAMES)
    assert {"kuhn", "leduc", "liars-dice", "openspiel"} <= set(names)
    text = zerosum("games").stdout
    assert "ranks=3,suits=2,raises=2,small_bet=2,big_bet=4,ante=1" in text


def test_solve_json() -> None:
    found = report("solve", "leduc", "--algorithm", "pdcfr+", "--iterations", "20000")
    assert list(found) == SOLVE_KEYS
    assert found["game"] == "leduc"
    assert found["algorithm"] == "pdcfr+"
    assert found["iterations"] == 20_000
    assert found["value"] == pytest.approx([-0.085606424078, 0.085606424078], abs=1e-6)
    assert found["exploitability"] == found["nash_conv"] / 2 < 1e-5
    assert (found["infosets"], found["nodes"]) == (936, 9_457)
    assert found["seconds"] > 0
    assert found["iterations_per_second"] > 0


def test_solve_in_words() -> None:
    text = zerosum("solve", "kuhn:cards=4", "--target", "0.001").stdout
    assert text.splitlines()[0].split()[:3] == ["game", "algorithm", "iterations"]
    assert "kuhn:cards=4" in text
    late = zerosum("solve", "kuhn", "--target", "1e-9", "--iterations", "10", "--algorithm", "cfr").stdout
    assert "the target of 1e-09 was not reached in 10 iterations" in late


@pytest.mark.parametrize("algorithm", ["external", "outcome", "pcs"])
def test_sampled_solves_ignore_threads(algorithm: str) -> None:
    runs = [
        report("solve", "leduc", "--algorithm", algorithm, "--iterations", "500", "--seed", "9", "--threads", threads)
        for threads in ("1", "2", "5")
    ]
    assert runs[0]["exploitability"] == runs[1]["exploitability"] == runs[2]["exploitability"]


def test_solve_openspiel() -> None:
    found = report("solve", "openspiel:leduc_poker(players=2)", "--iterations", "1000")
    assert found["game"] == "openspiel:leduc_poker(players=2)"
    assert found["value"][0] == pytest.approx(-0.0856, abs=1e-3)


def test_policy_round_trip(tmp_path: Path) -> None:
    out = tmp_path / "run"
    solved = report("solve", "kuhn", "--algorithm", "pcfr+", "--out", out)
    for place in (out, out / "policy"):
        measured = report("evaluate", place)
        for key in ("game", "algorithm", "iterations", "value", "exploitability", "nash_conv", "infosets", "nodes"):
            assert measured[key] == solved[key]
    words = zerosum("show", out).stdout
    assert "holding K, facing a bet: fold 0.000, call 1.000" in words
    assert words.count("holding") == 12
    assert zerosum("show", out, "--infoset", "facing a bet after passing").stdout.count("holding") == 3
    assert zerosum("show", out, "--infoset", "K:b").stdout.count("holding") == 1
    rows = list(csv.DictReader(zerosum("show", out, "--csv").stdout.splitlines()))
    assert len(rows) == 24
    assert list(rows[0]) == ["player", "key", "situation", "action", "probability"]
    shown = report("show", out)
    assert shown["game"] == "kuhn"
    assert len(shown["infosets"]) == 12
    king = next(row for row in shown["infosets"] if row["key"] == "K:b")
    assert king["actions"]["call"] == pytest.approx(1.0, abs=1e-4)
    assert "exploitability" in zerosum("evaluate", out).stdout
    assert "wanted one for leduc" in refusal("evaluate", out, "--game", "leduc")


def test_plots(tmp_path: Path) -> None:
    for name, start in (("curve.svg", b"<?xml"), ("curve.png", b"\x89PNG")):
        zerosum("solve", "kuhn", "--iterations", "50", "--plot", tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "khun"], "zerosum solve: unknown game 'khun'; did you mean kuhn?"),
        (["solve", "kuhn", "--algorithm", "cfr++"], "unknown algorithm 'cfr++'; did you mean cfr+?"),
        (["solve", "kuhn:cards=99"], "kuhn: cards: got 99, wanted 2 to 13"),
        (["solve", "kuhn", "--iterations", "-5"], "iterations: got -5, wanted at least 1"),
        (["solve", "kuhn", "--iterations", "many"], "got 'many', wanted a whole number"),
        (["solve", "kuhn", "--target", "0"], "target: got 0.0, wanted an exploitability above 0"),
        (["solve", "kuhn", "--threads", "0"], "threads: got 0"),
        (["solve", "kuhn", "--seed", "-1"], "seed: got -1"),
        (["solve", "kuhn", "--plot", "curve.pdf"], "curve.pdf: got a plot file ending in '.pdf', wanted .svg or .png"),
        (["solve"], "got no GAME, wanted one"),
        (["solve", "liars-dice:dice=5"], "the tree has about"),
        (["solve", "openspiel:blotto(coins=3)", "--nonsense"], "unrecognized arguments: --nonsense"),
        (["solve", "openspiel:tiny_hanabi"], "not zero-sum"),
        (["solve", "openspiel:pig"], "openspiel:pig"),
        (["solve", "openspiel:no_such"], "openspiel:no_such: unknown game; known: 2048,"),
        (["solve", "openspiel:leduc_pokr"], "openspiel:leduc_pokr: unknown game; did you mean leduc_poker?"),
        (["solve", "openspiel:leduc_poker(players=99)"], "openspiel:leduc_poker(players=99): "),
        (["evaluate", "nowhere"], "nowhere: no such directory"),
        (["show", "nowhere"], "nowhere: no such directory"),
        (["frobnicate"], "invalid choice: 'frobnicate'"),
        ([], "required: VERB"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert message in refusal(*arguments)
    assert list(tmp_path.iterdir()) == []  # nothing half-written


def test_a_game_that_fails_leaves_no_run(tmp_path: Path) -> None:
    refusal("solve", "openspiel:tiny_hanabi", "--out", tmp_path / "run")
    refusal("solve", "kuhn", "--iterations", "0", "--out", tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_show_without_a_match(tmp_path: Path) -> None:
    zerosum("solve", "kuhn", "--iterations", "5", "--out", tmp_path / "run")
    assert "no situation matches 'ace'; they read like" in refusal("show", tmp_path / "run", "--infoset", "ace")


def test_unwritable_places(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "cannot be written" in refusal("solve", "kuhn", "--out", tmp_path / "file" / "run")
    assert "cannot be written" in refusal("solve", "kuhn", "--plot", tmp_path / "file" / "curve.svg")
    assert "cannot be written" in refusal("demo", "--out", tmp_path / "file" / "demo")


def test_runs_are_not_overwritten(tmp_path: Path) -> None:
    zerosum("solve", "kuhn", "--iterations", "5", "--out", tmp_path / "run")
    before = sorted((path, path.stat().st_mtime_ns) for path in (tmp_path / "run").rglob("*"))
    assert "holds a run already" in refusal("solve", "leduc", "--out", tmp_path / "run")
    assert before == sorted((path, path.stat().st_mtime_ns) for path in (tmp_path / "run").rglob("*"))


@pytest.mark.parametrize("algorithm", ["dcfr", "pdcfr+", "external", "outcome", "pcs"])
def test_resume_gives_the_same_bits(tmp_path: Path, algorithm: str) -> None:
    common = ("--algorithm", algorithm, "--seed", "4")
    whole = report("solve", "leduc", *common, "--iterations", "777", "--out", tmp_path / "whole")
    report("solve", "leduc", *common, "--iterations", "333", "--out", tmp_path / "parts")
    resumed = report("solve", "leduc", "--resume", tmp_path / "parts", "--iterations", "777")
    assert resumed["exploitability"] == whole["exploitability"]
    assert resumed["algorithm"] == algorithm
    shown = [zerosum("show", tmp_path / name, "--csv").stdout for name in ("whole", "parts")]
    assert shown[0] == shown[1]


def test_resume_refuses_what_does_not_fit(tmp_path: Path) -> None:
    run = tmp_path / "run"
    zerosum("solve", "kuhn", "--algorithm", "dcfr", "--iterations", "5", "--out", run)
    assert "a run with game kuhn, got game leduc" in refusal("solve", "leduc", "--resume", run)
    assert "a run with algorithm dcfr, got algorithm cfr" in refusal("solve", "--resume", run, "--algorithm", "cfr")
    assert "holds no run to resume" in refusal("solve", "kuhn", "--resume", tmp_path / "nothing")
    for text, message in (
        ('game = "leduc"\nalgorithm = "dcfr"\n', "its checkpoint is of game kuhn, its settings of leduc"),
        ('game = "kuhn"\nalgorithm = "cfr"\n', "its checkpoint is of algorithm dcfr, its settings of cfr"),
        ('game = "kuhn"\nalgorithm = "dcfr"\nseeed = 0\n', "unknown setting seeed; did you mean seed?"),
        ('game = "kuhn"\n', "algorithm is missing"),
        ("", "game is missing"),
        ("nonsense", "not readable settings"),
    ):
        (run / "settings.toml").write_text(text)
        assert message in refusal("solve", "--resume", run)


@pytest.mark.parametrize("damage", ["cut", "flip"])
def test_a_damaged_checkpoint_is_refused(tmp_path: Path, damage: str) -> None:
    run = tmp_path / "run"
    zerosum("solve", "kuhn", "--iterations", "200", "--out", run)
    checkpoint = next((run / "checkpoints").iterdir())
    data = bytearray(checkpoint.read_bytes())
    data[-40] ^= 1
    checkpoint.write_bytes(data[:-1] if damage == "cut" else data)
    assert "not a readable checkpoint" in refusal("solve", "--resume", run, "--iterations", "300")


def test_damaged_metrics_do_not_matter(tmp_path: Path) -> None:
    run = tmp_path / "run"
    zerosum("solve", "kuhn", "--iterations", "20", "--out", run)
    with (run / "metrics.jsonl").open("ab") as file:
        file.write(b'5\n[]\nnull\n{}\n{"iteration": "x"}\n\xff\xfe\n' + b"[" * 100_000 + b'\n{"iteration": 3, "exp')
    assert report("solve", "--resume", run, "--iterations", "30")["iterations"] == 30
    zerosum("solve", "--resume", run, "--iterations", "40", "--plot", tmp_path / "curve.svg")


def test_a_target_is_met_at_the_same_iteration_after_a_kill(tmp_path: Path) -> None:
    whole = report("solve", "leduc", "--algorithm", "external", "--target", "0.05")
    part = whole["iterations"] // 3
    report("solve", "leduc", "--algorithm", "external", "--iterations", str(part), "--out", tmp_path / "run")
    resumed = report("solve", "--resume", tmp_path / "run", "--target", "0.05")
    assert (resumed["iterations"], resumed["exploitability"]) == (whole["iterations"], whole["exploitability"])


def test_resume_goes_on_to_the_limits_it_was_begun_with(tmp_path: Path) -> None:
    run = tmp_path / "a run"
    zerosum("solve", "kuhn", "--algorithm", "external", "--iterations", "333", "--out", run)
    assert "nothing to do: the run is past 25" in zerosum("solve", "--resume", run, "--iterations", "25").stdout
    assert report("evaluate", run)["iterations"] == 333
    assert report("solve", "--resume", run)["iterations"] == 333


def test_a_refused_command_leaves_nothing_behind(tmp_path: Path) -> None:
    for wrong in (("--threads", "0"), ("--seed", "-1"), ("--iterations", "0"), ("--plot", "x.pdf")):
        refusal("solve", "kuhn", "--out", tmp_path / "run", *wrong)
    refusal("solve", "nonsense", "--plot", tmp_path / "new" / "curve.svg")
    for empty in (("solve", "kuhn", "--out", ""), ("solve", "--resume", ""), ("evaluate", ""), ("show", "")):
        assert "wanted" in refusal(*empty)
    assert list(tmp_path.iterdir()) == []


def test_a_perfect_policy_can_be_drawn(tmp_path: Path) -> None:
    """Nothing is above zero here, so a logarithm has nothing to show."""
    zerosum("solve", "leduc:raises=0", "--iterations", "5", "--plot", tmp_path / "curve.svg")
    assert report("solve", "leduc:raises=0", "--iterations", "5")["exploitability"] == 0.0


def test_output_that_cannot_be_written() -> None:
    for words in ("games", "bot greedy --protocol gomocup", "bot gomoku-15x15 --protocol botzone"):
        command = f"printf 'START 15\\nBEGIN\\n' | {sys.executable} -m zerosum {words} > /dev/full"
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
        assert done.returncode == 2
        told = f"zerosum {words.split()[0]}: the output cannot be written (No space left on device)"
        assert done.stderr.splitlines()[-1] == told


@pytest.mark.parametrize(
    "words", ["play holdem --hands 1", "play gomoku:size=6,line=4", "bot greedy --protocol gomocup"]
)
def test_a_standard_input_that_is_closed(words: str) -> None:
    command = f"{sys.executable} -m zerosum {words} <&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    verb = words.split(maxsplit=1)[0]
    assert done.stderr == f"zerosum {verb}: got a standard input that is closed, wanted someone who speaks\n"


def test_openspiels_python_games() -> None:
    assert report("solve", "openspiel:python_kuhn_poker", "--iterations", "50")["infosets"] == 12


@pytest.mark.parametrize(
    ("algorithm", "how"), [("cfr+", signal.SIGKILL), ("external", signal.SIGKILL), ("dcfr", signal.SIGINT)]
)
def test_killed_and_resumed(tmp_path: Path, algorithm: str, how: signal.Signals) -> None:
    """A solve that is killed goes on from its checkpoint and ends with the bits of one that was not."""
    command = ("solve", "leduc", "--algorithm", algorithm, "--iterations", "100000000", "--out", str(tmp_path / "run"))
    with subprocess.Popen([*ZEROSUM, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        while not list((tmp_path / "run").glob("checkpoints/*.safetensors")) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(how)
        output, errors = process.communicate(timeout=60)
    if how == signal.SIGINT:
        assert process.returncode == 130, errors
        assert "stopped early; go on with --resume" in output
        assert "Traceback" not in errors
        assert report("evaluate", tmp_path / "run")["exploitability"] < 0.01
    reached = max(int(path.stem) for path in (tmp_path / "run" / "checkpoints").glob("*.safetensors"))
    assert 0 < reached < 100_000_000
    wanted = reached + 1234
    resumed = report("solve", "leduc", "--resume", tmp_path / "run", "--iterations", str(wanted))
    whole = report("solve", "leduc", "--algorithm", algorithm, "--iterations", str(wanted))
    assert resumed["iterations"] == wanted
    assert resumed["exploitability"] == whole["exploitability"]


def test_progress_is_live_on_a_terminal_and_never_on_stdout() -> None:
    leader, follower = pty.openpty()
    command = [*ZEROSUM, "solve", "leduc", "--iterations", "60000", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=follower, text=True) as process:
        os.close(follower)
        seen = b""
        while True:
            try:
                chunk = os.read(leader, 65536)
            except OSError:
                break
            if not chunk:
                break
            seen += chunk
        output, _ = process.communicate()
    os.close(leader)
    assert b"leduc cfr+" in seen
    assert b"exploitability" in seen
    assert json.loads(output)["iterations"] == 60_000


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    zerosum("solve", "leduc", "--iterations", "5", "--out", tmp_path / "run")
    command = f"{sys.executable} -m zerosum show {tmp_path / 'run'} | head -n 1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_demo(tmp_path: Path) -> None:
    text = zerosum("demo", "--out", tmp_path, "--minutes", "0.05").stdout
    assert text.count("kuhn") >= 3
    assert text.count("leduc") >= 4
    assert (tmp_path / "convergence.svg").read_bytes().startswith(b"<?xml")
    assert "its C++ bot  call" in text
    assert "the bot" in text
    page = (tmp_path / "report.html").read_text()
    assert "leduc-sdcfr" in page
    assert "its C++ bot" in page


def test_help_imports_nothing_heavy() -> None:
    code = "import sys, zerosum.cli.main as m\ntry: m.main(['--help'])\nexcept SystemExit: pass\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "zerosum.cli.solve" in loaded
    assert not loaded & {"numpy", "torch", "rich", "matplotlib", "safetensors", "zerosum.native._core"}


def test_threads_that_wait_sleep_soon_unless_someone_says_otherwise() -> None:
    asked: tuple[tuple[dict[str, str], str], ...] = (
        ({}, "passive"),
        ({"GOMP_SPINCOUNT": "7"}, "None"),
        ({"OMP_WAIT_POLICY": "active"}, "active"),
    )
    look = "import os, sys; assert 'torch' not in sys.modules; print(os.environ.get('OMP_WAIT_POLICY'))"
    script = f"import zerosum.cli.main as m; m.VERBS[0].run = lambda _: exec({look!r})"
    rest = {key: value for key, value in os.environ.items() if key not in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")}
    for own, wanted in asked:
        env = {**rest, **own}
        done = subprocess.run(
            [sys.executable, "-c", f"{script}; m.main(['games'])"], env=env, capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == wanted
