"""How far two policies of one run are apart, information set by information set."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from zerosum.policy.headers import HEADER
from zerosum.policy.storage import load_policy

if TYPE_CHECKING:
    import numpy.typing as npt

    from zerosum.games.tree import Tree

SHOWN = 10


def distance(tree: Tree, one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """[infosets] the total variation between two profiles [sequences]."""
    return np.asarray(0.5 * np.add.reduceat(np.abs(one - other), tree.first[:-1]))


def farthest_apart(run: str | Path) -> list[tuple[str, float]]:
    """Where a run's mixture of networks and its strategy network differ most, in words; nothing where it lacks one."""
    places = [Path(run) / "mixture", Path(run) / "strategy"]
    if not all((place / HEADER).exists() for place in places):
        return []
    one, other = (load_policy(place) for place in places)
    apart = distance(one.tree, one.probabilities, other.probabilities)
    order = np.argsort(-apart)[:SHOWN]
    views = one.tree.views
    return [(f"player {views[k].seat}, {views[k].words()}", float(apart[k])) for k in order]
