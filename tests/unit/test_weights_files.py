"""`.bin` weights: Python and C++ read what the other wrote, and refuse what is no such file."""

from __future__ import annotations

import struct
import tracemalloc
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch

from zerosum import native
from zerosum.errors import PolicyError
from zerosum.export import CardModelInference, export_weights_bin, load_weights
from zerosum.export.weights import parse_weights, weights_bin
from zerosum.networks.heads_up import CardModel, CFRNetwork

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

SMALL: dict[str, npt.NDArray[np.float32]] = {
    "a": np.arange(6, dtype=np.float32).reshape(2, 3),
    "böse": np.array([1.5], np.float32),
    "empty": np.zeros((0, 4), np.float32),
}


def test_the_bytes_are_those_of_the_format() -> None:
    told = weights_bin({"ab": np.array([[1.0, -2.0]], dtype=np.float32)})
    assert told == struct.pack("<II2sIII2f", 1, 2, b"ab", 2, 1, 2, 1.0, -2.0)


def test_each_reads_what_the_other_wrote(tmp_path: Path) -> None:
    for found in (native.parse_weights(weights_bin(SMALL)), parse_weights(native.weights_bytes(SMALL))):
        assert set(found) == set(SMALL)
        assert all(found[name].shape == SMALL[name].shape and (found[name] == SMALL[name]).all() for name in SMALL)
    for network, count in ((CardModel(), 493_939), (CFRNetwork(), 114_314)):
        path = tmp_path / "network.bin"
        export_weights_bin(network, path)
        found = load_weights(path)
        assert sum(tensor.size for tensor in found.values()) == count
        assert list(found) == list(network.state_dict())
        network.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in found.items()})


@pytest.mark.parametrize("parse", [parse_weights, native.parse_weights])
def test_what_is_no_file_of_weights_is_refused(parse: object) -> None:
    assert callable(parse)
    whole = weights_bin(SMALL)
    for length in range(len(whole)):
        with pytest.raises(PolicyError, match="wanted"):
            parse(whole[:length])
    with pytest.raises(PolicyError, match="more bytes after the last tensor"):
        parse(whole + b"\0")
    with pytest.raises(PolicyError, match="twice"):
        parse(struct.pack("<I", 2) + 2 * struct.pack("<I1sII1f", 1, b"a", 1, 1, 0.0))
    with pytest.raises(PolicyError, match="9 dimensions, wanted at most 8"):
        parse(struct.pack("<II1sI", 1, 1, b"a", 9) + bytes(40))


@pytest.mark.parametrize("parse", [parse_weights, native.parse_weights, native.parse_packed])
def test_no_length_is_believed(parse: object) -> None:
    """A file of a few bytes that claims gigabytes is refused before anything of that size is made."""
    assert callable(parse)
    most = 2**32 - 1
    claims = [
        struct.pack("<I", most),
        struct.pack("<II", 1, most),
        struct.pack("<II1sII", 1, 1, b"a", 1, most),
        struct.pack("<II1sI8I", 1, 1, b"a", 8, *[most] * 8),
        struct.pack("<II1sI4I", 1, 1, b"a", 4, 2**31, 2**31, 2**31, 0) + bytes(64),
    ]
    tracemalloc.start()
    try:
        for claim in claims:
            with pytest.raises(PolicyError):
                parse(claim)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_files_that_are_not_there_or_of_another_network(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="cannot be read"):
        load_weights(tmp_path / "none.bin")
    (tmp_path / "cut.bin").write_bytes(weights_bin(SMALL)[:-1])
    with pytest.raises(PolicyError, match=r"cut\.bin: .*wanted"):
        load_weights(tmp_path / "cut.bin")
    with pytest.raises(PolicyError, match="is missing"):
        CardModelInference(weights_bin(SMALL))
    with pytest.raises(PolicyError, match="is missing"):
        CardModelInference(weights_bin({k: v.numpy() for k, v in CFRNetwork().state_dict().items()}))
