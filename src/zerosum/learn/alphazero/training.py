"""A whole AlphaZero run: games against itself, learning from them, and a match now and then that decides which network
plays the next ones. Killed at any moment, it goes on from its last checkpoint; where iterations are the limit, and not
time, it ends with the same bits.
"""

from __future__ import annotations

import hashlib
import math
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from zerosum.errors import GameError, RunError, SettingsError
from zerosum.games.catalog import load_game
from zerosum.games.gomoku import Gomoku
from zerosum.learn.alphazero.arena import ArenaResult, meet
from zerosum.learn.alphazero.fit import FitReport, Mean, TorchGradients, fit, gradients_for, optimiser_for
from zerosum.learn.alphazero.replay import Replay
from zerosum.learn.alphazero.selfplay import Played, joined, play_games, referee_for, simulations_at
from zerosum.learn.alphazero.settings import what_shapes
from zerosum.learn.alphazero.sparring import Book, Sparred, spar, teachers
from zerosum.learn.memory import keep_memory
from zerosum.learn.watching import Progress, Trained, at_work
from zerosum.networks.inference import evaluator_for
from zerosum.networks.small import device_named
from zerosum.policy.board_network import BoardNetwork, load_board_network, save_board_network
from zerosum.runs.directory import Checkpoint
from zerosum.runs.monitor import Monitor
from zerosum.search.proof import MOST_CELLS

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from zerosum.learn.alphazero.settings import AlphaZeroSettings
    from zerosum.learn.watching import Watcher
    from zerosum.networks.board_settings import BoardNetworkSettings
    from zerosum.networks.inference import Evaluator
    from zerosum.runs.directory import RunDirectory

MOST_ELO_STEP = 400.0  # of one match


def conduct(settings: AlphaZeroSettings, directory: RunDirectory, new: bool, threads: int, watcher: Watcher) -> Trained:
    """A run in its directory, begun or gone on with."""
    training = AlphaZeroTraining(settings, directory, threads, watcher)
    if new:
        training.begin()  # before there is a directory, so that what it refuses leaves none behind
    with at_work(directory, settings, new, training.memory_bytes(), watcher):
        return training.go()


def described(network: BoardNetworkSettings) -> str:
    return f"a {network.kind} network of {network.channels} channels and {network.blocks} blocks"


