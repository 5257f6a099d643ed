"""An outside Gomocup brain as a player: started, spoken to over its pipes, and never trusted."""

from __future__ import annotations

import contextlib
import os
import re
import select
import selectors
import shutil
import subprocess
import time
from typing import TYPE_CHECKING, NoReturn

from zerosum.errors import PolicyError
from zerosum.protocols.command import command_words, end_program
from zerosum.protocols.gomocup_limits import LINE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from zerosum.games.gomoku import Gomoku

START_SECONDS = 20.0
LEAVE_SECONDS = 1.0
LONGEST_LINE = 100_000
UNLIMITED = 2**31 - 1  # milliseconds of a match, as managers say it
UNASKED = 100  # pieces of 64 kB that are thrown away before a question
CHATTER = ("MESSAGE", "DEBUG", "UNKNOWN", "ERROR")


class FaultError(Exception):
    """The program crashed, was late or did what it may not; its game is lost."""


class GomocupProgram:
    """`COMMAND`, spoken to as Gomocup's manager does. A program that gave up is started again for the next game."""

    def __init__(self, command: str, turn_seconds: float, grace_seconds: float) -> None:
        self.name = f"gomocup:{command}"
        self.turn_seconds, self.grace_seconds = turn_seconds, grace_seconds
        self.process: subprocess.Popen[bytes] | None = None
        self.rest = b""
        self.said = ""  # UNKNOWN and what, since it was asked
        self.known: list[int] | None = None  # the moves it knows of
        self.game: Gomoku | None = None
        self.words = command_words("gomocup", command)

    def check(self, game: Gomoku) -> None:
        """Refuses a game that the protocol has no words for, and a command that is no program. Whatever a program does
        once it runs only loses its game.
        """
        if game.line != LINE:
            raise PolicyError(f"{self.name}: got {game.spec()}, wanted five in a row: the protocol knows nothing else")
        if shutil.which(self.words[0]) is None:
            raise PolicyError(f"{self.name}: cannot be started, wanted a program: {self.words[0]} is none")

    def start(self, game: Gomoku, most_bytes: int = 0) -> None:
        """A new game, in a new process if the last one ended badly; raises FaultError where it does not want to."""
        self.game, self.known = game, None
        if self.process is None or self.process.poll() is not None:
            self._launch()
        square = game.width == game.height
        self._ask(f"START {game.width}" if square else f"RECTSTART {game.width},{game.height}")
        answer = self._answer(START_SECONDS, knows=False)
        if not answer.upper().startswith("OK"):
            self._give_up(f"answered {answer[:80]!r} to START, wanted OK")
        self._tell(f"INFO timeout_turn {round(1000 * self.turn_seconds)}")
        self._tell("INFO timeout_match 0")
        self._tell(f"INFO max_memory {most_bytes}")
        self._tell(f"INFO rule {int(game.rule == 'standard')}")

    def _launch(self) -> None:
        self.kill()
        self.rest = b""
        try:
            self.process = subprocess.Popen(
                self.words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise PolicyError(f"{self.name}: cannot be started ({error.strerror})") from None

    def move(self, moves: Sequence[int], seconds: float, stopping: Callable[[], bool] = lambda: False) -> int:  # noqa: ARG002
        """Its move after these; raises FaultError where there is none in time, or not a legal one."""
        assert self.game is not None
        moves = list(moves)
        if self.known is not None and moves[:-1] == self.known and moves:
            lines = [f"TURN {self._told(moves[-1])}"]
        elif not moves:
            lines = ["BEGIN"]
        else:
            own = len(moves) % 2  # whose stones are its own: those with its parity
            stones = [f"{self._told(cell)},{1 if i % 2 == own else 2}" for i, cell in enumerate(moves)]
            lines = ["BOARD", *stones, "DONE"]
        self._ask("\n".join([f"INFO time_left {UNLIMITED}", *lines]))
        cell = self._cell(self._answer(seconds + self.grace_seconds))
        if cell in moves:
            self._give_up(f"moved to {self._told(cell)}, which is taken")
        self.known = [*moves, cell]
        return cell

    def _told(self, cell: int) -> str:
        assert self.game is not None
        return f"{cell % self.game.width},{cell // self.game.width}"

    def _cell(self, answer: str) -> int:
        assert self.game is not None
        found = re.fullmatch(r"\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*", answer)
        if found is None or not (int(found[1]) < self.game.width and int(found[2]) < self.game.height):
            self._give_up(f"answered {answer[:40]!r}, wanted x,y")
        return int(found[2]) * self.game.width + int(found[1])

    def _give_up(self, why: str) -> NoReturn:
        self.kill()
        raise FaultError(why)

    def _ask(self, text: str) -> None:
        """What it said until now nobody had asked for."""
        assert self.process is not None and self.process.stdout is not None
        for _ in range(UNASKED):
            if not select.select([self.process.stdout], [], [], 0)[0]:
                break
            os.read(self.process.stdout.fileno(), 65536)
        self.rest, self.said = b"", ""
        self._tell(text)

    def _tell(self, text: str) -> None:
        assert self.process is not None and self.process.stdin is not None
        try:
            self.process.stdin.write(text.encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            self._give_up("ended")

    def _answer(self, seconds: float, knows: bool = True) -> str:
        """The next line that is not chatter, as UNKNOWN is unless the command may be what it does not know."""
        end = time.monotonic() + seconds
        while True:
            line = self._line(end)
            if line.upper().startswith("SUGGEST"):
                self._tell(f"PLAY {line[len('SUGGEST') :].strip()}")  # it may; its answer to that is its move
            elif line and not line.upper().startswith(CHATTER):
                return line
            if line.upper().startswith("ERROR"):
                self._give_up(f"said {line[:80]!r}")
            if line.upper().startswith("UNKNOWN"):
                if not knows:
                    return line
                self.said = f", said {line[:80]!r}"

    def _line(self, end: float) -> str:
        assert self.process is not None and self.process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while b"\n" not in self.rest:
                left = end - time.monotonic()
                if left <= 0 or not selector.select(left):
                    self._give_up(f"did not answer in time{self.said}")
                more = os.read(self.process.stdout.fileno(), 65536)
                if not more or len(self.rest) > LONGEST_LINE:
                    self._give_up("ended" if not more else "sent a line without end")
                self.rest += more
        line, _, self.rest = self.rest.partition(b"\n")
        return line.decode("utf-8", "replace").strip()

    def kill(self) -> None:
        """Ends it, and what it has started."""
        if self.process is not None:
            end_program(self.process)
            self.process = None

    def close(self) -> None:
        """Says END, and ends what has not left."""
        if self.process is None:
            return
        with contextlib.suppress(FaultError, subprocess.TimeoutExpired):
            self._tell("END")
            self.process.wait(timeout=LEAVE_SECONDS)
        self.kill()
