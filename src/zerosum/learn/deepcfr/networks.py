"""The networks of a run, each with its optimiser: an advantage network a player, and the average-strategy network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import torch

from zerosum.errors import SettingsError
from zerosum.games.size import bytes_available
from zerosum.learn.adam import Adam
from zerosum.learn.fit import FitReport, cross_entropy, fit, squared_error
from zerosum.networks.choice import advantage_network, strategy_network
from zerosum.networks.small import device_named, flat_weights, set_flat_weights
from zerosum.policy.matching import regret_matching

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy.typing as npt

    from zerosum.learn.deepcfr.settings import FitSettings, TrainSettings
    from zerosum.learn.rows import Rows
    from zerosum.networks.choice import AnyAdvantageNet, AnyStrategyNet
    from zerosum.networks.settings import NetworkSettings

Kind = TypeVar("Kind", "AnyAdvantageNet", "AnyStrategyNet")

COPIES = 6  # of a network's weights while it is trained: moments, gradient, and to go back to
STRATEGY = -1  # its number among the networks; players count from 0


class Networks:
    """One advantage network a player, or one that players share, and one strategy network for all."""

    def __init__(self, settings: TrainSettings, inputs: int, actions: int, players: int) -> None:
        self.settings, self.inputs, self.actions = settings, inputs, actions
        self.device = device_named(settings.run.device)
        hidden, layers = settings.network.hidden, settings.network.layers
        weights = (inputs + 1) * hidden + (layers - 1) * (hidden + 1) * hidden + (hidden + 1) * actions
        needed = COPIES * 4 * weights * (players + 1)
        if needed > bytes_available():
            raise SettingsError(f"network: {weights:,} weights need {needed / 1e9:.1f} GB to train, more than there is")
        self.advantages = [self._network(advantage_network, player, 0) for player in range(players)]
        self.strategy = self._network(strategy_network, STRATEGY, 0)
        self._optimisers = {player: self._adam(player) for player in (*range(players), STRATEGY)}

    def _network(self, make: Callable[[int, int, NetworkSettings], Kind], number: int, iteration: int) -> Kind:
        """A new network; its weights depend on the seed, its number and the iteration alone."""
        luck = np.random.SeedSequence([self.settings.run.seed, number + 1, iteration]).generate_state(1, np.uint64)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(luck[0] >> np.uint64(1)))
            return make(self.inputs, self.actions, self.settings.network).to(self.device)

    def _named(self, number: int) -> AnyAdvantageNet | AnyStrategyNet:
        return self.strategy if number == STRATEGY else self.advantages[number]

    def _settings(self, number: int) -> FitSettings:
        return self.settings.strategy if number == STRATEGY else self.settings.advantage

    def _adam(self, number: int) -> Adam:
        return Adam(self._named(number).flat.detach(), self._settings(number).l2)

    @property
    def weights(self) -> int:
        """How many a network has."""
        return self.advantages[0].flat.numel()

    def fit_advantages(self, player: int, rows: Rows, iteration: int) -> FitReport:
        old = self.advantages[player], self._optimisers[player]
        if not self.settings.advantage.warm:
            self.advantages[player] = self._network(advantage_network, player, iteration)
            self._optimisers[player] = self._adam(player)
        report = self._fit(player, rows, iteration)
        if report.undone:
            self.advantages[player], self._optimisers[player] = old
        return report

    def fit_strategy(self, rows: Rows, iteration: int) -> FitReport:
        old = self.strategy, self._optimisers[STRATEGY]
        if not self.settings.strategy.warm:
            self.strategy = self._network(strategy_network, STRATEGY, iteration)
            self._optimisers[STRATEGY] = self._adam(STRATEGY)
        report = self._fit(STRATEGY, rows, iteration)
        if report.undone:
            self.strategy, self._optimisers[STRATEGY] = old
        return report

    def _fit(self, number: int, rows: Rows, iteration: int) -> FitReport:
        settings = self._settings(number)
        learning_rate = settings.learning_rate * settings.decay ** (iteration // settings.decay_every)
        loss_of = cross_entropy if number == STRATEGY else squared_error
        key = (self.settings.run.seed, number + 1, iteration)
        return fit(self._named(number), self._optimisers[number], rows, settings, learning_rate, loss_of, key)

    def strategies(
        self, player: int, features: npt.NDArray[np.float32], legal: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.float64]:
        """[B, A] what the player's advantage network would play now."""
        with torch.inference_mode():
            found = self.advantages[player](torch.from_numpy(features).to(self.device)).cpu().numpy()
        return regret_matching(found, legal, otherwise="best")

    def average(self, features: npt.NDArray[np.float32], legal: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        """[B, A] what the strategy network plays."""
        with torch.inference_mode():
            told = torch.from_numpy(features).to(self.device), torch.from_numpy(legal).to(self.device)
            shares = self.strategy.strategy(*told).cpu().numpy().astype(np.float64)
        normal: npt.NDArray[np.float64] = shares / shares.sum(axis=1, keepdims=True)
        return normal

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """All weights and the optimisers' moments, to be saved."""
        saved: dict[str, npt.NDArray[Any]] = {}
        for number, optimiser in self._optimisers.items():
            saved[f"{_name(number)}.weights"] = flat_weights(self._named(number))
            saved.update({f"{_name(number)}.adam.{key}": array for key, array in optimiser.state().items()})
        return saved

    def restore(self, saved: Mapping[str, npt.NDArray[Any]]) -> None:
        for number in self._optimisers:
            set_flat_weights(self._named(number), saved[f"{_name(number)}.weights"])
            self._optimisers[number] = self._adam(number)
            prefix = f"{_name(number)}.adam."
            moments = {key[len(prefix) :]: array for key, array in saved.items() if key.startswith(prefix)}
            self._optimisers[number].restore(moments)


def _name(number: int) -> str:
    return "strategy" if number == STRATEGY else f"advantage{number}"
