"""A seat's sight of a six-max table -> 261 numbers: cards 48 + 120, own information 14, opponents 15, history 64."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from zerosum.encoding.action_tokens import (
    ACTION_TOKEN_DIM,
    AMOUNT_UNIT,
    MAX_ACTIONS,
    POSITIONS,
    STREETS,
    amount_of,
    index_of,
    list_of,
    want_dictionary,
)
from zerosum.encoding.card_embedding import (
    BOARD_CARDS,
    HOLE_CARDS,
    RANK_PADDING,
    RANKS,
    SUIT_PADDING,
    SUITS,
    embed_cards,
)
from zerosum.encoding.checks import want_cards, want_numbers
from zerosum.encoding.history_encoder import ActionHistoryEncoder
from zerosum.errors import EncodingError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

RAISES_UNIT = 4.0
OPPONENTS = len(POSITIONS) - 1
SELF_INFO, OPPONENT_INFO = len(POSITIONS) + 4 + STREETS, 3 * OPPONENTS
# The batch dictionary: name -> width of a row, and whether it holds indices.
FIELDS = {
    "hole_ranks": ((HOLE_CARDS,), torch.int64),
    "hole_suits": ((HOLE_CARDS,), torch.int64),
    "board_ranks": ((BOARD_CARDS,), torch.int64),
    "board_suits": ((BOARD_CARDS,), torch.int64),
    "self_info": ((SELF_INFO,), torch.float32),
    "opponent_info": ((OPPONENT_INFO,), torch.float32),
    "actions": ((MAX_ACTIONS, ACTION_TOKEN_DIM), torch.float32),
    "action_mask": ((MAX_ACTIONS,), torch.bool),
}


def create_empty_batch(batch_size: int, device: str | torch.device = "cpu") -> dict[str, Tensor]:
    """A batch dictionary of B states that nothing is known of: cards and actions are padding, numbers zero."""
    batch = {
        name: torch.zeros((batch_size, *shape), dtype=kind, device=device) for name, (shape, kind) in FIELDS.items()
    }
    for name in ("hole", "board"):
        batch[f"{name}_ranks"].fill_(RANK_PADDING)
        batch[f"{name}_suits"].fill_(SUIT_PADDING)
    batch["action_mask"].fill_(True)
    return batch


def encode_self_info(state: Mapping[str, Any]) -> Tensor:
    """A state dictionary -> (14,): position 6, stack, pot and to_call / 100, raise_count / 4, street 4."""
    return torch.tensor(self_row(state))


def encode_opponents(opponents: Sequence[Mapping[str, Any]]) -> Tensor:
    """Up to five opponents in the order of acting after us -> (15,): active, stack / 100, invested / 100 of each."""
    return torch.tensor(opponent_row(opponents))


def self_row(state: Mapping[str, Any], where: str = "") -> list[float]:
    """The 14 numbers, as a list."""
    want_dictionary(where[:-1] or "state", state)
    row = [0.0] * SELF_INFO
    row[index_of(f"{where}my_position", _field(state, "my_position", where), len(POSITIONS))] = 1.0
    for place, name in enumerate(("my_stack", "pot", "to_call"), len(POSITIONS)):
        row[place] = amount_of(f"{where}{name}", _field(state, name, where)) / AMOUNT_UNIT
    raises = _field(state, "raise_count", where)
    if isinstance(raises, bool) or not isinstance(raises, int) or raises < 0:
        raise EncodingError(f"{where}raise_count: got {raises!r}, wanted a whole number from 0")
    row[len(POSITIONS) + 3] = raises / RAISES_UNIT
    row[len(POSITIONS) + 4 + index_of(f"{where}street", _field(state, "street", where), STREETS)] = 1.0
    return row


def opponent_row(opponents: Sequence[Mapping[str, Any]], where: str = "") -> list[float]:
    """The 15 numbers, as a list; absent opponents are zeros."""
    opponents = list_of(f"{where}opponents", opponents, "a list of opponents")
    if not 1 <= len(opponents) <= OPPONENTS:
        raise EncodingError(f"{where}opponents: got {len(opponents)}, wanted 1 to {OPPONENTS}: two to six players")
    row = [0.0] * OPPONENT_INFO
    for number, one in enumerate(opponents):
        at = f"{where}opponents[{number}]."
        want_dictionary(at[:-1], one, "a dictionary with is_active, stack and invested")
        active = _field(one, "is_active", at)
        if active not in (0, 1):
            raise EncodingError(f"{at}is_active: got {active!r}, wanted true or false")
        amounts = (amount_of(f"{at}{name}", _field(one, name, at)) / AMOUNT_UNIT for name in ("stack", "invested"))
        row[3 * number : 3 * number + 3] = [float(active), *amounts]
    return row


def _field(told: Mapping[str, Any], name: str, where: str) -> Any:
    if name not in told:
        raise EncodingError(f"{where}{name}: got none, wanted it in the state")
    return told[name]


def _want_shapes(batch: Mapping[str, Tensor]) -> None:
    """One row for each state in every field; the history encoder looks at its own."""
    for name in FIELDS:
        if not isinstance(batch[name], Tensor):
            raise EncodingError(f"{name}: got {batch[name]!r}, wanted a tensor")
    count = (*batch["hole_ranks"].shape, 0)[0]
    for name, (shape, _) in FIELDS.items():
        got = tuple(batch[name].shape)
        if got[:1] != (count,) or (name not in ("actions", "action_mask") and got[1:] != shape):
            raise EncodingError(f"{name}: got shape {got}, wanted {(count, *shape)}")


class StateEncoder(nn.Module):
    """A batch dictionary of B states -> (B, 261); 52,936 weights."""

    def __init__(
        self,
        rank_embed_dim: int = 16,
        suit_embed_dim: int = 8,
        action_hidden_dim: int = 64,
        max_actions: int = MAX_ACTIONS,
    ) -> None:
        super().__init__()
        self.rank_embed = nn.Embedding(RANKS, rank_embed_dim, padding_idx=RANK_PADDING)
        self.suit_embed = nn.Embedding(SUITS, suit_embed_dim, padding_idx=SUIT_PADDING)
        self.action_encoder = ActionHistoryEncoder(hidden_dim=action_hidden_dim, max_len=max_actions)
        cards = (HOLE_CARDS + BOARD_CARDS) * (rank_embed_dim + suit_embed_dim)
        self.output_dim = cards + SELF_INFO + OPPONENT_INFO + action_hidden_dim

    def get_output_dim(self) -> int:
        """261 with the sizes that are meant."""
        return self.output_dim

    def forward(self, batch: Mapping[str, Tensor]) -> Tensor:
        """The batch dictionary of B states -> (B, 261)."""
        want_dictionary("batch", batch)
        missing = [name for name in FIELDS if name not in batch]
        if missing:
            raise EncodingError(f"{missing[0]}: got none, wanted it in the batch")
        _want_shapes(batch)
        want_cards(batch)
        want_numbers(batch)
        cards = [
            embed_cards(self.rank_embed, self.suit_embed, batch[f"{name}_ranks"], batch[f"{name}_suits"])
            for name in ("hole", "board")
        ]
        told = self.action_encoder(batch["actions"], batch["action_mask"])
        return torch.cat([*cards, batch["self_info"], batch["opponent_info"], told], dim=1)

    def encode_inputs(
        self,
        ranks: Tensor,
        suits: Tensor,
        numbers: Tensor,
        tokens: Tensor,
        places: Tensor,
        offsets: npt.NDArray[np.int64],
        which: Tensor,
    ) -> Tensor:
        """What `native.sixmax_inputs` gives of B rows -> (B, 261); each different history is encoded once."""
        cards = embed_cards(self.rank_embed, self.suit_embed, ranks, suits)
        told = self.action_encoder.packed(tokens, places, offsets)
        return torch.cat([cards, numbers, told[which]], dim=1)
