"""Every pair of players plays a match; ratings follow from the deals that were won, drawn and lost."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from zerosum.errors import SettingsError
from zerosum.evaluate.match import play_match
from zerosum.evaluate.ratings import Rating, elo_ratings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from zerosum.evaluate.roster import Entrant
    from zerosum.games.protocol import Game


@dataclass(frozen=True)
class Tournament:
    """[row][column] what the row won from the column, mbb/hand, half the width of its interval, and ratings."""

    game: str
    hands: int
    names: tuple[str, ...]
    mbb_per_hand: list[list[float]]
    ci95: list[list[float]]
    ratings: list[Rating]


def play_tournament(
    game: Game,
    entrants: Sequence[Entrant],
    *,
    hands: int = 20_000,
    seed: int = 0,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Tournament:
    """Every pair for so many hands."""
    if game.players != 2:
        raise SettingsError(f"tournament: got {game.spec()} for {game.players} players, wanted a game for two")
    if len(entrants) < 2:
        raise SettingsError("tournament: got one player, wanted two or more")
    count = len(entrants)
    won, error = np.zeros((2, count, count))
    points, games = np.zeros((2, count, count))
    pairs = list(combinations(range(count), 2))
    for done, (a, b) in enumerate(pairs):
        found = play_match(game, [entrants[a], entrants[b]], hands=hands, seed=seed, threads=threads)
        won[a, b], won[b, a] = found.players[0].mbb_per_hand, found.players[1].mbb_per_hand
        error[a, b], error[b, a] = found.players[0].ci95, found.players[1].ci95
        wins, draws, losses = found.wins
        points[a, b], points[b, a] = wins + draws / 2, losses + draws / 2
        games[a, b] = games[b, a] = found.deals
        if progress is not None:
            progress(done + 1, len(pairs))
    names = tuple(one.name for one in entrants)
    return Tournament(game.spec(), hands, names, won.tolist(), error.tolist(), elo_ratings(points, games))
