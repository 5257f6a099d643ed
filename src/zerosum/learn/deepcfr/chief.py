"""The chief of Deep CFR (Brown et al. 2019) and single Deep CFR (Steinberger 2019): hands out strategies, takes in what
workers found, and has the learner fit networks to it, one player after the other.
"""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING, Any

from zerosum.learn.buffer import make_buffer
from zerosum.learn.deepcfr.learner import Learner
from zerosum.learn.deepcfr.listed import ListedGame
from zerosum.learn.deepcfr.mixture import Mixture
from zerosum.learn.deepcfr.trainer import StepReport
from zerosum.networks.small import flat_weights

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

    from zerosum.learn.buffer import Buffer
    from zerosum.learn.deepcfr.ground import Ground
    from zerosum.learn.deepcfr.settings import TrainSettings
    from zerosum.learn.deepcfr.worker import ThreadWorkers


class Chief:
    """Everything a run of (single) Deep CFR is between two iterations."""

    def __init__(self, ground: Ground, settings: TrainSettings, workers: ThreadWorkers, mixture: Path | None) -> None:
        self.ground, self.settings, self.workers = ground, settings, workers
        self.learner = Learner(settings, ground.inputs, ground.actions, ground.players)
        self.iteration = self.nodes = 0
        self.playing = ground.uniform()
        self.average = ground.average()
        self.baseline = ground.baseline()
        self.trained = [False] * ground.players
        self.strategy_trained = False
        self.mixture = Mixture(ground.players, mixture if settings.average.keep_networks else None)
        sizes = (ground.inputs, ground.actions, settings.run.seed)
        self.buffers: dict[str, Buffer] = {
            f"advantage{player}": make_buffer(settings.buffer, *sizes, player) for player in range(ground.players)
        }
        if settings.strategy.train:
            self.buffers["strategy"] = make_buffer(settings.buffer, *sizes, ground.players)
        for buffer in self.buffers.values():
            ground.reserve(buffer)

    def step(self) -> StepReport:
        """One iteration: every player in turn walks and learns."""
        self.iteration += 1
        report = StepReport()
        share = self.iteration**self.settings.average.exponent
        if self.average is not None:
            self.average.add(self.playing, share)
        if self.mixture.directory is not None:
            networks = zip(self.learner.advantages, self.trained, strict=True)
            self.mixture.add([flat_weights(network) if trained else None for network, trained in networks], share)
        for player in range(self.ground.players):
            start = time.perf_counter()
            handout = None if self.baseline is None else self.baseline.handout()
            found = self.workers.walk(self.iteration, player, self.playing, handout)
            report.walk_seconds += time.perf_counter() - start
            report.nodes += found.nodes
            self._store(player, found, share, report)
            if self._is_due(self.settings.advantage.every, f"advantage{player}"):
                fitted = self.learner.fit_advantages(player, self.buffers[f"advantage{player}"].rows(), self.iteration)
                report.note(f"advantage{player}", fitted)
                if not fitted.undone:
                    self.playing = self.ground.updated(self.playing, player, self.learner)
                    self.trained[player] = True
        self.nodes += report.nodes
        if self.settings.strategy.train and self._is_due(self.settings.strategy.every, "strategy"):
            self._fit_strategy(report)
        return report

    def finish(self) -> StepReport:
        """Before the policies are saved for good: the strategy network, if it is not of this iteration."""
        report = StepReport()
        late = self.settings.strategy.train and not self._is_due(self.settings.strategy.every, "strategy")
        if late and self.buffers["strategy"].seen > 0:
            self._fit_strategy(report)
        return report

    def _fit_strategy(self, report: StepReport) -> None:
        fitted = self.learner.fit_strategy(self.buffers["strategy"].rows(), self.iteration)
        report.note("strategy", fitted)
        self.strategy_trained |= not fitted.undone

    def _store(self, player: int, found: Any, share: float, report: StepReport) -> None:
        """Puts what was found where it belongs."""
        weight = self.iteration**self.settings.average.regret
        report.samples += self.ground.add_advantages(self.buffers[f"advantage{player}"], found, weight)
        if self.settings.strategy.train:
            report.samples += self.ground.add_strategies(self.buffers["strategy"], found, share)
        if self.baseline is not None:
            fitted = self.baseline.learn(found, self.iteration)
            if fitted is not None:
                report.note("baseline", fitted)

    def _is_due(self, every: int, name: str) -> bool:
        warm = self.iteration > self.settings.walks.warm_up
        return warm and self.iteration % every == 0 and self.buffers[name].seen >= self.settings.buffer.start_rows

    def policies(self) -> dict[str, npt.NDArray[np.float64]]:
        """[sequences] the average policies, the run's own first: the mixture, and the strategy network's."""
        if self.average is None or not isinstance(self.ground, ListedGame):
            return {}
        found = {"mixture": self.average.profile()}
        if self.strategy_trained:
            rows = self.learner.average(self.ground.features, self.ground.legal)
            found["strategy"] = self.ground.as_profile(rows)
            if self.settings.run.algorithm == "deep-cfr":
                found = {"strategy": found["strategy"], "mixture": found["mixture"]}
        return found

    def weights_hash(self) -> str:
        """A checksum of everything learnt."""
        whole = hashlib.sha256()
        for network in (*self.learner.advantages, self.learner.strategy):
            whole.update(flat_weights(network).tobytes())
        if self.average is not None:
            whole.update(self.average.summed.tobytes())
        return whole.hexdigest()

    def state(self) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
        """What a checkpoint holds."""
        self.mixture.write()
        tensors = self.learner.state()
        if self.average is not None:
            tensors["summed"] = self.average.summed
        if self.baseline is not None:
            tensors.update({f"baseline.{name}": array for name, array in self.baseline.state().items()})
        seen = {}
        for name, buffer in self.buffers.items():
            seen[name], arrays = buffer.state()
            tensors.update({f"buffer.{name}.{field}": array for field, array in arrays.items()})
        about = {
            "iteration": self.iteration,
            "nodes": self.nodes,
            "trained": self.trained,
            "strategy_trained": self.strategy_trained,
            "buffers": seen,
            "mixture": self.mixture.blocks,
            "uniform": self.mixture.uniform,
        }
        return about, tensors

    def restore(self, about: Mapping[str, Any], tensors: Mapping[str, npt.NDArray[Any]]) -> None:
        if self.mixture.directory is not None:
            self.mixture.restore(about["mixture"], about["uniform"])
        self.learner.restore(tensors)
        for name, buffer in self.buffers.items():
            buffer.restore(about["buffers"][name], _under(f"buffer.{name}.", tensors))
        if self.average is not None:
            self.average.summed = tensors["summed"].copy()
        if self.baseline is not None:
            self.baseline.restore(_under("baseline.", tensors))
        self.iteration, self.nodes = int(about["iteration"]), int(about["nodes"])
        self.trained, self.strategy_trained = list(about["trained"]), bool(about["strategy_trained"])
        self.playing = self.ground.uniform()
        for player, trained in enumerate(self.trained):
            if trained:
                self.playing = self.ground.updated(self.playing, player, self.learner)


def _under(prefix: str, tensors: Mapping[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
    """Those whose names begin so, without the beginning."""
    return {name[len(prefix) :]: array for name, array in tensors.items() if name.startswith(prefix)}
