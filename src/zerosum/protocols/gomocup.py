"""A brain for Gomocup's managers (the Piskvork protocol): lines in, lines out.

Whoever reads lines hands them to a thread that works them off one after the other, so that END, STOP and a new game are
heard while it thinks. Whatever a manager sends gets a move, OK, ERROR or UNKNOWN; nothing ends the program but END and
the end of the lines.
"""

from __future__ import annotations

import math
import queue
import random
import re
import threading
import time
from typing import TYPE_CHECKING, Protocol

from zerosum.errors import ZerosumError
from zerosum.games.gomoku import Gomoku, GomokuState
from zerosum.games.protocol import TERMINAL
from zerosum.protocols.gomocup_limits import HASTY_SECONDS, LINE, Limits, RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

SMALLEST, LARGEST = 5, 20
OWN, OTHER, SPECIAL = 1, 2, 3  # fields of BOARD
ORDERS = 100  # of stones that are tried; of a row of six's every third makes five first
NEW_GAME = (["START"], ["RECTSTART"], ["RESTART"])  # whoever sends one no longer waits for the move before it
LEAVE_SECONDS = 0.8  # for a thought to end after END, or a line to be answered after the last one


class Thinker(Protocol):
    """Who finds the moves. Cells are row × width + column; moves alternate from the first player's on."""

    def about(self) -> str: ...
    def start(self, game: Gomoku, most_bytes: int) -> None: ...
    def move(self, moves: Sequence[int], seconds: float, stopping: Callable[[], bool]) -> int: ...
    def value(self, moves: Sequence[int]) -> float: ...


