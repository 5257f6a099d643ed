"""Matches: who wins how much from whom, and how sure that is.

Every deal is played in every seating, with the same cards. Each technique is an unbiased estimate of the same mean and
is reported apart: plain hands; duplicate deals; all-in hands paid by the boards that could have come; AIVAT (Burch et
al. 2018). The last one is the result. The values that AIVAT needs are fixed before the first hand: where a game can be
listed, those of the mean of the players' policies; in heads-up hold'em the chance to win times what is at stake, with
weights that a pilot of other hands has learnt, and luck is taken out at the cards only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from zerosum import native
from zerosum.errors import PolicyError, SettingsError
from zerosum.evaluate.estimate import Running
from zerosum.games.holdem import STREETS, Holdem
from zerosum.games.protocol import CHANCE, TERMINAL
from zerosum.games.tree import tree_of
from zerosum.policy.scripted import Scripted
from zerosum.policy.table import tabulate
from zerosum.protocols.acpc import match_state
from zerosum.protocols.program import AcpcProgram
from zerosum.settings import within

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy.typing as npt

    from zerosum.evaluate.roster import Entrant
    from zerosum.games.protocol import Game

MOST_HANDS = 20_000_000
LEAST_HANDS = 1000  # before an interval is trusted to stop a match
BOARDS = 64  # drawn to pay a hand that is all in before the turn, and to judge its chances
PILOT_DEALS = 4000  # played before a match to learn what luck is worth
PILOT_FIRST = 2**60  # their numbers; no match gets there
PLAIN_WORTH = np.array([0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0])  # of luck: the pot times the chance to win it
KINDS = ("fold", "call", "raise")


@dataclass(frozen=True)
class Batch:
    """Hands that were played: results by technique, [hands, players] in big blinds, all seatings of a deal in turn."""

    results: dict[str, npt.NDArray[np.float64]]
    seats: npt.NDArray[np.int64]  # [hands, players] where each sat
    showdowns: npt.NDArray[np.bool_] | None
    rates: dict[str, npt.NDArray[np.int64]]  # by street: [players, kinds] how often
    kinds: tuple[str, ...]
    hands: Callable[[int], native.HoldemHand] | None = None


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


class Table(Protocol):
    """A game with players in their seats, ready to play deals."""

    players: int

    def play(self, first: int, deals: int) -> Batch: ...


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
        return _HoldemTable(game, entrants, seed, threads)
    return _ListedTable(game, entrants, seed, threads)


class _HoldemTable:
    """Scripts play natively; others are asked for all hands that wait for them at once."""

    def __init__(self, game: Holdem, entrants: Sequence[Entrant], seed: int, threads: int) -> None:
        self.game, self.seed, self.threads = game, seed, threads
        self.players = game.players
        self.entrants = []
        for one in entrants:
            if one.player is None:
                raise PolicyError(f"{one.name}: not a player of {game.spec()}")
            self.entrants.append(one.player)
        self.big_blind = max(game.amounts()[1])
        self.scripts = [player.name if isinstance(player, Scripted) else "" for player in self.entrants]
        self.worth = self._pilot() if all(self.scripts) and self.players == 2 else PLAIN_WORTH

    def _pilot(self) -> npt.NDArray[np.float64]:
        """What luck is worth between these players, by least squares over hands that do not count."""
        match = self._deal(PILOT_FIRST, PILOT_DEALS)
        luck = match.luck_of(0, BOARDS).reshape(PILOT_DEALS, 2, -1).mean(axis=1)
        won = match.won[:, 0].reshape(PILOT_DEALS, 2).mean(axis=1)
        worth: npt.NDArray[np.float64] = np.linalg.lstsq(luck, won - won.mean(), rcond=None)[0]
        return worth

    def _deal(self, first: int, deals: int) -> native.HoldemMatch:
        return native.HoldemMatch(self.game.rules, self.scripts, self.seed, first, deals, self.players, self.threads)

    def play(self, first: int, deals: int) -> Batch:
        match = self._deal(first, deals)
        if any(isinstance(player, AcpcProgram) for player in self.entrants):
            for hand in range(len(match)):
                self._play_alone(match, hand, first * self.players + hand)
        while self._ask(match):
            pass
        hands = deals * self.players
        rotation = np.arange(hands)[:, None] % self.players
        counts = match.counts
        won = match.won
        results = {"plain": won, "duplicate": won, "all-in": match.expected(BOARDS)}
        if self.players == 2:
            lucky = match.luck_of(0, BOARDS) @ self.worth
            results["AIVAT"] = won - np.stack([lucky, -lucky], axis=1)
        return Batch(
            {name: chips / self.big_blind for name, chips in results.items()},
            (np.arange(self.players)[None, :] + rotation) % self.players,
            match.showdowns.astype(np.bool_),
            {STREETS[street]: counts[:, street] for street in range(self.game.streets)},
            KINDS,
            match.hand,
        )

    def _play_alone(self, match: native.HoldemMatch, hand: int, number: int) -> None:
        """One hand from its beginning to its end: a program keeps one in mind at a time."""
        index = np.array([hand])
        seats = [match.seat(hand, player) for player in range(self.players)]
        while (state := match.hand(hand)).actor >= 0:
            for player, seat in zip(self.entrants, seats, strict=True):
                if isinstance(player, AcpcProgram) and seat != state.actor:
                    player.tell(match_state(state, seat, number))
            player = self.entrants[seats.index(state.actor)]
            if isinstance(player, AcpcProgram):
                action = player.act(state, state.actor, number)
            else:
                action = player.act([state.view(state.actor)], match.luck(index).tolist())[0]
            match.answer(index, np.array([action]))
        for player, seat in zip(self.entrants, seats, strict=True):
            if isinstance(player, AcpcProgram):
                player.finish(state, seat, number)

    def _ask(self, match: native.HoldemMatch) -> bool:
        """Whether anyone had to be asked."""
        asked = False
        for number, player in enumerate(self.entrants):
            waiting = match.waiting_for(number)
            if isinstance(player, Scripted | AcpcProgram) or not len(waiting):
                continue
            views = [match.hand(hand).view(match.seat(hand, number)) for hand in waiting.tolist()]
            actions = player.act(views, match.luck(waiting).tolist())
            match.answer(waiting, np.asarray(actions, dtype=np.int64))
            asked = True
        return asked


class _ListedTable:
    """A game whose information sets are listed: everything native, from tables."""

    def __init__(self, game: Game, entrants: Sequence[Entrant], seed: int, threads: int) -> None:
        self.game, self.seed, self.threads = game, seed, threads
        self.players = game.players
        self.tree = tree_of(game)
        self.profiles = []
        for one in entrants:
            if one.policy is None:
                raise PolicyError(f"{one.name}: not a policy for {game.spec()}")
            self.profiles.append(np.ascontiguousarray(tabulate(self.tree, one.policy)))
        self.reference = np.mean(self.profiles, axis=0)
        self.kinds = _action_names(game)

    def play(self, first: int, deals: int) -> Batch:
        won, chance, aivat, actions = self.tree.native.match(
            self.profiles, self.reference, self.game.num_actions, self.seed, first, deals, self.players, self.threads
        )
        rotation = np.arange(len(won))[:, None] % self.players
        return Batch(
            {"plain": won, "duplicate": won, "luck of the deal": chance, "AIVAT": aivat},
            (np.arange(self.players)[None, :] + rotation) % self.players,
            None,
            {"all": actions},
            self.kinds,
        )


def _action_names(game: Game, most: int = 300) -> tuple[str, ...]:
    """What each action is called, from the first states of the game: `check/call` where that depends."""
    words: list[dict[str, None]] = [{} for _ in range(game.num_actions)]
    states = [game.root()]
    for seen, state in enumerate(states):
        if state.actor == TERMINAL or seen >= most:
            continue
        if state.actor == CHANCE:
            actions = [action for action, _ in state.chance()][:2]
        else:
            actions = list(state.legal())
            view = state.view(state.actor)
            for action in actions:
                words[action][view.action_words(action).split()[0]] = None
        states.extend(state.child(action) for action in actions)
    return tuple("/".join(known) if known else f"action {k}" for k, known in enumerate(words))


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
