"""The safetensors files that a policy's header names: written under names that follow from what they hold, read and
checked against the checksums the header gives."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load as load_tensors
from safetensors.numpy import save as save_tensors

from zerosum.errors import PolicyError
from zerosum.policy.headers import HEADER
from zerosum.runs.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt


def write_tensors(directory: Path, prefix: str, arrays: Mapping[str, npt.NDArray[Any]]) -> tuple[str, str]:
    """Writes a file; returns its name and its checksum."""
    data = save_tensors(dict(arrays))
    digest = hashlib.sha256(data).hexdigest()
    name = f"{prefix}-{digest[:16]}.safetensors"
    write_atomically(directory / name, data)
    return name, digest


def forget_others(directory: Path, prefix: str, name: str) -> None:
    """Removes what an earlier header named, and what a kill left half written."""
    halves = (half for written in (f"{prefix}-*.safetensors", HEADER) for half in directory.glob(f".{written}.*"))
    for old in (*directory.glob(f"{prefix}-*.safetensors"), *halves):
        if old.name != name:
            old.unlink(missing_ok=True)


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


def check_weights(
    arrays: Mapping[str, npt.NDArray[Any]], wanted: Mapping[str, tuple[int, ...]], who: str, where: str, hint: str
) -> None:
    """Refuses weights of other names or shapes than `who` has, or not finite; `hint` says how to make some."""
    for key in sorted({*wanted, *arrays}):
        if key not in arrays:
            raise PolicyError(f"{where}: {key} is missing, wanted {list(wanted[key])}; {hint}")
        if key not in wanted:
            raise PolicyError(f"{where}: got {key}, which {who} does not have; {hint}")
        if arrays[key].shape != wanted[key]:
            raise PolicyError(f"{where}: {key} is {list(arrays[key].shape)}, wanted {list(wanted[key])}; {hint}")
        if not np.isfinite(arrays[key]).all():
            raise PolicyError(f"{where}: {key} holds what is not a finite number; {hint}")
