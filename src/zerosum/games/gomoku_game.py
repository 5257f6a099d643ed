"""Gomoku as tutorials write it: a board of 0, 1 and −1 that is played on, and a game around it.

Everything fast uses `zerosum.games.gomoku`; this is the same game to read, and to try things on.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from zerosum.errors import RuleError
from zerosum.games.gomoku import Gomoku
from zerosum.settings import whole

if TYPE_CHECKING:
    import numpy.typing as npt

BLACK, WHITE = 1, -1


class Move(NamedTuple):
    row: int
    column: int
    player: int


class GomokuBoard:
    """Cells [h, w]: 0 empty, 1 black, −1 white. Black begins."""

    def __init__(self, game: Gomoku) -> None:
        self.game = game
        self.reset()

    def reset(self) -> None:
        self.cells: npt.NDArray[np.int8] = np.zeros((self.game.height, self.game.width), np.int8)
        self.current_player = BLACK
        self.move_history: list[Move] = []
        self.winner = 0  # 1 or −1 once someone has won
        self._state = self.game.root()

    @property
    def last_move(self) -> Move | None:
        return self.move_history[-1] if self.move_history else None

    @property
    def is_full(self) -> bool:
        return len(self.move_history) == self.game.num_actions

    @property
    def is_over(self) -> bool:
        return self.winner != 0 or self.is_full

    def place(self, row: int, column: int) -> None:
        """The side to move puts a stone on an empty cell."""
        if not (0 <= row < self.game.height and 0 <= column < self.game.width):
            size = f"{self.game.height} rows and {self.game.width} columns"
            raise RuleError(f"got cell {row},{column}, wanted one of {size}, from 0")
        self._state = self._state.child(row * self.game.width + column)
        self.cells[row, column] = self.current_player
        self.move_history.append(Move(row, column, self.current_player))
        if self._state.board.winner >= 0:
            self.winner = self.current_player
        self.current_player = -self.current_player

    def clone(self) -> GomokuBoard:
        other = copy.copy(self)
        other.cells, other.move_history = self.cells.copy(), list(self.move_history)
        return other

    def __str__(self) -> str:
        return str(self._state)


class GomokuGame:
    """A game on a board of `board_size` (or rows and columns), so many in a row.

    >>> game = GomokuGame(3, 3)
    >>> for cell in (0, 3, 1, 4):
    ...     game = game.get_next_state(cell)
    >>> game.get_game_ended() is None, int(game.get_valid_moves().sum())
    (True, 5)
    >>> game.get_next_state(2).get_game_ended()  # black has three; white, who would be to move, has lost
    -1.0
    """

    def __init__(self, board_size: int | tuple[int, int] = 15, line: int = 5, rule: str = "freestyle") -> None:
        height, width = (board_size, board_size) if isinstance(board_size, int) else board_size
        self.board = GomokuBoard(Gomoku(width, height, line, rule))

    @property
    def rules(self) -> Gomoku:
        return self.board.game

    @property
    def action_size(self) -> int:
        return self.rules.num_actions

    @property
    def current_player(self) -> int:
        return self.board.current_player

    @property
    def move_history(self) -> list[Move]:
        return self.board.move_history

    def get_canonical_board(self) -> npt.NDArray[np.float32]:
        """[3, h, w] from the side to move: own stones, the other's, ones throughout when black is to move."""
        own = self.board.current_player
        planes = [self.board.cells == own, self.board.cells == -own, np.full(self.board.cells.shape, own == BLACK)]
        return np.stack(planes).astype(np.float32)

    def get_valid_moves(self) -> npt.NDArray[np.bool_]:
        """[h·w] the empty cells; none once the game is over."""
        return np.asarray((self.board.cells.reshape(-1) == 0) & (not self.board.is_over))

    def get_next_state(self, action: int) -> GomokuGame:
        """The game after the side to move has played on cell `action`; this one is left as it is."""
        after = self.clone()
        after.board.place(*divmod(whole("action", action), self.rules.width))
        return after

    def get_game_ended(self) -> float | None:
        """To the side to move: None while the game goes on, −1 lost, 0 drawn, 1 won."""
        if not self.board.is_over:
            return None
        return float(self.board.winner * self.board.current_player)

    def clone(self) -> GomokuGame:
        other = copy.copy(self)
        other.board = self.board.clone()
        return other

    def reset(self) -> None:
        self.board.reset()

    def __str__(self) -> str:
        return str(self.board)
