"""Matches: who wins how much from whom, and how sure that is.

Every deal is played in every seating, with the same cards. Each technique is an unbiased estimate of the same mean and
is reported apart: plain hands; duplicate deals; and what the table adds to them, AIVAT (Burch et al. 2018) last. The
last one is the result.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from zerosum.errors import SettingsError
from zerosum.evaluate.estimate import Running
from zerosum.evaluate.holdem_table import HoldemTable
from zerosum.evaluate.listed_table import ListedTable
from zerosum.games.holdem import Holdem
from zerosum.protocols.program import AcpcProgram
from zerosum.settings import within

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy.typing as npt

    from zerosum.evaluate.batch import Batch, Table
    from zerosum.evaluate.roster import Entrant
    from zerosum.games.protocol import Game

MOST_HANDS = 20_000_000
LEAST_HANDS = 1000  # before an interval is trusted to stop a match


@dataclass(frozen=True)
class Technique:
    """One estimate of the first player's result; `fewer` is how many times fewer hands it needs than plain ones."""

    name: str
    mbb_per_hand: float
    ci95: float
    fewer: float


@dataclass(frozen=True)
class PlayerResult:
    """What a player won, in thousandths of a big blind a hand."""

    name: str
    mbb_per_hand: float
    ci95: float
    won: float  # share of hands
    by_seat: tuple[float, ...]
    rates: dict[str, dict[str, float]]  # street -> kind -> share of its decisions there


@dataclass(frozen=True)
class MatchResult:
    """A match that was played."""

    game: str
    hands: int
    deals: int
    players: tuple[PlayerResult, ...]
    techniques: tuple[Technique, ...]
    showdown: float | None
    wins: tuple[int, int, int]  # deals that the first player won, drew and lost
    faults: dict[str, tuple[str, ...]]  # what outside programs did wrong


def play_match(
    game: Game,
    entrants: Sequence[Entrant],
    *,
    hands: int = 20_000,
    until_ci: float | None = None,
    seed: int = 0,
    threads: int = 1,
    on_batch: Callable[[Batch, int, float], None] | None = None,
) -> MatchResult:
    """So many hands, or as many as it takes until the interval is as narrow as `until_ci` mbb/hand."""
    if len(entrants) != game.players:
        raise SettingsError(f"match: got {len(entrants)} players, wanted {game.players} for {game.spec()}")
    within("hands", hands, 1, MOST_HANDS)
    within("threads", threads, 1, 1024)
    within("seed", seed, 0, 2**64 - 1)
    if until_ci is not None and not until_ci > 0:
        raise SettingsError(f"until-ci: got {until_ci:g}, wanted mbb/hand above 0")
    tally = _Tally(game.players)
    most = MOST_HANDS if until_ci is not None else hands
    programs = [one.player for one in entrants if isinstance(one.player, AcpcProgram)]
    try:
        for program in programs:
            program.start()
        table = _table(game, entrants, seed, threads)
        for first, deals in _batches(-(-most // game.players)):
            batch = table.play(first, deals)
            tally.add(batch)
            if on_batch is not None:
                on_batch(batch, tally.hands, tally.ci95)
            if until_ci is not None and tally.hands >= LEAST_HANDS and tally.ci95 <= until_ci:
                break
    finally:
        for program in programs:
            program.close()
    return tally.result(game, entrants)


def _batches(deals: int) -> Iterator[tuple[int, int]]:
    """Small ones first, so that a short match is short."""
    first, size = 0, 500
    while first < deals:
        size = min(size, deals - first)
        yield first, size
        first += size
        size = min(8192, 2 * size)


def _table(game: Game, entrants: Sequence[Entrant], seed: int, threads: int) -> Table:
    if isinstance(game, Holdem):
        return HoldemTable(game, entrants, seed, threads)
    return ListedTable(game, entrants, seed, threads)


class _Tally:
    """What batches add up to."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.estimates: dict[str, Running] = {}
        self.hands = self.shown = 0
        self.has_showdowns = False
        self.positive = np.zeros(players)
        self.by_seat = np.zeros((players, players))
        self.rates: dict[str, npt.NDArray[np.int64]] = {}
        self.kinds: tuple[str, ...] = ()
        self.wins = [0, 0, 0]

    def add(self, batch: Batch) -> None:
        for name, samples in batch.results.items():
            by_deal = samples.reshape(-1, self.players, self.players).mean(axis=1)
            running = self.estimates.setdefault(name, Running(self.players))
            running.add(samples if name == "plain" else by_deal)
        won = batch.results["plain"]
        net = won.reshape(-1, self.players, self.players).sum(axis=1)[:, 0]
        for k, wins in enumerate((net > 1e-9, np.abs(net) <= 1e-9, net < -1e-9)):
            self.wins[k] += int(wins.sum())
        self.hands += len(won)
        self.positive += (won > 0).sum(axis=0)
        for player in range(self.players):
            np.add.at(self.by_seat[player], batch.seats[:, player], won[:, player])
        if batch.showdowns is not None:
            self.has_showdowns = True
            self.shown += int(batch.showdowns.sum())
        for street, counts in batch.rates.items():
            self.rates[street] = self.rates.get(street, 0) + counts
        self.kinds = batch.kinds

    @property
    def best(self) -> Running:
        return list(self.estimates.values())[-1]

    @property
    def ci95(self) -> float:
        """Of the player whose result is least sure, in mbb/hand."""
        return 1000 * float(self.best.ci95.max())

    def result(self, game: Game, entrants: Sequence[Entrant]) -> MatchResult:
        plain = self.estimates["plain"]
        techniques = []
        for name, running in self.estimates.items():
            each = 1 if name == "plain" else self.players  # hands in a sample
            spread = float(running.variance[0]) * each
            fewer = float(plain.variance[0]) / spread if spread > 0 else float("inf")
            techniques.append(Technique(name, 1000 * float(running.mean[0]), 1000 * float(running.ci95[0]), fewer))
        seats = self.by_seat / (self.hands / self.players)
        players = tuple(
            PlayerResult(
                one.name,
                1000 * float(self.best.mean[p]),
                1000 * float(self.best.ci95[p]),
                float(self.positive[p]) / self.hands,
                tuple(1000 * float(x) for x in seats[p]),
                {street: self._shares(counts[p]) for street, counts in self.rates.items() if counts[p].sum()},
            )
            for p, one in enumerate(entrants)
        )
        shown = self.shown / self.hands if self.has_showdowns else None
        won, drawn, lost = self.wins
        return MatchResult(
            game=game.spec(),
            hands=self.hands,
            deals=self.hands // self.players,
            players=players,
            techniques=tuple(techniques),
            showdown=shown,
            wins=(won, drawn, lost),
            faults={one.name: tuple(one.player.faults) for one in entrants if isinstance(one.player, AcpcProgram)},
        )

    def _shares(self, counts: npt.NDArray[np.int64]) -> dict[str, float]:
        return {kind: float(count) / float(counts.sum()) for kind, count in zip(self.kinds, counts, strict=True)}
