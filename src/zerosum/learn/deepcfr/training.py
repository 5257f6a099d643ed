"""A whole training run: until a limit, watched by whoever asks, saved in its directory.

Killed at any moment, it goes on from its last checkpoint and ends with the same bits.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from zerosum.errors import RunError
from zerosum.learn.deepcfr.chief import Chief
from zerosum.learn.deepcfr.heads_up import HeadsUpGame
from zerosum.learn.deepcfr.listed import ListedGame
from zerosum.learn.deepcfr.nfsp import Nfsp
from zerosum.learn.deepcfr.settings import what_shapes
from zerosum.learn.deepcfr.stability import Stability
from zerosum.learn.deepcfr.trainer import StepReport, Trainer
from zerosum.learn.watching import Progress, Trained, at_work
from zerosum.policy.heads_up_storage import save_heads_up
from zerosum.policy.learned import save_mixture, save_strategy_network
from zerosum.policy.storage import save_policy
from zerosum.policy.table import Origin, TablePolicy
from zerosum.runs.directory import Checkpoint
from zerosum.runs.monitor import Monitor
from zerosum.runs.overview import nodes_after_another

if TYPE_CHECKING:
    from zerosum.learn.deepcfr.crew import Crew
    from zerosum.learn.deepcfr.settings import TrainSettings
    from zerosum.learn.deepcfr.trainer import Standing
    from zerosum.learn.watching import Watcher
    from zerosum.runs.directory import RunDirectory


def conduct(settings: TrainSettings, directory: RunDirectory, new: bool, crew: Crew, watcher: Watcher) -> Trained:
    """A run in its directory, begun or gone on with."""
    training = Training(settings, directory, crew, watcher)
    with at_work(directory, settings, new, training.memory_bytes(), watcher):
        return training.go()


class Training:
    """A run under way."""

    def __init__(self, settings: TrainSettings, run: RunDirectory, crew: Crew, watcher: Watcher) -> None:
        self.settings, self.run, self.watcher = settings, run, watcher
        self.crew, self.ground = crew, crew.ground
        self.trainer: Trainer
        if settings.run.algorithm == "nfsp" and isinstance(self.ground, ListedGame):
            self.trainer = Nfsp(self.ground, settings)
        else:
            self.trainer = Chief(self.ground, settings, crew.workers(), crew.learner(), run.path / "mixture")
        self.evaluator, self.monitor = crew.evaluator(), Monitor()
        self.stability = Stability()
        self.row: dict[str, Any] = {}
        self.start = self.saved_at = time.perf_counter()
        self.before = 0.0  # seconds of earlier sittings

    def seconds(self) -> float:
        return self.before + time.perf_counter() - self.start

    def memory_bytes(self) -> int:
        """What the buffers take, known before the first walk."""
        return sum(fill["bytes"] for fill in self.trainer.fills().values())

    def go(self) -> Trained:
        """Trains until a limit or until someone wants to stop."""
        self._restore()
        if self.trainer.iteration > 0 and self._is_over():
            self.watcher.noted("nothing to do: the run is at its limits or past them; give it others to go on")
        since, finished = StepReport(), True
        while not self._is_over():
            if self.watcher.stopping():
                finished = False
                break
            since.add(self.trainer.step())
            self.watcher.stepped(Progress(self.trainer.iteration, self.trainer.nodes, self.seconds(), self.row))
            if self.trainer.iteration % self.settings.run.evaluate_every == 0:
                self._measure(since)
                since = StepReport()
                if isinstance(self.ground, HeadsUpGame):
                    self._save_policies()
            if time.perf_counter() - self.saved_at >= self.settings.run.checkpoint_seconds:
                self._save_checkpoint()
                self._save_policies()
        policy = self._leave(since) if self.trainer.iteration > 0 else None
        trained = Trained(self.row, self.trainer.weights_hash(), finished, policy)
        self.crew.close()
        return trained

    def _leave(self, since: StepReport) -> TablePolicy | None:
        """Saves everything, and measures what there is; what a run that goes on does not need comes after."""
        self._save_checkpoint()
        since.add(self.trainer.finish())
        if self.row.get("iteration") != self.trainer.iteration or since.losses:
            self._measure(since, leaving=True)
        return self._save_policies()

    def _is_over(self) -> bool:
        limits = self.settings.run
        reached = None if self.row.get("leaving") else self.row.get("exploitability")
        nodes = nodes_after_another(self.trainer.nodes, self.trainer.iteration)
        return (
            (limits.iterations is not None and self.trainer.iteration >= limits.iterations)
            or (limits.nodes is not None and nodes > limits.nodes)
            or (limits.minutes is not None and self.seconds() >= 60 * limits.minutes)
            or (limits.target is not None and reached is not None and reached <= limits.target)
        )

    def _measure(self, since: StepReport, leaving: bool = False) -> None:
        """A row of the metrics; one that was made because the run is left is not kept when it goes on."""
        trainer = self.trainer
        self.row = {
            "iteration": trainer.iteration,
            "nodes": trainer.nodes,
            "seconds": self.seconds(),
            **self.evaluator.measure(trainer.standing()),
            "nodes_per_second": since.nodes / max(since.walk_seconds, 1e-9),
            "samples_per_second": since.samples / max(since.walk_seconds, 1e-9),
            "batches_per_second": since.batches / max(since.fit_seconds, 1e-9),
            **({"time_shares": shares} if (shares := since.time_shares()) else {}),
            "losses": since.losses,
            **self.stability.look(trainer.iteration, since.losses),
            "buffers": trainer.fills(),
            **self.crew.figures(),
            **self.monitor.figures(),
        }
        if since.events:
            self.row["events"] = since.events
        if leaving:
            self.row["leaving"] = True
        self.run.log(self.row)
        for text in (*since.events, *self.row.get("warnings", ())):
            self.watcher.noted(f"iteration {trainer.iteration:,}: {text}")
        self.watcher.measured(self.row)

    def _save_checkpoint(self) -> None:
        about, tensors = self.trainer.state()
        self.run.save_checkpoint(Checkpoint({**about, "seconds": self.seconds(), **self._identity()}, tensors))
        self.saved_at = time.perf_counter()

    def _save_policies(self) -> TablePolicy | None:
        """The policies as they are; returns the run's own where it is a table."""
        trainer, settings = self.trainer, self.settings.run
        standing, policy = trainer.standing(), None
        exploitability = self.evaluator.measure(standing)["exploitability"] if standing.policies else None
        origin = Origin(settings.algorithm, trainer.iteration, exploitability, settings.seed)
        if standing.policies and isinstance(self.ground, ListedGame):
            policy = TablePolicy(self.ground.tree, next(iter(standing.policies.values())), origin)
            save_policy(policy, self.run.policy)
        about_networks = (self.ground.game, self.settings.network, self.ground.encoder_name, origin)
        if isinstance(trainer, Chief) and trainer.mixture.directory is not None:
            save_mixture(self.run.path / "mixture", trainer.mixture, *about_networks)
        if isinstance(self.ground, HeadsUpGame):
            self._save_heads_up(self.ground, standing, origin)
        strategy = trainer.strategy_weights()
        if strategy is not None:
            save_strategy_network(self.run.path / "strategy", strategy, *about_networks)
            if settings.algorithm == "deep-cfr" and policy is None:
                save_strategy_network(self.run.policy, strategy, *about_networks)
        return policy

    def _save_heads_up(self, ground: HeadsUpGame, standing: Standing, origin: Origin) -> None:
        """The networks of heads-up hold'em, and a copy for each time they were measured."""
        weights = next((one for one in standing.networks if one is not None), None)
        if weights is None:
            return
        policy = ground.policy(weights)
        save_heads_up(policy, self.run.policy, origin)
        if self.row.get("iteration") == origin.iterations:
            save_heads_up(policy, self.run.path / "measured" / f"{origin.iterations:07d}", origin)

    def _identity(self) -> dict[str, Any]:
        run = self.settings.run
        named = {"game": self.ground.game.spec(), "algorithm": run.algorithm, "seed": run.seed}
        return {**named, "settings": what_shapes(self.settings)}

    def _restore(self) -> None:
        """Goes to the last good checkpoint, if there is one."""
        found = False
        for checkpoint in self.run.good_checkpoints(self.watcher.noted):
            found = True
            self._check_identity(checkpoint.about)
            try:
                self.trainer.restore(checkpoint.about, checkpoint.tensors)
            except RunError as error:
                self.watcher.noted(f"{error}; trying an older checkpoint")
                continue
            except (KeyError, TypeError, ValueError, RuntimeError):
                raise RunError(f"{self.run.path}: its checkpoint does not fit its settings") from None
            self.before = float(checkpoint.about["seconds"])
            self._restore_metrics()
            self.watcher.noted(f"going on from iteration {self.trainer.iteration:,}")
            return
        if found:
            raise RunError(f"{self.run.path}: no checkpoint has all the networks of its mixture; begin a new run")
        self.run.rewrite_metrics([])  # what was measured before the first checkpoint is measured again

    def _check_identity(self, about: dict[str, Any]) -> None:
        for key, wanted in self._identity().items():
            if about.get(key) != wanted:
                got = f"its checkpoint is of {key} {about.get(key)}"
                raise RunError(f"{self.run.path}: {got}, its settings of {wanted}")

    def _restore_metrics(self) -> None:
        """The rows up to where the run goes on."""
        rows = [row for row in self.run.metrics() if isinstance(row.get("iteration"), int)]
        rows = [row for row in rows if row["iteration"] <= self.trainer.iteration]
        over = rows and self._is_over()
        kept = [row for row in rows if not row.get("leaving") or (over and row is rows[-1])]
        self.run.rewrite_metrics(kept)
        for row in kept:
            self.stability.look(int(row["iteration"]), row.get("losses", {}))
        self.row = kept[-1] if kept else {}
