"""Ranges of hands in the usual notation: `QQ+, AKs, A5s-A2s, KTo+, AhKh, 76s:0.5, random`.

A range is an integer weight for each of the 1,326 pairs of cards, in units of 1/10,000, so that sums over it are exact.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from zerosum.cards.names import RANKS, SUITS, card_names, parse_cards
from zerosum.errors import CardError

if TYPE_CHECKING:
    import numpy.typing as npt

COMBOS = 1326
UNIT = 10_000
_CLASS = r"([2-9TJQKA])([2-9TJQKA])([so]?)"
_ONE = re.compile(f"{_CLASS}(\\+?)")
_SPAN = re.compile(f"{_CLASS}-{_CLASS}")


def combo_index(a: int, b: int) -> int:
    """Pairs of cards are numbered by the higher card, then the lower."""
    low, high = min(a, b), max(a, b)
    return high * (high - 1) // 2 + low


@cache
def combos() -> tuple[tuple[int, int], ...]:
    """[1326] the pairs (lower, higher)."""
    return tuple((low, high) for high in range(1, 52) for low in range(high))


def holding(cards: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """[1326] which pairs hold one of these cards."""
    found = np.zeros(COMBOS, dtype=np.bool_)
    for card in cards:
        found |= _pairs_with()[card]
    return found


@cache
def _pairs_with() -> npt.NDArray[np.bool_]:
    """[52, 1326] which pairs hold each card."""
    return np.array([[card in pair for pair in combos()] for card in range(52)])


@cache
def class_of(combo: int) -> tuple[int, int]:
    """The row and column of a pair in the 13×13 grid: aces first, suited above the diagonal, offsuit below."""
    low, high = combos()[combo]
    row, column = 12 - high // 4, 12 - low // 4
    return (row, column) if low % 4 == high % 4 else (column, row)


@cache
def suit_renamings() -> npt.NDArray[np.int64]:
    """[24, 1326] where each pair goes under every renaming of suits."""
    tables = []
    for names in permutations(range(4)):
        moved = [[card // 4 * 4 + names[card % 4] for card in pair] for pair in combos()]
        tables.append([combo_index(a, b) for a, b in moved])
    return np.array(tables)


@dataclass(frozen=True, eq=False)
class Range:
    """`weights` is uint32[1326]; `text` is what the user wrote."""

    text: str
    weights: npt.NDArray[np.uint32]

    @property
    def hands(self) -> list[int]:
        """The pairs in the range."""
        return np.flatnonzero(self.weights).tolist()

    def weighted(self) -> list[tuple[int, int]]:
        """The pairs in the range with their weights, as small as whole numbers can say it."""
        weights = self.weights[self.hands]
        return list(zip(self.hands, (weights // np.gcd.reduce(weights)).tolist(), strict=True))

    def is_any_beside(self, board: tuple[int, ...]) -> bool:
        """Whether it is every pair alike that the board leaves."""
        left = self.weights[~holding(board)]
        return bool(left.min() == left.max() > 0)

    @property
    def is_suit_blind(self) -> bool:
        """Whether it is the same under every renaming of suits."""
        return bool(np.all(self.weights[suit_renamings()] == self.weights))

    def without(self, dead: tuple[int, ...]) -> Range:
        """The hands that hold none of these cards; refuses to leave none."""
        weights = self.weights.copy()
        weights[holding(dead)] = 0
        if not weights.any():
            names = " ".join(card_names([card]) for card in dead)
            raise CardError(f"range {self.text!r}: no hand is left beside the board {names}")
        return Range(self.text, weights)


def parse_range(text: str) -> Range:
    """Text -> a range; later tokens override earlier ones."""
    weights = np.zeros(COMBOS, dtype=np.uint32)
    tokens = [token.strip() for token in re.split(r"[,\s]+", text.strip()) if token.strip()]
    if not tokens:
        raise CardError(f"range {text!r}: got nothing, wanted hands such as AhKh, QQ+ or random")
    for token in tokens:
        hands, _, share = token.partition(":")
        weights[_hands(hands, token)] = _weight(share, token) if ":" in token else UNIT
    if not weights.any():
        raise CardError(f"range {text!r}: every hand has weight 0")
    return Range(text.strip(), weights)


def _weight(share: str, token: str) -> int:
    try:
        weight = float(share)
    except ValueError:
        weight = -1.0
    if not (weight == 0 or 1 / UNIT <= weight <= 1):
        raise CardError(f"range: got weight {share!r} in {token!r}, wanted 0, or {1 / UNIT:g} to 1")
    return round(weight * UNIT)


def _hands(text: str, token: str) -> list[int]:
    if text.lower() in ("random", "any"):
        return list(range(COMBOS))
    if one := _ONE.fullmatch(_normal(text)):
        return _one(one, token)
    if span := _SPAN.fullmatch(_normal(text)):
        return _span(span, token)
    if len(text) == 4 and {text[1].lower(), text[3].lower()} & set(SUITS):
        first, second = parse_cards(text, f"range {token!r}")
        return [combo_index(first, second)]
    raise CardError(f"range: got {token!r}, wanted something like AhKh, QQ+, AKs, KTo+, A5s-A2s, 76s:0.5 or random")


def _normal(text: str) -> str:
    """Ranks in capitals, s and o small."""
    return re.sub(r"[so](?=$|\+|-)", lambda letter: letter[0].lower(), text.upper().replace("S", "s").replace("O", "o"))


def _one(match: re.Match[str], token: str) -> list[int]:
    high, low, kind = RANKS.index(match[1]), RANKS.index(match[2]), match[3]
    high, low = max(high, low), min(high, low)
    if high == low:
        _no_suits(kind, token)
        ranks = [(rank, rank) for rank in range(high, 13 if match[4] else high + 1)]
    else:
        ranks = [(high, kicker) for kicker in range(low, high if match[4] else low + 1)]
    return [combo for pair in ranks for combo in _class_combos(*pair, kind)]


def _span(match: re.Match[str], token: str) -> list[int]:
    ends = [sorted((RANKS.index(match[k]), RANKS.index(match[k + 1])), reverse=True) for k in (1, 4)]
    (high, low), (other_high, other_low) = ends
    if match[3] != match[6]:
        raise CardError(f"range: got {token!r}, wanted the same s or o at both ends")
    if high == low and other_high == other_low:
        _no_suits(match[3], token)
        ranks = [(rank, rank) for rank in range(min(high, other_high), max(high, other_high) + 1)]
    elif high == low or other_high == other_low:
        raise CardError(f"range: got {token!r}, wanted two pairs or two unpaired hands")
    elif high == other_high:
        ranks = [(high, kicker) for kicker in range(min(low, other_low), max(low, other_low) + 1)]
    elif high - low == other_high - other_low:
        gap = high - low
        ranks = [(top, top - gap) for top in range(min(high, other_high), max(high, other_high) + 1)]
    else:
        raise CardError(f"range: got {token!r}, wanted ends with the same high card or the same gap")
    return [combo for pair in ranks for combo in _class_combos(*pair, match[3])]


def _no_suits(kind: str, token: str) -> None:
    if kind:
        raise CardError(f"range: got {token!r}, but a pair is neither suited nor offsuit")


def _class_combos(high: int, low: int, kind: str) -> list[int]:
    if high == low:
        return [combo_index(high * 4 + a, high * 4 + b) for b in range(4) for a in range(b)]
    suits = [(a, b) for a in range(4) for b in range(4) if not kind or (a == b) is (kind == "s")]
    return [combo_index(high * 4 + a, low * 4 + b) for a, b in suits]
