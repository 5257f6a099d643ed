"""Games against a player who never errs, as rows to learn from.

Self-play goes where both sides like to go; a perfect player goes where the network is wrong. The network leads its
side and is told at each of its moves what was right, as in DAgger (Ross, Gordon & Bagnell 2011), and wins soonest:
who wanders in won positions comes to hard ones. Where that was
another move, or always, also what positions are worth that its search went to often and was wrong about, as in
TreeStrap (Veness et al. 2009), and which replies had led it astray. After a move that gives value away the game goes on
with one that keeps it. The network always has the side that has something to lose.

Games begin with every opening and go on with every reply, one for all positions that are alike, as far as there is
room: what can be met after a few moves is little more than that, so errors are looked for and not stumbled upon. Where
there is no room for all, those that a game is likelier to come to are drawn more often.
Positions in which it erred are written in a book, and it is asked about them until it has been right a few times.

Games are shared out among teachers, each with a table of proofs of its own, on as many threads; how many there are is
a number of this module, so what is learnt does not depend on the machine.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from zerosum.evaluate.perfect import Stones, alike, every_opening, perfect_replies, plain, search_trees
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
FAR_OFF = 0.5  # from the truth: nearer to another result
RIGHT = 3  # times in a row, and a position leaves the book
TEACHERS = 2
TABLE_BITS = 24  # of a teacher's proofs, 256 MB: what one iteration proved the next one asks again
BOOK_SHARE = 0.5  # of the positions, at most, are from the book
BOOK_CHANCE = 0.1  # how often games go on from one of them, if those from an opening count as 1
ENOUGH = 3  # times as many positions as are wanted are enough to draw from

Book = dict[tuple[int, ...], int]  # moves to a position, and how often in a row the network was right there


@dataclass(frozen=True)
class Sparred:
    """Rows of an iteration's games, and the moves to each position in which the network was asked, with whether its
    own move gave value away there.
    """

    positions: Positions
    asked: list[tuple[tuple[int, ...], bool]]
    seconds: float

    @property
    def moves(self) -> int:
        return len(self.asked)

    @property
    def given_away(self) -> int:
        return sum(wrong for _, wrong in self.asked)

    @staticmethod
    def none(cells: int) -> Sparred:
        return Sparred(Positions.none(cells), [], 0.0)


@dataclass(frozen=True)
class _Game:
    """One under way: the network has `side`, and the position is worth `value` to it, whoever is to move. `chance` is
    how often it is met, by someone who draws an opening and replies, relative to others.
    """

    state: GomokuState
    side: int
    value: int
    chance: float = 1.0


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
    return [ProofSolver(game, TABLE_BITS) for _ in range(TEACHERS)]


def spar(
    evaluate: Evaluator,
    solvers: Sequence[ProofSolver],
    settings: SparringSettings,
    book: Book,
    key: tuple[int, ...],
    stopping: Callable[[], bool] = lambda: False,
    alone: bool = False,
) -> Sparred | None:
    """All games of an iteration; None when they were given up before their ends. The book is brought up to
    date if they were not. `alone`: there is no self-play beside it.
    """
    games = settings.alone_games if alone and settings.alone_games is not None else settings.games
    start, known, count = time.perf_counter(), list(book), len(solvers)

    def look() -> None:
        if stopping():
            raise _StoppedError

    def part(number: int) -> _Played | None:
        solver, mine = solvers[number], known[number::count]
        luck = np.random.Generator(np.random.Philox(np.random.SeedSequence((*key, number))))
        chosen = luck.permutation(len(mine))[: int(BOOK_SHARE * games / count)]
        states = [GomokuState(solver.game, mine[at]) for at in chosen]  # where it is the network's turn
        book = [_Game(state, state.actor, solver.value(state), BOOK_CHANCE) for state in states]
        try:
            openings = _openings(solver, number, count, look)
            return _played(evaluate, solver, settings, book, openings, -(-games // count), luck, look)
        except _StoppedError:
            return None

    with ThreadPoolExecutor(count) as pool:
        parts = [found for found in pool.map(part, range(count)) if found is not None]
    if len(parts) < count:
        return None
    asked = [move for one in parts for move in one.moves]
    for at, wrong in asked:
        if wrong:
            book[at] = 0
        elif at in book:
            book[at] += 1
    for at in [at for at, right in book.items() if right >= RIGHT]:
        del book[at]
    return Sparred(joined([one.rows.positions() for one in parts]), asked, time.perf_counter() - start)


class _StoppedError(Exception):
    """The games are given up."""


def _openings(solver: ProofSolver, number: int, count: int, look: Callable[[], None]) -> list[_Game]:
    """A teacher's share of all openings, the empty board among them, with each side that does not lose there."""
    games = []
    for state in [solver.game.root(), *every_opening(solver.game)][number::count]:
        look()
        value = solver.value(state)
        worth = {state.actor: value, 1 - state.actor: -value}
        games += [_Game(state, side, worth[side]) for side in (0, 1) if worth[side] >= 0]
    return games


