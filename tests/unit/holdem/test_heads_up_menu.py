"""The five actions of heads-up hold'em, against a slow reference that only reads what happened."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from zerosum.encoding.heads_up import heads_up_inputs
from zerosum.games.holdem import Holdem

if TYPE_CHECKING:
    from zerosum import native

STACK, SMALL, BIG, CAP = 20_000, 50, 100, 2


class Reference:
    """A hand told from its start: who put in what, and who raised how often; the rules are written out again here."""

    def __init__(self, order: str) -> None:
        self.put = [SMALL, BIG] if order == "botzone" else [BIG, SMALL]
        self.street_put = list(self.put)
        self.raises, self.largest = 0, BIG

    def hear(self, seat: int, action: int) -> None:
        """An action of the engine: -1 fold, 0 call, above that raise to so much on this street."""
        other = self.street_put[1 - seat]
        to = other if action == 0 else action
        to = min(to, self.street_put[seat] + STACK - self.put[seat])
        if action > 0:
            self.raises += 1
            self.largest = max(self.largest, to - other)
        if action >= 0:
            self.put[seat] += to - self.street_put[seat]
            self.street_put[seat] = to

    def next_street(self) -> None:
        self.street_put, self.raises, self.largest = [0, 0], 0, BIG

    def legal(self, seat: int) -> list[bool]:
        """FOLD, CALL, HALF_POT, FULL_POT, ALL_IN."""
        owed = self.street_put[1 - seat] - self.street_put[seat]
        mine, theirs = STACK - self.put[seat], STACK - self.put[1 - seat]
        may_raise = mine > owed and theirs > 0
        pot, all_in = sum(self.put) + owed, self.street_put[seat] + mine
        least = self.street_put[1 - seat] + self.largest
        sizes = [self.street_put[1 - seat] + pot * share // 2 for share in (1, 2)]
        sized = [may_raise and self.raises < CAP and least <= to < all_in for to in sizes]
        return [owed > 0, True, *sized, may_raise]


def act(hand: native.HoldemHand, luck: random.Random) -> int:
    """An action of any size that is legal, small raises and all-ins more often than their share."""
    fold, _call, raises, low, high = hand.limits()
    chance = luck.random()
    if raises and chance < 0.5:
        return luck.choice([low, low, luck.randint(low, high), min(high, luck.randint(low, 4 * low)), high])
    return -1 if fold and chance > 0.93 else 0


@pytest.mark.parametrize("order", ["standard", "botzone"])
def test_what_is_legal(order: str) -> None:
    """50,000 random states of each order: ours and the reference's lists are the same."""
    game, luck = Holdem(order=order), random.Random(order)
    seen = np.zeros(5, np.int64)
    number = compared = 0
    views: list[native.HoldemView] = []
    wanted: list[list[bool]] = []
    while compared < 50_000:
        hand, told, street = game.deal(1, number), Reference(order), 0
        number += 1
        while hand.actor >= 0:
            if len(hand.board) != street:
                told.next_street()
                street = len(hand.board)
            views.append(hand.view(hand.actor))
            wanted.append(told.legal(hand.actor))
            action = act(hand, luck)
            told.hear(hand.actor, action)
            hand = hand.act(action)
        if len(views) > 5_000:
            got = heads_up_inputs(views, 5).legal
            assert np.array_equal(got, np.array(wanted))
            seen += got.sum(axis=0)
            compared += len(views)
            views, wanted = [], []
    assert (seen > 5_000).all()
