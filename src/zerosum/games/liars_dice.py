"""Liar's dice for two: bid how many dice of all show a face, or call the last bidder a liar.

The highest face is wild, bids rise by quantity and then by face, as in OpenSpiel's `liars_dice`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import factorial
from typing import NamedTuple

from zerosum.games.protocol import CHANCE, TERMINAL
from zerosum.settings import spec_of, within


@dataclass(frozen=True)
class LiarsDice:
    """Liar's dice for two: bid a quantity of a face, or call liar; the highest face is wild"""

    dice: int = 1  # each
    faces: int = 6

    players = 2

    def __post_init__(self) -> None:
        within("liars-dice: dice", self.dice, 1, 5)
        within("liars-dice: faces", self.faces, 1, 20)

    @property
    def liar(self) -> int:
        """The action that calls the last bid a lie; bid b says b // faces + 1 dice show face b % faces + 1."""
        return 2 * self.dice * self.faces

    @property
    def num_actions(self) -> int:
        return self.liar + 1

    def spec(self) -> str:
        return spec_of("liars-dice", self)

    def root(self) -> LiarsDiceState:
        return LiarsDiceState(self, (), (), False)


@cache
def rolls(dice: int, faces: int) -> tuple[tuple[tuple[int, ...], float], ...]:
    """Every roll, sorted, with its probability."""
    result = []
    for roll in combinations_with_replacement(range(1, faces + 1), dice):
        ways = factorial(dice)
        for face in set(roll):
            ways //= factorial(roll.count(face))
        result.append((roll, ways / faces**dice))
    return tuple(result)


def _legal(bids: tuple[int, ...], liar: int) -> tuple[int, ...]:
    """Any higher bid, and after the first one the doubt of the last."""
    return tuple(range(bids[-1] + 1, liar + 1)) if bids else tuple(range(liar))


class LiarsDiceView(NamedTuple):
    seat: int
    faces: int
    roll: tuple[int, ...]
    bids: tuple[int, ...]

    @property
    def key(self) -> str:
        return f"{'.'.join(map(str, self.roll))}:{' '.join(self._bid(bid) for bid in self.bids)}"

    def _bid(self, bid: int) -> str:
        return f"{bid // self.faces + 1}x{bid % self.faces + 1}"

    def legal(self) -> tuple[int, ...]:
        return _legal(self.bids, 2 * len(self.roll) * self.faces)

    def words(self) -> str:
        said = " ".join(self._bid(bid) for bid in self.bids)
        return f"holding {' '.join(map(str, self.roll))}, " + (f"after the bids {said}" if said else "first to bid")

    def action_words(self, action: int) -> str:
        return "liar" if action == 2 * len(self.roll) * self.faces else f"bid {self._bid(action)}"


class LiarsDiceState(NamedTuple):
    game: LiarsDice
    hands: tuple[tuple[int, ...], ...]
    bids: tuple[int, ...]
    called: bool

    @property
    def actor(self) -> int:
        if len(self.hands) < 2:
            return CHANCE
        return TERMINAL if self.called else len(self.bids) % 2

    def legal(self) -> tuple[int, ...]:
        return _legal(self.bids, self.game.liar)

    def chance(self) -> list[tuple[int, float]]:
        return [(index, p) for index, (_, p) in enumerate(rolls(self.game.dice, self.game.faces))]

    def child(self, action: int) -> LiarsDiceState:
        game, hands, bids, _ = self
        if len(hands) < 2:
            return LiarsDiceState(game, (*hands, rolls(game.dice, game.faces)[action][0]), (), False)
        if action == game.liar:
            return LiarsDiceState(game, hands, bids, True)
        return LiarsDiceState(game, hands, (*bids, action), False)

    def view(self, seat: int) -> LiarsDiceView:
        return LiarsDiceView(seat, self.game.faces, self.hands[seat], self.bids)

    def returns(self) -> tuple[float, float]:
        faces = self.game.faces
        quantity, face = self.bids[-1] // faces + 1, self.bids[-1] % faces + 1
        shown = sum(die in (face, faces) for hand in self.hands for die in hand)
        bidder = (len(self.bids) - 1) % 2
        winner = bidder if shown >= quantity else 1 - bidder
        return (1.0, -1.0) if winner == 0 else (-1.0, 1.0)

    def __str__(self) -> str:
        hands = " | ".join(" ".join(map(str, hand)) for hand in self.hands)
        faces = self.game.faces
        bids = " ".join(f"{bid // faces + 1}x{bid % faces + 1}" for bid in self.bids)
        return f"dice [{hands}] bids [{bids}]" + (" liar!" if self.called else "")
