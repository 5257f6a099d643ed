"""Tabular solvers. This face is light: what is heavy is imported when a game is solved."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zerosum.games.protocol import Game
    from zerosum.games.tree import Tree
    from zerosum.solve.solution import Solution

__all__ = ["solve"]


def solve(
    game: Game | Tree,
    algorithm: str = "cfr+",
    *,
    iterations: int | None = None,
    target: float | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> Solution:
    """Solves a game exactly: `.policy .value .exploitability .nash_conv` of the average policy found.

    Stops after `iterations` or at an exploitability of `target`, whichever comes first; with neither, after 10,000
    iterations (1,000,000 of a sampled algorithm). `threads` is for the sampled ones and never changes the result.
    """
    from zerosum.solve.solution import Limits, find_solution

    limits = Limits.of(algorithm, iterations, target)
    solution = find_solution(game, algorithm, limits, seed=seed, threads=threads)
    if not solution.finished:
        raise KeyboardInterrupt
    return solution
