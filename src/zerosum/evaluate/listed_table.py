"""A table of a game whose information sets are listed: policies are tables, and everything is native.

AIVAT (Burch et al. 2018) takes luck out at chance and at decisions, by the values of the mean of the players' policies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zerosum.errors import PolicyError
from zerosum.evaluate.batch import Batch, seating
from zerosum.games.protocol import CHANCE, TERMINAL
from zerosum.games.tree import tree_of
from zerosum.policy.table import tabulate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zerosum.evaluate.roster import Entrant
    from zerosum.games.protocol import Game


class ListedTable:
    """A game whose information sets are listed: everything native, from tables."""

    def __init__(self, game: Game, entrants: Sequence[Entrant], seed: int, threads: int) -> None:
        self.game, self.seed, self.threads = game, seed, threads
        self.players = game.players
        self.tree = tree_of(game)
        self.profiles = []
        for one in entrants:
            if one.policy is None:
                raise PolicyError(f"{one.name}: not a policy for {game.spec()}")
            self.profiles.append(np.ascontiguousarray(tabulate(self.tree, one.policy)))
        self.reference = np.mean(self.profiles, axis=0)
        self.kinds = _action_names(game)

    def play(self, first: int, deals: int) -> Batch:
        won, chance, aivat, actions = self.tree.native.match(
            self.profiles, self.reference, self.game.num_actions, self.seed, first, deals, self.players, self.threads
        )
        return Batch(
            {"plain": won, "duplicate": won, "luck of the deal": chance, "AIVAT": aivat},
            seating(len(won), self.players),
            None,
            {"all": actions},
            self.kinds,
        )


def _action_names(game: Game, most: int = 300) -> tuple[str, ...]:
    """What each action is called, from the first states of the game: `check/call` where that depends."""
    words: list[dict[str, None]] = [{} for _ in range(game.num_actions)]
    states = [game.root()]
    for seen, state in enumerate(states):
        if state.actor == TERMINAL or seen >= most:
            continue
        if state.actor == CHANCE:
            actions = [action for action, _ in state.chance()][:2]
        else:
            actions = list(state.legal())
            view = state.view(state.actor)
            for action in actions:
                words[action][view.action_words(action).split()[0]] = None
        states.extend(state.child(action) for action in actions)
    return tuple("/".join(known) if known else f"action {k}" for k, known in enumerate(words))
