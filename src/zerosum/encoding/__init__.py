"""What a seat sees -> numbers. The names here are six-max hold'em's 261-number encoding; docs/encoding.md explains it.

They need PyTorch, and are fetched when they are asked for: the encodings of other games do without.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zerosum.encoding.action_tokens import (
        ACTION_TOKEN_DIM,
        MAX_ACTIONS,
        encode_action_sequence,
        encode_single_action,
    )
    from zerosum.encoding.batch_builder import StateBatchBuilder, VectorizedEncoder
    from zerosum.encoding.card_embedding import (
        CARD_PADDING,
        RANK_PADDING,
        SUIT_PADDING,
        CardEmbedding,
        card_to_rank_suit,
        cards_to_tensors,
        normalize_hole_cards,
        pad_board,
    )
    from zerosum.encoding.history_encoder import ActionHistoryEncoder
    from zerosum.encoding.state_encoder import StateEncoder, create_empty_batch, encode_opponents, encode_self_info

__all__ = [
    "ACTION_TOKEN_DIM",
    "CARD_PADDING",
    "MAX_ACTIONS",
    "RANK_PADDING",
    "SUIT_PADDING",
    "ActionHistoryEncoder",
    "CardEmbedding",
    "StateBatchBuilder",
    "StateEncoder",
    "VectorizedEncoder",
    "card_to_rank_suit",
    "cards_to_tensors",
    "create_empty_batch",
    "encode_action_sequence",
    "encode_opponents",
    "encode_self_info",
    "encode_single_action",
    "normalize_hole_cards",
    "pad_board",
]

_ROOMS = ("action_tokens", "card_embedding", "history_encoder", "state_encoder", "batch_builder")


def __getattr__(name: str) -> Any:
    if name in __all__:
        for room in _ROOMS:
            found = import_module(f"{__name__}.{room}")
            if name in vars(found):
                return vars(found)[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
