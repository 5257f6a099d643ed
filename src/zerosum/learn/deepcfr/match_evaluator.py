"""How good a run's networks are where the game cannot be listed: by matches against simple players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zerosum import native
from zerosum.evaluate.match import play_match
from zerosum.evaluate.roster import Entrant, entrant
from zerosum.networks.small import AdvantageNet, set_flat_weights
from zerosum.policy.holdem_networks import AdvantagePolicy
from zerosum.policy.player import PolicyPlayer

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from zerosum.games.holdem import Holdem
    from zerosum.learn.deepcfr.settings import TrainSettings
    from zerosum.learn.deepcfr.trainer import Standing

OPPONENTS = ("random", "call")
HANDS = 1_000


class MatchEvaluator:
    """What the networks of now win from simple players, in thousandths of a big blind a hand."""

    def __init__(self, game: Holdem, settings: TrainSettings) -> None:
        self.game, self.seed, self.settings = game, settings.run.seed, settings.network
        self.inputs = native.holdem_feature_counts(game.rules)[0]

    def measure(self, standing: Standing) -> dict[str, Any]:
        policy = AdvantagePolicy(self.game, [self._network(weights) for weights in standing.networks])
        ours = Entrant("networks", policy, PolicyPlayer("networks", policy))
        won = {}
        for name in OPPONENTS:
            others = [entrant(name, self.game) for _ in range(self.game.players - 1)]
            result = play_match(self.game, [ours, *others], hands=HANDS, seed=self.seed, threads=1)
            won[name] = {"mbb_per_hand": result.players[0].mbb_per_hand, "ci95": result.players[0].ci95}
        return {"versus": won}

    def _network(self, weights: npt.NDArray[np.float32] | None) -> AdvantageNet | None:
        if weights is None:
            return None
        network = AdvantageNet(self.inputs, self.game.num_actions, self.settings)
        set_flat_weights(network, weights)
        return network
