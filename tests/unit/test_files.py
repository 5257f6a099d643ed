"""Files that belong together: all are written, or everything is as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from zerosum.errors import RunError
from zerosum.runs.files import write_together


def there(folder: Path) -> dict[str, bytes | None]:
    return {str(path.relative_to(folder)): None if path.is_dir() else path.read_bytes() for path in folder.rglob("*")}


def test_all_are_written(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    write_together({tmp_path / "a": b"1", tmp_path / "b" / "c" / "d": b"2"})
    assert there(tmp_path) == {"a": b"1", "b": None, "b/c": None, "b/c/d": b"2"}


def test_one_cannot_be_prepared(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "file").touch()
    before = there(tmp_path)
    with pytest.raises(RunError, match="cannot be written"):
        write_together({tmp_path / "a": b"1", tmp_path / "b" / "c": b"2", tmp_path / "file" / "d": b"3"})
    assert there(tmp_path) == before


def test_one_cannot_be_put_in_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk fails at the third rename: the first file is the old one again, the second is gone."""
    (tmp_path / "a").write_bytes(b"old")
    before, replace = there(tmp_path), Path.replace

    def fail(self: Path, target: Path) -> Path:
        if target.name == "d":
            raise OSError(5, "Input/output error")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(RunError, match=r"d: cannot be written \(Input/output error\)"):
        write_together({tmp_path / "a": b"1", tmp_path / "b" / "c": b"2", tmp_path / "b" / "d": b"3"})
    assert there(tmp_path) == before
