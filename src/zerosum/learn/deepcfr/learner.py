"""The learner: keeps what walks found in its buffers and fits the networks to them.

What it is told and what it answers are plain arrays, so it may live in another process than the chief.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from zerosum.learn.buffer import fill_of, make_buffer
from zerosum.learn.deepcfr.listed import ListedGame
from zerosum.learn.deepcfr.networks import Networks
from zerosum.networks.small import flat_weights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from zerosum.learn.buffer import Buffer, Fill
    from zerosum.learn.deepcfr.ground import Ground
    from zerosum.learn.deepcfr.settings import TrainSettings
    from zerosum.learn.fit import FitReport


@dataclass(frozen=True)
class Played:
    """One player's network of now, and what it brings into what everyone plays."""

    weights: npt.NDArray[np.float32]
    piece: npt.NDArray[Any]


@dataclass
class Learnt:
    """What came of one player's walks."""

    nodes: int = 0
    samples: int = 0
    fits: list[tuple[str, FitReport]] = field(default_factory=list)
    played: Played | None = None  # if the player's network was fitted
    baseline: npt.NDArray[Any] | None = None  # to be handed to the next walks
    parts: dict[str, float] = field(default_factory=dict)  # seconds of walking by part, where they are told


class Learner:
    """Buffers, networks and the baseline of a run."""

    def __init__(self, ground: Ground, settings: TrainSettings) -> None:
        self.ground, self.settings = ground, settings
        self.networks = Networks(settings, ground.inputs, ground.actions, ground.nets)
        self.baseline = ground.baseline()
        self.trained = [False] * ground.nets
        self.strategy_trained = False
        sizes = (ground.inputs, ground.actions, settings.run.seed)
        self.buffers: dict[str, Buffer] = {
            f"advantage{own}": make_buffer(settings.buffer, *sizes, own, ground.kind) for own in range(ground.nets)
        }
        if settings.strategy.train:
            self.buffers["strategy"] = make_buffer(settings.buffer, *sizes, ground.players, ground.kind)
        for buffer in self.buffers.values():
            ground.reserve(buffer)

    def learn(self, player: int, iteration: int, parts: Sequence[Any]) -> Learnt:
        """Takes in what a player's walks of an iteration found, in the order of the walks, and fits what is due."""
        pieces, learnt = self.ground.pieces(parts), Learnt()
        for found in pieces:
            self._store(player, iteration, found, learnt)
        if self.baseline is not None:
            fitted = self.baseline.learn(pieces, iteration)
            if fitted is not None:
                learnt.fits.append(("baseline", fitted))
        last = player == self.ground.players - 1
        own = self._own(player)
        alone = self.ground.nets == self.ground.players
        if (alone or last) and self._is_due(iteration, self.settings.advantage.every, f"advantage{own}"):
            self._fit_advantages(own, iteration, learnt)
        if last and self.settings.strategy.train and self._is_due(iteration, self.settings.strategy.every, "strategy"):
            self._fit_strategy(iteration, learnt)
        learnt.baseline = self.handout()
        return learnt

    def _own(self, player: int) -> int:
        """Which network is the player's: one that all share learns once all have walked."""
        return player if self.ground.nets == self.ground.players else self.ground.nets - 1

    def _fit_advantages(self, own: int, iteration: int, learnt: Learnt) -> None:
        rows = self.buffers[f"advantage{own}"].rows()
        taught = None if self.trained[own] else self.ground.teach(self.networks)
        if taught is not None:
            learnt.fits.append(("lessons", taught))
        fitted = self.networks.fit_advantages(own, rows, iteration)
        learnt.fits.append((f"advantage{own}", fitted))
        if not fitted.undone:
            self.trained[own] = True
            learnt.played = self._played(own)

    def finish(self, iteration: int) -> Learnt:
        """Before the policies are saved for good: the strategy network, if it is not of this iteration."""
        learnt = Learnt()
        late = self.settings.strategy.train and not self._is_due(iteration, self.settings.strategy.every, "strategy")
        if late and self.buffers["strategy"].seen > 0:
            self._fit_strategy(iteration, learnt)
        return learnt

    def handout(self) -> npt.NDArray[Any] | None:
        """The baseline as walks may have it while this one goes on learning."""
        return None if self.baseline is None else self.baseline.handout().copy()

    def fills(self) -> dict[str, Fill]:
        return {name: fill_of(buffer) for name, buffer in self.buffers.items()}

    def weights(self) -> list[npt.NDArray[np.float32]]:
        """Of all networks: each player's advantages, then the strategy's."""
        return [flat_weights(network) for network in (*self.networks.advantages, self.networks.strategy)]

    def strategy_weights(self) -> npt.NDArray[np.float32] | None:
        return flat_weights(self.networks.strategy) if self.strategy_trained else None

    def strategy_profile(self) -> npt.NDArray[np.float64] | None:
        """[sequences] what the strategy network plays, once it was trained and where the game can be listed."""
        if not self.strategy_trained or not isinstance(self.ground, ListedGame):
            return None
        return self.ground.as_profile(self.networks.average(self.ground.features, self.ground.legal))

    def _played(self, player: int) -> Played:
        return Played(flat_weights(self.networks.advantages[player]), self.ground.piece(self.networks, player))

    def _fit_strategy(self, iteration: int, learnt: Learnt) -> None:
        fitted = self.networks.fit_strategy(self.buffers["strategy"].rows(), iteration)
        learnt.fits.append(("strategy", fitted))
        self.strategy_trained |= not fitted.undone

    def _store(self, player: int, iteration: int, found: Any, learnt: Learnt) -> None:
        """Puts what was found where it belongs."""
        learnt.nodes += found.nodes
        average = self.settings.average
        buffer = self.buffers[f"advantage{self._own(player)}"]
        learnt.samples += self.ground.add_advantages(buffer, found, iteration**average.regret)
        if self.settings.strategy.train:
            share = iteration**average.exponent
            learnt.samples += self.ground.add_strategies(self.buffers["strategy"], found, share)

    def _is_due(self, iteration: int, every: int, name: str) -> bool:
        warm = iteration > self.settings.walks.warm_up
        return warm and iteration % every == 0 and self.buffers[name].seen >= self.settings.buffer.start_rows

    def state(self) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
        """What a checkpoint holds of it."""
        tensors = self.networks.state()
        if self.baseline is not None:
            tensors.update({f"baseline.{name}": array for name, array in self.baseline.state().items()})
        seen = {}
        for name, buffer in self.buffers.items():
            seen[name], arrays = buffer.state()
            tensors.update({f"buffer.{name}.{field}": array for field, array in arrays.items()})
        return {"trained": self.trained, "strategy_trained": self.strategy_trained, "buffers": seen}, tensors

    def restore(self, about: Mapping[str, Any], tensors: Mapping[str, npt.NDArray[Any]]) -> list[Played | None]:
        """Goes to a checkpoint; returns what each player plays there, None for those without a network."""
        self.networks.restore(tensors)
        for name, buffer in self.buffers.items():
            buffer.restore(about["buffers"][name], _under(f"buffer.{name}.", tensors))
        if self.baseline is not None:
            self.baseline.restore(_under("baseline.", tensors))
        self.trained, self.strategy_trained = list(about["trained"]), bool(about["strategy_trained"])
        return [self._played(player) if trained else None for player, trained in enumerate(self.trained)]


def _under(prefix: str, tensors: Mapping[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
    """Those whose names begin so, without the beginning."""
    return {name[len(prefix) :]: array for name, array in tensors.items() if name.startswith(prefix)}
