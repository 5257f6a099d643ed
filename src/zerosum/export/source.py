"""Our own headers joined into one C++ source file: every rule of the game stands once, in the headers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from zerosum.errors import PolicyError
from zerosum.native import _core

if TYPE_CHECKING:
    from collections.abc import Mapping

SOURCES = Path(str(_core.__file__)).parent / "sources"
OWN = re.compile(r'#include "(.+)"')


def joined_source(main: str, replaced: Mapping[str, str]) -> str:
    """The file `main` of the sources with each of our includes written out once, some replaced by other text."""
    lines: list[str] = []
    _join(main, replaced, set(), lines)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)) + "\n"


def _join(name: str, replaced: Mapping[str, str], seen: set[str], lines: list[str]) -> None:
    depth = 0  # of #if
    for line in _text(name, replaced).splitlines():
        depth += line.startswith("#if") - line.startswith("#endif")
        own = OWN.fullmatch(line)
        if own is None:
            twice = line.startswith("#include") and line in seen
            if line != "#pragma once" and not twice:
                lines.append(line)
            if line.startswith("#include") and depth == 0:
                seen.add(line)
            continue
        inner = own[1] if own[1].startswith("zerosum/") else str(Path(name).parent / own[1])
        if inner not in seen:
            seen.add(inner)
            _join(inner, replaced, seen, lines)


def _text(name: str, replaced: Mapping[str, str]) -> str:
    if name in replaced:
        return replaced[name]
    try:
        return (SOURCES / name).read_text()
    except OSError as error:
        raise PolicyError(f"{SOURCES / name}: cannot be read ({error.strerror}); is zerosum installed whole?") from None
