"""Poker hand histories: `.phh` holds one hand, `.phhs` many, as TOML (Kim 2023).

Most lines are read by the JSON parser, which is an order of magnitude faster than the TOML one; what it does not
understand goes to that.
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerosum.errors import GameError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

NUMBERS = ("antes", "blinds_or_straddles", "starting_stacks")
_DECODER = json.JSONDecoder(parse_float=Decimal)


@dataclass(frozen=True)
class Record:
    """One hand as it was written: its fields, and where it stands."""

    fields: Mapping[str, Any]
    where: str = "hand"  # the file and the table, for people
    path: str = ""
    lines: Mapping[str, int] = field(default_factory=dict)

    def at(self, key: str) -> str:
        """The file and line of a field, for messages."""
        return f"{self.path}:{self.lines.get(key, 1)}" if self.path else self.where


class PhhError(GameError):
    """A record that cannot be read or played; says where."""


def read_phh(path: str | Path) -> Iterator[Record]:
    """The hands of a file, one after another."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise PhhError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise PhhError(f"{path}: got bytes that are not UTF-8, wanted a hand history") from None
    yield from parse_phh(text, str(path))


def parse_phh(text: str, path: str = "text") -> Iterator[Record]:
    """The hands in a text."""
    fields: dict[str, Any] = {}
    lines: dict[str, int] = {}
    table = ""
    rows = text.split("\n")
    number, count = 0, len(rows)
    while number < count:
        line = rows[number].strip()
        number += 1
        if not line or line[0] == "#":
            continue
        if line[0] == "[":
            if fields:
                yield Record(fields, f"{path} hand {table}" if table else path, path, lines)
                fields, lines = {}, {}
            table = line[1:-1].strip()
            if line[-1] != "]" or not table:
                raise PhhError(f"{path}:{number}: got {line[:40]!r}, wanted a table such as [1]")
            continue
        key, equals, value = line.partition("=")
        key, value = key.strip(), value.strip()
        if not equals or not key or not value:
            raise PhhError(f"{path}:{number}: got {line[:40]!r}, wanted key = value")
        start = number
        while value[0] == "[" and not _is_whole(value) and number < count:
            value += "\n" + rows[number]
            number += 1
        if key in fields:
            raise PhhError(f"{path}:{start}: {key} is given twice")
        fields[key] = _value(value, f"{path}:{start}: {key}")
        lines[key] = start
    if fields:
        yield Record(fields, f"{path} hand {table}" if table else path, path, lines)


def _is_whole(value: str) -> bool:
    """Whether a list's brackets are closed; a comment behind it is the slow parser's business."""
    return value.rstrip().endswith("]") or "]" in value.rsplit("'", 1)[-1]


def _value(text: str, where: str) -> Any:
    if '"' not in text and "\\" not in text and "#" not in text and "_" not in text:
        try:
            return _DECODER.decode(text.replace("'", '"'))
        except json.JSONDecodeError:
            pass
    try:
        return tomllib.loads(f"x = {text}", parse_float=Decimal)["x"]
    except (tomllib.TOMLDecodeError, KeyError):
        shown = " ".join(text.split())
        raise PhhError(f"{where}: got {shown[:40]!r}, wanted a TOML value") from None


def write_phh(records: Sequence[Mapping[str, Any]]) -> str:
    """Hands -> the text of a `.phh` file, or of a `.phhs` file where there are several."""
    if len(records) == 1:
        return _table(records[0])
    return "".join(f"[{number}]\n{_table(record)}" for number, record in enumerate(records, 1))


def _table(record: Mapping[str, Any]) -> str:
    return "".join(f"{key} = {_text(value)}\n" for key, value in record.items())


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"'{value}'" if "'" not in value and "\n" not in value else json.dumps(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_text, value)) + "]"
    return str(value)
