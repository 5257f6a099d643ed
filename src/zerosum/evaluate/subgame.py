"""Exact best responses in the turn and river subgames of heads-up hold'em, over the bets of the menu.

Every hand at once: values are vectors over the 1,326 pairs of cards, and hands that share a card are told apart exactly
(Johanson et al. 2011). A subgame begins at a decision with four or five cards on the board and a weight for every hand
of both players; inside it both follow the policy, or one of them plays the best response to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from zerosum.cards.evaluation import evaluate
from zerosum.cards.ranges import COMBOS, combos, holding
from zerosum.errors import RuleError
from zerosum.evaluate.estimate import Running
from zerosum.games.holdem.engine import CALL, FOLD, UNKNOWN
from zerosum.settings import within

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy.typing as npt

    from zerosum.games.holdem import Holdem
    from zerosum.native import HoldemHand
    from zerosum.policy.protocol import Policy

    Vector = npt.NDArray[np.float64]

RIVER_CARDS = 44  # that can come for two known hands and four cards


@dataclass(frozen=True)
class SubgameValue:
    """What a player gets on average over all pairs of hands, in chips over the whole hand."""

    policy: float  # when both follow the policy
    local: float  # when it plays local best response, on the river; not a number on the turn
    best_response: float

    @property
    def gain(self) -> float:
        return self.best_response - self.policy


def subgame_value(hand: HoldemHand, policy: Policy, player: int, ranges: tuple[Vector, Vector]) -> SubgameValue:
    """From a decision on the turn or river; whatever cards the players hold in `hand` are ignored."""
    if hand.players != 2 or len(hand.board) not in (4, 5) or hand.actor < 0:
        raise RuleError("subgame: wanted a decision on the turn or river of heads-up hold'em")
    dead = holding(tuple(hand.board))
    mine, theirs = (np.where(dead, 0.0, ranges[seat]) for seat in (player, 1 - player))
    values = _Walk(policy, player).values(hand, theirs)
    pairs = float(mine @ (apart() @ theirs))
    if pairs <= 0:
        raise RuleError("subgame: no two hands of the ranges go together")
    follows, local, best = (float(mine @ value) / pairs for value in values)
    return SubgameValue(follows, local if len(hand.board) == 5 else float("nan"), best)


Values = tuple["Vector", "Vector", "Vector"]


class _Walk:
    """Values for every hand of `player`, [1326] each: following the policy, responding locally, responding best."""

    def __init__(self, policy: Policy, player: int) -> None:
        self.policy, self.player = policy, player

    def values(self, hand: HoldemHand, theirs: Vector) -> Values:
        """`theirs` are the weights with which the other's hands come here."""
        if hand.actor == -2:
            value = self._end(hand, theirs)
            return value, value, value
        if hand.actor == -1:
            return self._next_card(hand, theirs)
        if hand.actor == self.player:
            return self._own_choice(hand, theirs)
        shares = self._shares(hand, theirs > 0)
        parts = [self.values(hand.child(number), theirs * shares[:, number]) for number in hand.legal()]
        return sums_of(parts)

    def _own_choice(self, hand: HoldemHand, theirs: Vector) -> Values:
        shares = self._shares(hand, ~holding(tuple(hand.board)))
        parts = {number: self.values(hand.child(number), theirs) for number in hand.legal()}
        follows, _, _ = sums_of([(shares[:, n] * part[0], part[1], part[2]) for n, part in parts.items()])
        best = np.max([part[2] for part in parts.values()], axis=0)
        if len(hand.board) < 5:
            return follows, best, best
        wanted = np.array([self._estimate(hand, number, theirs) for number in parts])
        local = np.choose(wanted.argmax(axis=0), [part[1] for part in parts.values()])
        return follows, local, best

    def _estimate(self, hand: HoldemHand, number: int, theirs: Vector) -> Vector:
        """What local best response believes of a choice on the river, for every hand; see `zerosum.evaluate.lbr`."""
        amount, pot, call = hand.amount(number), hand.pot, hand.limits()[1]
        if amount == FOLD:
            return np.zeros(COMBOS)
        met = apart() @ theirs
        if amount == CALL:
            chance = chances(hand, theirs, met)
            return chance * pot - (1 - chance) * call
        after = hand.child(number)
        folding = self._shares(after, theirs > 0)[:, 0] * theirs if after.actor >= 0 else np.zeros(COMBOS)
        folds = np.divide(apart() @ folding, met, out=np.zeros(COMBOS), where=met > 0)
        stay = theirs - folding
        chance = chances(hand, stay, apart() @ stay)
        added = amount - hand.bets[hand.actor]
        return folds * pot + (1 - folds) * (chance * (pot + added - call) - (1 - chance) * added)

    def _next_card(self, hand: HoldemHand, theirs: Vector) -> Values:
        parts = []
        for card in range(52):
            if card in hand.board:
                continue
            free = ~holding((card,)) / RIVER_CARDS
            found = self.values(hand.deal(bytes([card])), theirs * (free > 0))
            parts.append((free * found[0], free * found[1], free * found[2]))
        return sums_of(parts)

    def _end(self, hand: HoldemHand, theirs: Vector) -> Vector:
        put = hand.invested
        folded = hand.folded
        if any(folded):
            won = -put[self.player] if folded[self.player] else put[1 - self.player]
            return won * (apart() @ theirs)
        beats = beating(tuple(hand.board))
        return put[1 - self.player] * (beats @ theirs) - put[self.player] * (beats.T @ theirs)

    def _shares(self, hand: HoldemHand, asked: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        """[1326, actions] what the policy does with each hand."""
        numbers = np.flatnonzero(asked)
        seat = hand.actor
        views = [hand.show(seat, *combos()[combo]).view(seat) for combo in numbers.tolist()]
        if not views:
            return np.zeros((COMBOS, 1 + max(hand.legal())))
        answer = self.policy(views)
        shares = np.zeros((COMBOS, answer.shape[1]))
        shares[numbers] = answer
        return shares


def sums_of(parts: Iterable[Values]) -> Values:
    """The sum of values, zeros for none."""
    follows, local, best = np.zeros((3, COMBOS))
    for part in parts:
        follows, local, best = follows + part[0], local + part[1], best + part[2]
    return follows, local, best


def chances(hand: HoldemHand, theirs: Vector, met: Vector) -> Vector:
    """[1326] the chance to win on a full board against weighted hands, of which `met` share no card; a tie for half."""
    beats = beating(tuple(hand.board))
    points = (met + beats @ theirs - beats.T @ theirs) / 2
    return np.divide(points, met, out=np.zeros(COMBOS), where=met > 0)


@lru_cache(maxsize=1)
def apart() -> npt.NDArray[np.float64]:
    """[1326, 1326] 1 where two hands share no card."""
    pairs = np.array(combos())
    shared: npt.NDArray[np.bool_] = (pairs[:, None, :, None] == pairs[None, :, None, :]).any(axis=(2, 3))
    return np.where(shared, 0.0, 1.0)


@lru_cache(maxsize=4)
def beating(board: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """[1326, 1326] 1 where the first hand beats the second on a full board and they share no card."""
    free = np.flatnonzero(~holding(board))
    cards = np.hstack(
        [np.array(combos(), dtype=np.uint8)[free], np.tile(np.array(board, dtype=np.uint8), (len(free), 1))]
    )
    values = evaluate(cards).astype(np.int32)
    beats = np.zeros((COMBOS, COMBOS), dtype=np.float32)
    beats[np.ix_(free, free)] = values[:, None] > values[None, :]
    return beats * apart()


def river_exploitability(
    game: Holdem,
    policy: Policy,
    *,
    subgames: int = 20,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Running:
    """What best responses gain on rivers that the policy's own play leads to, in chips: a sample for each river."""
    within("hands", subgames, 1, 10**6)
    luck = np.random.Generator(np.random.Philox(seed))
    found = Running(1)
    deal = 0
    while found.count < subgames:
        river = _to_the_river(game, policy, seed, deal, luck)
        deal += 1
        if river is None:
            continue
        hand, ranges = river
        gains = [subgame_value(hand, policy, player, ranges).gain for player in range(2)]
        found.add(np.array([[sum(gains) / 2]]))
        if progress is not None:
            progress(found.count, subgames)
    return found


def _to_the_river(
    game: Holdem, policy: Policy, seed: int, deal: int, luck: np.random.Generator
) -> tuple[HoldemHand, tuple[Vector, Vector]] | None:
    """The first decision on the river, face down, and how likely each hand is there; None where play ends before."""
    dealt = game.deal(seed, deal)
    hand = game.root().deal(bytes([UNKNOWN] * 4))
    ranges = [np.ones(COMBOS), np.ones(COMBOS)]
    while dealt.actor >= 0 and dealt.street < 3:
        shares = _Walk(policy, 0)._shares(hand, ~holding(tuple(hand.board)))
        own = policy([dealt.view(dealt.actor)])[0]
        number = int(luck.choice(len(own), p=own / own.sum()))
        ranges[dealt.actor] *= shares[:, number]
        dealt, hand = dealt.child(number), hand.child(number)
        while hand.actor == -1 and len(hand.board) < len(dealt.board):
            hand = hand.deal(bytes([dealt.board[len(hand.board)]]))
    return (hand, (ranges[0], ranges[1])) if dealt.actor >= 0 else None
