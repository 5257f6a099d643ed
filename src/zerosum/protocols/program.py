"""An outside program as a player: started, and spoken to over a loopback connection."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import time

from zerosum.errors import PolicyError
from zerosum.protocols.acpc_seat import ACTION_SECONDS, AcpcSeat
from zerosum.protocols.command import command_words, end_program

START_SECONDS = 20.0


class AcpcProgram(AcpcSeat):
    """`COMMAND HOST PORT`, spoken to as the competition's dealer does."""

    def __init__(self, command: str, action_seconds: float = ACTION_SECONDS) -> None:
        super().__init__(f"acpc:{command}", action_seconds)
        self.process: subprocess.Popen[bytes] | None = None
        self.words = command_words("acpc", command)

    def start(self) -> None:
        """Starts the program for a match; `close` ends it."""
        self.begin()
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(0.1)
            try:
                self.process = subprocess.Popen(
                    [*self.words, "127.0.0.1", str(server.getsockname()[1])],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    start_new_session=True,
                )
            except OSError as error:
                raise PolicyError(f"{self.name}: cannot be started ({error.strerror})") from None
            self._accept(server, self.process)

    def _accept(self, server: socket.socket, process: subprocess.Popen[bytes]) -> None:
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and process.poll() is None:
            try:
                self.connection, _ = server.accept()
                self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                break
            except TimeoutError:
                continue
        self.greet(max(0.1, end - time.monotonic()))

    def close(self) -> None:
        """Ends the connection, the program and what it has started."""
        super().close()
        if self.process is None:
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=1.0)
        end_program(self.process)
        self.process = None
