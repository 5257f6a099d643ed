"""Gomoku as tutorials write it."""

from __future__ import annotations

import doctest

import numpy as np
import pytest

from zerosum.errors import RuleError
from zerosum.games import gomoku_game
from zerosum.games.gomoku_game import GomokuBoard, GomokuGame, Move


def played(game: GomokuGame, *cells: int) -> GomokuGame:
    for cell in cells:
        game = game.get_next_state(cell)
    return game


def test_cells_players_and_history() -> None:
    game = played(GomokuGame(5, 4), 0, 6, 24)
    assert game.board.cells[0, 0] == 1
    assert game.board.cells[1, 1] == -1
    assert game.move_history == [Move(0, 0, 1), Move(1, 1, -1), Move(4, 4, 1)]
    assert game.board.last_move == (4, 4, 1)
    assert game.current_player == -1
    assert game.get_valid_moves().sum() == 22


def test_planes_are_the_movers() -> None:
    planes = played(GomokuGame(3, 3), 0, 4).get_canonical_board()
    assert planes.shape == (3, 3, 3)
    assert planes[0].argmax() == 0
    assert planes[1].argmax() == 4
    assert planes[2].all()
    planes = played(GomokuGame(3, 3), 0).get_canonical_board()
    assert planes[1].argmax() == 0
    assert not planes[0].any()
    assert not planes[2].any()


def test_a_draw_is_not_a_game_that_goes_on() -> None:
    game = GomokuGame(3, 3)
    assert game.get_game_ended() is None
    drawn = played(game, 0, 1, 2, 4, 3, 5, 7, 6, 8)
    assert drawn.get_game_ended() == 0.0
    assert drawn.board.is_full
    assert drawn.board.winner == 0
    lost = played(game, 0, 3, 1, 4, 2)  # black has three, white is to move
    assert lost.get_game_ended() == -1.0
    assert lost.board.winner == 1
    assert not lost.get_valid_moves().any()


def test_states_are_left_as_they_are() -> None:
    game = GomokuGame((4, 5), 4)
    after = game.get_next_state(7)
    assert not game.board.cells.any()
    copy = after.clone()
    copy.board.place(0, 0)
    assert after.board.cells[0, 0] == 0
    assert len(after.move_history) == 1
    after.reset()
    assert after.get_game_ended() is None
    assert after.current_player == 1
    assert str(GomokuBoard(game.rules)) == str(after)


@pytest.mark.parametrize("cell", [-1, 25, 3])
def test_illegal_moves_are_refused(cell: int) -> None:
    with pytest.raises(RuleError):
        played(GomokuGame(5, 4), 3, cell)


def test_exactly_five() -> None:
    moves = [0, 15, 1, 17, 2, 19, 4, 21, 5, 23]
    for rule, winner in (("freestyle", 1), ("standard", 0)):
        game = played(GomokuGame((4, 15), 5, rule), *moves, 3)  # six in a row
        assert game.board.winner == winner


def test_random_games_agree_with_the_fast_ones() -> None:
    luck = np.random.default_rng(0)
    for _ in range(100):
        game = GomokuGame(5, 4)
        state = game.rules.root()
        while game.get_game_ended() is None:
            cell = int(luck.choice(np.flatnonzero(game.get_valid_moves())))
            game, state = game.get_next_state(cell), state.child(cell)
        assert state.actor < 0
        assert game.board.winner == round(state.returns()[0])


def test_doctests() -> None:
    assert doctest.testmod(gomoku_game).failed == 0
