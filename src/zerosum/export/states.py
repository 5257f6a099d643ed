"""Situations of heads-up hold'em as they come up in random play, to hold one inference against another."""

from __future__ import annotations

from itertools import count, islice
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from zerosum.games.holdem import Holdem
    from zerosum.native import HoldemView


def random_views(game: Holdem, number: int, seed: int) -> Iterator[HoldemView]:
    """So many decisions of random hands: numbers of the menu, and now and then a bet of any size."""
    return islice(_views(game, seed), number)


def _views(game: Holdem, seed: int) -> Iterator[HoldemView]:
    luck = np.random.default_rng(seed)
    for deal in count():
        hand = game.deal(seed, deal)
        while hand.actor >= 0:
            yield hand.view(hand.actor)
            _, _, may_raise, low, high = hand.limits()
            if may_raise and luck.random() < 0.2:
                hand = hand.act(int(min(high, low * luck.uniform(1.0, 4.0))))
            elif luck.random() < 0.5:  # or few hands would see a river
                hand = hand.act(0)
            else:
                hand = hand.child(int(luck.choice(hand.legal())))
