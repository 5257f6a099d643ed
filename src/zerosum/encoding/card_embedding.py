"""Cards as six-max networks see them: a rank and a suit, each with an embedding of its own.

A card is `rank * 4 + suit`, suits in the order c d h s, as everywhere here; 52 stands for a card that is not there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from zerosum.errors import EncodingError

if TYPE_CHECKING:
    from collections.abc import Sequence

CARD_PADDING = 52
RANK_PADDING = 13
SUIT_PADDING = 4
RANKS, SUITS = RANK_PADDING + 1, SUIT_PADDING + 1
HOLE_CARDS, BOARD_CARDS = 2, 5


def card_to_rank_suit(card: int, field: str = "card") -> tuple[int, int]:
    """A card 0 to 51 -> rank 0 (deuce) to 12 (ace) and suit 0 to 3 (c d h s); 52 -> the paddings 13 and 4."""
    if isinstance(card, bool) or not isinstance(card, int) or not 0 <= card <= CARD_PADDING:
        raise EncodingError(f"{field}: got {card!r}, wanted a card from 0 to 51, or 52 where there is none")
    return (RANK_PADDING, SUIT_PADDING) if card == CARD_PADDING else divmod(card, 4)


def cards_to_tensors(cards: Sequence[int]) -> tuple[Tensor, Tensor]:
    """N cards -> ranks (N,) and suits (N,), both int64."""
    pairs = [card_to_rank_suit(card) for card in cards]
    return torch.tensor([rank for rank, _ in pairs]), torch.tensor([suit for _, suit in pairs])


def normalize_hole_cards(hole: Sequence[int]) -> list[int]:
    """Two cards, the higher rank first; of equal ranks the later suit: the order of the deal tells nothing."""
    cards = _checked("hole_cards", hole)
    if len(cards) != HOLE_CARDS:
        raise EncodingError(f"hole_cards: got {len(cards)} cards, wanted 2")
    return _sorted(cards)


def pad_board(board: Sequence[int]) -> list[int]:
    """Up to five cards in their order -> five, 52 where none lies yet."""
    cards = _checked("board", board)
    if len(cards) > BOARD_CARDS:
        raise EncodingError(f"board: got {len(cards)} cards, wanted at most 5")
    return cards + [CARD_PADDING] * (BOARD_CARDS - len(cards))


def normalize_board(board: Sequence[int]) -> list[int]:
    """Five cards as `pad_board` gives them, the flop sorted like hole cards; turn and river keep their places."""
    cards = pad_board(board)
    return _sorted(cards[:3]) + cards[3:]


def want_different(cards: Sequence[int], field: str) -> None:
    """Refuses a card that comes twice."""
    known = [card for card in cards if card != CARD_PADDING]
    if len(set(known)) != len(known):
        twice = next(card for card in known if known.count(card) > 1)
        raise EncodingError(f"{field}: got card {twice} twice, wanted different cards")


def _checked(field: str, cards: Sequence[int]) -> list[int]:
    found = [int(card) if hasattr(card, "__index__") and not isinstance(card, bool) else card for card in cards]
    for card in found:
        card_to_rank_suit(card, field)
    want_different(found, field)
    return found


def _sorted(cards: Sequence[int]) -> list[int]:
    """Higher ones first, missing ones last."""
    return sorted(cards, key=lambda card: -1 if card == CARD_PADDING else card, reverse=True)


class CardEmbedding(nn.Module):
    """Ranks and suits (..., N) -> (..., N × (rank + suit)): 14 × 16 and 5 × 8 weights; a missing card is zeros."""

    def __init__(self, rank_embed_dim: int = 16, suit_embed_dim: int = 8) -> None:
        super().__init__()
        self.rank_embed = nn.Embedding(RANKS, rank_embed_dim, padding_idx=RANK_PADDING)
        self.suit_embed = nn.Embedding(SUITS, suit_embed_dim, padding_idx=SUIT_PADDING)

    def forward(self, ranks: Tensor, suits: Tensor) -> Tensor:
        return embed_cards(self.rank_embed, self.suit_embed, ranks, suits)


def embed_cards(rank_embed: nn.Embedding, suit_embed: nn.Embedding, ranks: Tensor, suits: Tensor) -> Tensor:
    """(..., N) ranks and suits -> (..., N × width): rank, suit, rank, suit and so on."""
    return torch.cat([rank_embed(ranks), suit_embed(suits)], dim=-1).flatten(-2)
