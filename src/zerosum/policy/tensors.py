"""The safetensors files that a policy's header names, checked against the checksums it gives."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from safetensors import SafetensorError
from safetensors.numpy import load as load_tensors

from zerosum.errors import PolicyError

if TYPE_CHECKING:
    import numpy.typing as npt


def read_tensors(directory: Path, name: object, sha256: object) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a file beside a header; refuses one that is not the file the header was written for."""
    path = directory / Path(str(name)).name  # a header names no other directory
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PolicyError(f"{path}: cannot be read ({error.strerror})") from None
    if hashlib.sha256(data).hexdigest() != sha256:
        raise PolicyError(f"{path}: truncated or changed after it was written (its checksum does not match)")
    try:
        return dict(load_tensors(data))
    except SafetensorError as error:
        raise PolicyError(f"{path}: not a safetensors file ({error})") from None
