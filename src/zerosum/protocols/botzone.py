"""Botzone's protocol: a line of JSON in, a line of JSON out; bots that go on running get one request a line.

The first line holds all requests and responses so far. In keep-running mode the bot asks to be kept after its first
answer, and gets the bare request, or one inside {"request": ...}, from then on.
"""

from __future__ import annotations

import json
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from zerosum.errors import RuleError, ZerosumError
from zerosum.games.gomoku import Gomoku
from zerosum.protocols.lines import read_json, shown, turns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from zerosum.protocols.gomocup import Thinker

KEEP_RUNNING = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
GOMOKU = Gomoku(15, 15, 5)
NOTHING = object()
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
        self.moves: list[int] = []
        self.taken: set[int] = set()  # all that was read, also what cannot be put in order
        thinker.start(GOMOKU, 0)

    def converse(self, lines: Iterable[str], keep_running: bool) -> None:
        """Answers the first line, and the others if it is kept running."""
        for number, line in enumerate(turns(lines, keep_running)):
            try:
                self.hear(line)
            except ZerosumError as error:
                self.warn(f"turn {number + 1}: {error}; plays on")
            has = FIRST_SECONDS if not self.moves[1:] else LATER_SECONDS
            cell = self._answer(has - RESERVE_SECONDS - (self.age() if number == 0 else 0.0))
            self.say(json.dumps({"response": _told(cell)}))
            if keep_running:
                self.say(KEEP_RUNNING)

    def hear(self, line: str) -> None:
        """Takes a request, or all of them, up to the first that does not fit, which is refused; later ones are only
        known to be taken.
        """
        told = read_json(line)
        if isinstance(told, dict) and isinstance(told.get("requests"), list):
            responses = told.get("responses")
            answers = responses if isinstance(responses, list) else []
            self.moves, self.taken = [], set()
            pairs = zip_longest(told["requests"], answers, fillvalue=NOTHING)
            given = [one for pair in pairs for one in pair if one is not NOTHING]
        else:
            given = [told.get("request", told) if isinstance(told, dict) else told]
        refused: RuleError | None = None
        for one in given:
            try:
                cell = _cell(one, self.taken)
            except RuleError as error:
                refused = refused or error
                continue
            if cell is not None:
                self.taken.add(cell)
                if refused is None:
                    self.moves.append(cell)
        if refused is not None:
            raise refused

    def _answer(self, seconds: float) -> int:
        """A legal move whatever happens: the search's, or the first empty cell."""
        try:
            cell = self.thinker.move(self.moves, max(seconds, LEAST_SECONDS), lambda: False)
        except ZerosumError as error:
            self.warn(str(error))
            cell = -1
        if cell < 0 or cell in self.taken:
            cell = next((cell for cell in range(GOMOKU.num_actions) if cell not in self.taken), 0)
        self.moves.append(cell)
        self.taken.add(cell)
        return cell


def _told(cell: int) -> dict[str, int]:
    return {"x": cell // GOMOKU.width, "y": cell % GOMOKU.width}


def _cell(told: Any, taken: set[int]) -> int | None:
    """Where a stone was put; None: nowhere yet."""
    if not isinstance(told, dict) or not all(type(told.get(key)) is int for key in ("x", "y")):
        raise RuleError(f'got {shown(told)}, wanted {{"x": ..., "y": ...}}')
    x, y = told["x"], told["y"]
    if (x, y) == (-1, -1):
        return None
    if not (0 <= x < GOMOKU.height and 0 <= y < GOMOKU.width) or x * GOMOKU.width + y in taken:
        raise RuleError(f"got {x},{y}, wanted an empty field of 15 x 15")
    return int(x * GOMOKU.width + y)
