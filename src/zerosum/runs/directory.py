"""A run is a directory: settings, metrics, checkpoints and a policy. Killed at any moment, it resumes."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import tomllib
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomli_w
from safetensors import SafetensorError, safe_open

from zerosum.errors import RunError
from zerosum.runs.files import check_writable, make_directory, write_atomically, write_pieces_atomically
from zerosum.runs.tensor_file import bytes_of, pieces_of
from zerosum.settings import Settings, from_mapping

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import numpy.typing as npt

KEPT_CHECKPOINTS = 2


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A run's state: numbers and names about it (its iteration among them), and the arrays to go on from."""

    about: dict[str, Any]
    tensors: dict[str, npt.NDArray[Any]]

    @property
    def iteration(self) -> int:
        return int(self.about["iteration"])

    def digest(self) -> str:
        """A checksum of everything in it."""
        whole = hashlib.sha256(json.dumps(self.about, sort_keys=True).encode())
        for name, array in sorted(self.tensors.items()):
            whole.update(f"{name} {array.dtype} {array.shape} ".encode())
            whole.update(bytes_of(array))
        return whole.hexdigest()


@dataclass(frozen=True)
class RunDirectory:
    """Where a run keeps what it made."""

    path: Path

    @classmethod
    def create(cls, path: str | Path, settings: Any) -> RunDirectory:
        """A new run; refuses a directory that holds one already."""
        path = Path(path)
        cls.check_new(path)
        make_directory(path)
        run = cls(path)
        run.write_settings(settings)
        return run

    def write_settings(self, settings: Any) -> None:
        """Writes what the run is, or how far it is to go now."""
        write_atomically(self.path / "settings.toml", tomli_w.dumps(_given(asdict(settings))).encode())

    @staticmethod
    def check_new(path: str | Path) -> None:
        """Refuses, without making anything, a place where no new run can be."""
        check_writable(path)
        if os.path.lexists(Path(path) / "settings.toml"):
            raise RunError(f"{path}: holds a run already; resume it, or name another directory")

    @classmethod
    def open(cls, path: str | Path, kind: type[Settings]) -> tuple[RunDirectory, Settings]:
        """A run that was begun, with its settings."""
        return cls.open_any(path, lambda _: kind)

    @classmethod
    def open_any(
        cls, path: str | Path, kind_of: Callable[[Mapping[str, Any]], type[Settings]]
    ) -> tuple[RunDirectory, Settings]:
        """A run that was begun, with its settings, of whatever kind they are."""
        if not path:
            raise RunError("got an empty name, wanted a run directory")
        path = Path(path)
        file = path / "settings.toml"
        try:
            values = tomllib.loads(file.read_text())
        except FileNotFoundError:
            raise RunError(f"{path}: holds no run to resume (settings.toml is missing)") from None
        except OSError as error:
            raise RunError(f"{path}: holds no run to resume ({error.strerror})") from None
        except ValueError as error:
            raise RunError(f"{file}: not readable settings ({error})") from None
        kind = kind_of(values)
        sections = {field.name for field in fields(kind)}
        if "run" in values and "run" not in sections:
            raise RunError(f"{path}: a run of zerosum train; go on with zerosum train --resume")
        if "game" in values and "game" not in sections:
            raise RunError(f"{path}: a run of zerosum solve; go on with zerosum solve --resume")
        settings = from_mapping(kind, values, str(file))
        make_directory(path)
        return cls(path), settings

    @contextmanager
    def locked(self) -> Iterator[None]:
        """For the length of a block nobody else works on the run; a lock dies with its process."""
        handle = os.open(self.path, os.O_RDONLY)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise RunError(f"{self.path}: another process is at work on this run") from None
            yield
        finally:
            os.close(handle)

    @contextmanager
    def at_work(self, settings: Any, new: bool) -> Iterator[None]:
        """For the length of a block a run, begun here or gone on with; nothing is written before the lock is held."""
        make_directory(self.path)
        with self.locked():
            if new:
                self.create(self.path, settings)
            else:
                self.write_settings(settings)
            yield

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

    def rewrite_metrics(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Replaces the metrics, when a run goes back to its last checkpoint."""
        write_atomically(self.path / "metrics.jsonl", b"".join(json.dumps(row).encode() + b"\n" for row in rows))

    def metrics(self) -> list[dict[str, Any]]:
        """The whole rows of the metrics; what a kill cut short, or is no row, is passed over."""
        path, rows = self.path / "metrics.jsonl", []
        try:
            lines = path.read_bytes().splitlines()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise RunError(f"{path}: cannot be read ({error.strerror})") from None
        for line in lines:
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(row, dict):
                rows.append(row)
        return rows

    def save_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Writes a checkpoint and forgets all but the last two."""
        folder = make_directory(self.path / "checkpoints")
        about = {"about": json.dumps(checkpoint.about), "sha256": checkpoint.digest()}
        path = folder / f"{checkpoint.iteration:015d}.safetensors"
        write_pieces_atomically(path, pieces_of(checkpoint.tensors, about))
        for old in self._checkpoints()[:-KEPT_CHECKPOINTS]:
            old.unlink(missing_ok=True)

    def has_checkpoint(self) -> bool:
        return bool(self._checkpoints())

    def last_checkpoint(self) -> Checkpoint | None:
        """The newest checkpoint, if there is any; refuses one that was damaged or changed."""
        found = self._checkpoints()
        if not found:
            return None
        try:
            return _read_checkpoint(found[-1])
        except RunError as error:
            hint = "delete it to go on from an older one" if len(found) > 1 else "delete it to begin anew"
            raise RunError(f"{error}; {hint}") from None

    def good_checkpoints(self, note: Callable[[str], None]) -> Iterator[Checkpoint]:
        """The checkpoints that can be read, the newest first; says which cannot, and refuses if none can."""
        found, good = self._checkpoints(), 0
        for path in reversed(found):
            try:
                checkpoint = _read_checkpoint(path)
            except RunError as error:
                note(f"{error}; looking for an older one")
                continue
            good += 1
            yield checkpoint
        if found and not good:
            raise RunError(
                f"{self.path / 'checkpoints'}: none of its checkpoints can be read; delete them to begin anew"
            )

    def _checkpoints(self) -> list[Path]:
        return sorted((self.path / "checkpoints").glob("*.safetensors"))


def _given(settings: dict[str, Any]) -> dict[str, Any]:
    """Without what is None, in sections too: TOML has no word for it."""
    return {
        key: _given(value) if isinstance(value, dict) else value for key, value in settings.items() if value is not None
    }


def _read_checkpoint(path: Path) -> Checkpoint:
    try:
        with safe_open(path, framework="numpy") as file:
            header = file.metadata()
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        checkpoint = Checkpoint(json.loads(header["about"]), tensors)
        if checkpoint.digest() != header["sha256"]:
            raise ValueError("its checksum does not match")
    except (OSError, SafetensorError, TypeError, KeyError, ValueError) as error:
        raise RunError(f"{path}: not a readable checkpoint ({error})") from None
    return checkpoint
