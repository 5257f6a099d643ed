"""Gomoku players without a network: legal, the same for a seed, each stronger than the one before."""

from __future__ import annotations

import time

import numpy as np
import pytest

from zerosum import native
from zerosum.errors import RuleError, SettingsError
from zerosum.evaluate.board_games import play_pair
from zerosum.evaluate.board_match import central_opening, summed
from zerosum.games.gomoku import Gomoku
from zerosum.games.protocol import TERMINAL
from zerosum.search.classical import ClassicalPlayer

NINE = Gomoku(9, 9, 5)


def points(first: str, second: str, game: Gomoku, pairs: int) -> float:
    luck = np.random.default_rng(1)
    players = ClassicalPlayer(first, 1), ClassicalPlayer(second, 2)
    played = [
        one for _ in range(pairs) for one in play_pair(game, players, central_opening(game, 3, luck).moves, 5.0, 60.0)
    ]
    assert all(one.fault is None for one in played)
    return sum((one.result + 1) / 2 for one in played) / len(played)


@pytest.mark.parametrize(
    ("stronger", "weaker", "size"),
    [("greedy", "random", 9), ("mcts:2000", "random", 9), ("alphabeta:4", "greedy", 15)],
)
def test_the_ladder(stronger: str, weaker: str, size: int) -> None:
    assert points(stronger, weaker, Gomoku(size, size, 5), 8) >= 0.75


@pytest.mark.parametrize("name", ["greedy", "alphabeta:2", "mcts:3000"])
@pytest.mark.parametrize("rule", ["freestyle", "standard"])
def test_a_win_is_taken_and_a_four_is_stopped(name: str, rule: str) -> None:
    game = Gomoku(9, 9, 5, rule)
    player = ClassicalPlayer(name)
    player.start(game)
    own, other = [30, 31, 32, 33], [60, 61, 65, 66]
    moves = [cell for pair in zip(own, other, strict=True) for cell in pair]
    assert player.move(moves, 5.0) in (29, 34)
    if name != "mcts:3000":
        assert player.move([30, 60, 31, 61, 32, 65, 33], 5.0) in (29, 34)


def test_one_opening_says_little_but_not_nothing() -> None:
    for results in ([1, 1], [1, -1], [0, 1]):
        assert summed(results).ci95 == pytest.approx(0.95)
    assert summed([1, 1, 1, 1]).ci95 == pytest.approx(1 - 0.05**0.5)


def test_the_same_for_a_seed() -> None:
    for name in ("greedy", "alphabeta:3", "mcts:300"):
        found = []
        for _ in range(2):
            player = ClassicalPlayer(name, 5)
            player.start(NINE)
            found.append([player.move(moves, 0.0) for moves in ([], [40], [40, 41, 30])])
        assert found[0] == found[1]


def test_time_is_kept() -> None:
    for name in ("alphabeta:64", "mcts:10000000"):
        player = ClassicalPlayer(name)
        player.start(Gomoku(15, 15, 5))
        start = time.monotonic()
        player.move([112, 113, 98, 99], 0.2)
        assert time.monotonic() - start < 10  # far less; machines are busy at times
    assert native.gomoku_alphabeta(NINE.rules, [40], 3, 0.0, 0)[1] > 100


def test_who_wants_to_stop_is_heard() -> None:
    for name in ("alphabeta:64", "mcts:10000000"):
        player = ClassicalPlayer(name)
        player.start(Gomoku(15, 15, 5))
        start = time.monotonic()
        move = player.move([112, 113, 98, 99], 600.0, lambda: time.monotonic() > start + 0.1)  # noqa: B023
        assert time.monotonic() - start < 60  # far less; machines are busy at times
        assert move in range(225)


def test_memory_ends_a_search() -> None:
    player = ClassicalPlayer("mcts:10000000")
    player.start(Gomoku(15, 15, 5), most_bytes=1)  # 20 MB are always there
    assert player.move([112], 0.0) in range(225)  # without that it would take hours, and 45 GB
    fewer = native.gomoku_rollouts(NINE.rules, [40], 10, 0.0, 0)
    assert native.gomoku_rollouts(NINE.rules, [40], 10, 0.0, 0, most_bytes=1 << 20) == fewer


@pytest.mark.parametrize("name", ["greedy", "alphabeta:1", "alphabeta:3"])
def test_only_five_win_where_that_is_the_rule(name: str) -> None:
    """A six is left alone, and five is made; the other's six is not worth a stop, its five is."""
    game, player = Gomoku(15, 15, 5, "standard"), ClassicalPlayer(name)
    player.start(game)
    six = [15 * 3 + x for x in (2, 3, 4, 6, 7)]  # 5 would make six
    five = [15 * 8 + x for x in (2, 3, 4, 5)]
    apart = [15 * y + x for y, x in ((0, 0), (0, 14), (14, 0), (14, 14), (11, 12), (1, 10), (12, 8), (6, 13), (5, 0))]
    moves = [cell for pair in zip(six + five, apart, strict=True) for cell in pair]
    assert player.move(moves, 5.0) in (15 * 8 + 1, 15 * 8 + 6)
    assert player.move([apart[-1], *moves[:-1]], 5.0) in (15 * 8 + 1, 15 * 8 + 6)
    quiet = [cell for pair in zip(six, apart, strict=False) for cell in pair]
    assert player.move(quiet, 5.0) != 15 * 3 + 5
    assert player.move([apart[-1], *quiet[:-1]], 5.0) != 15 * 3 + 5


def test_wrong_names_and_positions() -> None:
    for name in ("mcts", "mcts:0", "alphabeta:x", "random:3", "alphabeta:65"):
        with pytest.raises(SettingsError):
            ClassicalPlayer(name)
    player = ClassicalPlayer("greedy")
    player.start(NINE)
    won = [0, 9, 1, 10, 2, 11, 3, 12, 4]
    state = NINE.root()
    for cell in won:
        state = state.child(cell)
    assert state.actor == TERMINAL
    with pytest.raises(RuleError, match="the game is over"):
        player.move(won, 1.0)
    with pytest.raises(RuleError):
        player.move([0, 0], 1.0)
    with pytest.raises(ValueError, match="wanted empty cells"):
        native.gomoku_greedy(NINE.rules, [0, 0], 0)
