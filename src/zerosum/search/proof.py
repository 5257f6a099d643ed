"""Who wins a small Gomoku, exactly: proof-number search (native/include/zerosum/games/gomoku/proof.hpp).

Asked anew for each move, it also tells which moves keep the value, and how the game goes on between perfect players.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from zerosum import native
from zerosum.errors import GameError, RuleError
from zerosum.games.protocol import TERMINAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from zerosum.games.gomoku import Gomoku, GomokuState

MOST_CELLS = 64
TABLE_BITS = 22  # of the table's entries: 64 MB
AT_ONCE = 100_000  # nodes between two looks at Ctrl-C


class ProofSolver:
    """Values of positions of one game; it remembers what it has proved."""

    def __init__(self, game: Gomoku) -> None:
        if game.num_actions > MOST_CELLS:
            raise GameError(
                f"{game.spec()}: got {game.num_actions} cells, wanted at most {MOST_CELLS} to prove who wins"
            )
        self.game = game
        self._end: float | None = None
        self._search = native.GomokuProof(game.rules, TABLE_BITS)

    @property
    def nodes(self) -> int:
        return self._search.nodes

    def value(self, state: GomokuState) -> int:
        """To the side to move: 1 it wins, 0 nobody does, −1 it loses."""
        if state.actor == TERMINAL:
            return 0 if state.board.winner < 0 else -1
        if self._wins(state.moves, mover=True):
            return 1
        return -1 if self._wins(state.moves, mover=False) else 0

    def best_moves(self, state: GomokuState) -> list[int]:
        """All moves that keep the value."""
        return list(self.keeping_moves(state, state.legal()))

    def keeping_moves(self, state: GomokuState, moves: Iterable[int]) -> Iterator[int]:
        """Those of some moves that keep the value, one by one."""
        value = self.value(state)
        return (move for move in moves if self._keeps(state.child(move), value))

    def principal_line(self, state: GomokuState) -> list[int]:
        """How the game goes on when each side plays the first move that keeps its value."""
        line = []
        while state.actor != TERMINAL:
            move = next(self.keeping_moves(state, state.legal()))
            line.append(move)
            state = state.child(move)
        return line

    def _keeps(self, after: GomokuState, value: int) -> bool:
        if after.actor == TERMINAL:
            return -self.value(after) == value
        if value == 1:
            return self._wins(after.moves, mover=False)
        return value == -1 or not self._wins(after.moves, mover=True)

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """In the block, a question that takes longer raises TimeoutError; what was proved is kept."""
        self._end = time.monotonic() + seconds
        try:
            yield
        finally:
            self._end = None

    def plies_to_win(self, state: GomokuState) -> int:
        """How many moves a won or lost game still takes, if the winner hurries and the loser does not."""
        value = self.value(state)
        if value == 0:
            raise RuleError(f"{state.view(0).words()}: got a draw, wanted a position that someone wins")
        if state.actor == TERMINAL:
            return 0
        stones = len(state.moves)
        last = stones + (1 if value == 1 else 2)
        while not self._wins(state.moves, mover=value == 1, last=last):
            last += 2
        return last - stones

    def longest_defences(self, state: GomokuState, moves: Iterable[int] | None = None) -> Iterator[int]:
        """In a lost position: the moves, of these or all, after which the winner needs longest."""
        last = len(state.moves) + self.plies_to_win(state)
        asked = state.legal() if moves is None else moves
        return (move for move in asked if not self._wins(state.child(move).moves, mover=True, last=last - 2))

    def _wins(self, moves: tuple[int, ...], mover: bool, last: int | None = None) -> bool:
        while (answer := self._search.wins(self.game.rules, list(moves), mover, AT_ONCE, last)) is None:
            if self._end is not None and time.monotonic() > self._end:
                raise TimeoutError
        return answer
