"""A pattern network as it plays: a table and a few layers in native code, made of its weights; needs no PyTorch.

`patterns.py` is the same network as it learns, and says what a pattern is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zerosum import native

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from zerosum.networks.inference import Answers

    Floats = npt.NDArray[np.float32]
    Weights = Mapping[str, Floats]

REACH = 4  # cells each way, at most
OUTSIDE = 3  # what a cell off the board counts as; 0 is empty, 1 own, 2 the other's
HEAD, HIDDEN, INNER = 16, 64, 64
CHUNK = 1 << 14  # patterns at a time
BEHIND = ("policy_conv", "policy_around", "policy_out", "value_conv", "value_hidden", "value_out")


def reach_of(line: int) -> int:
    return min(line - 1, REACH)


def weight_shapes(channels: int, blocks: int, line: int) -> dict[str, tuple[int, ...]]:
    """Its weights by name, and their shapes."""
    sizes: dict[str, tuple[int, ...]] = {
        "read": (INNER, 3 * (2 * reach_of(line) + 1)),
        "weigh": (INNER, INNER),
        "tell": (channels, INNER),
        "policy_conv": (HEAD, channels, 1, 1),
        "policy_around": (HEAD, 2 * channels),
        "policy_out": (1, HEAD, 1, 1),
        "value_conv": (channels, channels, 1, 1),
        "value_hidden": (HIDDEN, 2 * channels),
        "value_out": (3, HIDDEN),
    }
    for number in range(blocks):
        sizes[f"blocks.{number}.depth"] = (channels, 1, 3, 3)
        sizes[f"blocks.{number}.point"] = (channels, channels, 1, 1)
    return {f"{name}.weight": size for name, size in sizes.items()} | {
        f"{name}.bias": size[:1] for name, size in sizes.items()
    }


def pattern_table(weights: Weights) -> Floats:
    """[4^width, channels] what every pattern says."""
    width = weights["read.weight"].shape[1] // 3
    patterns = 4**width
    table = np.empty((patterns, len(weights["tell.bias"])), np.float32)
    for first in range(0, patterns, CHUNK):
        codes = np.arange(first, min(first + CHUNK, patterns))
        digits = codes[:, None] >> np.arange(0, 2 * width, 2) & 3
        bits = np.stack([digits == sort for sort in (1, 2, OUTSIDE)], axis=2).astype(np.float32)
        forth, back = (_layer(weights, "read", seen.reshape(len(codes), -1)) for seen in (bits, bits[:, ::-1]))
        either = np.maximum(forth, 0) + np.maximum(back, 0)
        table[codes] = _layer(weights, "tell", np.maximum(_layer(weights, "weigh", either), 0))
    return table


def _layer(weights: Weights, name: str, rows: Floats) -> Floats:
    return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def flat_layers(weights: Weights) -> Floats:
    """All weights behind the table, as native/include/zerosum/nn/pattern_net.hpp reads them: each layer's matrix as
    [inputs, outputs], then its bias."""
    names = [f"blocks.{number}.{part}" for number in range(_blocks(weights)) for part in ("depth", "point")]
    parts = []
    for name in (*names, *BEHIND):
        matrix = weights[f"{name}.weight"]
        parts += [matrix.reshape(len(matrix), -1).T.ravel(), weights[f"{name}.bias"]]
    return np.concatenate(parts)


def _blocks(weights: Weights) -> int:
    return sum(name.endswith(".depth.weight") for name in weights)


class PatternEvaluator:
    """Answers by native code; every row for itself, so threads change nothing."""

    def __init__(self, weights: Weights, threads: int = 1) -> None:
        self._reach = weights["read.weight"].shape[1] // 6
        self._answers = native.PatternNet(
            pattern_table(weights),
            flat_layers(weights),
            reach=self._reach,
            blocks=_blocks(weights),
            head=len(weights["policy_conv.bias"]),
            hidden=len(weights["value_hidden.bias"]),
            threads=threads,
        )

    def plays_exactly(self, line: int | None) -> None:
        """From now on only lines of exactly this length win; None: longer ones as well."""
        self._answers.read_as(np.empty(0, np.uint32) if line is None else native.exact_patterns(self._reach, line))

    def __call__(self, planes: Floats) -> Answers:
        return self._answers(planes)
