"""Leduc hold'em (Southey et al. 2005): one private card, one board card, two rounds of limit betting.

With three ranks and two suits: 936 information sets, value to player 0 about −0.0856.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from zerosum.games.cards import RANKS, SUITS, rank_name
from zerosum.games.protocol import CHANCE, TERMINAL
from zerosum.settings import spec_of, within

FOLD, CALL, RAISE = 0, 1, 2
_LETTERS = "fcr"


@dataclass(frozen=True)
class Leduc:
    """Leduc hold'em: one private and one board card, two rounds; fold, call or raise"""

    ranks: int = 3
    suits: int = 2
    raises: int = 2  # the most in a round
    small_bet: int = 2  # the size of a raise in the first round
    big_bet: int = 4  # and in the second
    ante: int = 1

    players = 2
    num_actions = 3

    def __post_init__(self) -> None:
        within("leduc: ranks", self.ranks, 1, len(RANKS))
        within("leduc: suits", self.suits, 1, len(SUITS))
        within("leduc: ranks × suits", self.ranks * self.suits, 3, 52)
        within("leduc: raises", self.raises, 0, 20)
        within("leduc: small_bet", self.small_bet, 1, 1_000_000)
        within("leduc: big_bet", self.big_bet, 1, 1_000_000)
        within("leduc: ante", self.ante, 0, 1_000_000)

    def spec(self) -> str:
        return spec_of("leduc", self)

    def root(self) -> LeducState:
        return LeducState(self, (), "", None)

    def card_name(self, card: int) -> str:
        return rank_name(card // self.suits, self.ranks) + SUITS[card % self.suits]


class LeducView(NamedTuple):
    seat: int
    card: str
    board: str  # empty before it is dealt
    first: str  # letters f, c, r of the first round
    second: str | None
    raises: int  # the most in a round

    @property
    def key(self) -> str:
        return f"{self.card}{self.board}:{self.first}" + ("" if self.second is None else f"/{self.second}")

    def legal(self) -> tuple[int, ...]:
        return _legal(self.first if self.second is None else self.second, self.raises)

    def words(self) -> str:
        cards = f"holding {self.card}" + (f" on board {self.board}" if self.board else "")
        if self.second is None:
            return f"{cards}, {_situation(self.first)}"
        return f"{cards}, first round {_sequence(self.first)}; {_situation(self.second)}"

    def action_words(self, action: int) -> str:
        betting = self.first if self.second is None else self.second
        if betting.endswith("r"):
            return ("fold", "call", "raise")[action]
        return ("fold", "check", "bet")[action]


def _legal(betting: str, raises: int) -> tuple[int, ...]:
    more = betting.count("r") < raises
    if betting.endswith("r"):
        return (FOLD, CALL, RAISE) if more else (FOLD, CALL)
    return (CALL, RAISE) if more else (CALL,)


def _sequence(betting: str) -> str:
    """`crc` -> "check, bet, call"."""
    said, raised = [], False
    for letter in betting:
        if letter == "c":
            said.append("call" if raised else "check")
        else:
            said.append("raise" if raised else "bet")
            raised = True
    return ", ".join(said)


def _situation(betting: str) -> str:
    if not betting:
        return "first to act"
    if betting == "c":
        return "after a check"
    if betting in ("r", "cr"):
        return "facing a bet" if betting == "r" else "facing a bet after checking"
    return f"facing a raise ({_sequence(betting)})"


class LeducState(NamedTuple):
    game: Leduc
    cards: tuple[int, ...]  # player 0's, player 1's, the board
    first: str
    second: str | None  # None until the first round is over

    @property
    def actor(self) -> int:
        dealt = len(self.cards)
        if dealt < 2:
            return CHANCE
        betting = self.first if self.second is None else self.second
        if betting.endswith("f"):
            return TERMINAL
        if len(betting) >= 2 and betting[-1] == "c":
            return TERMINAL if self.second is not None else CHANCE
        return len(betting) % 2

    def legal(self) -> tuple[int, ...]:
        return _legal(self.first if self.second is None else self.second, self.game.raises)

    def chance(self) -> list[tuple[int, float]]:
        left = [card for card in range(self.game.ranks * self.game.suits) if card not in self.cards]
        return [(card, 1 / len(left)) for card in left]

    def child(self, action: int) -> LeducState:
        game, cards, first, second = self
        if len(cards) < 2:
            return LeducState(game, (*cards, action), "", None)
        if second is not None:
            return LeducState(game, cards, first, second + _LETTERS[action])
        if len(first) >= 2 and first[-1] == "c":
            return LeducState(game, (*cards, action), first, "")
        return LeducState(game, cards, first + _LETTERS[action], None)

    def view(self, seat: int) -> LeducView:
        name = self.game.card_name
        board = name(self.cards[2]) if len(self.cards) > 2 else ""
        return LeducView(seat, name(self.cards[seat]), board, self.first, self.second, self.game.raises)

    def returns(self) -> tuple[float, float]:
        paid = self._paid()
        last = self.first if self.second is None else self.second
        folded = last.endswith("f")
        winner = len(last) % 2 if folded else self._showdown()  # the folder made the letter before
        if winner is None:
            return 0.0, 0.0
        won = float(paid[1 - winner])
        return (won, -won) if winner == 0 else (-won, won)

    def _paid(self) -> list[int]:
        """What each player has put in; a caller matches, a raiser matches and adds the round's bet."""
        paid = [self.game.ante, self.game.ante]
        for betting, bet in ((self.first, self.game.small_bet), (self.second or "", self.game.big_bet)):
            for turn, letter in enumerate(betting):
                if letter != "f":
                    paid[turn % 2] = paid[1 - turn % 2] + (bet if letter == "r" else 0)
        return paid

    def _showdown(self) -> int | None:
        own, other, board = (card // self.game.suits for card in self.cards)
        strength = (own + (self.game.ranks if own == board else 0), other + (self.game.ranks if other == board else 0))
        if strength[0] == strength[1]:
            return None
        return 0 if strength[0] > strength[1] else 1

    def __str__(self) -> str:
        cards = " ".join(self.game.card_name(card) for card in self.cards)
        return f"cards [{cards}] betting [{self.first}{'' if self.second is None else '/' + self.second}]"
