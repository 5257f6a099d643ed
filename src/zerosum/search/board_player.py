"""A network that plays Gomoku against the clock, on any board it can."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from importlib.metadata import version
from typing import TYPE_CHECKING

from zerosum.search.mcts import Searcher
from zerosum.search.memory import bytes_for_search, resident_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from zerosum.games.gomoku import Gomoku
    from zerosum.networks.inference import Evaluator
    from zerosum.policy.board_network import BoardNetwork
    from zerosum.search.settings import SearchSettings

VALUE_SIMULATIONS = 64  # of a position that only a value is wanted of
ANSWER_BYTES = 24  # of a remembered answer, beside a number for each cell
CACHE_SHARE = 0.25  # of a limit, for remembered answers


class BoardPlayer:
    """Thinks with all processors; keeps its tree from move to move."""

    def __init__(self, policy: BoardNetwork, name: str, settings: SearchSettings, threads: int | None = None) -> None:
        self.policy, self.name, self.settings = policy, name, settings
        self.threads = threads or len(os.sched_getaffinity(0))
        self.searcher: Searcher | None = None
        self._most_bytes = 0
        self._evaluator: Evaluator | None = None
        self._board: tuple[int, int] | None = None  # that it was made for
        self._taken = 0  # by the program, before its first tree: what it frees later may stay its own
        if not policy.knows_board:
            self._evaluator_for(policy.game)  # half a second, before anyone waits for an answer

    def about(self) -> str:
        """For a protocol that asks who is there."""
        return f'name="zerosum {self.name}", version="{version("zerosum")}", author="zerosum", country="none"'

    def check(self, game: Gomoku) -> None:
        """Refuses a game that the network was not made for."""
        self.policy.check_plays(game, self.name)

    def start(self, game: Gomoku, most_bytes: int) -> None:
        """A new game; the program takes no more than so many bytes, if it can (0: than half of what is free)."""
        self.check(game)
        if self.searcher is not None and self.searcher.game == game and self._most_bytes == most_bytes:
            self.searcher.forget()
            return
        self.searcher, self._most_bytes = None, most_bytes  # what the last one took is free again
        evaluate = self._evaluator_for(game)
        self._taken = self._taken or resident_bytes()
        left = bytes_for_search(most_bytes, self._taken)
        answer = ANSWER_BYTES + 4 * game.num_actions
        bits = min(self.settings.cache_bits, int(CACHE_SHARE * left / answer).bit_length() - 1)
        settings = replace(self.settings, cache_bits=bits)
        tree = left - (answer << bits)
        self.searcher = Searcher(game, evaluate, settings, self.threads, most_bytes=tree)

    def _evaluator_for(self, game: Gomoku) -> Evaluator:
        """The last one if it will do; two are never there together."""
        board = game.height, game.width
        if self._evaluator is None or (self.policy.knows_board and self._board != board):
            self._evaluator = None
            self._evaluator, self._board = self.policy.evaluator(game), board
        else:
            self.policy.adapt(self._evaluator, game)
        return self._evaluator

    def move(self, moves: Sequence[int], seconds: float, stopping: Callable[[], bool] = lambda: False) -> int:
        """Where to move after these moves."""
        assert self.searcher is not None
        start = time.monotonic()
        self.searcher.go_to(moves)  # a large tree takes its time to be cut
        left = max(seconds - (time.monotonic() - start), 0.0)
        self.searcher.think(seconds=left, stopping=stopping)
        return self.searcher.best()

    def close(self) -> None:
        """There is nothing to end."""

    def value(self, moves: Sequence[int]) -> float:
        """What the side to move can expect after these moves, −1 to 1."""
        assert self.searcher is not None
        self.searcher.go_to(moves)
        node = self.searcher.think(simulations=VALUE_SIMULATIONS)
        return node.value if node.certain is None else float(node.certain)
