"""A game whose information sets can be listed, as training sees it.

Networks are asked once for every situation that differs, and walks run on a table: the same algorithm, thousands of
times fewer calls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakKeyDictionary

import numpy as np

from zerosum import native
from zerosum.encoding.small import encoder_for
from zerosum.errors import GameError, SettingsError
from zerosum.games.tree import tree_of
from zerosum.learn.deepcfr.ground import Task
from zerosum.learn.merged import MergedBuffer
from zerosum.learn.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from zerosum.games.protocol import Game
    from zerosum.games.tree import Tree
    from zerosum.learn.buffer import Buffer
    from zerosum.learn.deepcfr.networks import Networks
    from zerosum.learn.deepcfr.settings import TrainSettings

FEWEST = 500  # walks worth a worker of their own


@dataclass(frozen=True)
class ListedFound:
    """What walks found, in the order of the walks."""

    infosets: npt.NDArray[np.int32]  # [N] the traverser's decisions
    advantages: npt.NDArray[np.float64]  # [N, A]
    others: npt.NDArray[np.int32]  # [M] the other players' decisions
    strategies: npt.NDArray[np.float64]  # [M, A]
    weights: npt.NDArray[np.float64]  # [M]
    slots: npt.NDArray[np.int64]  # [K] of the baseline
    worth: npt.NDArray[np.float64]  # [K]
    nodes: int


@dataclass(frozen=True)
class Situations:
    """What a player can see, each thing once: suits that features do not tell apart are one."""

    features: npt.NDArray[np.float32]  # [U, F]
    legal: npt.NDArray[np.bool_]  # [U, A]


class Strategies(Protocol):
    """What is asked of networks here."""

    def strategies(
        self, player: int, features: npt.NDArray[np.float32], legal: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.float64]: ...


class TableBaseline:
    """What each future was worth lately (Schmid et al. 2019): a moving average for every history that differs."""

    def __init__(self, slots: int, rate: float) -> None:
        self.values, self.rate = np.zeros(slots), rate

    def handout(self) -> npt.NDArray[np.float64]:
        return self.values

    def learn(self, pieces: Sequence[ListedFound], _iteration: int) -> None:
        for found in pieces:
            native.moving_average(self.values, found.slots, found.worth, self.rate)

    def state(self) -> dict[str, npt.NDArray[Any]]:
        return {"values": self.values}

    def restore(self, saved: Mapping[str, npt.NDArray[Any]]) -> None:
        self.values = saved["values"].copy()


class TableAverage:
    """The exact average: each iteration's strategy weighted by how likely its owner is to play that far."""

    def __init__(self, tree: Tree) -> None:
        self.tree, self.summed = tree, np.zeros(tree.sequences)

    def add(self, playing: npt.NDArray[np.float64], share: float) -> None:
        self.summed += share * self.tree.native.own_reaches(playing)

    def profile(self) -> npt.NDArray[np.float64]:
        return self.tree.native.average(self.summed)


