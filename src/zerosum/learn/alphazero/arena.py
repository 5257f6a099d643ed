"""A match between two networks, each with its own search: does the newer one play better?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from zerosum.evaluate.board_match import play_openings
from zerosum.evaluate.perfect import random_opening
from zerosum.evaluate.ratings import SprtResult, sprt

if TYPE_CHECKING:
    from zerosum.games.gomoku import Gomoku
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

    def is_won(self, least_score: float) -> bool:
        """By the test; by points where it has no answer."""
        if self.test.verdict != "undecided":
            return self.test.verdict == "better"
        return self.score > least_score

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
    # Without proofs, which both would find.
    unproved = replace(search, prove=False, forced_nodes=0, threat_nodes=0)
    alike = replace(unproved, simulations=settings.simulations, root="puct", cache_bits=0)
    tally = {1: 0, 0: 0, -1: 0}
    while True:
        pairs = min(ROUND, settings.games - sum(tally.values()) + 1) // 2
        openings = [random_opening(game, settings.opening_moves, luck) for _ in range(pairs)]
        for result in play_openings((newer, older), (alike, alike), openings):
            tally[result] += 1
        test = sprt(tally[1], tally[0], tally[-1], elo0=settings.elo0, elo1=settings.elo1)
        if test.verdict != "undecided" or sum(tally.values()) + 1 >= settings.games:
            return ArenaResult(tally[1], tally[0], tally[-1], test)
