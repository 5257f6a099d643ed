"""An outside program as a player: started, spoken to over a loopback connection, and never trusted.

A program that crashes, is late or does what it may not is noted, and folds (or checks where that is free) from there on
or for that once; the match goes on.
"""

from __future__ import annotations

import socket
import subprocess
import time
from typing import TYPE_CHECKING

from zerosum.errors import PolicyError, RuleError
from zerosum.games.holdem import CALL, FOLD
from zerosum.protocols.acpc import VERSION, match_state, parse_answer
from zerosum.protocols.command import command_words

if TYPE_CHECKING:
    from zerosum.native import HoldemHand

START_SECONDS = 20.0
ACTION_SECONDS = 10.0
LONGEST_LINE = 100_000


class AcpcProgram:
    """`COMMAND HOST PORT`, spoken to as the competition's dealer does."""

    def __init__(self, command: str, action_seconds: float = ACTION_SECONDS) -> None:
        self.name = f"acpc:{command}"
        self.action_seconds = action_seconds
        self.faults: list[str] = []
        self.told = ""
        self.rest = b""
        self.connection: socket.socket | None = None
        self.process: subprocess.Popen[bytes] | None = None
        self.words = command_words("acpc", command)

    def start(self) -> None:
        """Starts the program for a match; `close` ends it."""
        self.faults, self.told, self.rest = [], "", b""
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(0.1)
            try:
                self.process = subprocess.Popen(
                    [*self.words, "127.0.0.1", str(server.getsockname()[1])],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
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
        got = "nothing"
        try:
            greeting = self._read(max(0.1, end - time.monotonic())) if self.connection else ""
            got = repr(greeting[:40]) if greeting else got
        except (TimeoutError, ConnectionError):
            greeting = ""
        if not greeting.startswith("VERSION:2."):
            self.close()
            raise PolicyError(f"{self.name}: got {got}, wanted it to connect and say {VERSION}")

    def act(self, hand: HoldemHand, seat: int, number: int) -> int:
        """The program's action where it is to act."""
        state = match_state(hand, seat, number)
        self.tell(state)
        fallback = FOLD if hand.limits()[0] else CALL
        if self.connection is None:
            return fallback
        try:
            return parse_answer(self._answer(state, number), state, hand)
        except (TimeoutError, ConnectionError) as error:
            self._give_up(f"hand {number}: it {error}")
        except RuleError as error:
            self.faults.append(f"hand {number}: {error}")
        return fallback

    def _answer(self, state: str, number: int) -> str:
        """The line that answers a state; comments are passed over, answers to other states noted and passed over."""
        end = time.monotonic() + self.action_seconds
        while True:
            line = self._read(end - time.monotonic())
            if line.startswith(f"{state}:"):
                return line
            if line and line[0] not in "#;":
                self.faults.append(f"hand {number}: got {line[:80]!r}, wanted {state}: and an action")

    def finish(self, hand: HoldemHand, seat: int, number: int) -> None:
        """The hand is over; cards are shown where they were compared."""
        self.tell(match_state(hand, seat, number, shown=sum(not folded for folded in hand.folded) > 1))

    def tell(self, state: str) -> None:
        if self.connection is None or state == self.told:
            return
        self.told = state
        try:
            self.connection.sendall(f"{state}\r\n".encode())
        except OSError:
            self._give_up("it closed the connection")

    def _read(self, seconds: float) -> str:
        """The next line; raises where it is late, or where there is nobody any more."""
        assert self.connection is not None
        end = time.monotonic() + seconds
        while b"\n" not in self.rest:
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError("did not answer in time")
            if len(self.rest) > LONGEST_LINE:
                raise ConnectionError("sent a line without end")
            self.connection.settimeout(min(left, 0.2))
            try:
                more = self.connection.recv(65536)
            except TimeoutError:
                continue
            except OSError:
                more = b""
            if not more:
                raise ConnectionError("ended")
            self.rest += more
        line, _, self.rest = self.rest.partition(b"\n")
        return line.rstrip(b"\r").decode("utf-8", "replace")

    def _give_up(self, why: str) -> None:
        self.faults.append(why)
        self.close()

    def close(self) -> None:
        """Ends the connection and the program."""
        if self.connection is not None:
            self.connection.close()
            self.connection = None
        if self.process is None:
            return
        try:
            self.process.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
