"""Weights by name, into a network: from safetensors that a header names, or from a `.pt` file of PyTorch's.

A `.pt` file is read weights only, never as a program; its dictionary may be bare or under `model_state_dict`.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import torch

from zerosum.errors import PolicyError
from zerosum.policy.tensors import check_weights, read_tensors, write_tensors

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import numpy.typing as npt
    from torch import nn


def write_weights(directory: Path, prefix: str, network: nn.Module) -> tuple[str, str]:
    """Writes a network's weights under a name that follows from them; returns the name and the checksum."""
    arrays = {name: tensor.cpu().numpy() for name, tensor in network.state_dict().items()}
    return write_tensors(directory, prefix, arrays)


def read_weights(directory: Path, name: object, sha256: object, network: nn.Module, hint: str) -> None:
    """The weights of a file beside a header, put into the network."""
    try:
        arrays = read_tensors(directory, name, sha256)
    except PolicyError as error:
        raise PolicyError(f"{error}; {hint}") from None
    put_weights(network, arrays, f"{directory / str(name)}", hint)


def import_weights(path: Path, network: nn.Module, hint: str) -> None:
    """The weights of a `.pt` file, put into the network."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what it finds in files that are refused below
            found: Any = torch.load(path, map_location="cpu", weights_only=True)
    except OSError as error:
        raise PolicyError(f"{path}: cannot be read ({error.strerror}); {hint}") from None
    except MemoryError:
        raise
    except Exception:  # what is no such file can make PyTorch's reader raise anything
        raise PolicyError(f"{path}: not a file of weights alone, wanted a state dict; {hint}") from None
    if isinstance(found, dict) and isinstance(found.get("model_state_dict"), dict):
        found = found["model_state_dict"]
    if not isinstance(found, dict) or not all(isinstance(tensor, torch.Tensor) for tensor in found.values()):
        raise PolicyError(f"{path}: got no dictionary of tensors, wanted one, bare or under model_state_dict; {hint}")
    try:
        if any(tensor.is_complex() or tensor.dtype == torch.bool for tensor in found.values()):
            raise TypeError
        arrays = {str(key): tensor.detach().float().numpy() for key, tensor in found.items()}
    except (RuntimeError, TypeError):
        raise PolicyError(f"{path}: got tensors that are no plain arrays of numbers, wanted such; {hint}") from None
    put_weights(network, arrays, str(path), hint)


def put_weights(network: nn.Module, arrays: Mapping[str, npt.NDArray[Any]], where: str, hint: str) -> None:
    """Refuses what has other names or shapes than the network, or is not finite; `hint` says how to make some."""
    wanted = {key: tuple(tensor.shape) for key, tensor in network.state_dict().items()}
    check_weights(arrays, wanted, type(network).__name__, where, hint)
    network.load_state_dict({key: torch.from_numpy(arrays[key]).float() for key in wanted})
