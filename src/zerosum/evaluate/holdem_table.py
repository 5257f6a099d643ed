"""A table of hold'em: scripts play natively, policies are asked in bulk, outside programs one hand at a time.

AIVAT (Burch et al. 2018) is for two players here and takes luck out at the cards only: how much they raised the chance
to win, times what is at stake, with weights fixed before the first hand, by a pilot of other hands where that is cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zerosum import native
from zerosum.errors import PolicyError
from zerosum.evaluate.batch import Batch, seating
from zerosum.games.holdem import STREETS
from zerosum.policy.scripted import Scripted
from zerosum.protocols.acpc import match_state
from zerosum.protocols.program import AcpcProgram

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from zerosum.evaluate.roster import Entrant
    from zerosum.games.holdem import Holdem

BOARDS = 64  # drawn to pay a hand that is all in before the turn, and to judge its chances
PILOT_DEALS = 4000  # played before a match to learn what luck is worth
PILOT_FIRST = 2**60  # their numbers; no match gets there
PLAIN_WORTH = np.array([0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0])  # of luck: the pot times the chance to win it
KINDS = ("fold", "call", "raise")


class HoldemTable:
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
        while self._ask(match, first * self.players):
            pass
        counts = match.counts
        won = match.won
        results = {"plain": won, "duplicate": won, "all-in": match.expected(BOARDS)}
        if self.players == 2:
            lucky = match.luck_of(0, BOARDS) @ self.worth
            results["AIVAT"] = won - np.stack([lucky, -lucky], axis=1)
        return Batch(
            {name: chips / self.big_blind for name, chips in results.items()},
            seating(len(match), self.players),
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
                luck = hand_luck(self.seed, index + number - hand, seats.index(state.actor))
                action = player.act([state.view(state.actor)], match.luck(index).tolist(), luck)[0]
            match.answer(index, np.array([action]))
        for player, seat in zip(self.entrants, seats, strict=True):
            if isinstance(player, AcpcProgram):
                player.finish(state, seat, number)

    def _ask(self, match: native.HoldemMatch, first: int) -> bool:
        """Whether anyone had to be asked."""
        asked = False
        for number, player in enumerate(self.entrants):
            waiting = match.waiting_for(number)
            if isinstance(player, Scripted | AcpcProgram) or not len(waiting):
                continue
            views = [match.hand(hand).view(match.seat(hand, number)) for hand in waiting.tolist()]
            luck = hand_luck(self.seed, waiting + first, number)
            actions = player.act(views, match.luck(waiting).tolist(), luck)
            match.answer(waiting, np.asarray(actions, dtype=np.int64))
            asked = True
        return asked


def hand_luck(seed: int, hands: npt.NDArray[np.int64], player: int) -> list[float]:
    """For each hand a number from [0, 1) that is the player's throughout it."""
    return [float(np.random.default_rng([seed, int(hand), player]).random()) for hand in hands]
