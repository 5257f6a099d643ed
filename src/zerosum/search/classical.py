"""Gomoku players without a network, weakest first: random, greedy, mcts:N, alphabeta:DEPTH."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING

import numpy as np

from zerosum import native
from zerosum.errors import RuleError, SettingsError
from zerosum.games.protocol import TERMINAL
from zerosum.search.memory import bytes_for_search, resident_bytes
from zerosum.settings import within

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from zerosum.games.gomoku import Gomoku

NAMES = "random, greedy, mcts:N, alphabeta:DEPTH"
MOST_SIMULATIONS, MOST_DEPTH = 10**7, 64
LOOK_SECONDS = 0.01  # between two looks at whether someone wants to stop


def is_classical(name: str) -> bool:
    """Whether it is one of these, rightly spelt or not."""
    return name.partition(":")[0] in ("random", "greedy", "mcts", "alphabeta")


class ClassicalPlayer:
    """`mcts` ends at its simulations or a full memory, `alphabeta` at its depth, both when their time is up."""

    def __init__(self, name: str, seed: int = 0) -> None:
        found = re.fullmatch(r"(random|greedy|mcts|alphabeta)(?::([0-9]{1,9}))?", name)
        if found is None or (found[2] is None) != (found[1] in ("random", "greedy")):
            raise SettingsError(f"got player {name!r}, wanted one of {NAMES}")
        self.name, self.kind, self.limit, self.seed = name, found[1], int(found[2] or 0), seed
        if self.kind in ("mcts", "alphabeta"):
            within(f"player {name}", self.limit, 1, MOST_SIMULATIONS if self.kind == "mcts" else MOST_DEPTH)
        self.luck = np.random.default_rng(seed)
        self.game: Gomoku | None = None
        self.games = 0
        self.taken = self.tree_bytes = 0

    def about(self) -> str:
        return f'name="zerosum {self.name}"'

    def check(self, game: Gomoku) -> None:
        """They play on every board."""

    def start(self, game: Gomoku, most_bytes: int = 0) -> None:
        """A new game; the program takes no more than so many bytes, if it can (0: than half of what is free)."""
        self.game = game
        self.taken = self.taken or resident_bytes()  # by the program, before its first tree
        self.tree_bytes = bytes_for_search(most_bytes, self.taken)
        self.games += 1

    def move(self, moves: Sequence[int], seconds: float, stopping: Callable[[], bool] = lambda: False) -> int:
        """Where to move after these moves."""
        assert self.game is not None
        state = self.game.root()
        for cell in moves:
            state = state.child(cell)
        if state.actor == TERMINAL:
            raise RuleError(f"{state.view(0).words()}: the game is over, wanted a position with a move to make")
        rules, seed = self.game.rules, self.seed + 1000 * self.games
        if self.kind == "random":
            return int(self.luck.choice(state.legal()))
        if self.kind == "greedy":
            return native.gomoku_greedy(rules, list(moves), seed)
        stop = native.StopFlag()
        with ThreadPoolExecutor(1) as pool:
            if self.kind == "mcts":
                told = (rules, list(moves), self.limit, seconds, seed, self.tree_bytes, stop)
                found = pool.submit(native.gomoku_rollouts, *told)
            else:
                found = pool.submit(
                    lambda: native.gomoku_alphabeta(rules, list(moves), self.limit, seconds, seed, stop)[0]
                )
            try:
                while not wait([found], LOOK_SECONDS).done:
                    if stopping():
                        stop.stop()
            finally:
                stop.stop()  # after Ctrl-C, too
        return found.result()

    def close(self) -> None:
        """There is nothing to end."""

    def value(self, moves: Sequence[int]) -> float:  # noqa: ARG002
        """They have no opinion."""
        return 0.0
