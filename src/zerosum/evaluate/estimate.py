"""Means that know how sure they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

Z95 = 1.959963984540054  # the normal distribution's 97.5 % point


@dataclass
class Running:
    """The mean of samples that come in batches, for several players at once (Chan, Golub & LeVeque 1983)."""

    players: int
    count: int = 0
    mean: npt.NDArray[np.float64] = field(init=False)
    squares: npt.NDArray[np.float64] = field(init=False)  # summed distances from the mean, squared

    def __post_init__(self) -> None:
        self.mean = np.zeros(self.players)
        self.squares = np.zeros(self.players)

    def add(self, samples: npt.NDArray[np.float64]) -> None:
        """[N, players] more samples."""
        count, mean = len(samples), samples.mean(axis=0)
        squares = ((samples - mean) ** 2).sum(axis=0)
        both = self.count + count
        gap = mean - self.mean
        self.squares += squares + gap**2 * (self.count * count / both)
        self.mean += gap * (count / both)
        self.count = both

    @property
    def variance(self) -> npt.NDArray[np.float64]:
        """[players] of one sample."""
        return self.squares / (self.count - 1) if self.count > 1 else np.full(self.players, inf)

    @property
    def ci95(self) -> npt.NDArray[np.float64]:
        """[players] half the width of the 95 % interval of the mean."""
        return Z95 * np.sqrt(self.variance / max(1, self.count))
