"""A match between two networks, each with its own search: does the newer one play better?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from zerosum import native
from zerosum.evaluate.perfect import plain, random_opening
from zerosum.evaluate.ratings import SprtResult, sprt
from zerosum.games.protocol import TERMINAL
from zerosum.search.mcts import search_together

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zerosum.games.gomoku import Gomoku, GomokuState
    from zerosum.learn.alphazero.settings import ArenaSettings
    from zerosum.networks.inference import Evaluator
    from zerosum.search.settings import SearchSettings

ROUND = 16  # games between two looks at the sequential test


@dataclass(frozen=True)
class ArenaResult:
    """Of the newer network."""

    wins: int
    draws: int
    losses: int
    test: SprtResult

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        return (self.wins + self.draws / 2) / self.games


def meet(
    game: Gomoku,
    newer: Evaluator,
    older: Evaluator,
    search: SearchSettings,
    settings: ArenaSettings,
    key: tuple[int, ...],
) -> ArenaResult:
    """Games from random openings, each with both colours, until the test has an answer or they are all played."""
    luck = np.random.Generator(np.random.Philox(np.random.SeedSequence(key)))
    alike = plain(search, settings.simulations)  # without proofs, which both would find
    tally = {1: 0, 0: 0, -1: 0}
    while True:
        pairs = min(ROUND, settings.games - sum(tally.values()) + 1) // 2
        openings = [random_opening(game, settings.opening_moves, luck) for _ in range(pairs)]
        for result in play_openings(game, (newer, older), alike, openings):
            tally[result] += 1
        test = sprt(tally[1], tally[0], tally[-1], elo0=settings.elo0, elo1=settings.elo1)
        if test.verdict != "undecided" or sum(tally.values()) + 1 >= settings.games:
            return ArenaResult(tally[1], tally[0], tally[-1], test)


def play_openings(
    game: Gomoku, evaluators: tuple[Evaluator, Evaluator], search: SearchSettings, openings: Sequence[GomokuState]
) -> list[int]:
    """Each opening twice, the first player of the two with either colour: its results, 1, 0 or −1."""
    firsts = [first for _ in openings for first in (0, 1)]  # who has colour 0
    states = [opening for opening in openings for _ in (0, 1)]
    trees = [[native.GomokuSearch(game.rules, search.native(), search.cache_bits) for _ in evaluators] for _ in states]
    for state, pair in zip(states, trees, strict=True):
        for tree in pair:
            tree.reset(list(state.moves))
    moved = True
    while moved:
        moved = False
        for player, evaluate in enumerate(evaluators):
            turn = [i for i, state in enumerate(states) if _mover(state, firsts[i]) == player]
            for i in turn:
                trees[i][player].begin(search.simulations, i)
            search_together([trees[i][player] for i in turn], evaluate, search.leaves)
            for i in turn:
                cell = trees[i][player].chosen(True, 0.0)
                states[i] = states[i].child(cell)
                for tree in trees[i]:
                    tree.advance(cell)
                moved = True
    return [round(state.returns()[first]) for state, first in zip(states, firsts, strict=True)]


def _mover(state: GomokuState, first: int) -> int:
    return state.actor if state.actor == TERMINAL else (state.actor + first) % 2
