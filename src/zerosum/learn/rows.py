"""Samples to learn from, as flat arrays: no object for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True)
class Rows:
    """Samples: what was seen, what was legal there, what was found, and how much it counts."""

    features: npt.NDArray[Any]  # [N, F] numbers, or bytes that a network reads itself
    legal: npt.NDArray[np.bool_]  # [N, A]
    values: npt.NDArray[Any]  # [N, A]
    weight: npt.NDArray[Any]  # [N]

    def __len__(self) -> int:
        return len(self.weight)
