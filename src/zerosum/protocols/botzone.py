"""Botzone's protocol: a line of JSON in, a line of JSON out; bots that go on running get one request a line.

The first line holds all requests and responses so far. In keep-running mode the bot asks to be kept after its first
answer, and gets the bare request, or one inside {"request": ...}, from then on.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from zerosum.errors import RuleError, ZerosumError
from zerosum.games.gomoku import Gomoku
from zerosum.protocols.lines import read_json, shown, turns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from zerosum.protocols.gomocup import Thinker

KEEP_RUNNING = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
GOMOKU = Gomoku(15, 15, 5)
TURN_SECONDS = 0.8  # of the second that a turn has


class GomokuBot:
    """Gomoku on 15 × 15: {"x": ..., "y": ...} both ways; −1, −1 asks for the first move."""

    def __init__(self, thinker: Thinker, say: Callable[[str], None], warn: Callable[[str], None]) -> None:
        self.thinker, self.say, self.warn = thinker, say, warn
        self.moves: list[int] = []
        thinker.start(GOMOKU, 0)

    def converse(self, lines: Iterable[str], keep_running: bool) -> None:
        """Answers the first line, and the others if it is kept running."""
        for number, line in enumerate(turns(lines, keep_running)):
            try:
                self.hear(line)
            except ZerosumError as error:
                self.warn(f"turn {number + 1}: {error}; plays on")
            cell = self._answer()
            self.say(json.dumps({"response": _told(cell)}))
            if keep_running:
                self.say(KEEP_RUNNING)

    def hear(self, line: str) -> None:
        """Takes a request, or all of them; what does not fit is refused and changes nothing."""
        told = read_json(line)
        if isinstance(told, dict) and isinstance(told.get("requests"), list):
            responses = told.get("responses")
            responses = responses if isinstance(responses, list) else []
            moves: list[int] = []
            for turn, request in enumerate(told["requests"]):
                _add(moves, request)
                if turn < len(responses):
                    _add(moves, responses[turn])
            self.moves = moves
        else:
            moves = list(self.moves)
            _add(moves, told.get("request", told) if isinstance(told, dict) else told)
            self.moves = moves

    def _answer(self) -> int:
        """A legal move whatever happens: the search's, or the first empty cell."""
        try:
            cell = self.thinker.move(self.moves, TURN_SECONDS, lambda: False)
        except ZerosumError as error:
            self.warn(str(error))
            cell = next((cell for cell in range(GOMOKU.num_actions) if cell not in self.moves), 0)
        self.moves.append(cell)
        return cell


def _told(cell: int) -> dict[str, int]:
    return {"x": cell // GOMOKU.width, "y": cell % GOMOKU.width}


def _add(moves: list[int], told: Any) -> None:
    if not isinstance(told, dict) or not all(type(told.get(key)) is int for key in ("x", "y")):
        raise RuleError(f'got {shown(told)}, wanted {{"x": ..., "y": ...}}')
    x, y = told["x"], told["y"]
    if (x, y) == (-1, -1):
        return
    if not (0 <= x < GOMOKU.height and 0 <= y < GOMOKU.width) or x * GOMOKU.width + y in moves:
        raise RuleError(f"got {x},{y}, wanted an empty field of 15 x 15")
    moves.append(x * GOMOKU.width + y)
