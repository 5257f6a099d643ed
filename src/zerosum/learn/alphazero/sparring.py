"""Games against a player who never errs, as rows to learn from.

Self-play goes where both sides like to go; a perfect player goes where the network is wrong. The network leads its
side and is told at each of its moves what was right, as in DAgger (Ross, Gordon & Bagnell 2011), and what every
position is worth that its search went to often, as in TreeStrap (Veness et al. 2009): a search errs by what it believes
of the positions below. After a move that gives value away the game goes on with one that keeps it. The network always
has the side that has something to lose. Positions in which it erred are written in a book, and games begin with them
until it has been right there a few times.

Games are shared out among teachers, each with a table of proofs of its own, on as many threads; how many there are is
a number of this module, so what is learnt does not depend on the machine.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from zerosum.evaluate.perfect import perfect_move, plain, random_opening, search_trees
from zerosum.games.gomoku import GomokuState
from zerosum.games.protocol import TERMINAL
from zerosum.learn.alphazero.selfplay import Positions, joined
from zerosum.search.proof import ProofSolver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from zerosum import native
    from zerosum.games.gomoku import Gomoku
    from zerosum.learn.alphazero.settings import SparringSettings
    from zerosum.networks.inference import Evaluator

TAUGHT = 0.05  # moves with a smaller share of the visits are neither taught nor looked at, nor positions below
FAR_OFF = 1.0  # from the truth: as far as a draw is from a win
RIGHT = 3  # times in a row, and a position leaves the book
TEACHERS = 2
BOOK_SHARE = 0.5  # of the games, at most, begin with what is in the book

Book = dict[tuple[int, ...], int]  # moves to a position, and how often in a row the network was right there


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

    @staticmethod
    def random(solver: ProofSolver, opening_moves: int, luck: np.random.Generator) -> _Game:
        """After random stones; the network gets the side that does not lose, either one in a draw."""
        state = random_opening(solver.game, opening_moves, luck)
        value = solver.value(state)
        side = int(luck.integers(2)) if value == 0 else state.actor if value == 1 else 1 - state.actor
        return _Game(state, side, abs(value))


@dataclass
class _Rows:
    """Positions with the truth about them."""

    cells: int
    stones: list[list[int]] = field(default_factory=list)
    black: list[int] = field(default_factory=list)
    policy: list[dict[int, float]] = field(default_factory=list)
    value: list[int] = field(default_factory=list)

    def add(self, state: GomokuState, value: int, policy: dict[int, float], times: int) -> None:
        """`value` is to the side to move; an empty policy teaches no move."""
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


@dataclass(frozen=True)
class _Played:
    """What a teacher's games came to: rows, and where the network moved and whether that was wrong."""

    rows: _Rows
    moves: list[tuple[tuple[int, ...], bool]]


def teachers(game: Gomoku) -> list[ProofSolver]:
    return [ProofSolver(game) for _ in range(TEACHERS)]


def spar(
    evaluate: Evaluator,
    solvers: Sequence[ProofSolver],
    settings: SparringSettings,
    book: Book,
    key: tuple[int, ...],
    stopping: Callable[[], bool] = lambda: False,
) -> Sparred | None:
    """All games of an iteration; None when someone wanted to stop before they were over. The book is brought up to
    date if they are.
    """
    start, known, count = time.perf_counter(), list(book), len(solvers)

    def part(number: int) -> _Played | None:
        games = len(range(number, settings.games, count))
        luck = np.random.Generator(np.random.Philox(np.random.SeedSequence((*key, number))))
        begun = _begun(solvers[number], settings.opening_moves, games, known[number::count], luck)
        return _played(evaluate, solvers[number], settings, begun, luck, stopping)

    with ThreadPoolExecutor(count) as pool:
        parts = [found for found in pool.map(part, range(count)) if found is not None]
    if len(parts) < count:
        return None
    for at, wrong in (move for one in parts for move in one.moves):
        if wrong:
            book[at] = 0
        elif at in book:
            book[at] += 1
    for at in [at for at, right in book.items() if right >= RIGHT]:
        del book[at]
    wrong_ones = sum(wrong for one in parts for _, wrong in one.moves)
    rows = joined([one.rows.positions() for one in parts])
    return Sparred(rows, sum(len(one.moves) for one in parts), wrong_ones, time.perf_counter() - start)


