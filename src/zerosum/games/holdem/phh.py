"""Poker hand histories: `.phh` holds one hand, `.phhs` many, as TOML (Kim 2023).

A text that is as plain as most are, every value on a line of its own and in single quotes, is read an order of
magnitude faster than as TOML; any other is read with care.
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerosum.errors import GameError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

NUMBERS = ("antes", "blinds_or_straddles", "starting_stacks")


@dataclass(slots=True)
class Record:
    """One hand as it was written: its fields, and where it stands."""

    fields: Mapping[str, Any]
    where: str = "hand"  # the file and the table, for people
    path: str = ""
    text: str = field(default="", repr=False)
    number: int = 0  # among the hands of the text

    def at(self, key: str) -> str:
        """The file and line of a field, for messages."""
        if not self.path:
            return self.where
        table = -1 if re.search(r"^\s*\[[^\]=]*\]\s*$", self.text, re.MULTILINE) else 0
        for number, line in enumerate(self.text.split("\n"), 1):
            table += table < self.number and bool(re.fullmatch(r"\s*\[[^\]=]*\]\s*", line))
            if table == self.number and re.match(rf"\s*{re.escape(key)}\s*=", line):
                return f"{self.path}:{number}"
        return f"{self.path}:1"


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
    tables = _plain_tables(text)
    for number, (name, fields) in enumerate(_tables(text, path) if tables is None else tables):
        yield Record(fields, f"{path} hand {name}" if name else path, path, text, number)


def _plain_tables(text: str) -> list[tuple[str, dict[str, Any]]] | None:
    """The tables of a text with nothing but one-line values in single quotes; None for any other."""
    if '"' in text or "\\" in text or "#" in text:
        return None
    names, bodies = [""], [text.strip()]
    if bodies[0][:1] == "[":
        parts = _TABLE.split("\n" + bodies[0].replace("\n\n[", "\n["))
        names, bodies = parts[1::2], parts[2::2]
    try:
        return [(name, _plain_table(body)) for name, body in zip(names, bodies, strict=True)]
    except ValueError:
        return None


_TABLE = re.compile(r"\n\[([^\]\n]*)\]\n")


def _plain_table(body: str) -> dict[str, Any]:
    lines = body.split("\n")
    fields: dict[str, Any] = {}
    for line in lines:
        if line[:12] == "actions = ['":
            actions = line[12:-2].split("', '")
            if line[-2:] != "']" or line.count("'") != 2 * len(actions):
                raise ValueError(line)
            fields["actions"] = actions
        else:
            key, value = _plain_pair(line)
            fields[key] = value[:] if type(value) is list else value
    if len(fields) != len(lines):
        raise ValueError("a key is given twice")
    return fields


@lru_cache(maxsize=4096)
def _plain_pair(line: str) -> tuple[str, Any]:
    """A line's key and value; from one hand to the next most lines stay as they are."""
    key, equals, value = line.partition(" = ")
    if not equals or not key.isidentifier() or "[[" in value:
        raise ValueError(line)
    return key, _DECODER.decode(value.replace("'", '"'))


def _no_constant(name: str) -> None:
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_float=Decimal, parse_constant=_no_constant)


def _tables(text: str, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    fields: dict[str, Any] = {}
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
                yield table, fields
                fields = {}
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
    if fields:
        yield table, fields


def _is_whole(value: str) -> bool:
    """Whether a list's brackets are closed; a comment behind it is the slow parser's business."""
    return value.rstrip().endswith("]") or "]" in value.rsplit("'", 1)[-1]


def _value(text: str, where: str) -> Any:
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
