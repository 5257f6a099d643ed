"""A seat at an ACPC table that someone on the other end of a connection fills, and who is never trusted.

Who crashes, is late or does what it may not is noted, and folds (or checks where that is free) from there on or for
that once; the match goes on.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from zerosum.errors import PolicyError, RuleError
from zerosum.games.holdem import CALL, FOLD
from zerosum.protocols.acpc import VERSION, match_state, parse_answer

if TYPE_CHECKING:
    import socket

    from zerosum.native import HoldemHand

ACTION_SECONDS = 10.0
LONGEST_LINE = 100_000


class AcpcSeat:
    """Spoken to as the competition's dealer does."""

    def __init__(self, name: str, action_seconds: float = ACTION_SECONDS) -> None:
        self.name = name
        self.action_seconds = action_seconds
        self.connection: socket.socket | None = None
        self.begin()

    def begin(self) -> None:
        """Nothing was said yet."""
        self.faults: list[str] = []
        self.told = ""
        self.rest = b""

    def greet(self, seconds: float) -> None:
        """Waits for the version that begins a conversation."""
        got = "nothing"
        try:
            greeting = self._read(seconds) if self.connection else ""
            got = repr(greeting[:40]) if greeting else got
        except (TimeoutError, ConnectionError):
            greeting = ""
        if not greeting.startswith("VERSION:2."):
            self.close()
            raise PolicyError(f"{self.name}: got {got}, wanted it to connect and say {VERSION}")

    def act(self, hand: HoldemHand, seat: int, number: int) -> int:
        """Its action where it is to act."""
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
        """Ends the connection."""
        if self.connection is not None:
            self.connection.close()
            self.connection = None
