"""Files that are there whole or not at all: written to a temporary name, synced, renamed."""

from __future__ import annotations

import errno
import os
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from zerosum.errors import RunError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

NAME_MAX = 255


def make_directory(path: str | Path) -> Path:
    """Makes a directory and proves that it can be written."""
    if not path:
        raise RunError("got an empty name, wanted a directory")
    path = Path(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as error:
        raise RunError(f"{path}: cannot be written ({error.strerror})") from None
    return path


def check_writable(path: str | Path) -> Path:
    """Refuses, without making anything, a directory that could not be made or written."""
    path = Path(path)
    if str(path) in ("", "."):
        raise RunError(f"got {str(path)!r}, wanted the name of a directory")
    there = path
    while not os.path.lexists(there) and there != there.parent:
        there = there.parent
    if not os.path.isdir(there):  # noqa: PTH112  (Path.is_dir raises where it may not look)
        raise RunError(f"{path}: cannot be written ({there} is not a directory)")
    if not os.access(there, os.W_OK | os.X_OK):
        raise RunError(f"{path}: cannot be written (no permission in {there})")
    if len(max(path.parts, key=len)) > NAME_MAX:
        raise RunError(f"{str(path)[:60]}...: cannot be written (a name of more than {NAME_MAX} letters)")
    return path


def write_atomically(path: str | Path, data: bytes) -> None:
    """Replaces a file in one step; after it returns, the bytes are on the disk."""
    write_pieces_atomically(path, [data])


def write_pieces_atomically(path: str | Path, pieces: Iterable[bytes | memoryview]) -> None:
    """The same for what is too large to be put together first."""
    path = Path(path)
    try:
        temporary = _staged(path, pieces)
        try:
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        _sync_directory(path.parent)
    except OSError as error:
        raise RunError(f"{path}: cannot be written ({error.strerror})") from None


def write_together(files: Mapping[Path, bytes]) -> None:
    """Files that belong together: all are written to temporary names before the first is renamed, and where one cannot
    be, everything is as it was before.
    """
    undo = ExitStack()  # run where something fails, last first
    path = Path()
    with undo:
        try:
            staged: dict[Path, Path] = {}
            for path, data in files.items():
                _make_parents(path, undo)
                if path.is_dir():
                    raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
                staged[path] = _staged(path, [data])
                undo.callback(staged[path].unlink, missing_ok=True)
            for path, temporary in staged.items():
                _rename(temporary, path, undo)
            for parent in {path.parent for path in files}:
                _sync_directory(parent)
        except OSError as error:
            raise RunError(f"{path}: cannot be written ({error.strerror})") from None
        undo.pop_all()


def _make_parents(path: Path, undo: ExitStack) -> None:
    missing = [parent for parent in path.parents if not parent.exists()]
    for parent in reversed(missing):
        parent.mkdir()
        undo.callback(parent.rmdir)


def _rename(temporary: Path, path: Path, undo: ExitStack) -> None:
    """Puts a file in its place; `undo` brings back what was there."""
    if path.exists():
        undo.callback(write_atomically, path, path.read_bytes())
    else:
        undo.callback(path.unlink, missing_ok=True)
    temporary.replace(path)


def _staged(path: Path, pieces: Iterable[bytes | memoryview]) -> Path:
    """A temporary file beside a path, on the disk."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o666 & ~_umask())
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _sync_directory(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
