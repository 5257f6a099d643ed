"""A run of `zerosum train cardmodel`: rows are drawn with exact targets, learnt from, and never seen again.

The loss is what is scored (absolute error of the equity, earth mover's distance of the histogram) and a little cross
entropy, which has a slope everywhere. What is kept is a moving average of the weights. Killed at any moment, it goes on
from its last checkpoint; where iterations are the limit, and not time, it ends with the same bits.
"""

from __future__ import annotations

import hashlib
import math
import time
from dataclasses import astuple
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from zerosum.errors import RunError
from zerosum.learn.cardmodel.scores import distance, scores
from zerosum.learn.cardmodel.settings import what_shapes
from zerosum.learn.cardmodel.targets import STREETS, Targets
from zerosum.learn.watching import Progress, Trained, at_work
from zerosum.networks.heads_up import CardModel
from zerosum.networks.small import alone, precision_named
from zerosum.policy.heads_up_storage import save_card_model
from zerosum.runs.directory import Checkpoint
from zerosum.runs.monitor import Monitor

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt
    from torch import Tensor

    from zerosum.learn.cardmodel.settings import CardModelSettings
    from zerosum.learn.cardmodel.targets import CardRows
    from zerosum.learn.watching import Watcher
    from zerosum.runs.directory import RunDirectory

RISE = 0.05  # of the run, until the learning rate is at its height
LEAST_RATE = 1e-3  # of the highest
SCORING = 1 << 40  # streams of luck: steps count from 0, scoring is far from them


def conduct(settings: CardModelSettings, directory: RunDirectory, new: bool, watcher: Watcher) -> Trained:
    """A run in its directory, begun or gone on with."""
    training = CardModelTraining(settings, directory, watcher)
    with at_work(directory, settings, new, training.memory_bytes(), watcher):
        return training.go()


