"""Neural fictitious self-play (Heinrich & Silver 2016), on the buffers and networks of Deep CFR, for comparison.

Each player has a network of action values, fitted to what its games brought (its greedy play is a best response to the
others' average), and all share a strategy network, fitted to a reservoir of what best responses did.
"""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from zerosum.learn.buffer import fill_of, make_buffer
from zerosum.learn.deepcfr.networks import Networks
from zerosum.learn.deepcfr.replay import Replay
from zerosum.learn.deepcfr.trainer import Standing, StepReport
from zerosum.learn.rows import Rows
from zerosum.networks.small import flat_weights

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from zerosum.learn.buffer import Buffer, Fill
    from zerosum.learn.deepcfr.listed import ListedGame
    from zerosum.learn.deepcfr.settings import TrainSettings

END = -1  # in place of the next information set


class Nfsp:
    """Everything a run of fictitious self-play is between two iterations."""

    def __init__(self, game: ListedGame, settings: TrainSettings) -> None:
        self.game, self.settings = game, settings
        self.networks = Networks(settings, game.inputs, game.actions, game.players)
        self.iteration = self.nodes = 0
        sizes = (game.inputs, game.actions, settings.run.seed)
        self.buffers: dict[str, Buffer] = {"strategy": make_buffer(settings.buffer, *sizes, 0)}
        game.reserve(self.buffers["strategy"])
        self.replays = [Replay(settings.nfsp.replay_rows) for _ in range(game.players)]
        self.frozen = np.zeros((game.tree.infosets, game.actions))  # action values that targets look at
        self.average = game.tree.uniform()

    def step(self) -> StepReport:
        """One iteration: games, then every network."""
        self.iteration += 1
        report = StepReport()
        start = time.perf_counter()
        self._play(report)
        report.walk_seconds = time.perf_counter() - start
        if self.iteration % self.settings.nfsp.target_every == 0:
            self.frozen = self._values()
        for player, replay in enumerate(self.replays):
            if replay.stored >= self.settings.buffer.start_rows:
                fitted = self.networks.fit_advantages(player, self._targets(replay), self.iteration)
                report.note(f"advantage{player}", fitted)
        if self.buffers["strategy"].seen >= self.settings.buffer.start_rows:
            fitted = self.networks.fit_strategy(self.buffers["strategy"].rows(), self.iteration)
            report.note("strategy", fitted)
            rows = self.networks.average(self.game.features, self.game.legal)
            self.average = self.game.as_profile(rows)
        self.nodes += report.nodes
        return report

    def _play(self, report: StepReport) -> None:
        settings, seed = self.settings.nfsp, self.settings.run.seed
        games, infosets, columns, is_best, returns, nodes = self.game.walks.episodes(
            self._best_response(), self.average, settings.anticipation, seed, self.iteration, settings.games
        )
        report.nodes, report.samples = nodes, len(infosets)
        owner = self.game.tree.owner[infosets]
        for player, replay in enumerate(self.replays):
            mine = np.flatnonzero(owner == player)
            last = np.append(games[mine][1:] != games[mine][:-1], True)[: len(mine)]
            following = np.where(last, END, np.append(infosets[mine][1:], END)[: len(mine)])
            reward = np.where(last, returns[games[mine], player], 0.0)
            told = {"infoset": infosets[mine], "column": columns[mine], "reward": reward, "following": following}
            replay.add(told)
        chosen = np.flatnonzero(is_best)
        done = np.eye(self.game.actions)[columns[chosen]]
        seen = infosets[chosen]
        weight = np.full(len(seen), float(self.iteration) ** self.settings.average.exponent)
        self.buffers["strategy"].add(Rows(self.game.features[seen], self.game.legal[seen], done, weight))

    def _values(self) -> npt.NDArray[np.float64]:
        """[infosets, A] each owner's action values now, −inf where illegal."""
        values = np.empty_like(self.frozen)
        for player, network in enumerate(self.networks.advantages):
            mine = np.flatnonzero(self.game.tree.owner == player)
            seen = torch.from_numpy(self.game.features[mine]).to(self.networks.device)
            with torch.inference_mode():
                values[mine] = network(seen).cpu().numpy()
        return np.where(self.game.legal, values, -np.inf)

    def _best_response(self) -> npt.NDArray[np.float64]:
        """[sequences] greedy play with some exploration, which fades as the square root of time."""
        values, legal = self._values(), self.game.legal
        greedy = np.zeros(values.shape)
        greedy[np.arange(len(values)), values.argmax(axis=1)] = 1.0
        explored = self.settings.nfsp.exploration / self.iteration**0.5
        mixed = (1 - explored) * greedy + explored * legal / legal.sum(axis=1, keepdims=True)
        return self.game.as_profile(mixed)

    def _targets(self, replay: Replay) -> Rows:
        """What each transition says its action is worth; only that action counts."""
        batch = (self.settings.advantage.batch_rows or replay.stored) * self.settings.advantage.steps
        luck = np.random.Generator(np.random.Philox(np.random.SeedSequence([self.settings.run.seed, self.iteration])))
        chosen = luck.integers(0, replay.stored, min(batch, 4 * replay.stored))
        told = {name: array[chosen] for name, array in replay.arrays.items()}
        best = np.append(self.frozen.max(axis=1), 0.0)  # END is worth nothing more
        worth = told["reward"] + best[told["following"]]
        only = np.eye(self.game.actions, dtype=np.bool_)[told["column"]]
        return Rows(self.game.features[told["infoset"]], only, only * worth[:, None], np.ones(len(worth)))

    def finish(self) -> StepReport:
        return StepReport()

    def standing(self) -> Standing:
        return Standing({"strategy": self.average}, [])

    def fills(self) -> dict[str, Fill]:
        return {name: fill_of(buffer) for name, buffer in self.buffers.items()}

    def strategy_weights(self) -> npt.NDArray[np.float32]:
        return flat_weights(self.networks.strategy)

    def weights_hash(self) -> str:
        whole = hashlib.sha256()
        for network in (*self.networks.advantages, self.networks.strategy):
            whole.update(flat_weights(network).tobytes())
        return whole.hexdigest()

    def state(self) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
        seen, arrays = self.buffers["strategy"].state()
        tensors = {"frozen": self.frozen, "average": self.average, **self.networks.state()}
        tensors.update({f"buffer.strategy.{name}": array for name, array in arrays.items()})
        for player, replay in enumerate(self.replays):
            tensors.update({f"replay{player}.{name}": a[: replay.stored] for name, a in replay.arrays.items()})
        about = {"iteration": self.iteration, "nodes": self.nodes, "buffers": seen}
        return {**about, "replays": [replay.seen for replay in self.replays]}, tensors

    def restore(self, about: Mapping[str, Any], tensors: Mapping[str, npt.NDArray[Any]]) -> None:
        self.networks.restore(tensors)
        prefix = "buffer.strategy."
        arrays = {key[len(prefix) :]: array for key, array in tensors.items() if key.startswith(prefix)}
        self.buffers["strategy"].restore(about["buffers"], arrays)
        for player, replay in enumerate(self.replays):
            replay.seen = int(about["replays"][player])
            for name, array in replay.arrays.items():
                array[: replay.stored] = tensors[f"replay{player}.{name}"]
        self.frozen, self.average = tensors["frozen"].copy(), tensors["average"].copy()
        self.iteration, self.nodes = int(about["iteration"]), int(about["nodes"])
