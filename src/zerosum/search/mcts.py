"""Tree search over a network's answers: many positions together, or one against the clock.

One position on several threads: the tree belongs to this thread, which gathers leaves while others ask the network
about those it gathered before.
"""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from zerosum import native
from zerosum.errors import RuleError, SettingsError
from zerosum.games.protocol import TERMINAL
from zerosum.settings import within

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from zerosum.games.gomoku import Gomoku
    from zerosum.networks.inference import Evaluator
    from zerosum.search.settings import SearchSettings

UNKNOWN = 2
RESERVE_SECONDS = 0.01  # kept back from a deadline
STALLS = 2.0  # longest waits for the processor or the network that are kept back as well ...
STALLS_MOST = 0.5  # ... of the time there is
STEP_SIMULATIONS = 1 << 30  # a search against the clock has no other end


def search_together(searches: Sequence[native.GomokuSearch], evaluate: Evaluator, leaves: int) -> None:
    """Runs searches that were begun to their ends, asking about all their leaves in one call."""
    under_way = [search for search in searches if not search.done]
    while under_way:
        asked = [(search, found) for search in under_way if (found := search.gather(leaves)) is not None]
        if asked:
            shares, values = evaluate(np.concatenate([planes for _, (_, planes) in asked]))
            at = 0
            for search, (ticket, planes) in asked:
                search.answer(ticket, shares[at : at + len(planes)], values[at : at + len(planes)])
                at += len(planes)
        under_way = [search for search in under_way if not search.done]


@dataclass(frozen=True)
class MoveInfo:
    """What a search found out about a move. `value` is the mean to the one who makes it; `certain` is −1, 0 or 1."""

    cell: int
    visits: int
    prior: float
    value: float
    certain: int | None


@dataclass(frozen=True)
class NodeInfo:
    """A node of a search tree: `value` is the mean to the side to move, the moves are ordered by visits."""

    visits: int
    value: float
    network_value: float
    certain: int | None
    moves: list[MoveInfo]


class Searcher:
    """Searches one game, from move to move; what it knows of the position that came up is kept."""

    def __init__(
        self,
        game: Gomoku,
        evaluate: Evaluator,
        settings: SearchSettings,
        threads: int = 1,
        seed: int = 0,
        most_bytes: int = 0,
    ):
        """A tree takes at most so many bytes (0: as many as it likes), the network's answers not among them."""
        self.game, self.evaluate, self.settings, self.seed = game, evaluate, settings, seed
        self.search = native.GomokuSearch(game.rules, settings.native(seed), settings.cache_bits)
        if most_bytes > 0:
            self.search.limit(most_bytes)
        self.moves: tuple[int, ...] = ()
        self._threads = threads
        self._stopping: Callable[[], bool] | None = None
        self._looked = 0.0  # at the clock, last
        self._most_kept = 0.0
        self._stall = 0.0  # the longest time between two looks at the clock in this search and, fading, those before
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def go_to(self, moves: Sequence[int]) -> None:
        """Stands after these moves; refuses what the rules do not allow, and the end of a game."""
        wanted = tuple(moves)
        state = self.game.root()
        for cell in wanted:
            state = state.child(cell)
        if state.actor == TERMINAL:
            raise RuleError(f"{state.view(0).words()}: the game is over, wanted a position with a move to make")
        if wanted[: len(self.moves)] == self.moves:
            for cell in wanted[len(self.moves) :]:
                self.search.advance(cell)
        else:
            self.search.reset(list(wanted))
        self.moves = wanted

    def forget(self) -> None:
        """Stands before the first move and knows nothing but the network's answers."""
        self.search.reset([])
        self.moves = ()

    def think(
        self,
        simulations: int | None = None,
        seconds: float | None = None,
        stopping: Callable[[], bool] | None = None,
    ) -> NodeInfo:
        """Searches until the root has so many visits, or for so long, or until someone wants to stop, or until the tree
        is full; whichever comes first.
        """
        if seconds is not None and simulations is None and self.settings.root == "gumbel":
            raise SettingsError(
                "search: root: got gumbel without a number of simulations, wanted puct against the clock"
            )
        if simulations is not None:
            within("simulations", simulations, 1, 10**9)
        self._looked = time.monotonic()
        end = None if seconds is None else self._looked + max(seconds - RESERVE_SECONDS, 0.0)
        self._most_kept = STALLS_MOST * (seconds or 0.0)
        self._stall /= 2
        count = simulations or (self.settings.simulations if seconds is None else STEP_SIMULATIONS)
        self._stopping = stopping
        if self._is_full():
            self.search.reset(list(self.moves))  # what was kept leaves no room to find out more
        self.search.begin(count, self.seed + len(self.moves))
        if self._pool is None:
            self._think_here(end)
        else:
            self._think_on(self._pool, end)
        return self.node()

    def _think_here(self, end: float | None) -> None:
        while not self._is_over(end):
            found = self.search.gather(self.settings.leaves)
            if found is not None:
                self.search.answer(found[0], *self.evaluate(found[1]))

    def _think_on(self, pool: ThreadPoolExecutor, end: float | None) -> None:
        asked: list[tuple[int, Future[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]]]] = []
        while not self._is_over(end) or asked:
            while len(asked) < self._threads + 1 and not self._is_over(end):
                found = self.search.gather(self.settings.leaves)
                if found is None:
                    break
                asked.append((found[0], pool.submit(self.evaluate, found[1])))
            if asked:
                ticket, answer = asked.pop(0)
                self.search.answer(ticket, *answer.result())

    def _is_over(self, end: float | None) -> bool:
        """A root that has moves is always reached; a certain one needs no more time."""
        if self.search.done:
            return True
        if not self.search.ready:
            return False
        if (self._stopping is not None and self._stopping()) or self._is_full():
            return True
        return end is not None and (self._is_late(end) or self.search.certain is not None)

    def _is_full(self) -> bool:
        """Whether what is under way and what would be asked next might not fit into the tree."""
        return self.search.is_full(self.settings.leaves * (self._threads + 2))

    def _is_late(self, end: float) -> bool:
        """The last wait may be as long as the longest: where others keep the cores busy, time is up sooner."""
        now = time.monotonic()
        self._stall = max(self._stall, now - self._looked)
        self._looked = now
        return now >= end - min(STALLS * self._stall, self._most_kept)

    def best(self) -> int:
        """The move that was visited most; a certain win, if there is one."""
        return self.search.chosen(True, 0.0)

    def node(self, path: Sequence[int] = ()) -> NodeInfo:
        """What is known of the position after these moves from the root."""
        found = self.search.node(list(path))
        if found is None:
            return NodeInfo(0, 0.0, 0.0, None, [])
        visits, value, network_value, certain, edges = found
        moves = [
            MoveInfo(cell, count, prior, total / count if count else 0.0, None if solved == UNKNOWN else solved)
            for cell, count, prior, total, solved in edges
        ]
        moves.sort(key=lambda move: (-move.visits, -move.prior, move.cell))
        return NodeInfo(visits, value, network_value, None if certain == UNKNOWN else certain, moves)
