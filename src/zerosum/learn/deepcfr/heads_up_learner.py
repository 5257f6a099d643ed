"""The learner of heads-up hold'em: one network for both players and both heads, and reservoirs of what walks found.

What is handed out, to walk with and to play, is a moving average of the weights.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from zerosum.errors import SettingsError
from zerosum.learn.adam import Adam
from zerosum.learn.buffer import make_buffer
from zerosum.learn.deepcfr.learner import Learner, Learnt, Played
from zerosum.learn.heads_up_fit import fit_heads, heads_of
from zerosum.networks.heads_up_flat import FlatTwoHeads
from zerosum.networks.small import set_flat_weights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from zerosum.learn.buffer import Buffer
    from zerosum.learn.deepcfr.heads_up import HeadsUpFound, HeadsUpGame
    from zerosum.learn.deepcfr.settings import TrainSettings

AVERAGE = 0.99  # of the weights handed out, from step to step
LAST = 1  # the player after whom the network is fitted


class HeadsUpLearner(Learner):
    """Buffers, network and optimiser of a run; nothing here asks for the networks of other learners."""

    ground: HeadsUpGame

    def __init__(self, ground: HeadsUpGame, settings: TrainSettings) -> None:
        self.ground, self.settings = ground, settings
        luck = np.random.SeedSequence([settings.run.seed, 0]).generate_state(1, np.uint64)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(luck[0] >> np.uint64(1)))
            self.network = FlatTwoHeads(ground.network)
        self.adam = Adam(self.network.flat.detach(), settings.advantage.l2)
        self.averaged = self.network.flat.detach().clone()
        self.trained = [False]
        sizes = (ground.inputs, ground.actions, settings.run.seed)
        names = ("advantage0", "advantage1", "strategy")
        self.buffers: dict[str, Buffer] = {
            name: make_buffer(settings.buffer, *sizes, number) for number, name in enumerate(names)
        }

    def learn(self, player: int, iteration: int, parts: Sequence[HeadsUpFound]) -> Learnt:
        """Takes in what a player's walks found; after the last player's, the network is fitted."""
        learnt = Learnt()
        for found in self.ground.pieces(parts):
            self._store(player, iteration, found, learnt)
            for name, seconds in found.seconds.items():
                learnt.parts[name] = learnt.parts.get(name, 0.0) + seconds
        if player == LAST and self._is_due(iteration, self.settings.advantage.every, "strategy"):
            self._fit(iteration, learnt)
        return learnt

    def _fit(self, iteration: int, learnt: Learnt) -> None:
        fit = self.settings.advantage
        rows = [self.buffers[f"advantage{player}"].rows() for player in range(self.ground.players)]
        batch = fit.batch_rows or max(map(len, rows))
        strategies = self.buffers["strategy"].rows()
        heads = heads_of(rows, batch, strategies, self.settings.strategy.batch_rows or batch)
        rate = fit.learning_rate * fit.decay ** (iteration / fit.decay_every)
        key = (self.settings.run.seed, 1, iteration)
        about = (heads, fit.steps, rate, fit.clip, AVERAGE, self.ground.precision, key)
        reports = fit_heads(self.network, self.adam, self.averaged, *about)
        learnt.fits.extend(zip(("advantage", "strategy"), reports, strict=True))
        if not reports[0].undone:
            self.trained = [True]
            learnt.played = self._played(player=LAST)

    def _played(self, player: int) -> Played:  # noqa: ARG002  (the same for both)
        weights = self.averaged.numpy().copy()
        return Played(weights, weights)

    def finish(self, iteration: int) -> Learnt:  # noqa: ARG002
        return Learnt()  # both heads are of the last iteration

    def handout(self) -> None:
        return None

    def weights(self) -> list[npt.NDArray[np.float32]]:
        return [self.network.flat.detach().numpy(), self.averaged.numpy()]

    def strategy_weights(self) -> None:
        return None  # they are in the one network, which is saved by itself

    def strategy_profile(self) -> None:
        return None

    def state(self) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
        """What a checkpoint holds of it."""
        tensors: dict[str, npt.NDArray[Any]] = {"weights": self.network.flat.detach().numpy().copy()}
        tensors["averaged"] = self.averaged.numpy().copy()
        tensors.update({f"adam.{key}": array for key, array in self.adam.state().items()})
        seen = {}
        for name, buffer in self.buffers.items():
            seen[name], arrays = buffer.state()
            tensors.update({f"buffer.{name}.{field}": array for field, array in arrays.items()})
        return {"trained": self.trained, "buffers": seen, "cards": self.ground.cards_digest}, tensors

    def restore(self, about: Mapping[str, Any], tensors: Mapping[str, npt.NDArray[Any]]) -> list[Played | None]:
        """Goes to a checkpoint; returns what is played there."""
        if about["cards"] != self.ground.cards_digest:
            name = self.settings.network.cards
            wanted = "is not the CardModel that the run was begun with, wanted the same"
            raise SettingsError(f"network: cards: {name} {wanted}")
        set_flat_weights(self.network, tensors["weights"])
        self.averaged.copy_(torch.from_numpy(tensors["averaged"].copy()))
        self.adam.restore({key[5:]: array for key, array in tensors.items() if key.startswith("adam.")})
        for name, buffer in self.buffers.items():
            prefix = f"buffer.{name}."
            arrays = {key[len(prefix) :]: array for key, array in tensors.items() if key.startswith(prefix)}
            buffer.restore(about["buffers"][name], arrays)
        self.trained = list(about["trained"])
        played = self._played(player=LAST) if self.trained[0] else None
        return [played if player == LAST else None for player in range(self.ground.players)]  # as after a fit
