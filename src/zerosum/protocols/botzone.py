"""Botzone's protocol: a line of JSON in, a line of JSON out; bots that go on running get one request a line.

The first line holds all requests and responses so far. In keep-running mode the bot asks to be kept after its first
answer, and gets the bare request, or one inside {"request": ...}, from then on.
"""

from __future__ import annotations

import json
from itertools import islice, zip_longest
from typing import TYPE_CHECKING, Any

from zerosum.errors import RuleError, ZerosumError
from zerosum.games.gomoku import Gomoku
from zerosum.protocols.lines import read_json, shown, turns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from zerosum.protocols.gomocup import Thinker

KEEP_RUNNING = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
GOMOKU = Gomoku(15, 15, 5)
FIRST_SECONDS, LATER_SECONDS = 2.0, 1.0  # that a turn has
RESERVE_SECONDS = 0.2
LEAST_SECONDS = 0.02


class GomokuBot:
    """Gomoku on 15 × 15: {"x": ..., "y": ...} both ways; −1, −1 asks for the first move."""

    def __init__(
        self,
        thinker: Thinker,
        say: Callable[[str], None],
        warn: Callable[[str], None],
        age: Callable[[], float] = lambda: 0.0,
    ) -> None:
        """`age` tells for how many seconds the program has been running: a part of its first turn here."""
        self.thinker, self.say, self.warn, self.age = thinker, say, warn, age
        self.theirs: list[int] = []
        self.mine: list[int] = []
        thinker.start(GOMOKU, 0)

    def converse(self, lines: Iterable[str], keep_running: bool) -> None:
        """Answers the first line, and the others if it is kept running."""
        for number, line in enumerate(turns(lines, keep_running)):
            try:
                self.hear(line)
            except ZerosumError as error:
                self.warn(f"line {number + 1}: {error}; plays on")
            has = LATER_SECONDS if self.mine else FIRST_SECONDS
            cell = self._answer(has - RESERVE_SECONDS - (self.age() if number == 0 else 0.0))
            self.say(json.dumps({"response": _told(cell)}))
            if keep_running:
                self.say(KEEP_RUNNING)

    def hear(self, line: str) -> None:
        """Takes a request, or all of them and all responses; the first that does not fit is refused, after the others
        are taken.
        """
        told = read_json(line)
        if isinstance(told, dict) and isinstance(told.get("requests"), list):
            responses = told.get("responses")
            self.theirs, self.mine = [], []
            answers = responses if isinstance(responses, list) else []  # first: its own it knows best
            given = [(f"response {n}: ", one, self.mine) for n, one in enumerate(answers, 1)]
            given += [(f"request {n}: ", one, self.theirs) for n, one in enumerate(told["requests"], 1)]
        else:
            given = [("", told.get("request", told) if isinstance(told, dict) else told, self.theirs)]
        refused: RuleError | None = None
        for name, one, stones in given:
            try:
                stones.extend(_cells(one, {*self.theirs, *self.mine}))
            except RuleError as error:
                refused = refused or RuleError(f"{name}{error}")
        if refused is not None:
            raise refused

    def _answer(self, seconds: float) -> int:
        """A legal move whatever happens: the search's, or the first empty cell."""
        taken = {*self.theirs, *self.mine}
        try:
            cell = self.thinker.move(self._moves(), max(seconds, LEAST_SECONDS), lambda: False)
        except ZerosumError as error:
            self.warn(str(error))
            cell = -1
        if cell < 0 or cell in taken:
            cell = next((cell for cell in range(GOMOKU.num_actions) if cell not in taken), 0)
        self.mine.append(cell)
        return cell

    def _moves(self) -> list[int]:
        """The stones in turns, so that it is ours. For one that could not be read another stands, out of the way."""
        theirs, mine = list(self.theirs), list(self.mine)
        empty = iter(_out_of_the_way({*theirs, *mine}) if not 0 <= len(theirs) - len(mine) <= 1 else ())
        theirs += islice(empty, max(len(mine) - len(theirs), 0))
        mine += islice(empty, max(len(theirs) - 1 - len(mine), 0))
        first, second = (theirs, mine) if len(theirs) > len(mine) else (mine, theirs)
        return [cell for pair in zip_longest(first, second) for cell in pair if cell is not None]


def _out_of_the_way(taken: set[int]) -> list[int]:
    """Empty cells of which no two touch, those far from stones first."""

    def near(cell: int) -> int:
        row, column = divmod(cell, GOMOKU.width)
        apart = (divmod(other, GOMOKU.width) for other in taken)
        return min((max(abs(row - r), abs(column - c)) for r, c in apart), default=0)

    loose = [r * GOMOKU.width + c for r in range(0, GOMOKU.height, 2) for c in range(0, GOMOKU.width, 2)]
    return sorted((cell for cell in loose if cell not in taken), key=near, reverse=True)


def _told(cell: int) -> dict[str, int]:
    return {"x": cell // GOMOKU.width, "y": cell % GOMOKU.width}


def _cells(told: Any, taken: set[int]) -> list[int]:
    """Where a stone was put, if one was."""
    if not isinstance(told, dict) or not all(type(told.get(key)) is int for key in ("x", "y")):
        raise RuleError(f'got {shown(told)}, wanted {{"x": ..., "y": ...}}')
    x, y = told["x"], told["y"]
    if (x, y) == (-1, -1):
        return []
    if not (0 <= x < GOMOKU.height and 0 <= y < GOMOKU.width) or x * GOMOKU.width + y in taken:
        raise RuleError(f"got {x},{y}, wanted an empty field of 15 x 15")
    return [x * GOMOKU.width + y]