def _played(
    evaluate: Evaluator,
    solver: ProofSolver,
    settings: SparringSettings,
    book: list[_Game],
    games: list[_Game],
    most: int,
    luck: np.random.Generator,
    look: Callable[[], None],
) -> _Played:
    """The games of a book and others, at most so many at once, to their ends or for so many moves of the network."""
    search = replace(plain(settings.simulations), symmetry="none")
    played = _Played(_Rows(solver.game.num_actions), [])
    for _ in range(settings.most_moves or solver.game.num_actions):
        games = [*book, *_led(games, book, solver, most - len(book), luck, look)]
        if not games:
            break
        trees = search_trees(evaluate, [game.state for game in games], search)
        after = []
        for game, tree in zip(games, trees, strict=True):
            look()
            wrong, move = _teach(game, tree, solver, played.rows, settings)
            played.moves.append((game.state.moves, wrong))
            after.append(replace(game, state=game.state.child(move)))
        games, book = after, []
    return played


def _led(
    games: list[_Game],
    book: list[_Game],
    solver: ProofSolver,
    most: int,
    luck: np.random.Generator,
    look: Callable[[], None],
) -> list[_Game]:
    """Where it is the network's turn, after each reply of a perfect player; of positions that are the same turned or
    mirrored one, none that the book has, and of all of them at most so many, the likelier ones more often.
    """
    taken = {(alike(game.state), game.side) for game in book}
    found: dict[tuple[Stones, int], _Game] = {}
    for game in _drawn(games, len(games), luck):
        look()
        after = _after_replies(game, solver)
        for state in after:
            key, chance = (alike(state), game.side), game.chance / len(after)
            if key in found:
                found[key] = replace(found[key], chance=found[key].chance + chance)
            elif state.actor != TERMINAL and key not in taken:
                found[key] = replace(game, state=state, chance=chance)
        if len(found) >= ENOUGH * most:
            break
    return _drawn(list(found.values()), most, luck)


def _drawn(games: list[_Game], most: int, luck: np.random.Generator) -> list[_Game]:
    """So many of them, each next one by its chance among those left (Efraimidis & Spirakis 2006)."""
    waits = luck.exponential(size=len(games)) / np.array([game.chance for game in games])
    return [games[number] for number in np.argsort(waits, kind="stable")[:most]]


def _after_replies(game: _Game, solver: ProofSolver) -> list[GomokuState]:
    if game.state.actor != 1 - game.side:
        return [game.state]
    return [game.state.child(cell) for cell in perfect_replies(solver, game.state)]


def _teach(
    game: _Game, tree: native.GomokuSearch, solver: ProofSolver, rows: _Rows, settings: SparringSettings
) -> tuple[bool, int]:
    """Adds what there is to learn at the network's turn: whether its move gave value away, and one that does not."""
    state, chosen = game.state, tree.chosen(True, 0.0)
    visits = {cell: count for cell, count, *_ in _edges(tree, [])}
    least = TAUGHT * sum(visits.values())
    by_visits = sorted(state.legal(), key=lambda cell: (-visits.get(cell, 0), cell))
    likely = [cell for cell in by_visits if visits.get(cell, 0) >= least or cell == chosen]
    kept = list(solver.keeping_moves(state, likely)) or [next(solver.keeping_moves(state, by_visits))]
    wrong = chosen not in kept
    taught = solver.fastest_wins(state, kept) if game.value == 1 else kept
    total = sum(max(visits.get(cell, 0), 1) for cell in taught)
    shares = {cell: max(visits.get(cell, 0), 1) / total for cell in taught}
    times = settings.wrong_times if wrong else settings.times
    rows.add(state, game.value, shares, times)
    for after, mean in _below(tree, state, [], least) if wrong or settings.looks_below else ():
        value = solver.value(after)
        if abs(mean - value) > FAR_OFF:
            missed = solver.best_moves(after) if wrong and value > mean else []  # replies that the search passed over
            rows.add(after, value, {cell: 1 / len(missed) for cell in missed}, times)
    return wrong, kept[0] if wrong else chosen


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
