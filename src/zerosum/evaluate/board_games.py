"""Games of Gomoku between any two players, each opening twice, with either colour, against the clock.

A player who crashes, is late or makes a move that is not one loses that game; the match goes on.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from zerosum.errors import ZerosumError
from zerosum.games.gomoku_records import GomokuRecord
from zerosum.games.protocol import TERMINAL
from zerosum.protocols.gomocup_program import FaultError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from zerosum.games.gomoku import Gomoku


class BoardMover(Protocol):
    """Who moves: a network, a classical player, an outside program."""

    name: str

    def start(self, game: Gomoku, most_bytes: int) -> None: ...
    def move(self, moves: Sequence[int], seconds: float, stopping: Callable[[], bool]) -> int: ...
    def close(self) -> None: ...


@dataclass(frozen=True)
class Played:
    """A game, its result to the first player of the match (1, 0 or −1), and what went wrong, if anything did."""

    record: GomokuRecord
    result: int
    fault: str | None = None
    faulty: int | None = None  # the player of the match who lost by it


def play_pair(
    game: Gomoku, players: tuple[BoardMover, BoardMover], opening: tuple[int, ...], seconds: float, grace: float
) -> list[Played]:
    """The same opening with either colour."""
    return [play_game(game, players, first, opening, seconds, grace) for first in (0, 1)]


def play_game(
    game: Gomoku,
    players: tuple[BoardMover, BoardMover],
    first: int,
    opening: tuple[int, ...],
    seconds: float,
    grace: float,
) -> Played:
    """One game; players[first] has the first colour."""
    state = game.root()
    for cell in opening:
        state = state.child(cell)
    times = [0] * len(opening)
    names = (players[first].name, players[1 - first].name)
    for number, player in enumerate(players):
        try:
            player.start(game, 0)
        except (FaultError, ZerosumError) as error:
            record = GomokuRecord(game, state.moves, names, tuple(times), "W+F" if number == first else "B+F")
            return Played(record, -1 if number == 0 else 1, f"at the start: {error}", number)
    while state.actor != TERMINAL:
        mover = state.actor if first == 0 else 1 - state.actor
        start = time.monotonic()
        try:
            cell = players[mover].move(state.moves, seconds, lambda: False)
            taken = time.monotonic() - start
            if taken > seconds + grace:
                raise FaultError(f"took {1000 * taken:.0f} ms")
            state = state.child(cell)
        except (FaultError, ZerosumError) as error:
            result = "W+F" if state.actor == 0 else "B+F"
            record = GomokuRecord(game, state.moves, names, tuple(times), result)
            return Played(record, -1 if mover == 0 else 1, f"move {len(state.moves) + 1}: {error}", mover)
        times.append(round(1000 * taken))
    won = round(state.returns()[0])
    result = {1: "B+", 0: "0", -1: "W+"}[won]
    return Played(GomokuRecord(game, state.moves, names, tuple(times), result), won if first == 0 else -won)
