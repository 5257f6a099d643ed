"""Settings of a run by name: the presets that come with the package, or a TOML file of one's own."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerosum.errors import SettingsError
from zerosum.learn.alphazero.settings import ALGORITHM, AlphaZeroSettings
from zerosum.learn.cardmodel.settings import ALGORITHM as CARDMODEL
from zerosum.learn.cardmodel.settings import CardModelSettings
from zerosum.learn.deepcfr.settings import TrainSettings
from zerosum.settings import from_mapping, nearest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

AnySettings = TrainSettings | AlphaZeroSettings | CardModelSettings


def preset_names() -> list[str]:
    found = (files("zerosum") / "presets").iterdir()
    return sorted(entry.name.removesuffix(".toml") for entry in found if entry.name.endswith(".toml"))


def load_settings(name: str, changes: Sequence[str] = (), seed: int | None = None) -> TrainSettings:
    """As `load_any_settings`, of a run of Deep CFR or fictitious self-play."""
    settings = load_any_settings(name, changes, seed)
    if not isinstance(settings, TrainSettings):
        raise SettingsError(f"{name}: settings for {settings.run.algorithm}, wanted sd-cfr, deep-cfr or nfsp")
    return settings


def load_any_settings(name: str, changes: Sequence[str] = (), seed: int | None = None) -> AnySettings:
    """The preset or file of that name, with `section.key=value` changes put in."""
    where, text = _read(name)
    try:
        values = tomllib.loads(text)
    except ValueError as error:
        raise SettingsError(f"{where}: not a TOML file ({error})") from None
    for change in changes:
        _put(values, change)
    if seed is not None:
        _section(values, "run")["seed"] = seed
    kind: type[AnySettings] = settings_kind(values)
    return from_mapping(kind, values, where)


def settings_kind(values: Mapping[str, Any]) -> type[AnySettings]:
    """Whose settings these are: `run.algorithm` says so."""
    run = values.get("run")
    named = run.get("algorithm") if isinstance(run, dict) else None
    kinds: dict[object, type[AnySettings]] = {ALGORITHM: AlphaZeroSettings, CARDMODEL: CardModelSettings}
    return kinds.get(named, TrainSettings) if isinstance(named, str) else TrainSettings


def _read(name: str) -> tuple[str, str]:
    if name.endswith(".toml"):
        try:
            return name, Path(name).read_text()
        except (OSError, ValueError) as error:
            raise SettingsError(f"{name}: cannot be read ({getattr(error, 'strerror', None) or error})") from None
    if name not in preset_names():
        hint = "settings of your own end in .toml" if Path(name).is_file() else nearest(name, preset_names())
        raise SettingsError(f"unknown preset {name!r}; {hint}")
    return name, (files("zerosum") / "presets" / f"{name}.toml").read_text()


def _put(values: dict[str, Any], change: str) -> None:
    """`section.key=value`, the value as TOML writes it or as plain text."""
    path, equals, text = change.partition("=")
    section, dot, key = path.strip().partition(".")
    if not (equals and dot and section and key and text.strip()):
        raise SettingsError(f"set: got {change!r}, wanted section.key=value")
    try:
        value = tomllib.loads(f"value = {text.strip()}")["value"]
    except ValueError:
        value = text.strip()
    _section(values, section)[key] = value


def _section(values: dict[str, Any], name: str) -> dict[str, Any]:
    section: dict[str, Any] = values.setdefault(name, {})
    if not isinstance(section, dict):
        raise SettingsError(f"{name}: got {section!r}, wanted a section")
    return section
