"""How stable a run learns, by its losses."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

SETTLED = 20  # looks after which the advantage loss should be quiet
SPREAD = 0.05  # and how far from its mean it may then be
FALL_ITERATIONS = 100
FALL = 0.05  # the least share by which the strategy loss should fall in so many iterations


class Stability:
    """How far the advantage loss strays once settled, how fast the strategy loss falls, and what that means."""

    def __init__(self) -> None:
        self._losses: deque[float] = deque(maxlen=SETTLED)
        self._strategy: deque[tuple[int, float]] = deque()

    def look(self, iteration: int, losses: Mapping[str, float]) -> dict[str, Any]:
        told: dict[str, Any] = {}
        warnings = []
        advantages = [loss for name, loss in losses.items() if name.startswith("advantage")]
        if advantages:
            self._losses.append(float(np.mean(advantages)))
        if len(self._losses) == SETTLED:
            recent = np.array(self._losses)
            told["advantage_loss_spread"] = float(np.abs(recent - recent.mean()).max())
            if told["advantage_loss_spread"] > SPREAD:
                warnings.append(f"the advantage loss strays by more than {SPREAD} from its mean")
        if "strategy" in losses:
            self._strategy.append((iteration, losses["strategy"]))
            while len(self._strategy) > 1 and self._strategy[1][0] <= iteration - FALL_ITERATIONS:
                self._strategy.popleft()
            then, before = self._strategy[0]
            if then <= iteration - FALL_ITERATIONS and before > 0:
                told["strategy_loss_fall"] = 1.0 - losses["strategy"] / before
                if told["strategy_loss_fall"] < FALL:
                    warnings.append(f"the strategy loss fell by less than {FALL:.0%} in {iteration - then} iterations")
        if warnings:
            told["warnings"] = warnings
        return told
