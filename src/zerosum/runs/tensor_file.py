"""A safetensors file in pieces: large arrays go to the disk from where they lie, and not by way of copies of them all.

The format (github.com/huggingface/safetensors): the length of the header in eight bytes, the header as JSON, the data.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy.typing as npt

LETTERS = {"f": "F", "i": "I", "u": "U"}


def pieces_of(arrays: Mapping[str, npt.NDArray[Any]], about: Mapping[str, str]) -> Iterator[bytes | memoryview]:
    """The file, piece by piece; the widest numbers come first, so that each lies where its width divides its place."""
    ordered = sorted(arrays.items(), key=lambda named: (-named[1].itemsize, named[0]))
    header: dict[str, Any] = {"__metadata__": dict(about)}
    at = 0
    for name, array in ordered:
        offsets = [at, at := at + array.nbytes]
        header[name] = {"dtype": _name(array.dtype), "shape": list(array.shape), "data_offsets": offsets}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    yield len(text).to_bytes(8, "little")
    yield text
    for _, array in ordered:
        yield bytes_of(array)


def bytes_of(array: npt.NDArray[Any]) -> memoryview:
    """The same memory byte by byte, where it is in one piece."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def _name(dtype: np.dtype[Any]) -> str:
    return "BOOL" if dtype.kind == "b" else f"{LETTERS[dtype.kind]}{8 * dtype.itemsize}"
