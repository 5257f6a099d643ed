"""The evaluator: how good a run's policies are, exactly where the game can be listed, by matches where it cannot, and
how stable it learns.
"""

from __future__ import annotations

from collections import deque
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from zerosum.evaluate.distances import distance
from zerosum.evaluate.match import play_match
from zerosum.evaluate.roster import Entrant, entrant
from zerosum.learn.deepcfr.listed import ListedGame
from zerosum.policy.holdem_networks import AdvantagePolicy
from zerosum.policy.player import PolicyPlayer

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from zerosum.games.holdem import Holdem
    from zerosum.games.tree import Tree
    from zerosum.learn.deepcfr.trainer import Trainer
    from zerosum.learn.deepcfr.unlisted import UnlistedGame

SETTLED = 20  # looks after which the advantage loss should be quiet
SPREAD = 0.05  # and how far from its mean it may then be
FALL_ITERATIONS = 100
FALL = 0.05  # the least share by which the strategy loss should fall in so many iterations
OPPONENTS = ("random", "call")
HANDS = 1_000


class Evaluator(Protocol):
    def measure(self, trainer: Trainer) -> dict[str, Any]: ...


def evaluator_for(ground: ListedGame | UnlistedGame, seed: int) -> Evaluator:
    return ExactEvaluator(ground.tree) if isinstance(ground, ListedGame) else MatchEvaluator(ground.game, seed)


class ExactEvaluator:
    """Exploitability of policies given as profiles."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    def measure(self, trainer: Trainer) -> dict[str, Any]:
        """Exploitability of the run's policy and of each by name; how far the first two are apart."""
        policies = trainer.policies()
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


class MatchEvaluator:
    """What the networks of now win from simple players, in thousandths of a big blind a hand."""

    def __init__(self, game: Holdem, seed: int) -> None:
        self.game, self.seed = game, seed

    def measure(self, trainer: Trainer) -> dict[str, Any]:
        pairs = zip(trainer.learner.advantages, trainer.trained, strict=True)
        policy = AdvantagePolicy(self.game, [deepcopy(one).cpu() if trained else None for one, trained in pairs])
        ours = Entrant("networks", policy, PolicyPlayer("networks", policy))
        won = {}
        for name in OPPONENTS:
            others = [entrant(name, self.game) for _ in range(self.game.players - 1)]
            result = play_match(self.game, [ours, *others], hands=HANDS, seed=self.seed, threads=1)
            won[name] = {"mbb_per_hand": result.players[0].mbb_per_hand, "ci95": result.players[0].ci95}
        return {"versus": won}


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
