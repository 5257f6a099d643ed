"""Games on a board between two networks and their searches: each opening twice, with either colour."""

from __future__ import annotations

from dataclasses import dataclass
from math import log10, sqrt
from typing import TYPE_CHECKING

import numpy as np

from zerosum import native
from zerosum.errors import SettingsError
from zerosum.evaluate.estimate import Z95
from zerosum.evaluate.perfect import random_opening
from zerosum.evaluate.ratings import SprtResult, sprt
from zerosum.games.protocol import TERMINAL
from zerosum.search.mcts import search_together

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from zerosum.games.gomoku import Gomoku, GomokuState
    from zerosum.networks.inference import Evaluator
    from zerosum.search.settings import SearchSettings

OPENING_MOVES = 3
CENTRE = 7  # cells each way that openings of large boards keep to
TOGETHER = 32  # openings


@dataclass(frozen=True)
class BoardMatch:
    """Of the first player: games won, drawn and lost, its share of the points and how sure that is."""

    wins: int
    draws: int
    losses: int
    score: float
    ci95: float
    test: SprtResult

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def elo(self) -> float:
        """The difference that such a score means; half a game each way keeps it finite."""
        score = (self.wins + self.draws / 2 + 0.5) / (self.games + 1)
        return 400 * log10(score / (1 - score))


def play_board_match(
    game: Gomoku,
    evaluators: tuple[Evaluator, Evaluator],
    searches: tuple[SearchSettings, SearchSettings],
    games: int,
    seed: int,
    on_games: Callable[[int, int], None] | None = None,
) -> BoardMatch:
    """An even number of games from random openings; the interval is over openings, whose two games belong together."""
    if games < 2 or games % 2 != 0:
        raise SettingsError(f"games: got {games}, wanted an even number: every opening is played with either colour")
    luck = np.random.Generator(np.random.Philox(np.random.SeedSequence(seed)))
    pairs = games // 2
    results: list[int] = []
    while len(results) < 2 * pairs:
        count = min(TOGETHER, pairs - len(results) // 2)
        openings = [random_opening(game, OPENING_MOVES, luck) for _ in range(count)]
        results += play_openings(evaluators, searches, openings)
        if on_games is not None:
            on_games(len(results), 2 * pairs)
    return summed(results)


def summed(results: Sequence[int]) -> BoardMatch:
    """Results to the first player, those of an opening side by side."""
    points = (np.array(results) + 1) / 2
    by_opening = points.reshape(-1, 2).mean(axis=1)
    count = len(by_opening)
    ci95 = Z95 * by_opening.std(ddof=1) / sqrt(count) if count > 1 else 0.0
    if ci95 == 0.0:  # all alike, or only one: what is rarer than this stays unseen in one match of twenty
        ci95 = 1 - 0.05 ** (1 / count)
    wins, draws, losses = (list(results).count(result) for result in (1, 0, -1))
    return BoardMatch(wins, draws, losses, float(points.mean()), float(ci95), sprt(wins, draws, losses))


def central_opening(game: Gomoku, moves: int, luck: np.random.Generator) -> GomokuState:
    """So many random stones around the middle, where games begin."""
    rows, columns = (range(max(0, (n - CENTRE) // 2), min(n, (n + CENTRE) // 2)) for n in (game.height, game.width))
    near = [row * game.width + column for row in rows for column in columns]
    while True:
        state = game.root()
        for cell in luck.choice(near, moves, replace=False):
            if state.actor != TERMINAL:
                state = state.child(int(cell))
        if state.actor != TERMINAL:
            return state


def play_openings(
    evaluators: tuple[Evaluator, Evaluator],
    searches: tuple[SearchSettings, SearchSettings],
    openings: Sequence[GomokuState],
) -> list[int]:
    """Each opening twice, the first player of the two with either colour: its results, 1, 0 or −1."""
    firsts = [first for _ in openings for first in (0, 1)]  # who has colour 0
    states = [opening for opening in openings for _ in (0, 1)]
    trees = [[_tree(state, search) for search in searches] for state in states]
    moved = True
    while moved:
        moved = False
        for player, evaluate in enumerate(evaluators):
            turn = [i for i, state in enumerate(states) if _mover(state, firsts[i]) == player]
            for i in turn:
                trees[i][player].begin(searches[player].simulations, i)
            search_together([trees[i][player] for i in turn], evaluate, searches[player].leaves)
            for i in turn:
                cell = trees[i][player].chosen(True, 0.0)
                states[i] = states[i].child(cell)
                for tree in trees[i]:
                    tree.advance(cell)
                moved = True
    return [round(state.returns()[first]) for state, first in zip(states, firsts, strict=True)]


def _tree(state: GomokuState, search: SearchSettings) -> native.GomokuSearch:
    tree = native.GomokuSearch(state.game.rules, search.native(), 0)
    tree.reset(list(state.moves))
    return tree


def _mover(state: GomokuState, first: int) -> int:
    return state.actor if state.actor == TERMINAL else (state.actor + first) % 2