class Brain:
    """One conversation. `say` takes a line for the manager."""

    def __init__(self, thinker: Thinker, say: Callable[[str], None]) -> None:
        self.thinker, self.say = thinker, say
        self.width = self.height = 0  # no board yet
        self.stones: list[tuple[int, bool]] = []  # cells and whether the stone is the brain's
        self.limits = Limits()
        self.block: tuple[str, list[str]] | None = None  # BOARD or SWAP2BOARD, and its lines so far
        self.asked = time.monotonic()  # when what is being answered came, or the answer before it went out
        self.number, self.stopped = 1, 0  # of the line that is answered, and of the last STOP or new game
        self.ended = threading.Event()  # this thought and all that follow
        self.unsaid: OSError | None = None  # why answers did not go out
        self.commands: dict[str, Callable[[str], None]] = {
            "START": self._start,
            "RECTSTART": self._rectstart,
            "RESTART": self._restart,
            "BEGIN": self._begin,
            "TURN": self._turn,
            "PLAY": self._play,
            "SUGGEST": self._suggest,
            "TAKEBACK": self._takeback,
            "BOARD": lambda rest: self._open("BOARD", rest),
            "SWAP2BOARD": lambda rest: self._open("SWAP2BOARD", rest),
            "INFO": self._info,
            "ABOUT": lambda _: self.say(self.thinker.about()),
        }

    def converse(self, lines: Iterable[str]) -> bool:
        """Reads until END or until there is nothing more to read; whether nothing is thought about any more.

        Without END everything that was asked is still answered, but no longer thought about for its time: who asked
        may be gone.
        """
        waiting: queue.SimpleQueue[tuple[int, str, float] | None] = queue.SimpleQueue()
        worker = threading.Thread(target=self._work, args=(waiting,), daemon=True)
        worker.start()
        unanswered = 0
        for number, line in enumerate(lines, 1):
            word = line.strip().upper()
            if word == "END":
                break
            if word in ("STOP", "YXSTOP") or word.split()[:1] in NEW_GAME:
                self.stopped = number
            if word not in ("STOP", "YXSTOP"):
                waiting.put((number, line, time.monotonic()))
        else:
            unanswered = waiting.qsize()
        self.ended.set()
        waiting.put(None)
        worker.join(LEAVE_SECONDS * (1 + unanswered))
        if self.unsaid is not None:
            raise self.unsaid
        return not worker.is_alive()

    def _work(self, waiting: queue.SimpleQueue[tuple[int, str, float] | None]) -> None:
        answered = 0.0
        try:
            while (found := waiting.get()) is not None:
                self.number, line, came = found
                self.hear(line, max(came, answered))
                if not line.strip().upper().startswith("INFO"):  # which nobody waits for: its time is the next line's
                    answered = time.monotonic()
        except BrokenPipeError:
            return  # nobody listens any more; the end of what there is to read comes soon
        except OSError as error:
            self.unsaid = error

    def hear(self, line: str, came: float | None = None) -> None:
        """One line of the manager's, answered; the time for that runs since it came."""
        self.asked = time.monotonic() if came is None else came
        words = line.split(None, 1)
        if not words:
            return
        text, rest = line.strip(), words[1].strip() if len(words) > 1 else ""
        command = self.commands.get(words[0].upper())
        if command is not None:
            self.block = None  # one that was never DONE: whoever gave it up is answered
        try:
            if self.block is not None:
                self._in_block(text)
            elif command is not None:
                command(rest)
            else:
                self.say(f"UNKNOWN {text[:60]!a}")
        except (RefusedError, ZerosumError) as error:
            self.say(f"ERROR {error}")

    # What is on the board

    def _cell(self, text: str) -> int:
        found = re.fullmatch(r"([0-9]{1,3})\s*,\s*([0-9]{1,3})", text)
        if found is None:
            raise RefusedError(f"got {text[:40]!a}, wanted X,Y")
        x, y = int(found[1]), int(found[2])
        if not (x < self.width and y < self.height):
            raise RefusedError(f"got {x},{y}, wanted a field of {self.width} columns and {self.height} rows, from 0")
        return y * self.width + x

    def _told(self, cell: int) -> str:
        return f"{cell % self.width},{cell // self.width}"

    def _put(self, cell: int, own: bool) -> None:
        if any(cell == taken for taken, _ in self.stones):
            raise RefusedError(f"got {self._told(cell)}, wanted an empty field")
        self.stones.append((cell, own))

    def _order(self) -> list[int]:
        """The stones as moves, whoever is to move next being the brain."""
        own = [cell for cell, mine in self.stones if mine]
        other = [cell for cell, mine in self.stones if not mine]
        if len(other) - len(own) not in (0, 1):
            raise RefusedError(
                f"got {len(own)} own stones and {len(other)} of the other, wanted it to be the brain's turn"
            )
        moves = [0] * len(self.stones)
        moves[0::2], moves[1::2] = (other, own) if len(other) > len(own) else (own, other)
        return moves

    def _game(self) -> Gomoku:
        if not self.width:
            raise RefusedError("got no START, wanted a board first")
        return self._game_on(self.width, self.height)

    def _game_on(self, width: int, height: int) -> Gomoku:
        return Gomoku(width, height, LINE, "standard" if self.limits.exact else "freestyle")

    # Commands

    def _new_board(self, width: int, height: int) -> None:
        if not (SMALLEST <= width <= LARGEST and SMALLEST <= height <= LARGEST):
            raise RefusedError(f"got a board of {width} x {height}, wanted {SMALLEST} to {LARGEST} each way")
        self.thinker.start(self._game_on(width, height), self.limits.memory)  # may refuse; then all is as before
        self.width, self.height, self.stones = width, height, []
        self.limits.begin()
        self.say("OK")

    def _start(self, rest: str) -> None:
        if not re.fullmatch(r"[0-9]{1,3}", rest):
            raise RefusedError(f"got START {rest[:40]!a}, wanted a size")
        self._new_board(int(rest), int(rest))

    def _rectstart(self, rest: str) -> None:
        found = re.fullmatch(r"([0-9]{1,3})\s*,\s*([0-9]{1,3})", rest)
        if found is None:
            raise RefusedError(f"got RECTSTART {rest[:40]!a}, wanted width,height")
        self._new_board(int(found[1]), int(found[2]))

    def _restart(self, _: str) -> None:
        self._game()
        self._new_board(self.width, self.height)

    def _begin(self, _: str) -> None:
        self._game()
        if self.stones:
            raise RefusedError("got BEGIN on a board with stones, wanted an empty one")
        self._answer()

    def _turn(self, rest: str) -> None:
        self._game()
        before = list(self.stones)
        self._put(self._cell(rest), own=False)
        try:
            self._answer()
        except (RefusedError, ZerosumError):
            self.stones = before
            raise

    def _play(self, rest: str) -> None:
        self._game()
        cell = self._cell(rest)
        self._order()  # refuses what is not the brain's turn
        self._put(cell, own=True)
        self.say(self._told(cell))

    def _suggest(self, rest: str) -> None:
        """What it would play; the manager says PLAY if it agrees."""
        self._game()
        if rest:
            raise RefusedError(f"got SUGGEST {rest[:40]!a}, wanted nothing after it")
        self.say(f"SUGGEST {self._told(self._thought_of())}")

    def _takeback(self, rest: str) -> None:
        self._game()
        cell = self._cell(rest)
        kept = [stone for stone in self.stones if stone[0] != cell]
        if len(kept) == len(self.stones):
            raise RefusedError(f"got TAKEBACK {self._told(cell)}, wanted a field with a stone")
        self.stones = kept
        self.say("OK")

    def _info(self, rest: str) -> None:
        before = (self.limits.exact, self.limits.memory)
        self.limits.hear(rest)
        if self.width and (self.limits.exact, self.limits.memory) != before:
            self.thinker.start(self._game(), self.limits.memory)

    def seconds(self) -> float:
        """What this turn may take."""
        return HASTY_SECONDS if self.ended.is_set() else self.limits.seconds()

    def _thought_of(self) -> int:
        return self._think(self._goes_on())

    def _goes_on(self) -> list[int]:
        """The stones as moves none of which ends the game. Where only five win, a longer row came about in an order
        that never made five, which a manager does not tell: then others are tried, and kept.
        """
        luck, given = random.Random(0), list(self.stones)
        for _ in range(ORDERS if self.limits.exact else 1):
            moves = self._order()
            if GomokuState(self._game(), tuple(moves)).actor != TERMINAL:
                return moves
            luck.shuffle(self.stones)
        self.stones = given
        raise RefusedError(f"{self._told(given[-1][0])}: the game is over, wanted a position with a move to make")

    def _think(self, moves: list[int]) -> int:
        seconds = max(self.seconds() - (time.monotonic() - self.asked), 0.0)
        cell = self.thinker.move(moves, seconds, self._is_stopped)
        self.limits.spent_ms += 1000 * (time.monotonic() - self.asked)
        return cell

    def _is_stopped(self) -> bool:
        return self.number < self.stopped or self.ended.is_set()

    def _answer(self) -> None:
        cell = self._thought_of()
        self.stones.append((cell, True))
        self.say(self._told(cell))

    # Boards of many lines

    def _open(self, name: str, rest: str) -> None:
        self._game()
        if rest:
            raise RefusedError(f"got {name} {rest[:40]!a}, wanted the stones on the lines after it")
        self.block = (name, [])

    def _in_block(self, text: str) -> None:
        assert self.block is not None
        name, lines = self.block
        if text.upper() != "DONE":
            if len(lines) <= self.width * self.height:
                lines.append(text)
            return
        self.block = None
        before, self.stones = self.stones, []
        try:
            if name == "BOARD":
                for line in lines:
                    self._board_line(line)
                self._answer()
            else:
                self._swap2(lines)
        except (RefusedError, ZerosumError):
            self.stones = before
            raise

    def _board_line(self, line: str) -> None:
        place, _, field = line.rpartition(",")
        if place.count(",") != 1 or field.strip() not in ("1", "2", "3"):
            raise RefusedError(f"got {line[:40]!a}, wanted x,y,field with field 1, 2 or 3")
        cell, kind = self._cell(place.strip()), int(field)
        if kind != SPECIAL:
            self._put(cell, own=kind == OWN)

    def _swap2(self, lines: list[str]) -> None:
        """Whoever opens puts three stones; the other takes a colour, or puts two more and leaves the choice.

        The better colour of a position is never the worse half of it, and who leaves the choice gets the worse half of
        another; so two more stones are never put.
        """
        cells = [self._cell(line) for line in lines]
        if len(set(cells)) != len(cells) or len(cells) not in (0, 3, 5):
            raise RefusedError(f"got {len(cells)} stones, wanted 0, 3 or 5 on different fields")
        if not cells:
            self.say(" ".join(map(self._told, self._even_opening())))
            return
        if self.thinker.value(cells) < 0:
            self.say("SWAP")
            return
        self.say(self._told(self._think(cells)))

    def _even_opening(self) -> list[int]:
        """Of some shapes around a corner of the middle the one that is nearest to even, as far as there is time."""
        row, column = self.height // 4, self.width // 4
        shapes = [
            [(row, column), (row + 1, column + 2), (row + down, column + right)]
            for down in range(4)
            for right in range(-1, 4)
            if (down, right) not in ((0, 0), (1, 2))
        ]
        best: tuple[float, list[int]] | None = None
        end = self.asked + self.seconds()
        for shape in shapes:
            three = [y * self.width + x for y, x in shape]
            if best is not None and (time.monotonic() >= end or self._is_stopped()):
                break
            best = min((abs(self.thinker.value(three)), three), best or (math.inf, three))
        assert best is not None
        return best[1]
