"""Runs the commands a user types, in a process of their own.

Most are forked from one that has imported PyTorch already, which takes longer than what they do; those that start
others themselves, or are given an environment, begin from nothing.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import runpy
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

SECONDS = 300.0
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["torch", "zerosum.cli.main", "zerosum.native"])
WRITE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
ZEROSUM = (sys.executable, "-m", "zerosum")


def zerosum(
    *arguments: str | Path,
    code: int = 0,
    stdin: str = "",
    env: dict[str, str] | None = None,
    seconds: float = SECONDS,
) -> subprocess.CompletedProcess[str]:
    """Runs `zerosum ...` and checks its exit code."""
    words = [str(word) for word in arguments]
    if env is None and not {"--cluster", "cluster"} & set(words):
        done = _forked(words, stdin, seconds)
    else:
        done = subprocess.run(
            [*ZEROSUM, *words], input=stdin, capture_output=True, text=True, timeout=seconds, check=False, env=env
        )
    assert done.returncode == code, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


def _forked(words: list[str], stdin: str, seconds: float) -> subprocess.CompletedProcess[str]:
    with tempfile.TemporaryDirectory() as folder:
        streams = [Path(folder) / name for name in ("in", "out", "err")]
        streams[0].write_text(stdin)
        process = FORKS.Process(target=_run, args=(words, [str(stream) for stream in streams], str(Path.cwd())))
        process.start()
        process.join(seconds)
        if process.exitcode is None:
            process.kill()
            raise subprocess.TimeoutExpired(words, seconds)
        return subprocess.CompletedProcess(words, process.exitcode, streams[1].read_text(), streams[2].read_text())


def _run(words: list[str], streams: list[str], folder: str) -> None:
    """`python -m zerosum`, with files for the three streams."""
    for number, (path, flags) in enumerate(zip(streams, (os.O_RDONLY, WRITE, WRITE), strict=True)):
        os.dup2(os.open(path, flags, 0o600), number)
    sys.stdin, sys.stdout, sys.stderr = (open(number, mode) for number, mode in enumerate("rww"))  # noqa: PTH123, SIM115
    os.chdir(folder)
    sys.argv = ["zerosum", *words]
    runpy.run_module("zerosum", run_name="__main__", alter_sys=True)


def report(*arguments: str | Path, code: int = 0, seconds: float = SECONDS) -> dict[str, Any]:
    """The one JSON object that a command with --json prints; nothing else may stand on stdout."""
    found = json.loads(zerosum(*arguments, "--json", code=code, seconds=seconds).stdout)
    assert isinstance(found, dict)
    return found


def refusal(*arguments: str | Path) -> str:
    """The one line with which a command refuses bad input, on stderr, with exit code 2 and nothing on stdout."""
    done = zerosum(*arguments, code=2)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr.strip()


def started(*arguments: str | Path, until: Path) -> subprocess.Popen[str]:
    """`zerosum ...` under way: returns once it has made a file, or has ended without."""
    command = [*ZEROSUM, *map(str, arguments)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not until.exists():
        time.sleep(0.01)
    return process
