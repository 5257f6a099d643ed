"""The chief of Deep CFR (Brown et al. 2019) and single Deep CFR (Steinberger 2019): hands out strategies, takes in what
workers found, and has the learner fit networks to it, one player after the other.
"""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from zerosum import native
from zerosum.learn.buffer import MergedBuffer, Rows, make_buffer
from zerosum.learn.deepcfr.learner import Learner
from zerosum.learn.deepcfr.mixture import Mixture
from zerosum.learn.deepcfr.trainer import StepReport
from zerosum.networks.small import flat_weights

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import numpy.typing as npt

    from zerosum.learn.buffer import Buffer
    from zerosum.learn.deepcfr.listed import Found, ListedGame
    from zerosum.learn.deepcfr.settings import TrainSettings
    from zerosum.learn.deepcfr.worker import ThreadWorkers
    from zerosum.learn.fit import FitReport


class Chief:
    """Everything a run of (single) Deep CFR is between two iterations."""

    def __init__(self, game: ListedGame, settings: TrainSettings, workers: ThreadWorkers, mixture: Path | None) -> None:
        game.check(settings.walks)
        self.game, self.settings, self.workers = game, settings, workers
        self.learner = Learner(settings, game.encoder.size, game.actions, game.players)
        self.iteration = self.nodes = 0
        self.profile = game.tree.uniform()  # [sequences] what everyone plays now
        self.summed = np.zeros(game.tree.sequences)  # [sequences] weighted reaches of all iterations
        self.trained = [False] * game.players
        self.strategy_trained = False
        keep = settings.average.keep_networks and settings.run.algorithm == "sd-cfr"
        self.mixture = Mixture(game.players, mixture if keep else None)
        self.baseline = np.zeros(game.walks.slots) if settings.walks.baseline == "table" else None
        sizes = (game.encoder.size, game.actions, settings.run.seed)
        self.buffers: dict[str, Buffer] = {
            f"advantage{player}": make_buffer(settings.buffer, *sizes, player) for player in range(game.players)
        }
        if settings.strategy.train:
            self.buffers["strategy"] = make_buffer(settings.buffer, *sizes, game.players)
        self._slots = {name: self._all_slots(buffer) for name, buffer in self.buffers.items()}

    def _all_slots(self, buffer: Buffer) -> npt.NDArray[np.int64] | None:
        """[infosets] where a merged buffer keeps each information set's row."""
        if not isinstance(buffer, MergedBuffer):
            return None
        return buffer.slots_of(self.game.features, self.game.legal)

    def step(self) -> StepReport:
        """One iteration: every player in turn walks and learns."""
        self.iteration += 1
        report = StepReport()
        share = self.iteration**self.settings.average.exponent
        self.summed += share * self.game.tree.native.own_reaches(self.profile)
        if self.mixture.directory is not None:
            played = [flat_weights(network) for network in self.learner.advantages] if all(self.trained) else None
            self.mixture.add(played, share)
        for player in range(self.game.players):
            start = time.perf_counter()
            found = self.workers.walk(self.iteration, player, self.profile, self.baseline)
            report.walk_seconds += time.perf_counter() - start
            report.nodes += found.nodes
            report.samples += self._store(player, found)
            if self._is_due(self.settings.advantage.every, f"advantage{player}"):
                self._fit_advantages(player, report)
        self.nodes += report.nodes
        if self.settings.strategy.train and self._is_due(self.settings.strategy.every, "strategy"):
            fitted = self.learner.fit_strategy(self.buffers["strategy"].rows(), self.iteration)
            self._note("strategy", fitted, report)
            self.strategy_trained = True
        return report

    def _store(self, player: int, found: Found) -> int:
        """Puts what was found where it belongs; returns how many rows that was."""
        weight = np.full(len(found.infosets), self.iteration**self.settings.average.regret)
        self._add(f"advantage{player}", found.infosets, found.advantages, weight)
        if self.baseline is not None:
            native.moving_average(self.baseline, found.slots, found.worth, self.settings.walks.baseline_rate)
        if not self.settings.strategy.train:
            return len(found.infosets)
        share = found.weights * self.iteration**self.settings.average.exponent
        self._add("strategy", found.others, found.strategies, share)
        return len(found.infosets) + len(found.others)

    def _add(
        self,
        name: str,
        infosets: npt.NDArray[np.int32],
        values: npt.NDArray[np.float64],
        weight: npt.NDArray[np.float64],
    ) -> None:
        buffer, slots = self.buffers[name], self._slots[name]
        if isinstance(buffer, MergedBuffer) and slots is not None:
            buffer.add_at(slots[infosets], values, weight)
        else:
            buffer.add(Rows(self.game.features[infosets], self.game.legal[infosets], values, weight))

    def _is_due(self, every: int, name: str) -> bool:
        warm = self.iteration > self.settings.walks.warm_up
        return warm and self.iteration % every == 0 and self.buffers[name].seen >= self.settings.buffer.start_rows

    def _fit_advantages(self, player: int, report: StepReport) -> None:
        fitted = self.learner.fit_advantages(player, self.buffers[f"advantage{player}"].rows(), self.iteration)
        self._note(f"advantage{player}", fitted, report)
        known = self.game.situations[player]
        strategies = self.learner.strategies(player, known.features, known.legal)
        self.profile = self.game.profile(player, strategies, self.profile)
        self.trained[player] = True

    def _note(self, name: str, fitted: FitReport, report: StepReport) -> None:
        report.fit_seconds += fitted.seconds
        report.batches += fitted.steps
        report.losses[name] = fitted.loss
        if fitted.undone:
            report.events.append(f"{name}: a step was not finite (loss {fitted.loss}), its fit was undone")

    # What it found so far.

    def policies(self) -> dict[str, npt.NDArray[np.float64]]:
        """[sequences] the average policies, the run's own first: the mixture, and the strategy network's."""
        found = {"mixture": self.game.tree.native.average(self.summed)}
        if self.strategy_trained:
            rows = self.learner.average(self.game.features, self.game.legal)
            found["strategy"] = rows[self.game.infoset_of, self.game.tree.actions]
            if self.settings.run.algorithm == "deep-cfr":
                found = {"strategy": found["strategy"], "mixture": found["mixture"]}
        return found

    def weights_hash(self) -> str:
        """A checksum of everything learnt."""
        whole = hashlib.sha256()
        for network in (*self.learner.advantages, self.learner.strategy):
            whole.update(flat_weights(network).tobytes())
        whole.update(self.summed.tobytes())
        return whole.hexdigest()

    # To be saved and to go on from.

    def state(self) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
        self.mixture.write()
        tensors = {"profile": self.profile, "summed": self.summed, **self.learner.state()}
        if self.baseline is not None:
            tensors["baseline"] = self.baseline
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
            prefix = f"buffer.{name}."
            arrays = {key[len(prefix) :]: array for key, array in tensors.items() if key.startswith(prefix)}
            buffer.restore(about["buffers"][name], arrays)
        self.profile, self.summed = tensors["profile"].copy(), tensors["summed"].copy()
        if self.baseline is not None:
            self.baseline = tensors["baseline"].copy()
        self.iteration, self.nodes = int(about["iteration"]), int(about["nodes"])
        self.trained, self.strategy_trained = list(about["trained"]), bool(about["strategy_trained"])
