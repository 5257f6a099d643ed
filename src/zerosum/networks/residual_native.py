"""AlphaZeroNet as it plays: native code with its batch norms folded into the weights before them.

`native/include/zerosum/nn/residual_net.hpp` says how; `gomoku.py` is the same network as it learns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from zerosum import native

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from zerosum.networks.inference import Answers

    Floats = npt.NDArray[np.float32]

EPSILON = 1e-5  # of PyTorch's batch norms
LANES = 8  # numbers that native code works on at a time


def folded_weights(weights: Mapping[str, Floats], blocks: int) -> Floats:
    """All weights in the order of use, each layer's and then its bias."""
    layers = [("conv_input", "bn_input")]
    layers += [(f"res_blocks.{n}.conv{i}", f"res_blocks.{n}.bn{i}") for n in range(blocks) for i in (1, 2)]
    parts = [part for conv, norm in layers for part in _folded(weights, conv, norm)]
    parts += [*_folded(weights, "policy_conv", "policy_bn"), *_layer(weights, "policy_fc")]
    parts += [*_folded(weights, "value_conv", "value_bn"), *_layer(weights, "value_fc1"), *_layer(weights, "value_fc2")]
    return np.concatenate(parts).astype(np.float32)


def _folded(weights: Mapping[str, Floats], conv: str, norm: str) -> list[npt.NDArray[Any]]:
    kept = {name: weights[f"{norm}.{name}"].astype(np.float64) for name in ("weight", "bias", "running_mean")}
    scale = kept["weight"] / np.sqrt(weights[f"{norm}.running_var"].astype(np.float64) + EPSILON)
    kernel = weights[f"{conv}.weight"] * scale[:, None, None, None]
    return [kernel.ravel(), kept["bias"] - kept["running_mean"] * scale]


def _layer(weights: Mapping[str, Floats], name: str) -> list[npt.NDArray[Any]]:
    return [weights[f"{name}.weight"].ravel(), weights[f"{name}.bias"]]


class ResidualEvaluator:
    """Answers by native code; every row for itself, so threads change nothing."""

    def __init__(self, weights: Mapping[str, Floats], board: tuple[int, int], blocks: int, threads: int = 1) -> None:
        height, width = board
        channels = len(weights["bn_input.weight"])
        self._answers = native.ResidualNet(
            folded_weights(weights, blocks),
            height=height,
            width=width,
            channels=channels,
            blocks=blocks,
            threads=threads,
        )

    def __call__(self, planes: Floats) -> Answers:
        return self._answers(planes)
