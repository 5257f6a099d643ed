"""An outside program that speaks Botzone's protocol: started for every turn, or kept running where it asks for that."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import subprocess
import time
from typing import Any

from zerosum.errors import PolicyError
from zerosum.protocols.botzone import KEEP_RUNNING
from zerosum.protocols.command import command_words, end_program

LONGEST_OUTPUT = 1_000_000
MARK = KEEP_RUNNING.encode()


class FaultError(Exception):
    """The program crashed, was late, or said what is no answer."""


class BotzoneProgram:
    """`COMMAND`, spoken to as Botzone does: its first turn may take twice as long as the others."""

    def __init__(self, command: str, turn_seconds: float, *, one_shot: bool) -> None:
        self.name = command
        self.turn_seconds, self.one_shot = turn_seconds, one_shot
        self.words = command_words("judge", command)
        self.process: subprocess.Popen[bytes] | None = None
        self.starts = 0
        self.begin()

    def begin(self) -> None:
        """A new match: nothing was asked yet."""
        self.requests: list[Any] = []
        self.responses: list[Any] = []
        self.data: Any = ""
        self.kill()

    def ask(self, request: Any) -> Any:
        """The program's response to a request; raises FaultError where there is none."""
        self.requests.append(request)
        try:
            response = self._ask(request)
        except FaultError:
            self.kill()
            self.responses.append(None)
            raise
        self.responses.append(response)
        return response

    def _ask(self, request: Any) -> Any:
        seconds = self.turn_seconds
        if self.process is None or self.process.poll() is not None:
            self._launch()
            seconds *= 2
            told: Any = {"requests": self.requests, "responses": self.responses, "data": self.data}
            told |= {"time_limit": seconds, "memory_limit": 256}
        else:
            told = request
        return self._response(self._exchange(json.dumps(told).encode() + b"\n", seconds))

    def _launch(self) -> None:
        self.kill()
        self.starts += 1
        try:
            self.process = subprocess.Popen(
                self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        except OSError as error:
            raise PolicyError(f"{self.name}: cannot be started ({error.strerror})") from None

    def _exchange(self, line: bytes, seconds: float) -> bytes:
        """What it says until it ends or asks to be kept running; in one-shot mode it is ended after a line."""
        assert self.process is not None and self.process.stdin is not None and self.process.stdout is not None
        end, heard = time.monotonic() + seconds, b""
        try:
            self.process.stdin.write(line)
            self.process.stdin.flush()
        except OSError:
            raise FaultError("ended without an answer, wanted a response") from None
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while MARK not in heard or not heard.endswith(b"\n"):
                if not selector.select(max(0.0, end - time.monotonic())):
                    raise FaultError("did not answer in time")
                more = os.read(self.process.stdout.fileno(), 65536)
                heard += more
                if len(heard) > LONGEST_OUTPUT:
                    raise FaultError("said too much")
                if not more or (self.one_shot and b"\n" in heard):
                    self.kill()
                    break
        return heard

    def _response(self, heard: bytes) -> Any:
        line = next((part for part in heard.splitlines() if part.strip()), b"")
        try:
            told = json.loads(line)
            response = told["response"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise FaultError(f"said {line[:60].decode('utf-8', 'replace')!r}, wanted a response") from None
        self.data = told.get("data", "")
        return response

    def kill(self) -> None:
        """Ends the process, if there is one, and what it has started."""
        if self.process is not None:
            end_program(self.process)
            for pipe in (self.process.stdin, self.process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
            self.process = None