class CardModelTraining:
    """A run under way."""

    def __init__(self, settings: CardModelSettings, run: RunDirectory, watcher: Watcher) -> None:
        alone()
        self.settings, self.run, self.watcher = settings, run, watcher
        self.precision = precision_named(settings.fit.precision)
        self.targets = Targets()
        shares = astuple(settings.streets)
        self.counts = _counts(shares, settings.fit.batch_rows)
        rows = settings.fit.score_rows
        self.withheld = {
            street: self.targets.draw(number, rows, self._luck(SCORING + number), withheld=number > 0)
            for number, street in enumerate(STREETS)
            if shares[number] > 0
        }  # before there is a directory, so that missing tables leave none behind
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(settings.run.seed)
            self.model = CardModel()
        self.averaged = CardModel()
        self.averaged.load_state_dict(self.model.state_dict())
        self.averaged.eval()
        self.optimiser = torch.optim.AdamW(self.model.parameters(), weight_decay=settings.fit.weight_decay)
        self.monitor = Monitor()
        self.iteration = 0
        self.row: dict[str, Any] = {}
        self.start = self.saved_at = time.perf_counter()
        self.before = 0.0  # seconds of earlier sittings

    def seconds(self) -> float:
        return self.before + time.perf_counter() - self.start

    def memory_bytes(self) -> int:
        """What the withheld rows take."""
        return sum(rows.cards.nbytes + rows.equity.nbytes + rows.histogram.nbytes for rows in self.withheld.values())

    def go(self) -> Trained:
        """Trains until a limit or until someone wants to stop."""
        self._restore()
        if self.iteration > 0 and self._share_done() >= 1:
            self.watcher.noted("nothing to do: the run is at its limits or past them; give it others to go on")
        finished, since = True, _Since()
        while self._share_done() < 1:
            if self.watcher.stopping():
                finished = False
                break
            self._step(since)
            self.watcher.stepped(Progress(self.iteration, 0, self.seconds(), self.row))
            if self.iteration % self.settings.run.evaluate_every == 0:
                self._measure(since)
                since = _Since()
            if time.perf_counter() - self.saved_at >= self.settings.run.checkpoint_seconds:
                self._save()
        if self.iteration > 0:
            if self.row.get("iteration") != self.iteration:
                self._measure(since)
            self._save()
        return Trained(self.row, self.weights_hash(), finished, None)

    def _by_iterations(self) -> float:
        limit = self.settings.run.iterations
        return self.iteration / limit if limit else 0.0

    def _share_done(self) -> float:
        """How much of the run is over, by the nearest limit."""
        minutes = self.settings.run.minutes
        return max(self._by_iterations(), self.seconds() / (60 * minutes) if minutes else 0.0)

    def _rate(self) -> float:
        """The learning rate of now; where iterations are limited it does not depend on the time they take."""
        done = self._by_iterations() if self.settings.run.iterations else min(self._share_done(), 1.0)
        falling = (1 + math.cos(math.pi * max(0.0, (done - RISE) / (1 - RISE)))) / 2
        rising = min(1.0, (done + RISE / 50) / RISE)
        return self.settings.fit.learning_rate * max(LEAST_RATE, rising * falling)

    def _luck(self, number: int) -> np.random.Generator:
        return np.random.Generator(np.random.Philox(key=[self.settings.run.seed, number]))

    def _step(self, since: _Since) -> None:
        """One iteration; rows that are not finite cannot come, so neither can steps."""
        fit, rate = self.settings.fit, self._rate()
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        for step in range(fit.steps):
            start = time.perf_counter()
            number = self.iteration * fit.steps + step
            luck = self._luck(number)
            rows = [self.targets.draw(street, count, luck) for street, count in enumerate(self.counts) if count]
            since.drawing += time.perf_counter() - start
            loss = self._loss(rows)
            self.optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), fit.clip)
            self.optimiser.step()
            self._average(number)
            since.seconds += time.perf_counter() - start
            since.loss += loss.item()
            since.steps += 1
        self.iteration += 1

    def _loss(self, rows: list[CardRows]) -> Tensor:
        cards = torch.from_numpy(np.concatenate([part.cards for part in rows]))
        wanted = torch.from_numpy(np.concatenate([part.equity for part in rows]))
        histogram = torch.from_numpy(np.concatenate([part.histogram for part in rows]))
        with torch.autocast("cpu", torch.bfloat16, enabled=self.precision == torch.bfloat16):
            features = self.model.features(cards[:, :2], cards[:, 2:])
        features = features.float()
        logs = torch.log_softmax(self.model.histogram_head[:-1](features), dim=1)
        equity = (self.model.equity_head(features)[:, 0] - wanted).abs().mean()
        entropy = -(histogram * logs).sum(dim=1).mean()
        loss: Tensor = equity + distance(logs.exp(), histogram).mean() + self.settings.fit.cross_entropy * entropy
        return loss

    @torch.no_grad()
    def _average(self, number: int) -> None:
        """The kept weights follow: fast at first, so that the beginning is soon forgotten."""
        kept = min(self.settings.fit.average, (number + 1) / (number + 10))
        for mean, weight in zip(self.averaged.parameters(), self.model.parameters(), strict=True):
            mean.lerp_(weight, 1 - kept)

    def _measure(self, since: _Since) -> None:
        rows = since.steps * self.settings.fit.batch_rows
        self.row = {
            "iteration": self.iteration,
            "seconds": self.seconds(),
            "scores": scores(self.averaged, self.withheld),
            "losses": {"cards": since.loss / max(since.steps, 1)},
            "learning_rate": self._rate(),
            "batches_per_second": since.steps / max(since.seconds, 1e-9),
            "samples_per_second": rows / max(since.seconds, 1e-9),
            "drawing_share": since.drawing / max(since.seconds, 1e-9),
            **self.monitor.figures(),
        }
        self.run.log(self.row)
        self.watcher.measured(self.row)

    def weights_hash(self) -> str:
        """A checksum of everything learnt."""
        whole = hashlib.sha256()
        for tensor in (*self.model.state_dict().values(), *self.averaged.state_dict().values()):
            whole.update(tensor.numpy().tobytes())
        return whole.hexdigest()

    def _save(self) -> None:
        """A checkpoint, and the averaged model as the run's policy."""
        tensors = {f"model.{key}": tensor.numpy() for key, tensor in self.model.state_dict().items()}
        tensors.update({f"averaged.{key}": tensor.numpy() for key, tensor in self.averaged.state_dict().items()})
        for index, state in self.optimiser.state_dict()["state"].items():
            tensors.update({f"adam.{index}.{key}": value.numpy() for key, value in state.items()})
        about = {"iteration": self.iteration, "seconds": self.seconds(), "settings": what_shapes(self.settings)}
        self.run.save_checkpoint(Checkpoint(about, tensors))
        self.saved_at = time.perf_counter()
        run = self.settings.run
        origin = {"algorithm": run.algorithm, "iterations": self.iteration, "seed": run.seed}
        save_card_model(self.averaged, self.run.policy, {**origin, "scores": self.row.get("scores")})

    def _restore(self) -> None:
        """Goes to the last good checkpoint, if there is one."""
        for checkpoint in self.run.good_checkpoints(self.watcher.noted):
            if checkpoint.about.get("settings") != what_shapes(self.settings):
                raise RunError(f"{self.run.path}: its checkpoint is of other settings than the run's")
            try:
                self._take(checkpoint.about, checkpoint.tensors)
            except (KeyError, TypeError, ValueError, RuntimeError):
                raise RunError(f"{self.run.path}: its checkpoint does not fit its settings") from None
            rows = [row for row in self.run.metrics() if isinstance(row.get("iteration"), int)]
            kept = [row for row in rows if row["iteration"] <= self.iteration]
            self.run.rewrite_metrics(kept)
            self.row = kept[-1] if kept else {}
            self.watcher.noted(f"going on from iteration {self.iteration:,}")
            return
        self.run.rewrite_metrics([])  # what was measured before the first checkpoint is measured again

    def _take(self, about: Mapping[str, Any], tensors: Mapping[str, npt.NDArray[Any]]) -> None:
        given = {key: torch.from_numpy(array.copy()) for key, array in tensors.items()}
        for name, model in (("model.", self.model), ("averaged.", self.averaged)):
            own = {key.removeprefix(name): value for key, value in given.items() if key.startswith(name)}
            model.load_state_dict(own)
        state: dict[int, dict[str, Tensor]] = {}
        for key, value in given.items():
            if key.startswith("adam."):
                _, index, name = key.split(".")
                state.setdefault(int(index), {})[name] = value
        groups = self.optimiser.state_dict()["param_groups"]
        self.optimiser.load_state_dict({"state": state, "param_groups": groups})
        self.iteration, self.before = int(about["iteration"]), float(about["seconds"])


class _Since:
    """What happened since the last measurement."""

    def __init__(self) -> None:
        self.steps, self.loss, self.seconds, self.drawing = 0, 0.0, 0.0, 0.0


def _counts(shares: tuple[float, ...], rows: int) -> list[int]:
    """[streets] rows of a batch; what rounding leaves goes to the street with most."""
    counts = [int(share * rows) for share in shares]
    counts[int(np.argmax(shares))] += rows - sum(counts)
    return counts
