"""Weights by name, into a network: from safetensors that a header names, or from a `.pt` file of PyTorch's.

A `.pt` file is read weights only, never as a program; its dictionary may be bare or under `model_state_dict`.
"""

from __future__ import annotations

import hashlib
import pickle
from typing import TYPE_CHECKING, Any

import torch
from safetensors.numpy import save as save_tensors

from zerosum.errors import PolicyError
from zerosum.policy.tensors import read_tensors
from zerosum.runs.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from torch import Tensor, nn


def write_weights(directory: Path, prefix: str, network: nn.Module) -> tuple[str, str]:
    """Writes a network's weights under a name that follows from them; returns the name and the checksum."""
    data = save_tensors({name: tensor.cpu().numpy() for name, tensor in network.state_dict().items()})
    digest = hashlib.sha256(data).hexdigest()
    name = f"{prefix}-{digest[:16]}.safetensors"
    write_atomically(directory / name, data)
    return name, digest


def forget_others(directory: Path, prefix: str, name: str) -> None:
    """Removes what an earlier header named."""
    for old in directory.glob(f"{prefix}-*.safetensors"):
        if old.name != name:
            old.unlink(missing_ok=True)


def read_weights(directory: Path, name: object, sha256: object, network: nn.Module, hint: str) -> None:
    """The weights of a file beside a header, put into the network."""
    tensors = {key: torch.from_numpy(array) for key, array in read_tensors(directory, name, sha256).items()}
    put_weights(network, tensors, f"{directory / str(name)}", hint)


def import_weights(path: Path, network: nn.Module, hint: str) -> None:
    """The weights of a `.pt` file, put into the network."""
    try:
        found: Any = torch.load(path, map_location="cpu", weights_only=True)
    except OSError as error:
        raise PolicyError(f"{path}: cannot be read ({error.strerror})") from None
    except (pickle.UnpicklingError, RuntimeError, EOFError, ValueError, KeyError) as error:
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise PolicyError(f"{path}: not a file of weights alone ({first})") from None
    if isinstance(found, dict) and isinstance(found.get("model_state_dict"), dict):
        found = found["model_state_dict"]
    if not isinstance(found, dict) or not all(isinstance(tensor, torch.Tensor) for tensor in found.values()):
        raise PolicyError(f"{path}: got no dictionary of tensors, wanted one, bare or under model_state_dict")
    put_weights(network, {str(key): tensor for key, tensor in found.items()}, str(path), hint)


def put_weights(network: nn.Module, tensors: Mapping[str, Tensor], where: str, hint: str) -> None:
    """Refuses what has other names or shapes than the network, or is not finite; `hint` says how to make some."""
    wanted = network.state_dict()
    for key in sorted(set(wanted) | set(tensors)):
        if key not in tensors:
            raise PolicyError(f"{where}: {key} is missing, wanted {_shape(wanted[key])}; {hint}")
        if key not in wanted:
            raise PolicyError(f"{where}: got {key}, which {type(network).__name__} does not have; {hint}")
        if tensors[key].shape != wanted[key].shape:
            got = f"{key} is {_shape(tensors[key])}"
            raise PolicyError(f"{where}: {got}, wanted {_shape(wanted[key])}; {hint}")
        if not torch.isfinite(tensors[key].float()).all():
            raise PolicyError(f"{where}: {key} holds what is not a finite number; {hint}")
    network.load_state_dict({key: tensors[key].float() for key in wanted})


def _shape(tensor: Tensor) -> str:
    return "[" + ", ".join(str(size) for size in tensor.shape) + "]"
