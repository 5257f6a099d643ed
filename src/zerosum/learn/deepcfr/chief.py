"""The chief of Deep CFR (Brown et al. 2019) and single Deep CFR (Steinberger 2019): hands out strategies, passes what
workers found to the learner, and keeps the average, one player after the other.
"""

from __future__ import annotations

import hashlib
import time
from concurrent.futures import Future, wait
from threading import Thread
from typing import TYPE_CHECKING, Any

from zerosum.learn.deepcfr.mixture import Mixture
from zerosum.learn.deepcfr.trainer import Standing, StepReport
from zerosum.networks.small import alone

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

    from zerosum.learn.buffer import Fill
    from zerosum.learn.deepcfr.ground import Ground
    from zerosum.learn.deepcfr.learner import Learner, Learnt, Played
    from zerosum.learn.deepcfr.settings import TrainSettings
    from zerosum.learn.deepcfr.worker import Workers


class Chief:
    """What a run of (single) Deep CFR is between two iterations, but for what its learner keeps."""

    def __init__(
        self, ground: Ground, settings: TrainSettings, workers: Workers, learner: Learner, mixture: Path | None
    ) -> None:
        self.ground, self.settings, self.workers, self.learner = ground, settings, workers, learner
        self.iteration = self.nodes = 0
        self.playing = ground.uniform()
        self.baseline = learner.handout()
        self.networks: list[npt.NDArray[np.float32] | None] = [None] * ground.nets  # the weights of each one's
        self.average = ground.average()
        self.mixture = Mixture(ground.nets, mixture if settings.average.keep_networks else None)

    def step(self) -> StepReport:
        """One iteration: every player in turn walks and learns."""
        self.iteration += 1
        report = StepReport()
        share = self.iteration**self.settings.average.exponent
        if self.average is not None:
            self.average.add(self.playing, share)
        if self.mixture.directory is not None:
            self.mixture.add(self.networks, share)
        learning: list[tuple[int, Future[Learnt]]] = []
        for player in range(self.ground.players):
            start = time.perf_counter()
            found = self.workers.walk(self.iteration, player, self.playing, self.baseline)
            report.walk_seconds += time.perf_counter() - start
            if not self.settings.walks.ahead:
                self._take(player, self.learner.learn(player, self.iteration, found), report)
            else:  # the next player walks with what the iteration began with, whoever is faster
                learning.append((player, self._learn_meanwhile(player, found, learning[-1][1] if learning else None)))
        for player, job in learning:
            self._take(player, job.result(), report)
        self.nodes += report.nodes
        return report

    def _learn_meanwhile(self, player: int, found: list[Any], before: Future[Learnt] | None) -> Future[Learnt]:
        """Has the learner learn on a thread of its own, after what it was given before; nobody waits for it at exit."""
        learnt: Future[Learnt] = Future()

        def work() -> None:
            alone()
            try:
                if before is not None:
                    wait([before])
                learnt.set_result(self.learner.learn(player, self.iteration, found))
            except BaseException as error:  # whoever asks for the result is told
                learnt.set_exception(error)

        Thread(target=work, daemon=True).start()
        return learnt

    def finish(self) -> StepReport:
        """What is left to do before the policies are saved for good."""
        report = StepReport()
        report.take(self.learner.finish(self.iteration))
        return report

    def _take(self, player: int, learnt: Learnt, report: StepReport) -> None:
        report.take(learnt)
        self.baseline = learnt.baseline
        if learnt.played is not None:
            self._plays(min(player, self.ground.nets - 1), learnt.played)

    def _plays(self, player: int, played: Played) -> None:
        self.networks[player] = played.weights.copy()  # not a view of all that came with it
        self.playing = self.ground.updated(self.playing, player, played.piece)

    def standing(self) -> Standing:
        """The average policies, the run's own first: the mixture, and the strategy network's."""
        if self.average is None:
            return Standing({}, self.networks)
        found = {"mixture": self.average.profile()}
        strategy = self.learner.strategy_profile()
        if strategy is not None:
            by_name = {"strategy": strategy, **found}
            found = by_name if self.settings.run.algorithm == "deep-cfr" else {**found, "strategy": strategy}
        return Standing(found, self.networks)

    def fills(self) -> dict[str, Fill]:
        return self.learner.fills()

    def strategy_weights(self) -> npt.NDArray[np.float32] | None:
        return self.learner.strategy_weights()

    def weights_hash(self) -> str:
        """A checksum of everything learnt."""
        whole = hashlib.sha256()
        for weights in self.learner.weights():
            whole.update(weights.tobytes())
        if self.average is not None:
            whole.update(self.average.summed.tobytes())
        return whole.hexdigest()

    def state(self) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
        """What a checkpoint holds."""
        self.mixture.write()
        about, tensors = self.learner.state()
        if self.average is not None:
            tensors["summed"] = self.average.summed
        mixture = {"mixture": self.mixture.blocks, "uniform": self.mixture.uniform}
        return {"iteration": self.iteration, "nodes": self.nodes, **about, **mixture}, tensors

    def restore(self, about: Mapping[str, Any], tensors: Mapping[str, npt.NDArray[Any]]) -> None:
        if self.mixture.directory is not None:
            self.mixture.restore(about["mixture"], about["uniform"])
        playing = self.learner.restore(about, tensors)
        if self.average is not None:
            self.average.summed = tensors["summed"].copy()
        self.iteration, self.nodes = int(about["iteration"]), int(about["nodes"])
        self.playing, self.baseline = self.ground.uniform(), self.learner.handout()
        self.networks = [None] * self.ground.nets
        for player, played in enumerate(playing):
            if played is not None:
                self._plays(player, played)
