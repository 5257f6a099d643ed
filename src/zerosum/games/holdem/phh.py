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
    path: str = ""
    name: str = ""  # of its table, where a file holds several hands
    text: str = field(default="", repr=False)

    @property
    def where(self) -> str:
        """The file and the table, for people."""
        return " ".join(part for part in (self.path, f"hand {self.name}" if self.name else "") if part) or "hand"

    def at(self, key: str) -> str:
        """The file and line of a field, or of its hand where that is missing, for messages."""
        if not self.path:
            return self.where
        lines = self.text.split("\n")
        header = rf"""\s*\[\s*["']?{re.escape(self.name)}["']?\s*\]"""
        first = next((k for k, line in enumerate(lines) if re.match(header, line)), 0) if self.name else -1
        for number in range(first + 1, len(lines)):
            if self.name and re.match(r"\s*\[[^\]]*\]\s*(#.*)?$", lines[number]):
                break
            if re.match(rf"""\s*["']?{re.escape(key)}["']?\s*=""", lines[number]):
                return f"{self.path}:{number + 1}"
        return f"{self.path}:{max(first, 0) + 1}"


class PhhError(GameError):
    """A record that cannot be read or played; says where."""


def read_phh(path: str | Path) -> Iterator[Record]:
    """The hands of a file, one after another."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise PhhError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise PhhError(f"{path}: got bytes that are not UTF-8, wanted a hand history") from None
    yield from parse_phh(text, str(path))


def parse_phh(text: str, path: str = "text") -> Iterator[Record]:
    """The hands in a text."""
    tables = _plain_tables(text)
    for name, fields in _tables(text, path) if tables is None else tables:
        yield Record(fields, path, name, text)


def _plain_tables(text: str) -> list[tuple[str, dict[str, Any]]] | None:
    """The tables of a text with nothing but one-line values in single quotes; None for any other."""
    if '"' in text or "\\" in text or "#" in text:
        return None
    names, bodies = [""], [text.strip()]
    if bodies[0][:1] == "[":
        parts = _TABLE.split("\n" + bodies[0].replace("\n\n[", "\n["))
        names, bodies = parts[1::2], parts[2::2]
        if not names or len(set(names)) != len(names) or not all(map(str.isalnum, names)):
            return None
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


def _tables(text: str, path: str) -> list[tuple[str, dict[str, Any]]]:
    try:
        top = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        message = str(error).partition(" (at ")
        found = re.search(r"at line (\d+)", str(error))
        line = found[1] if found else text.count("\n") + 1
        raise PhhError(f"{path}:{line}: {message[0][:1].lower()}{message[0][1:]}, wanted TOML") from None
    except (ValueError, RecursionError, ArithmeticError) as error:
        raise PhhError(f"{path}: cannot be read as TOML ({str(error)[:60]})") from None
    if not top:
        raise PhhError(f"{path}: got no hand")
    if not all(isinstance(value, dict) for value in top.values()):
        return [("", top)]
    return [(name, fields) for name, fields in top.items() if fields or _refuse_empty(path, name)]


def _refuse_empty(path: str, name: str) -> bool:
    raise PhhError(f"{path} hand {name}: got no field")


def write_phh(records: Sequence[Mapping[str, Any]]) -> str:
    """Hands -> the text of a `.phh` file, or of a `.phhs` file where there are several."""
    if len(records) == 1:
        return _table(records[0])
    return "".join(f"[{number}]\n{_table(record)}" for number, record in enumerate(records, 1))


def _table(record: Mapping[str, Any]) -> str:
    return "".join(f"{_key(key)} = {_text(value)}\n" for key, value in record.items())


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _quoted(key)


def _quoted(text: str) -> str:
    return json.dumps(text).replace("\x7f", "\\u007f")


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"'{value}'" if value.isprintable() and "'" not in value else _quoted(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_text, value)) + "]"
    if isinstance(value, int | float | Decimal):
        return str(value)
    raise PhhError(f"record: got {value!r}, wanted text, a number or a list")
