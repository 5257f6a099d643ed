"""Settings are frozen dataclasses; text and TOML become them, and unknown keys are errors."""

from __future__ import annotations

import dataclasses
import difflib
import hashlib
import json
import operator
import typing
from typing import TYPE_CHECKING, Any, TypeVar

from zerosum.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from _typeshed import DataclassInstance

Settings = TypeVar("Settings", bound="DataclassInstance")

MOST_NAMES = 20  # in a message


def nearest(word: str, known: Iterable[str]) -> str:
    """A tail for "unknown ..." messages: the nearest known name, or all of them."""
    names = sorted(known)
    close = difflib.get_close_matches(word.lower(), names, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]}?"
    return f"known: {', '.join(names[:MOST_NAMES])}{', ...' if len(names) > MOST_NAMES else ''}"


def from_mapping(cls: type[Settings], values: Mapping[str, Any], where: str, section: str = "") -> Settings:
    """Settings from keys and values (text or typed); says which key is unknown or of the wrong type."""
    wanted = typing.get_type_hints(cls)
    known = {field.name for field in dataclasses.fields(cls) if field.init}
    if not isinstance(values, dict):
        raise SettingsError(f"{where}: got {values!r}, wanted settings by name")
    typed: dict[str, Any] = {}
    for key, value in values.items():
        if key not in known:
            raise SettingsError(f"{where}: unknown setting {key}; {nearest(key, known) if known else 'it has none'}")
        kind = _plain(wanted[key])
        if value == "none" and type(None) in typing.get_args(wanted[key]):
            typed[key] = None
        elif isinstance(kind, type) and dataclasses.is_dataclass(kind) and isinstance(value, dict):
            typed[key] = from_mapping(kind, value, f"{where}: {key}", section=key)
        else:
            typed[key] = _typed(value, kind, f"{where}: {key}")
    for field in dataclasses.fields(cls):
        given = field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
        if field.init and not given and field.name not in typed:
            raise SettingsError(f"{where}: {field.name} is missing")
    try:
        return cls(**typed)
    except SettingsError as error:
        if section and not str(error).startswith(f"{section}: "):
            raise SettingsError(f"{section}: {error}") from None
        raise


def _plain(hint: Any) -> Any:
    """`int | None` -> int: what is not given is None, what is given is an int."""
    return next((part for part in typing.get_args(hint) if part is not type(None)), hint)


def _typed(value: Any, wanted: Any, where: str) -> Any:
    if dataclasses.is_dataclass(wanted):
        raise SettingsError(f"{where}: got {value!r}, wanted a section with settings of its own")
    if isinstance(value, str) and wanted is bool and value in ("true", "false"):
        return value == "true"
    if isinstance(value, str) and wanted is not str:
        try:
            if wanted is bool:
                raise ValueError
            return wanted(value)
        except ValueError:
            raise SettingsError(f"{where}: got {value!r}, wanted {_named(wanted)}") from None
    if wanted is int and isinstance(value, float) and value.is_integer():  # 1e7
        return int(value)
    if wanted is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, wanted) or isinstance(value, bool) is not (wanted is bool):
        raise SettingsError(f"{where}: got {value!r}, wanted {_named(wanted)}")
    return value


def _named(kind: Any) -> str:
    return "true or false" if kind is bool else str(kind.__name__)


def checksum(settings: DataclassInstance, limits: Iterable[str]) -> str:
    """Of settings by section, without some of section `run`."""
    told = dataclasses.asdict(settings)
    for name in limits:
        del told["run"][name]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def parse_pairs(text: str, where: str) -> dict[str, str]:
    """`key=value,key=value` -> a dictionary."""
    pairs: dict[str, str] = {}
    for item in text.split(","):
        key, equals, value = (part.strip() for part in item.partition("="))
        if not (key and equals and value):
            raise SettingsError(f"{where}: got {item.strip()!r}, wanted key=value")
        if key in pairs:
            raise SettingsError(f"{where}: {key} is given twice")
        pairs[key] = value
    return pairs


def spec_of(name: str, settings: Any) -> str:
    """`name`, or `name:key=value,key=value` with the fields that differ from their defaults."""
    changed = [
        f"{field.name}={getattr(settings, field.name)}"
        for field in dataclasses.fields(settings)
        if getattr(settings, field.name) != field.default
    ]
    return f"{name}:{','.join(changed)}" if changed else name


def whole(where: str, value: Any) -> int:
    """Refuses what is not a whole number."""
    try:
        if not isinstance(value, bool):
            return operator.index(value)
        raise TypeError
    except TypeError:
        raise SettingsError(f"{where}: got {value!r}, wanted a whole number") from None


def within(where: str, value: float, low: float, high: float) -> None:
    """Refuses a number outside [low, high]."""
    if not low <= value <= high:
        raise SettingsError(f"{where}: got {value}, wanted {low} to {high}")
