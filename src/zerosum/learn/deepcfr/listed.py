"""A game whose information sets can be listed, as training sees it.

Networks are asked once for every situation that differs, and walks run on a table: the same algorithm, thousands of
times fewer calls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from zerosum import native
from zerosum.encoding.small import encoder_for
from zerosum.errors import SettingsError
from zerosum.games.tree import tree_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from zerosum.games.protocol import Game
    from zerosum.games.tree import Tree
    from zerosum.learn.deepcfr.settings import WalkSettings


@dataclass(frozen=True)
class Task:
    """Walks first .. first + count − 1 of one traverser in one iteration."""

    iteration: int
    traverser: int
    first: int
    count: int


@dataclass(frozen=True)
class Found:
    """What walks found, in the order of the walks; plain arrays."""

    infosets: npt.NDArray[np.int32]  # [N] the traverser's decisions
    advantages: npt.NDArray[np.float64]  # [N, A]
    others: npt.NDArray[np.int32]  # [M] the other players' decisions
    strategies: npt.NDArray[np.float64]  # [M, A]
    weights: npt.NDArray[np.float64]  # [M]
    slots: npt.NDArray[np.int64]  # [K] of the baseline
    worth: npt.NDArray[np.float64]  # [K]
    nodes: int

    @classmethod
    def joined(cls, parts: list[Found]) -> Found:
        if len(parts) == 1:
            return parts[0]
        names = ("infosets", "advantages", "others", "strategies", "weights", "slots", "worth")
        columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
        return cls(**columns, nodes=sum(part.nodes for part in parts))


@dataclass(frozen=True)
class Situations:
    """What a player can see, each thing once: suits that features do not tell apart are one."""

    features: npt.NDArray[np.float32]  # [U, F]
    legal: npt.NDArray[np.bool_]  # [U, A]


class ListedGame:
    """The compiled tree, its features, and walks on it."""

    def __init__(self, game: Game, features: str) -> None:
        self.tree: Tree = tree_of(game)
        tree = self.tree
        self.players, self.actions = game.players, game.num_actions
        self.encoder = encoder_for(game, features, tree.views)
        self.features = self.encoder(tree.views)
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

    def check(self, settings: WalkSettings) -> None:
        """Refuses walks that this game does not allow."""
        spec = self.tree.game.spec()
        if settings.stratified and self.walks.deals == 0:
            raise SettingsError(f"walks: stratified: the deals of {spec} are not equally likely, or too many")
        if settings.baseline == "network":
            raise SettingsError(f"walks: baseline: got network, wanted table: the histories of {spec} can be listed")

    def profile(
        self, player: int, strategies: npt.NDArray[np.float64], old: npt.NDArray[np.float64]
    ) -> npt.NDArray[np.float64]:
        """[U, A] strategies of one player -> [sequences] the old profile with those put in."""
        mine = self.tree.sequence_owner == player
        new = old.copy()
        new[mine] = strategies[self.situation_of[self.infoset_of[mine]], self.tree.actions[mine]]
        return new

    def walk(
        self,
        task: Task,
        settings: WalkSettings,
        seed: int,
        profile: npt.NDArray[np.float64],
        baseline: npt.NDArray[np.float64] | None,
        threads: int = 1,
    ) -> Found:
        """External-sampling walks on a strategy table."""
        ordinal = (task.iteration - 1) * settings.per_player + task.first
        return Found(
            *self.walks.run(
                profile, baseline, settings.stratified, seed, task.iteration, task.traverser, task.first, task.count,
                ordinal, threads,
            )
        )  # fmt: skip
