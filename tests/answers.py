"""Answers that stand for a network's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from zerosum.networks.inference import Answers


def hashed(planes: npt.NDArray[np.float32]) -> Answers:
    """Any answer will do, as long as it is always the same one for a position."""
    shares, values = [], []
    for row in planes:
        luck = np.random.default_rng(int.from_bytes(row.astype(np.int8).tobytes()[:4000], "little") % 2**63)
        shares.append(luck.dirichlet(np.full(row[0].size, 0.5)))
        values.append(luck.uniform(-1, 1))
    return np.array(shares, np.float32), np.array(values, np.float32)
