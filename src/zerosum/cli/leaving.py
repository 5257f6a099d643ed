"""How someone says that they have had enough."""

from __future__ import annotations

import signal


class LeaveError(Exception):
    """The user leaves a table or a board."""


def end_what_was_started() -> None:
    """From now on SIGTERM leaves as Ctrl-C does: programs that were started are ended on the way out."""
    signal.signal(signal.SIGTERM, _leave)


def _leave(number: int, _frame: object) -> None:
    raise SystemExit(128 + number)