def _begun(
    solver: ProofSolver, opening_moves: int, games: int, known: Sequence[tuple[int, ...]], luck: np.random.Generator
) -> list[_Game]:
    """From positions of the book, whatever there is room for, and from a few random stones."""
    chosen = luck.permutation(len(known))[: int(BOOK_SHARE * games)]
    states = [GomokuState(solver.game, known[number]) for number in chosen]  # where it is the network's turn
    begun = [_Game(state, state.actor, solver.value(state)) for state in states]
    return begun + [_Game.random(solver, opening_moves, luck) for _ in range(games - len(begun))]


def _played(
    evaluate: Evaluator,
    solver: ProofSolver,
    settings: SparringSettings,
    games: list[_Game],
    luck: np.random.Generator,
    stopping: Callable[[], bool],
) -> _Played | None:
    """These games to their ends, all at once."""
    search = replace(plain(settings.simulations), symmetry="none")
    played = _Played(_Rows(solver.game.num_actions), [])
    while games := [game for game in games if _is_led(game, solver, luck)]:
        trees = search_trees(evaluate, [game.state for game in games], search)
        for game, tree in zip(games, trees, strict=True):
            if stopping():
                return None
            at = game.state.moves
            played.moves.append((at, _teach(game, tree, solver, played.rows, settings)))
    return played


def _is_led(game: _Game, solver: ProofSolver, luck: np.random.Generator) -> bool:
    """Whether it is the network's turn once the perfect player has moved; not if the game is over."""
    if game.state.actor == 1 - game.side:
        game.state = game.state.child(perfect_move(solver, game.state, luck))
    return game.state.actor != TERMINAL


def _teach(
    game: _Game, tree: native.GomokuSearch, solver: ProofSolver, rows: _Rows, settings: SparringSettings
) -> bool:
    """Adds what there is to learn at the network's turn, and moves; whether its own move gave value away."""
    state, chosen = game.state, tree.chosen(True, 0.0)
    visits = {cell: count for cell, count, *_ in _edges(tree, [])}
    least = TAUGHT * sum(visits.values())
    by_visits = sorted(state.legal(), key=lambda cell: (-visits.get(cell, 0), cell))
    likely = [cell for cell in by_visits if visits.get(cell, 0) >= least or cell == chosen]
    kept = list(solver.keeping_moves(state, likely)) or [next(solver.keeping_moves(state, by_visits))]
    wrong = chosen not in kept
    total = sum(max(visits.get(cell, 0), 1) for cell in kept)
    shares = {cell: max(visits.get(cell, 0), 1) / total for cell in kept}
    rows.add(state, game.value, shares, settings.wrong_times if wrong else settings.times)
    for after, mean in _below(tree, state, [], least):
        value = solver.value(after)
        rows.add(after, value, {}, settings.wrong_times if abs(mean - value) > FAR_OFF else settings.times)
    game.state = state.child(kept[0] if wrong else chosen)
    return wrong


def _below(
    tree: native.GomokuSearch, state: GomokuState, path: list[int], least: float
) -> Iterator[tuple[GomokuState, float]]:
    """Positions below that the search went to so often, and their means to the side to move there."""
    for cell, visits, _, total, _ in _edges(tree, path):
        after = state.child(cell) if visits >= least else None
        if after is not None and after.actor != TERMINAL:
            yield after, -total / visits
            yield from _below(tree, after, [*path, cell], least)


def _edges(tree: native.GomokuSearch, path: list[int]) -> list[tuple[int, int, float, float, int]]:
    node = tree.node(path)
    return [] if node is None else node[4]
