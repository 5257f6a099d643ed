"""Runs the commands a user types, in a process of their own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

ZEROSUM = (sys.executable, "-m", "zerosum")


def zerosum(
    *arguments: str | Path, code: int = 0, stdin: str = "", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs `zerosum ...` and checks its exit code."""
    command = [*ZEROSUM, *map(str, arguments)]
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=300, check=False, env=env)
    assert done.returncode == code, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


def report(*arguments: str | Path) -> dict[str, Any]:
    """The one JSON object that a command with --json prints; nothing else may stand on stdout."""
    found = json.loads(zerosum(*arguments, "--json").stdout)
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
