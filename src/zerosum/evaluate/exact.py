"""Exact answers on a compiled game: expected values, best responses, NashConv and exploitability.

NashConv is the sum over players of what a best response would gain; exploitability is NashConv divided by the number of
players (Timbers et al. 2022).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from zerosum.errors import PolicyError
from zerosum.games.tree import Tree, tree_of
from zerosum.policy.table import Origin, TablePolicy, tabulate

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from zerosum.games.protocol import Game
    from zerosum.policy.protocol import Policy


@dataclass(frozen=True)
class BestResponse:
    """What a player gets at best against the others' policy, and a policy that gets it."""

    value: float
    policy: TablePolicy


def profile_of(tree: Tree, policies: Policy | Sequence[Policy]) -> npt.NDArray[np.float64]:
    """One policy for all players, or one for each -> [sequences] probabilities."""
    if callable(policies):
        return tabulate(tree, policies)
    if not isinstance(policies, (list, tuple)):
        raise PolicyError(f"got {policies!r}, wanted a policy or one for each player")
    if len(policies) != tree.game.players:
        raise PolicyError(f"got {len(policies)} policies, wanted one for each of {tree.game.players} players")
    profile = np.empty(tree.sequences)
    owner = tree.sequence_owner
    for player, policy in enumerate(policies):
        profile[owner == player] = tabulate(tree, policy)[owner == player]
    return profile


def expected_value(game: Game | Tree, policies: Policy | Sequence[Policy]) -> tuple[float, ...]:
    """What each player gets when each follows its policy."""
    tree = tree_of(game)
    return tuple(tree.native.expected_values(profile_of(tree, policies)).tolist())


def nash_conv(game: Game | Tree, policies: Policy | Sequence[Policy]) -> float:
    """The sum over players of what a best response gains; 0 at a Nash equilibrium."""
    tree = tree_of(game)
    # The game is zero-sum (the compiler checked it), so what the players get now adds up to nothing.
    return max(0.0, float(tree.native.best_responses(profile_of(tree, policies))[0].sum()))


def exploitability(game: Game | Tree, policies: Policy | Sequence[Policy]) -> float:
    """NashConv divided by the number of players."""
    tree = tree_of(game)
    return nash_conv(tree, policies) / tree.game.players


def best_response(game: Game | Tree, policies: Policy | Sequence[Policy], player: int) -> BestResponse:
    """The best `player` can do when all others follow their policies."""
    tree = tree_of(game)
    if not 0 <= player < tree.game.players:
        raise PolicyError(f"player {player}: {tree.game.spec()} has players 0 to {tree.game.players - 1}")
    profile = profile_of(tree, policies)
    values, choice = tree.native.best_responses(profile)
    best = profile.copy()
    mine = np.flatnonzero(tree.owner == player)
    best[tree.sequence_owner == player] = 0.0
    best[choice[mine]] = 1.0
    origin = Origin(f"best response of player {player}", 0, exploitability(tree, TablePolicy(tree, best)))
    return BestResponse(float(values[player]), TablePolicy(tree, best, origin))
