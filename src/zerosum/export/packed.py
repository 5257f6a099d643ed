"""Weights small enough for a source file: whole numbers of 8 or 16 bits, a scale for each row, and only what plays.

Where 8 bits would move a strategy by more than is allowed, the network that suffers gets 16.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import numpy as np

from zerosum.errors import PolicyError
from zerosum.export.states import random_views
from zerosum.export.weights import tensors_of, weights_bin
from zerosum.native import HeadsUpPlayer

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from zerosum.policy.heads_up import HeadsUpPolicy

NOT_NEEDED = ("equity_head.", "regret_head.")
MOST_VARIATION = 0.01
STATES = 2000
BITS = ((8, 8), (8, 16), (16, 16))  # of CardModel and of the network beside it, smallest first


def pack(tensors: Mapping[str, npt.NDArray[np.float32]], bits: int) -> bytes:
    """Tensors as `zerosum/nn/weights.hpp` unpacks them; one row for what has fewer than two dimensions."""
    kept = {name: array for name, array in tensors.items() if not name.startswith(NOT_NEEDED)}
    most = 2 ** (bits - 1) - 1
    parts = [struct.pack("<I", len(kept))]
    for name, array in kept.items():
        told = name.encode()
        rows = array.reshape(array.shape[0] if array.ndim > 1 else 1, -1)
        scales = (np.abs(rows).max(axis=1) / most).astype("<f4")
        whole = np.round(rows / np.where(scales > 0, scales, 1)[:, None]).clip(-most, most)
        parts.append(struct.pack(f"<I{len(told)}sI", len(told), told, array.ndim))
        parts.append(struct.pack(f"<{array.ndim}II", *array.shape, bits))
        parts.append(scales.tobytes() + whole.astype(f"<i{bits // 8}").tobytes())
    return b"".join(parts)


def packed_policy(policy: HeadsUpPolicy) -> tuple[bytes, bytes, tuple[int, int], float]:
    """Both networks packed as small as the strategy allows, their bits, and the most that any strategy moved.

    Measured as total variation in random situations, before small chances are dropped: a share at that very bound may
    fall on either side of it by the least change.
    """
    cards, network = tensors_of(policy.cards), tensors_of(policy.network)
    views = list(random_views(policy.game, STATES, seed=0))
    exact = HeadsUpPlayer(weights_bin(cards), weights_bin(network), 0.0).strategies(views)
    for bits in BITS:
        small = pack(cards, bits[0]), pack(network, bits[1])
        found = HeadsUpPlayer(*small, 0.0, packed=True).strategies(views)
        moved = float(np.abs(found - exact).sum(axis=1).max() / 2)
        if moved <= MOST_VARIATION:
            return *small, bits, moved
    raise PolicyError(f"embed: 16 bits move a strategy by {moved:.3f}, wanted at most {MOST_VARIATION}")
