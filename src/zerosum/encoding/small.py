"""What a seat of a small game sees -> a row of numbers: cards and betting, never an information set's index.

`full` features say what matters in words of the game: ranks without suits, the bets so far, what was paid. `plain` ones
only list cards and actions, one bit each. A game without features of its own is read from its views' text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from zerosum.errors import SettingsError
from zerosum.games.cards import SUITS, rank_name
from zerosum.games.kuhn import Kuhn, KuhnView
from zerosum.games.leduc import Leduc, LeducView
from zerosum.games.liars_dice import LiarsDice, LiarsDiceView

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from zerosum.games.protocol import Game, View

KINDS = ("full", "plain")
VERSION = 1


@dataclass(frozen=True)
class Encoder:
    """Views in, rows out; the name and the size are checked when networks are loaded."""

    name: str
    size: int
    row: Callable[[View], list[float]]

    def __call__(self, views: Sequence[View]) -> npt.NDArray[np.float32]:
        """B views -> [B, F]."""
        rows = np.array([self.row(view) for view in views], dtype=np.float32)
        return rows.reshape(len(views), self.size)


def encoder_for(game: Game, kind: str, views: Sequence[View]) -> Encoder:
    """The encoder of a game whose views are listed."""
    if kind not in KINDS:
        raise SettingsError(f"network: features: got {kind!r}, wanted {' or '.join(KINDS)}")
    full = kind == "full"
    if isinstance(game, Kuhn):
        row = _kuhn(game)
    elif isinstance(game, Leduc):
        row = _leduc(game) if full else _leduc_plain(game)
    elif isinstance(game, LiarsDice):
        row = _liars_dice(game)
    else:
        row = _text(views)
    size = len(row(views[0])) if views else 0
    return Encoder(f"{game.spec().partition(':')[0]}-{kind}-{VERSION}", size, row)


def _bits(number: int, count: int) -> list[float]:
    """A one at `number`, zeros elsewhere; nothing but zeros where it is outside."""
    return [float(k == number) for k in range(count)]


def _letters(word: str, alphabet: str, length: int) -> list[float]:
    """Each letter of a word as bits, as many places as it can have."""
    return [float(place < len(word) and word[place] == letter) for place in range(length) for letter in alphabet]


def _kuhn(game: Kuhn) -> Callable[[View], list[float]]:
    names = [rank_name(rank, game.cards) for rank in range(game.cards)]

    def row(view: View) -> list[float]:
        assert isinstance(view, KuhnView)
        return [*_bits(names.index(view.card), game.cards), *_letters(view.bets, "pb", 2)]

    return row


def _leduc(game: Leduc) -> Callable[[View], list[float]]:
    names = [rank_name(rank, game.ranks) for rank in range(game.ranks)]
    most = game.ante + game.raises * (game.small_bet + game.big_bet)

    def row(view: View) -> list[float]:
        assert isinstance(view, LeducView)
        own, board = names.index(view.card[0]), names.index(view.board[0]) if view.board else -1
        paid = [game.ante, game.ante]
        for betting, bet in ((view.first, game.small_bet), (view.second or "", game.big_bet)):
            for turn, letter in enumerate(betting):
                paid[turn % 2] = paid[1 - turn % 2] + (bet if letter == "r" else 0)
        mine, theirs = paid[view.seat], paid[1 - view.seat]
        return [
            *_bits(own, game.ranks),
            *_bits(board, game.ranks),
            float(board >= 0),
            float(board == own),
            own / max(game.ranks - 1, 1),
            *_letters(view.first, "cr", game.raises + 2),
            *_letters(view.second or "", "cr", game.raises + 2),
            mine / max(most, 1),
            theirs / max(most, 1),
            (theirs - mine) / game.big_bet,
            float(view.seat),
        ]

    return row


def _leduc_plain(game: Leduc) -> Callable[[View], list[float]]:
    names = [rank_name(rank, game.ranks) + SUITS[suit] for rank in range(game.ranks) for suit in range(game.suits)]

    def row(view: View) -> list[float]:
        assert isinstance(view, LeducView)
        return [
            *_bits(view.seat, 2),
            *_bits(names.index(view.card), len(names)),
            *_bits(names.index(view.board) if view.board else -1, len(names)),
            *_letters(view.first, "cr", game.raises + 2),
            *_letters(view.second or "", "cr", game.raises + 2),
        ]

    return row


def _liars_dice(game: LiarsDice) -> Callable[[View], list[float]]:
    def row(view: View) -> list[float]:
        assert isinstance(view, LiarsDiceView)
        last = view.bids[-1] if view.bids else -1
        return [
            *(float(view.roll.count(face)) for face in range(1, game.faces + 1)),
            *(float(bid in view.bids) for bid in range(game.liar)),
            *_bits(last, game.liar),
            (last + 1) / game.liar,
            float(view.seat),
        ]

    return row


def _text(views: Sequence[View]) -> Callable[[View], list[float]]:
    """Bits for each letter at each place of a view's key, as far as the listed views differ there."""
    keys = [view.key for view in views]
    seats = 1 + max((view.seat for view in views), default=0)
    length = max(map(len, keys), default=0)
    letters = [sorted({key[place] for key in keys if place < len(key)}) for place in range(length)]
    shortest = min(map(len, keys), default=0)
    telling = [place for place in range(length) if len(letters[place]) > 1 or place >= shortest]

    def row(view: View) -> list[float]:
        key = view.key
        told = _bits(view.seat, seats)
        for place in telling:
            told.extend(float(place < len(key) and key[place] == letter) for letter in letters[place])
        return told

    return row
