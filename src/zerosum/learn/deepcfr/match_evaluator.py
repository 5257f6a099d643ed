"""How good a run's networks are where the game cannot be listed: by matches against simple players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zerosum.evaluate.match import play_match
from zerosum.evaluate.roster import Entrant, entrant
from zerosum.networks.small import set_flat_weights
from zerosum.policy.holdem_networks import AdvantagePolicy, Sight
from zerosum.policy.player import PolicyPlayer

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from zerosum.games.holdem import Holdem
    from zerosum.learn.deepcfr.settings import TrainSettings
    from zerosum.learn.deepcfr.trainer import Standing
    from zerosum.networks.choice import AnyAdvantageNet

OPPONENTS: tuple[str, ...] = ("random", "call")
HANDS = 1_000
LADDER: tuple[str, ...] = ("random", "call", "tight-aggressive", "loose-passive", "equity")
LADDER_HANDS = 1_200


class MatchEvaluator:
    """What the networks of now win from simple players, in thousandths of a big blind a hand."""

    def __init__(self, game: Holdem, settings: TrainSettings) -> None:
        self.game, self.seed, self.settings = game, settings.run.seed, settings.network
        self.sight = Sight(game, settings.network)
        self.opponents = LADDER if self.sight.is_sixmax else OPPONENTS
        self.hands = LADDER_HANDS if self.sight.is_sixmax else HANDS

    def measure(self, standing: Standing) -> dict[str, Any]:
        policy = AdvantagePolicy(self.game, [self._network(weights) for weights in standing.networks], self.settings)
        ours = Entrant("networks", policy, PolicyPlayer("networks", policy))
        won = {}
        for name in self.opponents:
            others = [entrant(name, self.game) for _ in range(self.game.players - 1)]
            result = play_match(self.game, [ours, *others], hands=self.hands, seed=self.seed, threads=1)
            won[name] = {"mbb_per_hand": result.players[0].mbb_per_hand, "ci95": result.players[0].ci95}
        return {"versus": won}

    def _network(self, weights: npt.NDArray[np.float32] | None) -> AnyAdvantageNet | None:
        if weights is None:
            return None
        network = self.sight.network()
        set_flat_weights(network, weights)
        return network
