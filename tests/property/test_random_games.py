"""Random matrix games and random trees: what theory promises of all of them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

import zerosum as zs
from zerosum.games.protocol import CHANCE, TERMINAL
from zerosum.games.tree import compile_tree


class Seen(NamedTuple):
    seat: int
    what: tuple[int, ...]
    actions: int

    @property
    def key(self) -> str:
        return str(self.what)

    def legal(self) -> tuple[int, ...]:
        return tuple(range(self.actions))

    def words(self) -> str:
        return f"having seen {self.what}"

    def action_words(self, action: int) -> str:
        return str(action)


@dataclass(frozen=True)
class Matrix:
    """Both choose at once: player 1 does not see player 0's choice."""

    payoffs: tuple[tuple[float, ...], ...]

    players = 2
    num_actions = 8

    def spec(self) -> str:
        return "matrix"

    def root(self) -> MatrixState:
        return MatrixState(self, ())


@dataclass(frozen=True)
class MatrixState:
    game: Matrix
    moves: tuple[int, ...]

    @property
    def actor(self) -> int:
        return (0, 1, TERMINAL)[len(self.moves)]

    def legal(self) -> tuple[int, ...]:
        return self.view(self.actor).legal()

    def chance(self) -> list[tuple[int, float]]:
        raise AssertionError("no chance here")

    def child(self, action: int) -> MatrixState:
        return MatrixState(self.game, (*self.moves, action))

    def view(self, seat: int) -> Seen:
        return Seen(seat, (), len(self.game.payoffs) if seat == 0 else len(self.game.payoffs[0]))

    def returns(self) -> tuple[float, float]:
        won = self.game.payoffs[self.moves[0]][self.moves[1]]
        return won, -won


@st.composite
def matrices(draw: st.DrawFn) -> Matrix:
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    number = st.integers(-10, 10).map(float)
    return Matrix(tuple(tuple(draw(number) for _ in range(columns)) for _ in range(rows)))


def value_by_linear_programming(payoffs: np.ndarray) -> float:
    rows, columns = payoffs.shape
    result = linprog(
        c=[0.0] * rows + [-1.0],
        A_ub=np.hstack([-payoffs.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return float(result.x[-1])


@settings(max_examples=60, deadline=None)
@given(matrices(), st.sampled_from(["cfr+", "dcfr", "pcfr+", "pdcfr+"]))
def test_matrix_games_against_linear_programming(game: Matrix, algorithm: str) -> None:
    result = zs.solve(compile_tree(game), algorithm, target=1e-3, iterations=200_000)
    assert result.exploitability <= 1e-3
    assert result.value[0] == pytest.approx(value_by_linear_programming(np.array(game.payoffs)), abs=2.1e-3)


@dataclass(frozen=True)
class RandomTree:
    """Chance first, partly seen by each; then the players in turn, seeing all moves. Everything follows from a seed."""

    seed: int
    players: int = 2

    num_actions = 4

    def spec(self) -> str:
        return f"random {self.seed}"

    def root(self) -> RandomState:
        return RandomState(self, ())


@dataclass(frozen=True)
class RandomState:
    game: RandomTree
    path: tuple[int, ...]

    def dice(self, what: object) -> random.Random:
        return random.Random(f"{self.game.seed} {what}")

    @property
    def actor(self) -> int:
        if len(self.path) < self.game.players:
            return CHANCE
        moves = self.path[self.game.players :]
        over = len(moves) >= 5 or (len(moves) > 1 and self.dice(("end", moves)).random() < 0.3)
        return TERMINAL if over else self.dice(("who", moves)).randrange(self.game.players)

    def legal(self) -> tuple[int, ...]:
        return self.view(self.actor).legal()

    def chance(self) -> list[tuple[int, float]]:
        weights = [self.dice(("chance", self.path, k)).uniform(0.2, 1.0) for k in range(3)]
        return [(k, weight / sum(weights)) for k, weight in enumerate(weights)]

    def child(self, action: int) -> RandomState:
        return RandomState(self.game, (*self.path, action))

    def view(self, seat: int) -> Seen:
        moves = self.path[self.game.players :]
        return Seen(seat, (self.path[seat], *moves), self.dice(("width", moves)).randint(1, 4))

    def returns(self) -> tuple[float, ...]:
        won = [self.dice(("pay", self.path, p)).uniform(-3, 3) for p in range(self.game.players)]
        mean = sum(won) / len(won)
        return tuple(w - mean for w in won)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 4))
def test_measures_of_random_trees(seed: int, players: int) -> None:
    tree = compile_tree(RandomTree(seed, players))
    rng = np.random.default_rng(seed)
    profile = np.concatenate([rng.dirichlet(np.ones(count)) for count in np.diff(tree.first)])
    policy = zs.TablePolicy(tree, profile)
    values = zs.expected_value(tree, policy)
    assert sum(values) == pytest.approx(0.0, abs=1e-9)
    assert values == pytest.approx(slow_values(tree.game.root(), policy, players), abs=1e-9)
    for player in range(players):
        best = zs.best_response(tree, policy, player)
        assert best.value >= values[player] - 1e-12
        others = [policy] * players
        others[player] = best.policy
        assert zs.expected_value(tree, others)[player] == pytest.approx(best.value, abs=1e-9)


def slow_values(state: object, policy: zs.TablePolicy, players: int) -> tuple[float, ...]:
    """Expected payoffs by recursion over states, asking the policy by views."""
    assert isinstance(state, RandomState)
    if state.actor == TERMINAL:
        return state.returns()
    if state.actor == CHANCE:
        branches = state.chance()
    else:
        answer = policy([state.view(state.actor)])[0]
        branches = [(a, float(answer[a])) for a in state.legal()]
    parts = [(p, slow_values(state.child(a), policy, players)) for a, p in branches]
    return tuple(sum(p * values[k] for p, values in parts) for k in range(players))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["cfr", "cfr+", "lcfr", "dcfr", "dcfr+", "pcfr+", "pdcfr+"]))
def test_two_player_trees_are_solved(seed: int, algorithm: str) -> None:
    tree = compile_tree(RandomTree(seed))
    assert zs.solve(tree, algorithm, iterations=3_000).exploitability < 0.02