class ListedGame:
    """The compiled tree, its features, and walks on it. What everyone plays is a profile [sequences]."""

    def __init__(self, game: Game, settings: TrainSettings) -> None:
        self.game, self.settings = game, settings
        self.tree: Tree = tree_of(game)
        tree = self.tree
        if tree.infosets == 0:
            raise GameError(f"{game.spec()}: nobody decides anything in it")
        self.players = self.nets = game.players
        self.actions, self.kind = game.num_actions, "float32"
        encoder = encoder_for(game, settings.network.features, tree.views)
        self.encoder_name, self.inputs = encoder.name, encoder.size
        self.features = encoder(tree.views)
        self.legal = np.zeros((tree.infosets, self.actions), np.bool_)
        self.infoset_of = np.repeat(np.arange(tree.infosets), np.diff(tree.first))  # [sequences]
        self.legal[self.infoset_of, tree.actions] = True
        self.situations: list[Situations] = []
        self.situation_of = np.zeros(tree.infosets, np.int64)  # [infosets] among its owner's
        for player in range(self.players):
            mine = np.flatnonzero(tree.owner == player)
            seen = np.hstack([self.features[mine], self.legal[mine].astype(np.float32)])
            _, first, which = np.unique(seen, axis=0, return_index=True, return_inverse=True)
            self.situation_of[mine] = which.reshape(-1)
            self.situations.append(Situations(self.features[mine[first]], self.legal[mine[first]]))
        self.walks = native.TreeWalks(tree.native, self.actions, self.situation_of.astype(np.int32))
        self._slots: WeakKeyDictionary[MergedBuffer, npt.NDArray[np.int64]] = WeakKeyDictionary()
        if settings.walks.stratified and self.walks.deals == 0:
            spec = game.spec()
            raise SettingsError(f"walks: stratified: the deals of {spec} are not equally likely, or too many")
        if settings.walks.stratified and settings.walks.per_player % self.walks.deals:
            got, deals = settings.walks.per_player, self.walks.deals
            raise SettingsError(
                f"walks: per_player: got {got}, wanted a multiple of {deals}: every deal of {game.spec()}"
            )
        if settings.walks.baseline == "network":
            raise SettingsError(f"walks: baseline: got network, wanted table: {game.spec()} can be listed")

    def uniform(self) -> npt.NDArray[np.float64]:
        return self.tree.uniform()

    def piece(self, networks: Strategies, player: int) -> npt.NDArray[np.float64]:
        """[U, A] what the player does in each of its situations."""
        known = self.situations[player]
        return networks.strategies(player, known.features, known.legal)

    def updated(
        self, playing: npt.NDArray[np.float64], player: int, piece: npt.NDArray[Any]
    ) -> npt.NDArray[np.float64]:
        """[sequences] the old profile with [U, A] strategies of one player put in."""
        mine = self.tree.sequence_owner == player
        new = playing.copy()
        new[mine] = piece[self.situation_of[self.infoset_of[mine]], self.tree.actions[mine]]
        return new

    def as_profile(self, rows: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """[infosets, A] -> [sequences]."""
        return np.ascontiguousarray(rows[self.infoset_of, self.tree.actions])

    def baseline(self) -> TableBaseline | None:
        walks = self.settings.walks
        return TableBaseline(self.walks.slots, walks.baseline_rate) if walks.baseline == "table" else None

    def teach(self, _networks: Networks) -> None:
        return None

    def tasks(self, iteration: int, traverser: int, workers: int) -> list[Task]:
        """One for each worker: what walks find does not depend on how they are shared out."""
        count = self.settings.walks.per_player
        parts = max(1, min(workers, count // FEWEST))
        edges = [count * k // parts for k in range(parts + 1)]
        return [Task(iteration, traverser, edges[k], edges[k + 1] - edges[k]) for k in range(parts)]

    def walk(
        self, task: Task, playing: npt.NDArray[np.float64], baseline: npt.NDArray[np.float64] | None
    ) -> ListedFound:
        """External-sampling walks on a strategy table."""
        walks, seed = self.settings.walks, self.settings.run.seed
        ordinal = (task.iteration - 1) * walks.per_player + task.first
        where = (seed, task.iteration, task.traverser, task.first, task.count, ordinal)
        return ListedFound(*self.walks.run(playing, baseline, walks.stratified, *where, 1))

    def pieces(self, parts: Sequence[ListedFound]) -> Sequence[ListedFound]:
        """One: sums of floating-point numbers depend on where they are cut."""
        if len(parts) == 1:
            return parts
        names = ("infosets", "advantages", "others", "strategies", "weights", "slots", "worth")
        columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
        return [ListedFound(**columns, nodes=sum(part.nodes for part in parts))]

    def reserve(self, buffer: Buffer) -> None:
        if isinstance(buffer, MergedBuffer):
            self._slots[buffer] = buffer.slots_of(self.features, self.legal)

    def add_advantages(self, buffer: Buffer, found: ListedFound, weight: float) -> int:
        self._add(buffer, found.infosets, found.advantages, np.full(len(found.infosets), weight))
        return len(found.infosets)

    def add_strategies(self, buffer: Buffer, found: ListedFound, weight: float) -> int:
        self._add(buffer, found.others, found.strategies, weight * found.weights)
        return len(found.others)

    def _add(
        self,
        buffer: Buffer,
        infosets: npt.NDArray[np.int32],
        values: npt.NDArray[np.float64],
        weight: npt.NDArray[np.float64],
    ) -> None:
        if not isinstance(buffer, MergedBuffer):
            buffer.add(Rows(self.features[infosets], self.legal[infosets], values, weight))
            return
        if buffer not in self._slots:
            self.reserve(buffer)
        buffer.add_at(self._slots[buffer][infosets], values, weight)

    def average(self) -> TableAverage:
        return TableAverage(self.tree)
