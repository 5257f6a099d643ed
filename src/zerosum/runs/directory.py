"""A run is a directory: settings, metrics, checkpoints and a policy. Killed at any moment, it resumes."""

from __future__ import annotations

import json
import os
import tomllib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import tomli_w
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save as save_tensors

from zerosum.errors import RunError
from zerosum.runs.files import make_directory, write_atomically
from zerosum.settings import from_mapping

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

Settings = TypeVar("Settings")

KEPT_CHECKPOINTS = 2


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A run's state: the iteration, the seconds it took to get there, and the arrays to go on from."""

    iteration: int
    seconds: float
    tensors: dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class RunDirectory:
    """Where a run keeps what it made."""

    path: Path

    @classmethod
    def create(cls, path: str | Path, settings: Any) -> RunDirectory:
        """A new run; refuses a directory that holds one already."""
        path = Path(path)
        if (path / "settings.toml").exists():
            raise RunError(f"{path}: holds a run already; resume it, or name another directory")
        make_directory(path)
        write_atomically(path / "settings.toml", tomli_w.dumps(asdict(settings)).encode())
        return cls(path)

    @classmethod
    def open(cls, path: str | Path, kind: type[Settings]) -> tuple[RunDirectory, Settings]:
        """A run that was begun, with its settings."""
        path = Path(path)
        file = path / "settings.toml"
        try:
            values = tomllib.loads(file.read_text())
        except FileNotFoundError:
            raise RunError(f"{path}: holds no run to resume (settings.toml is missing)") from None
        except (OSError, ValueError) as error:
            raise RunError(f"{file}: not readable settings ({error})") from None
        settings = from_mapping(kind, values, str(file))
        make_directory(path)
        return cls(path), settings

    @property
    def policy(self) -> Path:
        return self.path / "policy"

    def log(self, row: Mapping[str, Any]) -> None:
        """Adds a line to the metrics; a row that was cut short by a kill is ended first."""
        path = self.path / "metrics.jsonl"
        try:
            with path.open("a+b") as file:
                if file.seek(0, os.SEEK_END):
                    file.seek(-1, os.SEEK_END)
                    if file.read(1) != b"\n":
                        file.write(b"\n")
                file.write(json.dumps(row).encode() + b"\n")
        except OSError as error:
            raise RunError(f"{path}: cannot be written ({error.strerror})") from None

    def metrics(self) -> list[dict[str, Any]]:
        """The whole rows of the metrics."""
        path, rows = self.path / "metrics.jsonl", []
        for line in path.read_text().splitlines() if path.exists() else ():
            try:
                rows.append(json.loads(line))
            except ValueError:
                continue  # a row that a kill cut short
        return rows

    def save_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Writes a checkpoint and forgets all but the last two."""
        folder = make_directory(self.path / "checkpoints")
        about = {"iteration": str(checkpoint.iteration), "seconds": str(checkpoint.seconds)}
        data = save_tensors(checkpoint.tensors, metadata=about)
        write_atomically(folder / f"{checkpoint.iteration:015d}.safetensors", data)
        for old in self._checkpoints()[:-KEPT_CHECKPOINTS]:
            old.unlink()

    def last_checkpoint(self) -> Checkpoint | None:
        """The newest checkpoint, if there is any."""
        found = self._checkpoints()
        if not found:
            return None
        try:
            with safe_open(found[-1], framework="numpy") as file:
                about = file.metadata()
                tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
                return Checkpoint(int(about["iteration"]), float(about["seconds"]), tensors)
        except (OSError, SafetensorError, TypeError, KeyError, ValueError) as error:
            raise RunError(f"{found[-1]}: not a readable checkpoint ({error}); delete it to use an older one") from None

    def _checkpoints(self) -> list[Path]:
        return sorted((self.path / "checkpoints").glob("*.safetensors"))