class AlphaZeroTraining:
    """A run under way. `best` plays against itself; `network` learns from it, and `newest`, the mean of its last
    weights, takes over when it has won a match.
    """

    def __init__(self, settings: AlphaZeroSettings, run: RunDirectory, threads: int, watcher: Watcher) -> None:
        keep_memory()
        self.settings, self.run, self.threads, self.watcher = settings, run, threads, watcher
        game = load_game(settings.run.game)
        if not isinstance(game, Gomoku):
            raise GameError(f"{settings.run.game}: got a game without a board, wanted gomoku for alphazero")
        for name, asked in (
            ("selfplay: proof_nodes", settings.selfplay.proof_nodes),
            ("sparring: games", settings.sparring.games),
        ):
            if asked > 0 and game.num_actions > MOST_CELLS:
                raise SettingsError(
                    f"{name}: got {asked} on a board of {game.num_actions} cells, wanted 0 on more than {MOST_CELLS}"
                )
        self.game, self.board = game, (game.height, game.width)
        self.device = device_named(settings.run.device)
        torch.manual_seed(settings.run.seed)
        self.network = settings.network.build(self.game).to(self.device).eval()
        self.newest, self.best = (settings.network.build(self.game).eval() for _ in range(2))
        self.newest.to(self.device)
        self.mean = Mean(self.network, self.newest, settings.fit.mean_steps)
        self.networks = {"network": self.network, "newest": self.newest, "best": self.best}
        for network in self.networks.values():
            network.load_state_dict(self.network.state_dict())
        self.optimiser = optimiser_for(self.network, settings.fit)
        self.gradients = gradients_for(self.network, self.board, settings.fit.threads, settings.run.engine)
        self.referee = referee_for(game, settings.selfplay, threads)
        self.teachers = teachers(game) if settings.sparring.games > 0 else []
        self.book: Book = {}
        self.replay = Replay(run.path / "replay", settings.replay)
        self.monitor = Monitor()
        self.iteration = self.games = self.simulations = 0
        self.elo, self.generation = 0.0, 0
        self.row: dict[str, Any] = {}
        self.start = self.saved_at = time.perf_counter()
        self.before = 0.0  # seconds of earlier sittings
        self.saved = 0  # the iteration of the last checkpoint
        self.kept_from = 0  # where the window of the last checkpoint but one began
        self._playing: Evaluator | None = None

    def begin(self) -> None:
        """The weights of a new run, where they are not random."""
        name, wanted = self.settings.run.begin_with, self.settings.network
        if name is None:
            return
        given = load_board_network(name)
        alike = given.settings == wanted and given.game.line == self.game.line
        if not alike or (not wanted.any_size and given.board != self.board):
            raise SettingsError(
                f"run: begin_with: {name} is {described(given.settings)} for {given.game.spec()}, "
                f"wanted {described(wanted)} for {self.game.spec()}"
            )
        for network in self.networks.values():
            network.load_state_dict(given.network.state_dict())

    def seconds(self) -> float:
        return self.before + time.perf_counter() - self.start

    def memory_bytes(self) -> int:
        """What a full replay window takes."""
        return self.settings.replay.window_rows * (5 * self.game.num_actions + 5)

    def go(self) -> Trained:
        """Trains until a limit or until someone wants to stop."""
        self._restore()
        if self.iteration > 0 and self._is_over():
            self.watcher.noted("nothing to do: the run is at its limits or past them; give it others to go on")
        finished = True
        while not self._is_over():
            if self.watcher.stopping() or not self._step():
                finished = False
                break
            self.watcher.stepped(Progress(self.iteration, self.simulations, self.seconds(), self.row))
            if time.perf_counter() - self.saved_at >= self.settings.run.checkpoint_seconds:
                self._save()
        if self.iteration > 0:
            self._save(self._champion() if finished else self.best)
        return Trained(self.row, self.weights_hash(), finished, None)

    def _is_over(self) -> bool:
        limits = self.settings.run
        return self._is_late() or (limits.iterations is not None and self.iteration >= limits.iterations)

    def _is_late(self) -> bool:
        """Whether the run's minutes are over, if it has such a limit; a fit under way then ends, too."""
        minutes = self.settings.run.minutes
        return minutes is not None and self.seconds() >= 60 * minutes

    def _is_cut(self) -> bool:
        """Whether games under way are given up. The first iteration has its time."""
        return self.watcher.stopping() or (self.iteration > 0 and self._is_late())

    def _share_done(self) -> float:
        """How much of the run is over, by the nearest limit."""
        limits = self.settings.run
        shares = [
            self.iteration / limits.iterations if limits.iterations else 0.0,
            self.seconds() / (60 * limits.minutes) if limits.minutes else 0.0,
        ]
        return min(max(shares), 1.0)

    def _step(self) -> bool:
        """One iteration; False when someone wanted to stop in the middle of it: it is then played again."""
        settings, number = self.settings, self.iteration + 1
        start, alone = time.perf_counter(), self._spars_alone()
        played = Played.none(self.game.num_actions) if alone else self._play(number)
        play_seconds = time.perf_counter() - start
        sparred = self._spar(number, alone) if played is not None else None
        if self.watcher.stopping() and (played is None or sparred is None):
            return False
        played = played or Played.none(self.game.num_actions)  # its time is over: nobody would learn from its games
        sparred = sparred or Sparred.none(self.game.num_actions)
        self.iteration = number
        self.games += len(played.games)
        self.simulations += played.simulations
        positions = joined([played.positions, sparred.positions])
        self.replay.add(number, positions)
        steps = settings.sparring.alone_steps if alone else settings.fit.steps(len(positions))
        fitted = self._learn(steps) if self.replay.rows >= settings.replay.first_rows else None
        met = self._meet() if fitted is not None and number % settings.arena.every == 0 else None
        self._measure(played, play_seconds, sparred, fitted, met)
        return True

    def _spars_alone(self) -> bool:
        settings = self.settings.sparring
        return self.iteration >= settings.after and self._share_done() >= settings.alone_after

    def _play(self, number: int) -> Played | None:
        """The best network against itself; None when it was given up."""
        if self._playing is None:
            self._playing = self._evaluator(self.best)
        return play_games(self.game, self._playing, self.settings, number, self.threads, self.referee, self._is_cut)

    def _spar(self, number: int, alone: bool) -> Sparred | None:
        """The newest network against the perfect player; None when it was given up."""
        settings = self.settings.sparring
        if not self.teachers or number <= settings.after:
            return Sparred.none(self.game.num_actions)
        newest = self._evaluator(self.newest)
        key = (self.settings.run.seed, number, 2)
        return spar(newest, self.teachers, settings, self.book, key, self._is_cut, alone)

    def _learn(self, steps: int) -> FitReport:
        settings = self.settings.fit
        high, low = settings.learning_rate, settings.last_learning_rate
        rate = low + (high - low) * (1 + math.cos(math.pi * self._share_done())) / 2
        before = torch.get_num_threads()
        torch.set_num_threads(settings.threads if isinstance(self.gradients, TorchGradients) else 1)
        key = (self.settings.run.seed, self.iteration)
        rows, late = self.replay.whole(), self._is_late
        follow, by = self.mean.follow, self.gradients
        fitted = fit(self.network, self.optimiser, rows, self.board, settings, steps, rate, key, late, follow, by)
        torch.set_num_threads(before)
        return fitted

    def _meet(self) -> ArenaResult | None:
        """The newer network against the best one; it takes over if it is good enough."""
        newer = self._evaluator(self.newest)
        met = self._match(newer) if self.settings.arena.gate else None
        if met is not None:
            if not met.is_won(self.settings.arena.least_score):
                return met
            score = min(max(met.score, 0.5 / met.games), 1 - 0.5 / met.games)
            self.elo += min(max(400 * math.log10(score / (1 - score)), -MOST_ELO_STEP), MOST_ELO_STEP)
        self.best.load_state_dict(self.newest.state_dict())
        self.generation += 1
        self._playing = newer
        return met

    def _match(self, newer: Evaluator) -> ArenaResult:
        if self._playing is None:
            self._playing = self._evaluator(self.best)
        key = (self.settings.run.seed, self.iteration, 1)
        return meet(self.game, newer, self._playing, self.settings.search, self.settings.arena, key)

    def _champion(self) -> Any:
        """Who is saved when a run is over: the newest network has a last chance. A run that goes on forgets it."""
        settings = self.settings.arena
        if self.iteration % settings.every == 0 or self.replay.rows < self.settings.replay.first_rows:
            return self.best
        if not settings.gate or self._match(self._evaluator(self.newest)).is_won(settings.least_score):
            return self.newest
        return self.best

    def _evaluator(self, network: Any) -> Evaluator:
        run = self.settings.run
        return evaluator_for(network, self.board, threads=self.threads, engine=run.engine, device=run.device)

    def _measure(
        self,
        played: Played,
        play_seconds: float,
        sparred: Sparred,
        fitted: FitReport | None,
        met: ArenaResult | None,
    ) -> None:
        self.row = {
            "iteration": self.iteration,
            "games": self.games,
            "simulations": self.simulations,
            "seconds": self.seconds(),
            "elo": self.elo,
            "generation": self.generation,
            "buffers": {"replay": {"stored": self.replay.rows, "capacity": self.settings.replay.window_rows}},
            "losses": {},
            **self.monitor.figures(),
        }
        if played.games:
            self.row |= {
                "simulations_a_move": simulations_at(self.settings, self.iteration),
                "results": [played.results.count(result) / len(played.results) for result in (1, 0, -1)],
                "moves_a_game": float(np.mean([len(game) for game in played.games])),
                "games_per_hour": 3600 * len(played.games) / play_seconds,
                "simulations_per_second": played.simulations / play_seconds,
                "asked_share": played.asked / max(played.simulations, 1),
                "play_seconds": play_seconds,
            }
        if sparred.moves > 0:
            self.row["sparring"] = {
                "moves": sparred.moves,
                "given_away": sparred.given_away,
                "book": len(self.book),
                "rows": len(sparred.positions),
                "seconds": sparred.seconds,
            }
        if fitted is not None:
            self.row["losses"] = {"policy": fitted.policy_loss, "value": fitted.value_loss}
            self.row["gradient_norms"] = fitted.norms
            self.row["fit_seconds"] = fitted.seconds
            self.row["batches_per_second"] = fitted.steps / max(fitted.seconds, 1e-9)
            if fitted.undone:
                self.row["events"] = ["a step was not finite and was not taken"]
        if met is not None:
            self.row["arena"] = {
                "wins": met.wins,
                "draws": met.draws,
                "losses": met.losses,
                "llr": met.test.llr,
                "verdict": met.test.verdict,
            }
        self.run.log(self.row)
        for text in self.row.get("events", ()):
            self.watcher.noted(f"iteration {self.iteration:,}: {text}")
        self.watcher.measured(self.row)

    def weights_hash(self) -> str:
        """A checksum of everything learnt."""
        whole = hashlib.sha256()
        for network in self.networks.values():
            for tensor in network.state_dict().values():
                whole.update(tensor.cpu().numpy().tobytes())
        return whole.hexdigest()

    def _save(self, plays: Any = None) -> None:
        """A checkpoint, and the network that plays as the run's policy."""
        tensors: dict[str, npt.NDArray[Any]] = {}
        for name, network in self.networks.items():
            for key, tensor in network.state_dict().items():
                tensors[f"{name}.{key}"] = tensor.cpu().numpy()
        for index, state in self.optimiser.state_dict()["state"].items():
            for key, value in state.items():
                tensors[f"adam.{index}.{key}"] = value.cpu().numpy()
        about = {
            "iteration": self.iteration,
            "games": self.games,
            "simulations": self.simulations,
            "steps": self.mean.taken,
            "elo": self.elo,
            "generation": self.generation,
            "window_first": self.replay.first,
            "seconds": self.seconds(),
            "kept_from": self.kept_from,
            "book": [[*moves, right] for moves, right in self.book.items()],
            **self._identity(),
        }
        if self.saved != self.iteration:
            self.run.save_checkpoint(Checkpoint(about, tensors))
            self.replay.forget_files(self.kept_from)
            self.kept_from, self.saved = self.replay.first, self.iteration
        self.saved_at = time.perf_counter()
        origin = {
            "algorithm": self.settings.run.algorithm,
            "iterations": self.iteration,
            "seed": self.settings.run.seed,
        }
        weights = (plays or self.best).weights()
        save_board_network(BoardNetwork(self.game, self.settings.network, weights, origin), self.run.policy)

    def _identity(self) -> dict[str, Any]:
        return {"game": self.game.spec(), "settings": what_shapes(self.settings)}

    def _restore(self) -> None:
        """Goes to the last good checkpoint, if there is one."""
        reason = None
        for checkpoint in self.run.good_checkpoints(self.watcher.noted):
            for key, wanted in self._identity().items():
                if checkpoint.about.get(key) != wanted:
                    raise RunError(f"{self.run.path}: its checkpoint is of other {key} than its settings")
            try:
                self._take(checkpoint.about, checkpoint.tensors)
            except RunError as error:
                reason = error
                self.watcher.noted(f"{error}; trying an older checkpoint")
                continue
            except (KeyError, TypeError, ValueError, RuntimeError):
                raise RunError(f"{self.run.path}: its checkpoint does not fit its settings") from None
            rows = [row for row in self.run.metrics() if isinstance(row.get("iteration"), int)]
            kept = [row for row in rows if row["iteration"] <= self.iteration]
            self.run.rewrite_metrics(kept)
            self.row = kept[-1] if kept else {}
            self.watcher.noted(f"going on from iteration {self.iteration:,}")
            return
        if reason is not None:
            raise RunError(f"{reason}; no checkpoint has all it needs, begin a new run")
        self.run.rewrite_metrics([])  # what was measured before the first checkpoint is measured again
        self.begin()

    def _take(self, about: Mapping[str, Any], tensors: Mapping[str, npt.NDArray[Any]]) -> None:
        self.replay.restore(int(about["window_first"]), int(about["iteration"]))
        for name, network in self.networks.items():
            prefix = f"{name}."
            found = {key.removeprefix(prefix): value for key, value in tensors.items() if key.startswith(prefix)}
            network.load_state_dict({key: torch.from_numpy(value.copy()) for key, value in found.items()})
        state: dict[int, dict[str, torch.Tensor]] = {}
        for key, value in tensors.items():
            if key.startswith("adam."):
                _, index, name = key.split(".")
                state.setdefault(int(index), {})[name] = torch.from_numpy(value.copy())
        groups = self.optimiser.state_dict()["param_groups"]
        self.optimiser.load_state_dict({"state": state, "param_groups": groups})
        self.iteration, self.games, self.simulations, self.mean.taken, self.generation = (
            int(about[key]) for key in ("iteration", "games", "simulations", "steps", "generation")
        )
        self.elo, self.before = float(about["elo"]), float(about["seconds"])
        self.book = {tuple(moves): right for *moves, right in about["book"]}
        self.kept_from, self.saved = int(about["kept_from"]), self.iteration
        self._playing = None
