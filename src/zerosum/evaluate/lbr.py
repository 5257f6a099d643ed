"""Local best response: what a policy for heads-up hold'em loses to an opponent who knows it and looks one bet ahead.

The opponent keeps the exact distribution of the policy's hands by Bayes' rule, and at each decision takes the best of
folding, calling and betting, as if the hand were checked down after that (Lisý & Bowling 2017). What it wins is a lower
bound on what a best response would win, whatever it believes about the value of its choices.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from zerosum import native
from zerosum.cards.ranges import COMBOS, combo_index, combos, holding
from zerosum.errors import SettingsError
from zerosum.evaluate.estimate import Running
from zerosum.games.holdem import CALL, FOLD, Holdem
from zerosum.settings import within

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from zerosum.policy.protocol import Policy

BOARDS = 100  # drawn to judge a hand before the flop; the bound holds whatever it believes


@dataclass(frozen=True)
class LocalBestResponse:
    """What the opponent won, in mbb/hand: a lower bound on what can be won."""

    hands: int
    mbb_per_hand: float
    ci95: float


def local_best_response(
    game: Holdem,
    policy: Policy,
    *,
    deals: int = 100,
    bets: bool = True,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> LocalBestResponse:
    """Plays deals in both seats; without `bets` the opponent only checks, calls and folds."""
    if game.players != 2:
        raise SettingsError(f"lbr: got {game.spec()} for {game.players} players, wanted heads-up")
    within("hands", deals, 1, 10_000_000)
    running = Running(1)
    big_blind = max(game.amounts()[1])
    for deal in range(deals):
        won = [_Hand(game, policy, seat, seed, deal, bets=bets).play() for seat in range(2)]
        running.add(np.array([[np.mean(won) / big_blind]]))
        if progress is not None:
            progress(deal + 1, deals)
    return LocalBestResponse(2 * deals, 1000 * float(running.mean[0]), 1000 * float(running.ci95[0]))


class _Hand:
    """One hand: `seat` is the opponent who knows the policy, the other seat follows it."""

    def __init__(self, game: Holdem, policy: Policy, seat: int, seed: int, deal: int, *, bets: bool) -> None:
        self.policy, self.seat, self.bets = policy, seat, bets
        self.hand = game.deal(seed, deal)
        self.luck = np.random.Generator(np.random.Philox(key=[seed, 2 * deal + seat]))
        self.own = self.hand.hole(seat)
        self.weights = np.where(holding(self.own), 0.0, 1.0)  # of the policy's hands
        self.known: tuple[int, ...] | None = None
        self.wins = np.zeros(COMBOS)
        self.lucky = 0.0  # what the policy's choices brought, beside what they bring on average

    def play(self) -> float:
        while self.hand.actor >= 0:
            self._see_board()
            if self.hand.actor == self.seat:
                self.hand = self.hand.act(self._choose())
            else:
                self._follow()
        return self._won() - self.lucky

    def _won(self) -> float:
        """At a showdown what is won on average from all hands that the policy may hold there, each as likely as Bayes'
        rule says, and from all boards that may come: the mean is the same as with the cards that lie there.
        """
        if any(self.hand.folded):
            return self.hand.returns()[self.seat]
        chance = float(self.weights @ self.wins) / float(self.weights.sum())
        return chance * self.hand.pot - self.hand.invested[self.seat]

    def _see_board(self) -> None:
        """Takes out hands that hold a card of the board, and finds how often each would lose to ours."""
        board = tuple(self.hand.board)
        if board == self.known:
            return
        self.known = board
        self.weights[holding(board)] = 0.0
        self.wins = winning_chances(self.own, board, self.luck)

    def _follow(self) -> None:
        """The policy acts; what it does tells about its hand."""
        asked, shares = self._ask(self.hand)
        mine = asked.index(combo_index(*self.hand.hole(1 - self.seat)))
        number = int(self.luck.choice(shares.shape[1], p=shares[mine] / shares[mine].sum()))
        self.lucky += self._luck_of(number, self.weights[asked, None] * shares, self.wins[asked])
        self.weights[asked] *= shares[:, number]
        self.hand = self.hand.child(number)

    def _luck_of(self, chosen: int, by_hand: npt.NDArray[np.float64], wins: npt.NDArray[np.float64]) -> float:
        """How much better than on average the policy's choice is for us, as if it were the last one: a control variate
        (Burch et al. 2018), whose mean is nothing, because the policy holds each hand as often as Bayes' rule says.
        """
        often = by_hand.sum(axis=0)
        values = [
            self._ended(number, float(by_hand[:, number] @ wins) / often[number]) if often[number] > 0 else 0.0
            for number in range(len(often))
        ]
        return values[chosen] - float(often @ values) / float(often.sum())

    def _ended(self, number: int, chance: float) -> float:
        """What we win if nobody bets after this action; we call a raise if that is worth it."""
        after = self.hand.child(number)
        if any(after.folded):
            return after.returns()[self.seat]
        call = after.limits()[1] if after.actor == self.seat else 0
        put = after.invested[self.seat]
        return max(chance * (after.pot + call) - call, 0.0 if call else -np.inf) - put

    def _ask(self, hand: native.HoldemHand) -> tuple[list[int], npt.NDArray[np.float64]]:
        """The policy's answer with every hand it may hold: (hands, [hands, actions])."""
        asked = np.flatnonzero(self.weights > 0).tolist()
        views = [hand.show(1 - self.seat, *combos()[combo]).view(1 - self.seat) for combo in asked]
        return asked, self.policy(views)

    def _choose(self) -> int:
        fold, call, _, _, _ = self.hand.limits()
        pot = self.hand.pot
        chance = float(self.weights @ self.wins) / float(self.weights.sum())
        best, action = chance * pot - (1 - chance) * call, CALL
        for number in self.hand.legal() if self.bets else ():
            amount = self.hand.amount(number)
            if amount <= 0:
                continue
            added = amount - self.hand.bets[self.seat]  # with what is asked
            value = self._bet_value(self.hand.act(amount), pot, added)
            if value > best:
                best, action = value, amount
        return action if best > 0 or not fold else FOLD

    def _bet_value(self, after: native.HoldemHand, pot: int, added: int) -> float:
        if after.actor != 1 - self.seat:
            return -float("inf")
        asked, shares = self._ask(after)
        weights = self.weights[asked]
        folds = float(weights @ shares[:, 0]) / float(weights.sum())
        stay = weights * (1 - shares[:, 0])
        stays = float(stay.sum())
        chance = float(stay @ self.wins[asked]) / stays if stays > 0 else 0.0
        called = added - (max(self.hand.bets) - self.hand.bets[self.seat])  # what the policy adds when it calls
        return folds * pot + (1 - folds) * (chance * (pot + called) - (1 - chance) * added)


def winning_chances(own: Sequence[int], board: tuple[int, ...], luck: np.random.Generator) -> npt.NDArray[np.float64]:
    """[1326] the chance to beat each hand when the board is dealt out, a tie for half."""
    every = np.ones(COMBOS, dtype=np.uint32)
    mine = np.zeros(COMBOS, dtype=np.uint32)
    mine[combo_index(*own)] = 1
    left = [card for card in range(52) if card not in own]
    boards = [bytes(board)] if board else [luck.permutation(left)[:5].astype(np.uint8).tobytes() for _ in range(BOARDS)]
    beats, ties, meets = np.zeros((3, COMBOS))
    for shown in boards:
        found = native.tally_range(every, mine, shown, False, 1)
        beats, ties, meets = beats + found[0], ties + found[1], meets + found[2]
    lost = (beats + ties / 2) / np.maximum(meets, 1)  # by us, to each hand
    return np.where(meets > 0, 1 - lost, 0.5)
