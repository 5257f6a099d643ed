"""What a Gomocup manager's INFO lines allow: how long a turn may take, how much memory, which rule."""

from __future__ import annotations

import re

LINE = 5  # in a row: no command tells of another number
EXACT = 1  # the only bit of INFO rule that is kept besides none at all
LEAST_MOVES = 12  # that a match's time must still be good for
SAFETY_SECONDS, SAFETY_SHARE, MOST_SAFETY_SECONDS = 0.05, 0.35, 0.1  # of a turn that are never used
HASTY_SECONDS = 0.02  # a turn "as fast as possible"
NUMBERS = ("timeout_turn", "timeout_match", "time_left", "max_memory", "rule")


class RefusedError(Exception):
    """What a manager sent does not fit; its text goes after ERROR."""


class Limits:
    """As they stand after the INFO lines so far; a line that is refused changes nothing."""

    def __init__(self) -> None:
        self.turn_ms, self.memory, self.exact = 30_000, 0, False
        self.match_ms: int | None = None  # not told
        self.left_ms: int | None = None
        self.spent_ms = 0.0  # since the manager told what is left, or since the game began

    def begin(self) -> None:
        """A new game: what was left of the last one's time is no matter."""
        self.left_ms, self.spent_ms = None, 0.0

    def hear(self, rest: str) -> None:
        """The words after INFO."""
        key, value = [*rest.split(None, 1), "", ""][:2]
        key = key.lower()
        if key not in NUMBERS:
            return  # folder, game_type, evaluate and what others send: nothing depends on it
        if key == "time_left" and re.fullmatch(r"-[0-9]{1,15}", value):
            value = "0"  # a manager may say so to who has used up a match's time
        if not re.fullmatch(r"[0-9]{1,15}", value):
            raise RefusedError(f"got INFO {key} {value[:40]!a}, wanted a whole number from 0, of at most 15 digits")
        number = int(value)
        if key == "rule":
            if number & ~EXACT:
                raise RefusedError(f"got rule {number}, wanted 0 (five or more) or 1 (exactly five)")
            self.exact = bool(number)
        elif key == "max_memory":
            self.memory = number
        elif key == "timeout_turn":
            self.turn_ms = number
        elif key == "timeout_match":
            self.match_ms = number
        else:
            self.left_ms, self.spent_ms = number, 0.0

    def seconds(self) -> float:
        """What this turn may take."""
        fast = HASTY_SECONDS + SAFETY_SECONDS  # as possible, however much of the match is left
        turn = self.turn_ms / 1000 if self.turn_ms > 0 else fast
        left_ms = self.match_ms if self.left_ms is None else self.left_ms
        if self.match_ms != 0 and left_ms is not None:
            turn = min(turn, max(left_ms - self.spent_ms, 0.0) / 1000 / LEAST_MOVES)
        return max(turn - _safety(turn), min(HASTY_SECONDS, turn / 2))


def _safety(turn: float) -> float:
    """What is held back of so many seconds: where a turn is long enough as much as the host of a virtual machine takes
    a processor away for at a time.
    """
    return min(max(SAFETY_SHARE * turn, SAFETY_SECONDS), MOST_SAFETY_SECONDS)
