"""How a run is seen: the live table, JSON lines, `zerosum runs` and `zerosum report`."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from typing import TYPE_CHECKING, Any

from e2e.command import ZEROSUM, refusal, report, zerosum
from e2e.training import SMALL

if TYPE_CHECKING:
    from pathlib import Path


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
