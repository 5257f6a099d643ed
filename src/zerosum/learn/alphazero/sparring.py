"""Games against a player who never errs, as rows to learn from.

Self-play goes where both sides like to go; a perfect player goes where the network is wrong. The network leads its
side and is told at each of its moves what was right, as in DAgger (Ross, Gordon & Bagnell 2011); after a move that
gives value away the game goes on with one that keeps it. It always has the side that has something to lose.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from zerosum.evaluate.perfect import perfect_move, plain, random_opening, search_trees
from zerosum.games.protocol import TERMINAL
from zerosum.learn.alphazero.selfplay import Positions

if TYPE_CHECKING:
    from collections.abc import Callable

    from zerosum.games.gomoku import GomokuState
    from zerosum.learn.alphazero.settings import SparringSettings
    from zerosum.networks.inference import Evaluator
    from zerosum.search.proof import ProofSolver

TAUGHT = 0.05  # moves with a smaller share of the visits are neither taught nor looked at


@dataclass(frozen=True)
class Sparred:
    """Rows of an iteration's games, how many moves the network made in them, and how many of those gave value away."""

    positions: Positions
    moves: int
    given_away: int
    seconds: float

    @staticmethod
    def none(cells: int) -> Sparred:
        return Sparred(_Rows(cells).positions(), 0, 0, 0.0)


@dataclass
class _Game:
    """One under way: the network has `side`, and the position is worth `value` to it, whoever is to move."""

    state: GomokuState
    side: int
    value: int


@dataclass
class _Rows:
    """Positions with the truth about them."""

    cells: int
    stones: list[list[int]] = field(default_factory=list)
    black: list[int] = field(default_factory=list)
    policy: list[dict[int, float]] = field(default_factory=list)
    value: list[int] = field(default_factory=list)

    def add(self, state: GomokuState, value: int, policy: dict[int, float], times: int) -> None:
        """`value` is to the side to move; an empty policy teaches no move. The end of a game teaches nothing."""
        if state.actor == TERMINAL:
            return
        row = [0] * self.cells
        for number, cell in enumerate(state.moves):
            row[cell] = 1 if number % 2 == state.actor else -1
        for _ in range(times):
            self.stones.append(row)
            self.black.append(int(state.actor == 0))
            self.policy.append(policy)
            self.value.append(value)

    def positions(self) -> Positions:
        policy = np.zeros((len(self.policy), self.cells), np.float32)
        for number, shares in enumerate(self.policy):
            policy[number, list(shares)] = list(shares.values())
        stones = np.array(self.stones, np.int8).reshape(-1, self.cells)
        return Positions(stones, np.array(self.black, np.uint8), policy, np.array(self.value, np.float32))


def spar(
    evaluate: Evaluator,
    solver: ProofSolver,
    settings: SparringSettings,
    key: tuple[int, ...],
    stopping: Callable[[], bool] = lambda: False,
) -> Sparred | None:
    """All games of an iteration; None when someone wanted to stop before they were over."""
    start = time.perf_counter()
    luck = np.random.Generator(np.random.Philox(np.random.SeedSequence(key)))
    search = replace(plain(settings.simulations), symmetry="none")
    rows, moves, given_away = _Rows(solver.game.num_actions), 0, 0
    games = [_begun(solver, settings.opening_moves, luck) for _ in range(settings.games)]
    while games := [game for game in games if _is_led(game, solver, luck)]:
        trees = search_trees(evaluate, [game.state for game in games], search)
        for game, tree in zip(games, trees, strict=True):
            if stopping():
                return None
            node = tree.node([])
            assert node is not None
            visits = {cell: count for cell, count, *_ in node[4]}
            moves += 1
            given_away += _teach(game, visits, tree.chosen(True, 0.0), solver, rows, settings)
    return Sparred(rows.positions(), moves, given_away, time.perf_counter() - start)


def _begun(solver: ProofSolver, opening_moves: int, luck: np.random.Generator) -> _Game:
    """A few random stones; the network gets the side that does not lose, either one in a draw."""
    state = random_opening(solver.game, int(luck.integers(opening_moves + 1)), luck)
    value = solver.value(state)
    side = int(luck.integers(2)) if value == 0 else state.actor if value == 1 else 1 - state.actor
    return _Game(state, side, abs(value))


def _is_led(game: _Game, solver: ProofSolver, luck: np.random.Generator) -> bool:
    """Whether it is the network's turn once the perfect player has moved; not if the game is over."""
    if game.state.actor == 1 - game.side:
        game.state = game.state.child(perfect_move(solver, game.state, luck))
    return game.state.actor != TERMINAL


def _teach(
    game: _Game, visits: dict[int, int], chosen: int, solver: ProofSolver, rows: _Rows, settings: SparringSettings
) -> bool:
    """Adds what there is to learn at the network's turn, and moves; whether its own move gave value away."""
    state, value = game.state, game.value
    least = TAUGHT * sum(visits.values())
    by_visits = sorted(state.legal(), key=lambda cell: (-visits.get(cell, 0), cell))
    likely = [cell for cell in by_visits if visits.get(cell, 0) >= least or cell == chosen]
    kept = list(solver.keeping_moves(state, likely)) or [next(solver.keeping_moves(state, by_visits))]
    wrong = chosen not in kept
    times = settings.wrong_times if wrong else settings.times
    total = sum(max(visits.get(cell, 0), 1) for cell in kept)
    rows.add(state, value, {cell: max(visits.get(cell, 0), 1) / total for cell in kept}, times)
    for cell in likely:  # what a move that is thought of comes to, good or bad
        after = state.child(cell)
        rows.add(after, -value if cell in kept else solver.value(after), {}, times)
    game.state = state.child(kept[0] if wrong else chosen)
    return wrong
