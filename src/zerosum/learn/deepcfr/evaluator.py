"""The evaluator: how good the policies of a run are, exactly where the game can be listed, and how stable it learns."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

from zerosum.evaluate.distances import distance

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from zerosum.games.tree import Tree

SETTLED = 20  # looks after which the advantage loss should be quiet
SPREAD = 0.05  # and how far from its mean it may then be
FALL_ITERATIONS = 100
FALL = 0.05  # the least share by which the strategy loss should fall in so many iterations


class Evaluator:
    """Measures policies given as profiles."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._losses: deque[float] = deque(maxlen=SETTLED)
        self._strategy: deque[tuple[int, float]] = deque()

    def measure(self, policies: Mapping[str, npt.NDArray[np.float64]]) -> dict[str, Any]:
        """Exploitability of the first policy and of each by name; how far the first two are apart."""
        players = self.tree.game.players
        found = {name: self._nash_conv(profile) for name, profile in policies.items()}
        main = next(iter(found.values()))
        measured: dict[str, Any] = {
            "exploitability": main / players,
            "nash_conv": main,
            "policies": {name: value / players for name, value in found.items()},
        }
        if len(policies) > 1:
            one, other = list(policies.values())[:2]
            apart = distance(self.tree, one, other)
            measured["distance"] = {"mean": float(apart.mean()), "largest": float(apart.max())}
        return measured

    def _nash_conv(self, profile: npt.NDArray[np.float64]) -> float:
        return max(0.0, float(self.tree.native.best_responses(profile)[0].sum()))

    def stability(self, iteration: int, losses: Mapping[str, float]) -> dict[str, Any]:
        """How far the advantage loss strays once settled, how fast the strategy loss falls, and what that means."""
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
