"""The crew of a run: who walks, learns and measures, and where; the chief need not know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from zerosum.errors import SettingsError
from zerosum.games.catalog import load_game
from zerosum.games.holdem import Holdem
from zerosum.learn.deepcfr.evaluator import evaluator_for
from zerosum.learn.deepcfr.heads_up import HeadsUpGame
from zerosum.learn.deepcfr.heads_up_learner import HeadsUpLearner
from zerosum.learn.deepcfr.learner import Learner
from zerosum.learn.deepcfr.listed import ListedGame
from zerosum.learn.deepcfr.sixmax_ground import SixMaxGround
from zerosum.learn.deepcfr.unlisted import UnlistedGame
from zerosum.learn.deepcfr.worker import ThreadWorkers
from zerosum.learn.memory import keep_memory
from zerosum.networks.settings import SIXMAX
from zerosum.networks.small import alone

if TYPE_CHECKING:
    from zerosum.learn.deepcfr.evaluator import Evaluator
    from zerosum.learn.deepcfr.settings import TrainSettings
    from zerosum.learn.deepcfr.worker import Workers


def ground_for(settings: TrainSettings) -> ListedGame | UnlistedGame | HeadsUpGame:
    """The game of a run as training sees it."""
    game = load_game(settings.run.game)
    if settings.network.kind != "perceptron":
        if not isinstance(game, Holdem):
            raise SettingsError(f"network: kind: got {settings.network.kind} for {game.spec()}, wanted perceptron")
        return HeadsUpGame(game, settings)
    if settings.network.features == SIXMAX and isinstance(game, Holdem):
        return SixMaxGround(game, settings)
    return UnlistedGame(game, settings) if isinstance(game, Holdem) else ListedGame(game, settings)


class Crew(Protocol):
    ground: ListedGame | UnlistedGame | HeadsUpGame

    def workers(self) -> Workers: ...

    def learner(self) -> Learner: ...

    def evaluator(self) -> Evaluator: ...

    def figures(self) -> dict[str, Any]:
        """Who they are and what they did, for the metrics."""
        ...

    def close(self) -> None: ...


class LocalCrew:
    """Everyone in this process; walks on threads."""

    def __init__(self, settings: TrainSettings, workers: int) -> None:
        alone()
        keep_memory()
        self.settings, self.count = settings, workers
        self.ground = ground_for(settings)
        self._workers: ThreadWorkers | None = None

    def workers(self) -> Workers:
        if self._workers is None:
            self._workers = ThreadWorkers(self.ground, self.count)
        return self._workers

    def learner(self) -> Learner:
        if isinstance(self.ground, HeadsUpGame):
            return HeadsUpLearner(self.ground, self.settings)
        return Learner(self.ground, self.settings)

    def evaluator(self) -> Evaluator:
        return evaluator_for(self.ground, self.settings)

    def figures(self) -> dict[str, Any]:
        return {}

    def close(self) -> None:
        if self._workers is not None:
            self._workers.close()
