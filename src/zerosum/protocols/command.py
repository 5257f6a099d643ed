"""An outside program: its command line, and its end."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
from typing import TYPE_CHECKING

from zerosum.errors import PolicyError

if TYPE_CHECKING:
    import subprocess


def command_words(kind: str, command: str) -> list[str]:
    """The words of COMMAND in `KIND:COMMAND`."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise PolicyError(f"{kind}:{command}: {error}") from None
    if not words:
        raise PolicyError(f"{kind}: got no command, wanted {kind}:COMMAND")
    return words


def end_program(process: subprocess.Popen[bytes]) -> None:
    """Ends a program that was started in a session of its own, whether it still runs or not, and all it has started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
