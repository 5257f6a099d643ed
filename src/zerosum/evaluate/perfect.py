"""A network measured by the truth: positions whose value is proved, and games against a player who never errs.

The perfect player draws among the moves that keep the value; where it is lost it plays the longest line. The network
searches without proofs and without forced-win search, so that what is measured is what it has learnt.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from zerosum import native
from zerosum.encoding.gomoku import planes_of
from zerosum.encoding.symmetries import cell_maps
from zerosum.games.protocol import TERMINAL
from zerosum.search.mcts import search_together
from zerosum.search.settings import SearchSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy.typing as npt

    from zerosum.games.gomoku import Gomoku, GomokuState
    from zerosum.networks.inference import Evaluator
    from zerosum.search.proof import ProofSolver

DRAWN = 0.5  # a value nearer to 0 than to ±1 says draw
TOGETHER = 256  # positions searched at once

Stones = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Labelled:
    """A position, what it is worth to the side to move, and the moves that keep that."""

    state: GomokuState
    value: int
    keeping: frozenset[int]


@dataclass(frozen=True)
class Judged:
    """Shares of positions with the right value, and with a move that keeps it."""

    positions: int
    value_correct: float
    move_correct: float


def random_position(game: Gomoku, least: int, luck: np.random.Generator) -> GomokuState:
    """At least so many random stones, with the game still open."""
    while True:
        state = game.root()
        stones = int(luck.integers(least, game.num_actions))
        cells = luck.permutation(game.num_actions)[:stones]
        for cell in cells:
            state = state.child(int(cell))
            if state.actor == TERMINAL:
                break
        else:
            return state


def random_opening(game: Gomoku, moves: int, luck: np.random.Generator) -> GomokuState:
    """So many random stones, with the game still open."""
    while True:
        state = game.root()
        for _ in range(min(moves, game.num_actions - 1)):
            if state.actor != TERMINAL:
                state = state.child(int(luck.choice(state.legal())))
        if state.actor != TERMINAL:
            return state


def every_opening(game: Gomoku) -> list[GomokuState]:
    """Two stones, wherever they may lie; of openings that are the same turned or mirrored, one."""
    found: dict[Stones, GomokuState] = {}
    for first in range(game.num_actions):
        for second in range(game.num_actions):
            if first != second:
                state = game.root().child(first).child(second)
                found.setdefault(alike(state), state)
    return list(found.values())


def alike(state: GomokuState) -> Stones:
    """Where the stones of both lie; the same for positions that are the same turned or mirrored."""
    maps = _cells_go(state.game.height, state.game.width)
    sides = (list(state.moves[0::2]), list(state.moves[1::2]))
    return min(tuple(tuple(sorted(cells[side].tolist())) for side in sides) for cells in maps)


@cache
def _cells_go(height: int, width: int) -> npt.NDArray[np.int64]:
    """For each symmetry, where each cell goes."""
    return cell_maps(height, width).argsort(axis=1)


def labelled_positions(
    solver: ProofSolver, count: int, least: int, seconds: float, luck: np.random.Generator
) -> Iterator[Labelled | None]:
    """Random positions, each proved within so many seconds; None for each that was not."""
    found = 0
    while found < count:
        state = random_position(solver.game, least, luck)
        try:
            with solver.within(seconds):
                value = solver.value(state)
                keeping = frozenset(solver.best_moves(state))
        except TimeoutError:
            yield None
            continue
        found += 1
        yield Labelled(state, value, keeping)


def judge_network(evaluate: Evaluator, positions: Sequence[Labelled]) -> Judged:
    """The network alone: its value, and its likeliest legal move."""
    values: list[float] = []
    moves: list[int] = []
    for first in range(0, len(positions), TOGETHER):
        some = [one.state for one in positions[first : first + TOGETHER]]
        policy, value = evaluate(planes_of(some))
        values.extend(value.tolist())
        moves.extend(_likeliest(state, row) for state, row in zip(some, policy, strict=True))
    return _judged(positions, values, moves)


def judge_search(evaluate: Evaluator, positions: Sequence[Labelled], search: SearchSettings) -> Judged:
    """The search: the value of the move it would play, and that move."""
    values, moves = [], []
    for first in range(0, len(positions), TOGETHER):
        some = [one.state for one in positions[first : first + TOGETHER]]
        for value, move in searched(evaluate, some, search):
            values.append(value)
            moves.append(move)
    return _judged(positions, values, moves)


def search_trees(
    evaluate: Evaluator, states: Sequence[GomokuState], search: SearchSettings
) -> list[native.GomokuSearch]:
    """A finished search of each position."""
    trees: list[native.GomokuSearch] = []
    for state in states:
        tree = native.GomokuSearch(state.game.rules, search.native(), search.cache_bits)
        tree.reset(list(state.moves))
        tree.begin(search.simulations, len(trees))
        trees.append(tree)
    search_together(trees, evaluate, search.leaves)
    return trees


def searched(evaluate: Evaluator, states: Sequence[GomokuState], search: SearchSettings) -> list[tuple[float, int]]:
    """The move that a search would play in each position, and its value to the side to move."""
    found = []
    for tree in search_trees(evaluate, states, search):
        move, (_, _, _, _, edges) = tree.chosen(True, 0.0), _node(tree)
        cell, visits, _, total, _ = next(edge for edge in edges if edge[0] == move)
        found.append((total / max(visits, 1), cell))
    return found


def _node(tree: native.GomokuSearch) -> tuple[int, float, float, int, list[tuple[int, int, float, float, int]]]:
    node = tree.node([])
    assert node is not None
    return node


def _judged(positions: Sequence[Labelled], values: Sequence[float], moves: Sequence[int]) -> Judged:
    said = [0 if abs(value) < DRAWN else (1 if value > 0 else -1) for value in values]
    right = np.mean([a == one.value for a, one in zip(said, positions, strict=True)])
    kept = np.mean([move in one.keeping for move, one in zip(moves, positions, strict=True)])
    return Judged(len(positions), float(right), float(kept))


@dataclass(frozen=True)
class PerfectScore:
    """Of the network against the perfect player, with one colour; `lost_value`: games in which it gave up value."""

    games: int
    wins: int
    draws: int
    losses: int
    lost_value: int


def play_perfect(
    evaluate: Evaluator,
    solver: ProofSolver,
    search: SearchSettings | None,
    openings: Sequence[GomokuState],
    colour: int,
    luck: np.random.Generator,
    on_game: Callable[[int, int], None] | None = None,
) -> PerfectScore:
    """The network as one colour from each opening, all games at once; `search` None: its likeliest move without
    search.
    """
    states = list(openings)
    worth = [solver.value(state) * (1 if state.actor == colour else -1) for state in states]
    while under_way := [number for number, state in enumerate(states) if state.actor != TERMINAL]:
        for number in under_way:
            if states[number].actor != colour:
                states[number] = states[number].child(perfect_move(solver, states[number], luck))
        asked = [number for number in under_way if states[number].actor != TERMINAL]
        moves = _network_moves(evaluate, [states[number] for number in asked], search)
        for number, cell in zip(asked, moves, strict=True):
            states[number] = states[number].child(cell)
        if on_game is not None:
            on_game(sum(state.actor == TERMINAL for state in states), len(states))
    results = [round(state.returns()[colour]) for state in states]
    spoilt = sum(result < value for result, value in zip(results, worth, strict=True))
    return PerfectScore(len(states), results.count(1), results.count(0), results.count(-1), spoilt)


def _network_moves(evaluate: Evaluator, states: Sequence[GomokuState], search: SearchSettings | None) -> list[int]:
    if not states:
        return []
    if search is not None:
        return [move for _, move in searched(evaluate, states, search)]
    return [_likeliest(state, row) for state, row in zip(states, evaluate(planes_of(states))[0], strict=True)]


def _likeliest(state: GomokuState, policy: npt.NDArray[np.float32]) -> int:
    return max(state.legal(), key=lambda cell: float(policy[cell]))


def perfect_move(solver: ProofSolver, state: GomokuState, luck: np.random.Generator) -> int:
    """Any move that keeps the value, all equally likely; the longest line in a lost position."""
    shuffled = (int(cell) for cell in luck.permutation(state.legal()))
    if solver.value(state) == -1:
        return next(solver.longest_defences(state, shuffled))
    return next(solver.keeping_moves(state, shuffled))


def perfect_replies(solver: ProofSolver, state: GomokuState) -> list[int]:
    """All moves among which the perfect player draws."""
    return list(solver.longest_defences(state)) if solver.value(state) == -1 else solver.best_moves(state)


def plain(simulations: int) -> SearchSettings:
    """The search that strength is measured with: no proofs, no forced-win search; the network sees a position in all
    of its symmetries.
    """
    return SearchSettings(
        simulations=simulations,
        exploration=2.0,
        unvisited_less=0.2,
        prove=False,
        symmetry="all",
        leaves=1,
        cache_bits=0,
    )
