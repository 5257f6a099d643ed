"""Who wins a small Gomoku, exactly: proof-number search (native/include/zerosum/games/gomoku/proof.hpp).

Asked anew for each move, it also tells which moves keep the value, and how the game goes on between perfect players.
"""

from __future__ import annotations

import math
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from zerosum import native
from zerosum.errors import GameError, RuleError
from zerosum.games.protocol import TERMINAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from zerosum.games.gomoku import Gomoku, GomokuState

MOST_CELLS = 64
TABLE_BITS = 22  # of the table's entries: 64 MB
AT_ONCE = 100_000  # nodes between two looks at Ctrl-C
LINE_NODES = 2_000_000  # for how long a won game takes, at each move of a line of perfect play


class ProofSolver:
    """Values of positions of one game; it remembers what it has proved."""

    def __init__(self, game: Gomoku, table_bits: int = TABLE_BITS) -> None:
        if game.num_actions > MOST_CELLS:
            raise GameError(
                f"{game.spec()}: got {game.num_actions} cells, wanted at most {MOST_CELLS} to prove who wins"
            )
        self.game = game
        self._end = self._last_node = math.inf  # when a question has taken too long
        self._search = native.GomokuProof(game.rules, table_bits)

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

    def principal_line(self, state: GomokuState, nodes: int = LINE_NODES) -> list[int]:
        """How the game goes on between perfect players: the winner hurries and the loser does not, as far as so many
        nodes a move tell; of equal moves the first cell.
        """
        line: list[int] = []
        value, last = self.value(state), None
        while state.actor != TERMINAL:
            try:
                with self.within(nodes=nodes):
                    if value != 0 and last is None:
                        last = len(state.moves) + self.plies_to_win(state)
                    move = self._perfect_move(state, value, last)
            except TimeoutError:
                last = None
                move = self._plain_move(state, value)
            line.append(move)
            state, value = state.child(move), -value
        return line

    def _perfect_move(self, state: GomokuState, value: int, last: int | None) -> int:
        """The first move that keeps the value and the number of stones at which a won game ends."""
        if last is None:
            return next(self.keeping_moves(state, state.legal()))
        if value == 1:
            return next(move for move in state.legal() if self._ends_by(state.child(move), last))
        return next(
            move for move in state.legal() if not self._wins(state.child(move).moves, mover=True, last=last - 2)
        )

    def _ends_by(self, after: GomokuState, last: int) -> bool:
        """Whether who has just moved wins with no more than so many stones on the board."""
        return after.board.winner >= 0 or (after.actor != TERMINAL and self._wins(after.moves, mover=False, last=last))

    def _plain_move(self, state: GomokuState, value: int) -> int:
        """The first move that keeps the value; in a lost position one that does not lose at once, if there is one."""
        if value >= 0:
            return next(self.keeping_moves(state, state.legal()))
        at_once = len(state.moves) + 2
        stays = (move for move in state.legal() if not self._wins(state.child(move).moves, mover=True, last=at_once))
        return next(stays, state.legal()[0])

    def _keeps(self, after: GomokuState, value: int) -> bool:
        if after.actor == TERMINAL:
            return -self.value(after) == value
        if value == 1:
            return self._wins(after.moves, mover=False)
        return value == -1 or not self._wins(after.moves, mover=True)

    @contextmanager
    def within(self, seconds: float = math.inf, nodes: float = math.inf) -> Iterator[None]:
        """In the block, a question that takes longer raises TimeoutError; what was proved is kept."""
        self._end, self._last_node = time.monotonic() + seconds, self.nodes + nodes
        try:
            yield
        finally:
            self._end = self._last_node = math.inf

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

    def fastest_wins(self, state: GomokuState, moves: Sequence[int]) -> list[int]:
        """Of moves that win, those after which the game ends soonest, if the winner hurries and the loser does not."""
        last = len(state.moves) + self.plies_to_win(state)
        while not (found := [move for move in moves if self._ends_by(state.child(move), last)]):
            last += 2
        return found

    def longest_defences(self, state: GomokuState, moves: Iterable[int] | None = None) -> Iterator[int]:
        """In a lost position: the moves, of these or all, after which the winner needs longest."""
        last = len(state.moves) + self.plies_to_win(state)
        asked = state.legal() if moves is None else moves
        return (move for move in asked if not self._wins(state.child(move).moves, mover=True, last=last - 2))

    def _wins(self, moves: tuple[int, ...], mover: bool, last: int | None = None) -> bool:
        while (answer := self._search.wins(self.game.rules, list(moves), mover, AT_ONCE, last)) is None:
            if time.monotonic() > self._end or self.nodes >= self._last_node:
                raise TimeoutError
        return answer
