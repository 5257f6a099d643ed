"""Cards as six-max networks see them: a rank and a suit, each with an embedding of its own.

A card is `rank * 4 + suit`, suits in the order c d h s, as everywhere here; 52 stands for a card that is not there.
"""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from zerosum.encoding.action_tokens import list_of
from zerosum.errors import EncodingError

if TYPE_CHECKING:
    from collections.abc import Sequence

CARD_PADDING = 52
RANK_PADDING = 13
SUIT_PADDING = 4
RANKS, SUITS = RANK_PADDING + 1, SUIT_PADDING + 1
HOLE_CARDS, BOARD_CARDS = 2, 5
LYING = (0, 3, 4, 5)  # cards of the board on each street


def card_to_rank_suit(card: int, field: str = "card") -> tuple[int, int]:
    """A card 0 to 51 -> rank 0 (deuce) to 12 (ace) and suit 0 to 3 (c d h s); 52 -> the paddings 13 and 4."""
    if isinstance(card, bool) or not isinstance(card, int) or not 0 <= card <= CARD_PADDING:
        raise EncodingError(f"{field}: got {card!r}, wanted a card from 0 to 51, or 52 where there is none")
    return (RANK_PADDING, SUIT_PADDING) if card == CARD_PADDING else divmod(card, 4)


def cards_to_tensors(cards: Sequence[int]) -> tuple[Tensor, Tensor]:
    """N cards -> ranks (N,) and suits (N,), both int64."""
    pairs = [card_to_rank_suit(card) for card in list_of("cards", cards, "a list of cards")]
    return torch.tensor([rank for rank, _ in pairs]), torch.tensor([suit for _, suit in pairs])


def normalize_hole_cards(hole: Sequence[int], where: str = "") -> list[int]:
    """Two cards, the higher rank first; of equal ranks the later suit: the order of the deal tells nothing."""
    cards = _checked(f"{where}hole_cards", hole)
    if len(cards) != HOLE_CARDS:
        raise EncodingError(f"{where}hole_cards: got {len(cards)} cards, wanted 2")
    return _sorted(cards)


def pad_board(board: Sequence[int], where: str = "") -> list[int]:
    """Up to five cards in their order -> five, 52 where none lies yet."""
    cards = _checked(f"{where}board", board)
    if len(cards) > BOARD_CARDS:
        raise EncodingError(f"{where}board: got {len(cards)} cards, wanted at most 5")
    return cards + [CARD_PADDING] * (BOARD_CARDS - len(cards))


def normalize_board(board: Sequence[int], where: str = "") -> list[int]:
    """Five cards as `pad_board` gives them, the flop sorted like hole cards; turn and river keep their places."""
    cards = pad_board(board, where)
    return _sorted(cards[:3]) + cards[3:]


def want_board_of(street: int, board: Sequence[int], where: str = "") -> None:
    """Refuses five cards that do not lie on that street."""
    count = BOARD_CARDS - board.count(CARD_PADDING)
    if count != LYING[street]:
        raise EncodingError(f"{where}board: got {count} cards, wanted {LYING[street]} on street {street}")
    if CARD_PADDING in board[:count]:
        raise EncodingError(f"{where}board: got 52 before a card, wanted it after those that lie")


def want_different(cards: Sequence[int], field: str) -> None:
    """Refuses a card that comes twice."""
    known = [card for card in cards if card != CARD_PADDING]
    if len(set(known)) != len(known):
        twice = next(card for card in known if known.count(card) > 1)
        raise EncodingError(f"{field}: got card {twice} twice, wanted different cards")


def _checked(field: str, cards: Sequence[int]) -> list[int]:
    found = [_whole(card) for card in list_of(field, cards, "a list of cards")]
    for card in found:
        card_to_rank_suit(card, field)
    want_different(found, field)
    return found


def _whole(card: Any) -> Any:
    """Whole numbers of NumPy and PyTorch as Python's; what is none stays as it is, to be refused."""
    try:
        return card if isinstance(card, bool) else index(card)
    except TypeError:
        return card


def _sorted(cards: Sequence[int]) -> list[int]:
    """Higher ones first, missing ones last."""
    return sorted(cards, key=lambda card: -1 if card == CARD_PADDING else card, reverse=True)


def want_ranks_and_suits(ranks: Tensor, suits: Tensor, name: str = "") -> None:
    """Refuses ranks and suits (..., N) that no card has; on the processor only, as `checks` says."""
    for kind, found in (("ranks", ranks), ("suits", suits)):
        if not isinstance(found, Tensor) or found.dtype not in (torch.int64, torch.int32):
            got = found.dtype if isinstance(found, Tensor) else repr(found)
            raise EncodingError(f"{name}{kind}: got {got}, wanted torch.int64")
    if ranks.shape != suits.shape:
        raise EncodingError(
            f"{name}suits: got shape {tuple(suits.shape)}, wanted that of the ranks, {tuple(ranks.shape)}"
        )
    if ranks.device.type != "cpu" or suits.device.type != "cpu" or not ranks.numel():
        return
    for kind, found, most in (("ranks", ranks, RANK_PADDING), ("suits", suits, SUIT_PADDING)):
        low, high = (int(end) for end in torch.aminmax(found))
        if low < 0 or high > most:
            raise EncodingError(f"{name}{kind}: got {low if low < 0 else high}, wanted 0 to {most}, which is padding")
    no_rank, no_suit = ranks == RANK_PADDING, suits == SUIT_PADDING
    if not torch.equal(no_rank, no_suit):
        where = (no_rank != no_suit).nonzero()[0].tolist()
        place, suit = "".join(f"[{k}]" for k in where), int(suits[tuple(where)])
        wanted = "0 to 3" if suit == SUIT_PADDING else "4: a card that is not there has neither"
        raise EncodingError(f"{name}suits{place}: got {suit} with rank {int(ranks[tuple(where)])}, wanted {wanted}")


class CardEmbedding(nn.Module):
    """Ranks and suits (..., N) -> (..., N × (rank + suit)): 14 × 16 and 5 × 8 weights; a missing card is zeros."""

    def __init__(self, rank_embed_dim: int = 16, suit_embed_dim: int = 8) -> None:
        super().__init__()
        self.rank_embed = nn.Embedding(RANKS, rank_embed_dim, padding_idx=RANK_PADDING)
        self.suit_embed = nn.Embedding(SUITS, suit_embed_dim, padding_idx=SUIT_PADDING)

    def forward(self, ranks: Tensor, suits: Tensor) -> Tensor:
        want_ranks_and_suits(ranks, suits)
        return embed_cards(self.rank_embed, self.suit_embed, ranks, suits)


def embed_cards(rank_embed: nn.Embedding, suit_embed: nn.Embedding, ranks: Tensor, suits: Tensor) -> Tensor:
    """(..., N) ranks and suits -> (..., N × width): rank, suit, rank, suit and so on."""
    return torch.cat([rank_embed(ranks), suit_embed(suits)], dim=-1).flatten(-2)
