"""A policy as a table: probabilities for every information set of a compiled game."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from zerosum.errors import PolicyError
from zerosum.games.protocol import key_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    import numpy.typing as npt

    from zerosum.games.protocol import View
    from zerosum.games.tree import Tree
    from zerosum.policy.protocol import Policy


@dataclass(frozen=True)
class Origin:
    """How a policy came about; saved in its header."""

    algorithm: str
    iterations: int
    exploitability: float | None = None  # None where it cannot be told
    seed: int = 0


@dataclass(frozen=True, eq=False)
class TablePolicy:
    """`probabilities` is [sequences], in the order of the tree."""

    tree: Tree = field(repr=False)
    probabilities: npt.NDArray[np.float64] = field(repr=False)
    origin: Origin | None = None

    def __post_init__(self) -> None:
        fixed = np.ascontiguousarray(self.probabilities, dtype=np.float64).view()
        check_profile(self.tree, fixed, f"a policy for {self.tree.game.spec()}")
        fixed.flags.writeable = False  # what was checked stays so
        object.__setattr__(self, "probabilities", fixed)

    def __call__(self, views: Sequence[View]) -> npt.NDArray[np.float64]:
        """B views -> [B, A]."""
        tree = self.tree
        answer = np.zeros((len(views), tree.game.num_actions))
        for row, view in zip(answer, views, strict=True):
            number = self._numbers.get(key_of(view))
            if number is None:
                raise PolicyError(f"a policy for {tree.game.spec()} knows no situation '{view.words()}'")
            own = slice(tree.first[number], tree.first[number + 1])
            row[tree.actions[own]] = self.probabilities[own]
        return answer

    def row(self, infoset: int) -> dict[str, float]:
        """One information set's actions in words, with their probabilities."""
        own = slice(self.tree.first[infoset], self.tree.first[infoset + 1])
        words = self.tree.views[infoset].action_words
        pairs = zip(self.tree.actions[own], self.probabilities[own], strict=True)
        return {words(int(action)): float(p) for action, p in pairs}

    @cached_property
    def _numbers(self) -> dict[Hashable, int]:
        return {key_of(view): number for number, view in enumerate(self.tree.views)}


def tabulate(tree: Tree, policy: Policy) -> npt.NDArray[np.float64]:
    """Any policy -> its [sequences] probabilities on a compiled game, in one call of the policy."""
    if isinstance(policy, TablePolicy):
        if policy.tree is not tree and policy.tree.game != tree.game:
            raise PolicyError(f"a policy for {policy.tree.game.spec()}, wanted one for {tree.game.spec()}")
        return policy.probabilities
    answer = np.asarray(policy(tree.views), dtype=np.float64)
    wanted = (tree.infosets, tree.game.num_actions)
    if answer.shape != wanted:
        raise PolicyError(f"a policy answered with shape {answer.shape}, wanted {wanted}")
    rows = np.repeat(np.arange(tree.infosets), np.diff(tree.first))
    profile = np.ascontiguousarray(answer[rows, tree.actions])
    check_profile(tree, profile, f"a policy on {tree.game.spec()}")
    return profile


def check_profile(tree: Tree, profile: npt.NDArray[np.float64], where: str) -> None:
    """Refuses what is not a probability distribution at every information set."""
    if profile.shape != (tree.sequences,):
        raise PolicyError(f"{where}: got {profile.shape} probabilities, wanted ({tree.sequences},)")
    if tree.sequences == 0:
        return
    low = profile.min()
    if not low >= 0.0:  # also where it is not a number
        raise PolicyError(f"{where}: got a probability of {low}, wanted none below 0")
    sums = np.add.reduceat(profile, tree.first[:-1])
    worst = int(np.argmax(np.abs(sums - 1.0)))
    if not abs(sums[worst] - 1.0) <= 1e-6:
        words = tree.views[worst].words()
        raise PolicyError(f"{where}: the probabilities at '{words}' add up to {sums[worst]:g}, wanted 1")
