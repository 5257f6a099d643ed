"""Requests out of a stream of lines: JSON may stand on several, and a line that is only cut off does not hold up its
answer. Text from elsewhere is made readable before it is shown.
"""

from __future__ import annotations

import json
import os
import re
import select
from collections import deque
from typing import TYPE_CHECKING, Any

from zerosum.errors import RuleError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

LONGEST_LINE = 1 << 22
LONGEST_SHOWN = 40
LONGEST_NUMBER = 400  # digits: more than a number that matters has
SOON_SECONDS = 0.1
DEEPEST = 64
MARK = "\ufeff"  # of the byte order
PARTS = re.compile(r'"(?:[^"\\]|\\.)*"|["\[\]{}]')
CLOSES = {"{": "}", "[": "]"}


def read_text(raw: bytes) -> str:
    """Bytes from elsewhere; those that are no text are kept, for `readable` and `raw_text`."""
    return raw.decode("utf-8", "surrogateescape")


def raw_text(text: str) -> bytes:
    """The bytes again; half a letter that only JSON can name as its escape."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace")


def readable(text: str) -> str:
    """For a person's terminal: bytes that are no plain letters as \\xNN, as the compiled bot shows them."""
    return "".join(chr(byte) if 0x20 <= byte < 0x7F else f"\\x{byte:02x}" for byte in raw_text(text))


def shown(value: Any) -> str:
    """A value for a message: the beginning of its JSON."""
    return readable(json.dumps(value, ensure_ascii=False)[:LONGEST_SHOWN])


def shown_field(told: dict[str, Any], key: str) -> str:
    return shown(told[key]) if key in told else "nothing"


class LineReader:
    """The lines of a file handle, without their ends; of one without end only the beginning is kept."""

    def __init__(self, handle: int) -> None:
        self.handle = handle
        self.heard = bytearray()
        self.ended = False

    def next(self, seconds: float | None) -> str | None:
        """Nothing where no line came in that time, or there are no more; None waits as long as it takes."""
        seen = 0
        while (end := self.heard.find(b"\n", seen)) < 0:
            seen = len(self.heard)
            if not self._hear(seconds):
                if not self.ended or not self.heard:
                    return None
                end = len(self.heard)
                break
        line = bytes(self.heard[: min(end, LONGEST_LINE)])
        del self.heard[: end + 1]
        return read_text(line).rstrip("\r")

    def _hear(self, seconds: float | None) -> bool:
        if self.ended or (seconds is not None and not select.select([self.handle], [], [], seconds)[0]):
            return False
        more = os.read(self.handle, 65536)
        self.ended = not more
        if len(self.heard) > LONGEST_LINE:  # only its end is still wanted
            more = more[more.find(b"\n") :] if b"\n" in more else b""
        self.heard += more
        return not self.ended


class Nesting:
    """Which brackets of JSON are open after some lines."""

    def __init__(self) -> None:
        self.open: list[str] = []

    def add(self, line: str) -> bool:
        """False where no further line can make JSON of it: a string that does not end, a bracket that does not fit."""
        for found in PARTS.finditer(line):
            part = found[0]
            if part == '"' or (part in CLOSES and len(self.open) >= DEEPEST):
                return False
            if part in CLOSES:
                self.open.append(CLOSES[part])
            elif part in ("}", "]") and (not self.open or self.open.pop() != part):
                return False
        return True


def read_json(text: str) -> Any:
    """The value in a text, perhaps behind a mark of the byte order; refuses what is no JSON."""
    try:
        return json.loads(text.removeprefix(MARK), parse_int=_whole_number, parse_constant=_no_json)
    except (ValueError, RecursionError):
        raise RuleError(f"got '{readable(text[:60])}', wanted a line of JSON") from None


def _whole_number(digits: str) -> int:
    return int(digits[:LONGEST_NUMBER])


def _no_json(word: str) -> None:
    raise ValueError(word)  # Infinity, NaN


def requests(next_line: Callable[[float | None], str | None]) -> Iterator[str]:
    """One request at a time: a line, or as many as its JSON takes where they come at once."""
    waiting: deque[str] = deque()

    def take(seconds: float | None) -> str | None:
        return waiting.popleft() if waiting else next_line(seconds)

    while (text := take(None)) is not None:
        nesting, lines, length = Nesting(), [text], len(text)
        fits = nesting.add(text)
        while fits and nesting.open and length < LONGEST_LINE and (line := take(SOON_SECONDS)) is not None:
            lines.append(line)
            length += len(line) + 1
            fits = nesting.add(line)
        if len(lines) > 1 and (not fits or nesting.open or not _is_json("\n".join(lines))):
            waiting.extendleft(reversed(lines[1:]))  # together they are nothing: one by one
            lines = lines[:1]
        yield "\n".join(lines)


def _is_json(text: str) -> bool:
    try:
        read_json(text)
    except RuleError:
        return False
    return True


def turns(lines: Iterable[str], keep_running: bool) -> Iterator[str]:
    """What is to be answered. A turn is a line, an empty one too; before the only turn there may be empty ones."""
    blank = None
    for line in lines:
        if keep_running:
            yield line
        elif line.strip():
            yield line
            return
        else:
            blank = line
    if blank is not None:
        yield blank
