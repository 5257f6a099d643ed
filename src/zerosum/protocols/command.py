"""The command line of an outside program."""

from __future__ import annotations

import shlex

from zerosum.errors import PolicyError


def command_words(kind: str, command: str) -> list[str]:
    """The words of COMMAND in `KIND:COMMAND`."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise PolicyError(f"{kind}:{command}: {error}") from None
    if not words:
        raise PolicyError(f"{kind}: got no command, wanted {kind}:COMMAND")
    return words
