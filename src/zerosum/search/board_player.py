"""A network that plays Gomoku against the clock, on any board it can."""

from __future__ import annotations

import os
import time
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from zerosum.errors import PolicyError
from zerosum.networks.inference import evaluator_for
from zerosum.search.mcts import Searcher

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from zerosum.games.gomoku import Gomoku
    from zerosum.networks.inference import Evaluator
    from zerosum.policy.board_network import BoardNetwork
    from zerosum.search.settings import SearchSettings

VALUE_SIMULATIONS = 64  # of a position that only a value is wanted of
LEAST_BYTES = 50 << 20  # a tree may always take so much


class BoardPlayer:
    """Thinks with all processors; keeps its tree from move to move."""

    def __init__(self, policy: BoardNetwork, name: str, settings: SearchSettings, threads: int | None = None) -> None:
        self.policy, self.name, self.settings = policy, name, settings
        self.threads = threads or len(os.sched_getaffinity(0))
        self.searcher: Searcher | None = None
        self.most_bytes = 0
        self._evaluators: dict[tuple[int, int], Evaluator] = {}  # by board: the rule does not matter to a network

    def about(self) -> str:
        """For a protocol that asks who is there."""
        return f'name="zerosum {self.name}", version="{version("zerosum")}", author="zerosum", country="none"'

    def check(self, game: Gomoku) -> None:
        """Refuses a game that the network was not made for: another line, or another board where it knows one size."""
        own = self.policy.game
        fits = own.line == game.line and self.policy.network.any_size
        if not fits and (own.width, own.height, own.line) != (game.width, game.height, game.line):
            raise PolicyError(f"{self.name}: a policy for {own.spec()}, wanted one for {game.spec()}")

    def start(self, game: Gomoku, most_bytes: int) -> None:
        """A new game; the tree takes no more than so many bytes less what the program has (0: no limit)."""
        self.check(game)
        self.most_bytes = max(most_bytes - resident_bytes(), LEAST_BYTES) if most_bytes else 0
        if self.searcher is not None and self.searcher.game == game:
            self.searcher.forget()
            return
        board = (game.height, game.width)
        if board not in self._evaluators:
            self._evaluators = {board: evaluator_for(self.policy.network, board)}
        self.searcher = Searcher(game, self._evaluators[board], self.settings, threads=self.threads)

    def move(self, moves: Sequence[int], seconds: float, stopping: Callable[[], bool] = lambda: False) -> int:
        """Where to move after these moves."""
        assert self.searcher is not None
        start = time.monotonic()
        self.searcher.go_to(moves)  # a large tree takes its time to be cut
        left = max(seconds - (time.monotonic() - start), 0.0)
        self.searcher.think(seconds=left, stopping=stopping, most_bytes=self.most_bytes)
        return self.searcher.best()

    def close(self) -> None:
        """There is nothing to end."""

    def value(self, moves: Sequence[int]) -> float:
        """What the side to move can expect after these moves, −1 to 1."""
        assert self.searcher is not None
        self.searcher.go_to(moves)
        node = self.searcher.think(simulations=VALUE_SIMULATIONS)
        return node.value if node.certain is None else float(node.certain)


def resident_bytes() -> int:
    """What this program takes now; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0
