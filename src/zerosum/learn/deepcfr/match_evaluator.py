"""How good a run's networks are where the game cannot be listed: by matches against simple players."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from zerosum.evaluate.match import play_match
from zerosum.evaluate.roster import Entrant, entrant
from zerosum.policy.holdem_networks import AdvantagePolicy
from zerosum.policy.player import PolicyPlayer

if TYPE_CHECKING:
    from zerosum.games.holdem import Holdem
    from zerosum.learn.deepcfr.trainer import Trainer

OPPONENTS = ("random", "call")
HANDS = 1_000


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
