"""`zerosum play gomoku`: a board in the terminal against a network and its search, or a player without one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zerosum.cli.leaving import LeaveError
from zerosum.errors import RuleError

if TYPE_CHECKING:
    from zerosum.games.gomoku import Gomoku, GomokuState
    from zerosum.search.classical import ClassicalPlayer
    from zerosum.search.mcts import NodeInfo, Searcher

HELP = "row,column puts a stone (counted from 0); hint, undo, q to leave"
TOP = 5  # moves shown as a hint
BESIDE = 3  # and beside a move that it makes
CLASSICAL_SECONDS = 1.0  # of a player without a network, where nobody said how long


class GomokuTable:
    """One game: you, and a search that is told so many simulations or so many seconds; hints are the search's, where
    another player moves too."""

    def __init__(
        self,
        game: Gomoku,
        search: Searcher | None,
        opponent: ClassicalPlayer | None,
        seconds: float | None,
        simulations: int | None,
        me: int,
    ) -> None:
        self.game, self.search, self.opponent = game, search, opponent
        self.seconds, self.simulations, self.me = seconds, simulations, me
        self.states = [game.root()]

    def sit(self) -> None:
        from zerosum.games.protocol import TERMINAL

        try:
            while self.state.actor != TERMINAL:
                if self.state.actor == self.me:
                    self._ask()
                else:
                    self._answer()
        except (LeaveError, EOFError):
            print()
            return
        print(draw(self.state))
        won = self.state.returns()[self.me]
        print("you win" if won > 0 else "you lose" if won < 0 else "a draw")

    @property
    def state(self) -> GomokuState:
        return self.states[-1]

    def _think(self, search: Searcher) -> NodeInfo:
        search.go_to(self.state.moves)
        return search.think(self.simulations, self.seconds)

    def _answer(self) -> None:
        if self.opponent is not None:
            cell = self.opponent.move(self.state.moves, self.seconds or CLASSICAL_SECONDS)
            print(f"{self.opponent.name} plays {self.game.cell_name(cell)}")
            self.states.append(self.state.child(cell))
            return
        assert self.search is not None
        node = self._think(self.search)
        cell = self.search.best()
        print(f"it plays {self.game.cell_name(cell)}: {chances(node)}")
        for line in top_moves(self.game, node, cell, BESIDE):
            print(f"  {line}")
        self.states.append(self.state.child(cell))

    def _ask(self) -> None:
        print(draw(self.state))
        while True:
            text = input(f"you are {'XO'[self.me]}> ").strip().lower()
            if text in ("q", "quit"):
                raise LeaveError
            if text in ("h", "hint"):
                for line in self._hint():
                    print(f"  {line}")
            elif text in ("u", "undo"):
                if len(self.states) > 2:
                    del self.states[-2:]
                    print(draw(self.state))
                else:
                    print("  there is nothing to take back")
            elif text in ("", "?", "help"):
                print(f"  {HELP}")
            else:
                try:
                    self.states.append(self.state.child(self.game.cell_named(text)))
                except RuleError as error:
                    print(f"  {error}")
                    continue
                return

    def _hint(self) -> list[str]:
        if self.search is None:
            return ["no network that comes along plays on this board"]
        node = self._think(self.search)
        return top_moves(self.game, node, self.search.best(), TOP)


def draw(state: GomokuState) -> str:
    """The board with its rows and columns; the last move in brackets."""
    from zerosum.games.gomoku import STONES

    width, last = state.game.width, state.moves[-1] if state.moves else -1
    lines = ["    " + "".join(f"{column:>3}" for column in range(width))]
    for row in range(state.game.height):
        cells = []
        for column in range(width):
            cell = row * width + column
            stone = STONES[state.board.stone(cell)]
            cells.append(f"({stone})" if cell == last else f" {stone} ")
        lines.append(f"{row:>3} {''.join(cells)}")
    return "\n".join(lines)


def chances(node: NodeInfo) -> str:
    """How the side to move stands, in words."""
    if node.certain is not None:
        return {1: "a certain win", 0: "a certain draw", -1: "a certain loss"}[node.certain] + " for it"
    return f"win rate {100 * (1 + node.value) / 2:.0f} %, {visits(node.visits)}"


def top_moves(game: Gomoku, node: NodeInfo, best: int, count: int) -> list[str]:
    """The best move and those that were visited most, in words; a certain end in place of a win rate."""
    told = []
    for move in sorted(node.moves, key=lambda move: move.cell != best)[:count]:
        if move.certain is not None:
            worth = {1: "wins", 0: "draws", -1: "loses"}[move.certain]
        else:
            worth = f"win rate {100 * (1 + move.value) / 2:.0f} %" if move.visits else "not looked at"
        told.append(f"{game.cell_name(move.cell)}: {visits(move.visits)}, prior {move.prior:.3f}, {worth}")
    return told


def visits(count: int) -> str:
    return f"{count:,} visit" if count == 1 else f"{count:,} visits"
