"""Cards by name: `As`, `Td`, `2c`; hands and boards as such names in a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zerosum.errors import CardError

if TYPE_CHECKING:
    from collections.abc import Iterable

RANKS = "23456789TJQKA"
SUITS = "cdhs"


def card_name(card: int) -> str:
    return RANKS[card // 4] + SUITS[card % 4]


def card_names(cards: Iterable[int]) -> str:
    return "".join(map(card_name, cards))


def parse_cards(text: str, where: str = "cards") -> tuple[int, ...]:
    """`AhKd`, `Ah Kd` or `Ah,Kd` -> card numbers, in the order given; each card once."""
    letters = "".join(text.replace(",", " ").split())
    cards = []
    for token in (letters[k : k + 2] for k in range(0, len(letters), 2)):
        if len(token) != 2 or token[0].upper() not in RANKS or token[1].lower() not in SUITS:
            raise CardError(f"{where}: got {token!r} in {text!r}, wanted a card such as As or Td")
        card = RANKS.index(token[0].upper()) * 4 + SUITS.index(token[1].lower())
        if card in cards:
            raise CardError(f"{where}: {card_name(card)} is given twice in {text!r}")
        cards.append(card)
    return tuple(cards)
