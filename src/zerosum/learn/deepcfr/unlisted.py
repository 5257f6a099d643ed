"""Hold'em as training sees it: too many information sets for any list, so walks stop where they need a network.

Walks come in leases of a fixed size that ask together. A network's answer may differ in the last digit with the size of
the batch, so it is the lease, not the number of workers, that decides what is asked together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from zerosum import native
from zerosum.encoding.holdem import holdem_encoder
from zerosum.errors import SettingsError
from zerosum.learn.deepcfr.ground import Task
from zerosum.learn.deepcfr.network_baseline import NetworkBaseline
from zerosum.learn.rows import Rows
from zerosum.networks.small import AdvantageNet, Perceptron, flat_weights, set_flat_weights
from zerosum.policy.matching import regret_matching

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from zerosum.games.holdem import Holdem
    from zerosum.learn.buffer import Buffer
    from zerosum.learn.deepcfr.networks import Networks
    from zerosum.learn.deepcfr.settings import TrainSettings
    from zerosum.learn.fit import FitReport


@dataclass(frozen=True)
class UnlistedFound:
    """What walks found, in the order of the walks."""

    features: npt.NDArray[Any]  # [N, F] the traverser's decisions
    legal: npt.NDArray[np.bool_]  # [N, A]
    advantages: npt.NDArray[np.float64]  # [N, A]
    others: npt.NDArray[Any]  # [M, F] the other players' decisions
    others_legal: npt.NDArray[np.bool_]  # [M, A]
    strategies: npt.NDArray[np.float64]  # [M, A]
    weights: npt.NDArray[np.float64]  # [M]
    histories: npt.NDArray[np.float32]  # [K, H] where one action was sampled, with a baseline
    sampled: npt.NDArray[np.int32]  # [K] which
    worth: npt.NDArray[np.float64]  # [K]
    nodes: int

    def without_strategies(self) -> UnlistedFound:
        """For those who keep none: half of what would be carried about."""
        names = ("others", "others_legal", "strategies", "weights")
        return replace(self, **{name: getattr(self, name)[:0].copy() for name in names})


class UnlistedGame:
    """Walks that ask. What everyone plays is the weights of a network each, None before there is one."""

    def __init__(self, game: Holdem, settings: TrainSettings) -> None:
        self.game, self.settings = game, settings
        self.players = self.nets = game.players
        self.actions, self.kind = game.num_actions, "float32"
        self.inputs, self.history_inputs = native.holdem_feature_counts(game.rules)
        self.encoder_name = holdem_encoder(game)
        if settings.walks.stratified:
            raise SettingsError(f"walks: stratified: the deals of {game.spec()} cannot be listed")
        if settings.walks.baseline == "table":
            raise SettingsError(f"walks: baseline: got table, wanted network: {game.spec()} cannot be listed")
        if settings.run.algorithm == "nfsp":
            raise SettingsError(f"run: algorithm: got nfsp, wanted sd-cfr or deep-cfr: {game.spec()} cannot be listed")
        if settings.run.target is not None:
            raise SettingsError(f"run: target: the exploitability of {game.spec()} cannot be told")
        if settings.run.algorithm == "sd-cfr" and not (settings.average.keep_networks or settings.strategy.train):
            raise SettingsError("average: keep_networks: got false, wanted true: the networks are all there is to play")
        native.HoldemWalks(game.rules, False, 0, 0, 0, 0, 0)  # refuses a menu that is too wide

    def uniform(self) -> list[npt.NDArray[np.float32] | None]:
        return [None] * self.players

    def piece(self, networks: Networks, player: int) -> npt.NDArray[np.float32]:
        """The weights of the player's network."""
        return flat_weights(networks.advantages[player])

    def updated(
        self, playing: list[npt.NDArray[np.float32] | None], player: int, piece: npt.NDArray[Any]
    ) -> list[npt.NDArray[np.float32] | None]:
        return [piece if p == player else playing[p] for p in range(self.players)]

    def baseline(self) -> NetworkBaseline | None:
        if self.settings.walks.baseline != "network":
            return None
        return NetworkBaseline(self.history_inputs, self.actions, self.settings)

    def teach(self, _networks: Networks) -> FitReport | None:
        return None

    def tasks(self, iteration: int, traverser: int, _workers: int) -> list[Task]:
        count, lease = self.settings.walks.per_player, self.settings.walks.lease
        return [Task(iteration, traverser, first, min(lease, count - first)) for first in range(0, count, lease)]

    def walk(
        self,
        task: Task,
        playing: list[npt.NDArray[np.float32] | None],
        baseline: npt.NDArray[np.float32] | None,
    ) -> UnlistedFound:
        """Native code advances, networks answer."""
        networks = [None if weights is None else self._network(self.inputs, weights) for weights in playing]
        guess = None if baseline is None else self._network(self.history_inputs, baseline)
        seed = self.settings.run.seed
        walks = native.HoldemWalks(
            self.game.rules, guess is not None, seed, task.iteration, task.traverser, task.first, task.count
        )
        while (asked := walks.pending()) is not None:
            actors, features, legal, histories = asked
            strategy = legal / legal.sum(axis=1, keepdims=True)
            for player, network in enumerate(networks):
                mine = np.flatnonzero(actors == player)
                if network is not None and len(mine):
                    said = _ask(network, features[mine])
                    strategy[mine] = regret_matching(said, legal[mine], otherwise="best")
            expected = None
            if guess is not None and histories is not None:
                expected = np.zeros(legal.shape)
                others = np.flatnonzero(actors != task.traverser)  # the traverser tries everything
                expected[others] = _ask(guess, histories[others])
            walks.answer(strategy, expected)
        found = UnlistedFound(*walks.samples())
        return found if self.settings.strategy.train else found.without_strategies()

    def _network(self, inputs: int, weights: npt.NDArray[np.float32]) -> AdvantageNet:
        network = AdvantageNet(inputs, self.actions, self.settings.network)
        set_flat_weights(network, weights)
        return network

    def pieces(self, parts: Sequence[UnlistedFound]) -> Sequence[UnlistedFound]:
        """The leases, which are the same for any number of workers."""
        return parts

    def reserve(self, buffer: Buffer) -> None:
        pass  # nobody knows how many different rows will come

    def add_advantages(self, buffer: Buffer, found: UnlistedFound, weight: float) -> int:
        buffer.add(Rows(found.features, found.legal, found.advantages, np.full(len(found.features), weight)))
        return len(found.features)

    def add_strategies(self, buffer: Buffer, found: UnlistedFound, weight: float) -> int:
        buffer.add(Rows(found.others, found.others_legal, found.strategies, weight * found.weights))
        return len(found.others)

    def average(self) -> None:
        return None


def _ask(network: Perceptron, features: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    with torch.inference_mode():
        answer: npt.NDArray[np.float32] = network(torch.from_numpy(features)).numpy()
    return answer
