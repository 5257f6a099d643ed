"""How good the average strategy of heads-up hold'em is: by matches against simple players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zerosum.evaluate.match import play_match
from zerosum.evaluate.roster import Entrant, entrant
from zerosum.policy.player import PolicyPlayer

if TYPE_CHECKING:
    from zerosum.learn.deepcfr.heads_up import HeadsUpGame
    from zerosum.learn.deepcfr.settings import TrainSettings
    from zerosum.learn.deepcfr.trainer import Standing

OPPONENTS = ("random", "call", "tight-aggressive", "equity")
HANDS = 2_000


class HeadsUpEvaluator:
    """What the policy head wins from simple players, in thousandths of a big blind a hand."""

    def __init__(self, ground: HeadsUpGame, settings: TrainSettings) -> None:
        self.ground, self.seed = ground, settings.run.seed

    def measure(self, standing: Standing) -> dict[str, Any]:
        weights = next((one for one in standing.networks if one is not None), None)
        if weights is None:
            return {"versus": {}}
        policy = self.ground.policy(weights)
        ours = Entrant("average", policy, PolicyPlayer("average", policy))
        won = {}
        for name in OPPONENTS:
            other = entrant(name, self.ground.game)
            result = play_match(self.ground.game, [ours, other], hands=HANDS, seed=self.seed, threads=1)
            won[name] = {"mbb_per_hand": result.players[0].mbb_per_hand, "ci95": result.players[0].ci95}
        return {"versus": won}
