"""`.bin` weights, little-endian, as the C++ inference reads them.

u32 number of tensors; for each u32 length of its name, the name in UTF-8, u32 number of dimensions, u32 each dimension,
float32 values. A reader holds every length against what the file has left before it allocates anything.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from zerosum.errors import PolicyError
from zerosum.runs.files import write_atomically

if TYPE_CHECKING:
    import numpy.typing as npt
    from torch import nn

    Tensors = Mapping[str, npt.NDArray[np.float32]]

MOST_BYTES = 1 << 26
MOST_DIMENSIONS = 8


def tensors_of(network: nn.Module) -> dict[str, npt.NDArray[np.float32]]:
    """A network's weights by name."""
    found = {name: tensor.detach().cpu().numpy() for name, tensor in network.state_dict().items()}
    return {name: np.ascontiguousarray(array, dtype="<f4") for name, array in found.items()}


def weights_bin(tensors: Tensors) -> bytes:
    """The bytes of a `.bin` file."""
    parts = [struct.pack("<I", len(tensors))]
    for name, array in tensors.items():
        told = name.encode()
        parts.append(struct.pack(f"<I{len(told)}sI", len(told), told, array.ndim))
        parts.append(struct.pack(f"<{array.ndim}I", *array.shape))
        parts.append(np.ascontiguousarray(array, dtype="<f4").tobytes())
    return b"".join(parts)


def export_weights_bin(network: nn.Module | Tensors, path: str | Path) -> None:
    """Writes a network's weights, or tensors by name, as a `.bin` file."""
    tensors = network if isinstance(network, Mapping) else tensors_of(network)
    write_atomically(path, weights_bin(tensors))


def load_weights(path: str | Path) -> dict[str, npt.NDArray[np.float32]]:
    """The tensors of a `.bin` file."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise PolicyError(f"{path}: cannot be read ({error.strerror})") from None
    if len(data) > MOST_BYTES:
        raise PolicyError(f"{path}: wanted a file of at most {MOST_BYTES:,} bytes")
    try:
        return parse_weights(data)
    except PolicyError as error:
        raise PolicyError(f"{path}: {error}") from None


def parse_weights(data: bytes) -> dict[str, npt.NDArray[np.float32]]:
    """The tensors in the bytes of a `.bin` file."""
    reader = _Reader(data)
    found: dict[str, Any] = {}
    for _ in range(reader.number("number of tensors")):
        try:
            name = reader.take(reader.number("length of a name"), "name").decode()
        except UnicodeDecodeError:
            raise PolicyError("got a name that is no UTF-8") from None
        dimensions = reader.number("number of dimensions")
        if dimensions > MOST_DIMENSIONS:
            raise PolicyError(f"{name[:60]}: got {dimensions} dimensions, wanted at most {MOST_DIMENSIONS}")
        shape = [reader.number("dimension") for _ in range(dimensions)]
        if any(math.prod(shape[:k]) > MOST_BYTES for k in range(1, dimensions + 1)):
            raise PolicyError(f"{name[:60]}: got more numbers than any file may hold")
        values = reader.take(4 * math.prod(shape), "values")
        if name in found:
            raise PolicyError(f"{name[:60]}: is given twice")
        found[name] = np.frombuffer(values, dtype="<f4").reshape(shape)
    if reader.at < len(data):
        raise PolicyError("got more bytes after the last tensor, wanted the end")
    return found


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, count: int, what: str) -> bytes:
        left = len(self.data) - self.at
        if count > left:
            raise PolicyError(f"{what}: got {left} bytes, wanted {count}")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, what: str) -> int:
        return int.from_bytes(self.take(4, what), "little")
