"""Checkpoints on the disk: what safetensors reads is what went in, and nothing large is copied on the way."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING, Any

import numpy as np
from safetensors import safe_open
from safetensors.numpy import load

from zerosum.runs.directory import Checkpoint, RunDirectory
from zerosum.runs.tensor_file import pieces_of

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

KINDS = ("float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint64", "uint32", "uint16", "uint8")


def test_safetensors_reads_what_went_in(tmp_path: Path) -> None:
    arrays: dict[str, npt.NDArray[Any]] = {kind: np.arange(7).astype(kind) for kind in KINDS}
    arrays["bool"] = np.array([[True, False, True]])
    arrays["none"] = np.zeros((0, 3), np.float32)
    arrays["turned"] = np.arange(12, dtype=np.int32).reshape(3, 4).T
    path = tmp_path / "a.safetensors"
    path.write_bytes(b"".join(bytes(piece) for piece in pieces_of(arrays, {"about": "ä"})))
    with safe_open(path, framework="numpy") as file:
        assert file.metadata() == {"about": "ä"}
    found = load(path.read_bytes())
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        assert found[name].shape == array.shape
        assert np.array_equal(found[name], array)


def test_a_checkpoint_is_written_without_a_copy(tmp_path: Path) -> None:
    run = RunDirectory(tmp_path)
    large = np.arange(5_000_000, dtype=np.int64)
    tracemalloc.start()
    run.save_checkpoint(Checkpoint({"iteration": 3}, {"large": large}))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < large.nbytes / 4
    found = run.last_checkpoint()
    assert found is not None
    assert found.iteration == 3
    assert np.array_equal(found.tensors["large"], large)
