"""Whether there is someone to talk with."""

from __future__ import annotations

import sys

from zerosum.errors import SettingsError


def check_someone_speaks() -> None:
    """Refuses a standard input that was closed."""
    if sys.stdin is None:
        raise SettingsError("got a standard input that is closed, wanted someone who speaks")
