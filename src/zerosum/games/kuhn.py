"""Kuhn poker (Kuhn 1950): one card each, one bet of one chip, for any number of cards.

With three cards its value to player 0 is −1/18.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from zerosum.games.cards import RANKS, rank_name
from zerosum.games.protocol import CHANCE, TERMINAL
from zerosum.settings import spec_of, within

PASS, BET = 0, 1
_ENDINGS = frozenset(("pp", "bp", "bb", "pbp", "pbb"))
_SITUATIONS = {"": "first to act", "p": "after a pass", "b": "facing a bet", "pb": "facing a bet after passing"}


@dataclass(frozen=True)
class Kuhn:
    """Kuhn poker: one card each, one bet; pass or bet"""

    cards: int = 3

    players = 2
    num_actions = 2

    def __post_init__(self) -> None:
        within("kuhn: cards", self.cards, 2, len(RANKS))

    def spec(self) -> str:
        return spec_of("kuhn", self)

    def root(self) -> KuhnState:
        return KuhnState(self.cards, (), "")


class KuhnView(NamedTuple):
    seat: int
    card: str
    bets: str

    @property
    def key(self) -> str:
        return f"{self.card}:{self.bets}"

    def legal(self) -> tuple[int, ...]:
        return (PASS, BET)

    def words(self) -> str:
        return f"holding {self.card}, {_SITUATIONS[self.bets]}"

    def action_words(self, action: int) -> str:
        return (("fold", "call") if self.bets.endswith("b") else ("pass", "bet"))[action]


class KuhnState(NamedTuple):
    cards: int
    hands: tuple[int, ...]
    bets: str

    @property
    def actor(self) -> int:
        if len(self.hands) < 2:
            return CHANCE
        return TERMINAL if self.bets in _ENDINGS else len(self.bets) % 2

    def legal(self) -> tuple[int, ...]:
        return (PASS, BET)

    def chance(self) -> list[tuple[int, float]]:
        left = [card for card in range(self.cards) if card not in self.hands]
        return [(card, 1 / len(left)) for card in left]

    def child(self, action: int) -> KuhnState:
        if len(self.hands) < 2:
            return KuhnState(self.cards, (*self.hands, action), "")
        return KuhnState(self.cards, self.hands, self.bets + "pb"[action])

    def view(self, seat: int) -> KuhnView:
        return KuhnView(seat, rank_name(self.hands[seat], self.cards), self.bets)

    def returns(self) -> tuple[float, float]:
        if self.bets == "bp":
            won = 1.0
        elif self.bets == "pbp":
            won = -1.0
        else:
            stake = 2.0 if self.bets.endswith("bb") else 1.0
            won = stake if self.hands[0] > self.hands[1] else -stake
        return won, -won

    def __str__(self) -> str:
        hands = " ".join(rank_name(card, self.cards) for card in self.hands)
        return f"cards [{hands}] bets [{self.bets}]"
