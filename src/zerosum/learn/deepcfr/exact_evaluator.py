"""How good a run's policies are, exactly: where the game can be listed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zerosum.evaluate.distances import distance

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from zerosum.games.tree import Tree
    from zerosum.learn.deepcfr.trainer import Standing


class ExactEvaluator:
    """Exploitability of policies given as profiles."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    def measure(self, standing: Standing) -> dict[str, Any]:
        """Exploitability of the run's policy and of each by name; how far the first two are apart."""
        policies = standing.policies
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
