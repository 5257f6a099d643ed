"""What is wrong with tensors and rows that are to be encoded, by the name of the field; once for each batch.

A few sums tell that all is sound; only where something is not is it looked for. On a GPU tensors are trusted: to look
at them would be to wait for the device, and what a `StateBatchBuilder` puts there was checked before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from zerosum.encoding.action_tokens import ACTION_TOKEN_DIM, ACTION_TYPES
from zerosum.encoding.card_embedding import CARD_PADDING, want_ranks_and_suits
from zerosum.encoding.sixmax_rows import ROW, ROW_BYTES
from zerosum.errors import EncodingError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt
    from torch import Tensor

OWN = (*["my_position"] * 6, "my_stack", "pot", "to_call", "raise_count", *["street"] * 4)
OTHERS = tuple(f"opponents[{k}].{name}" for k in range(5) for name in ("is_active", "stack", "invested"))
TOKEN = (*["player"] * 6, *["type"] * 6, "amount", *["street"] * 4)
CHOICES = {
    "player": "a position",
    "type": f"{', '.join(ACTION_TYPES[:-1])} or {ACTION_TYPES[-1]}",
    "street": "a street",
}
# (17, 3): which numbers of a token are bits of the same choice.
GROUPS = torch.tensor([[float(name == group) for group in CHOICES] for name in TOKEN])
# The choices among own and opponents' numbers, which of those are their bits, and (15, 7): which of the bits is whose.
SWITCHES = [
    ("self_info", "my_position", f"one 1 and else 0: {CHOICES['player']}"),
    ("self_info", "street", f"one 1 and else 0: {CHOICES['street']}"),
    *(("opponent_info", name, "0 or 1") for name in OTHERS if name.endswith("is_active")),
]
FIELDS_OF_BITS = [field for _, field, _ in SWITCHES]
BITS = torch.tensor([k for k, name in enumerate(OWN + OTHERS) if name in FIELDS_OF_BITS])
BIT_GROUPS = torch.tensor([[float((OWN + OTHERS)[k] == field) for field in FIELDS_OF_BITS] for k in BITS])
# The most that a row of bytes may hold of a field.
LIMITS = {"card": CARD_PADDING, "position": 5, "street": 3, "tokens": 24, "token": 143}


def want_actions(actions: Tensor, mask: Tensor) -> None:
    """Refuses tokens (B, L, 17) that are no actions, where the mask (B, L) does not hide them."""
    if actions.shape[2] != ACTION_TOKEN_DIM or actions.device.type != "cpu":
        return
    with torch.no_grad():
        tokens = actions.detach()[~mask].float()
        if not len(tokens):
            return
        # Of numbers from 0 up whose sum is 1, only a single 1 has squares that sum to 1.
        sums = torch.stack([tokens @ GROUPS, tokens.square() @ GROUPS])
        if _are_amounts(tokens) and bool((sums == 1.0).all()):
            return
        _refuse_amounts("actions", tokens, TOKEN, mask)
        row = int((sums != 1.0).any(dim=0).any(dim=1).nonzero()[0])
        group = list(CHOICES)[int((sums[:, row] != 1.0).any(dim=0).nonzero()[0])]
        raise EncodingError(f"{_place(mask, row)}.{group}: wanted one 1 and else 0: {CHOICES[group]}")


def want_numbers(batch: Mapping[str, Tensor]) -> None:
    """Refuses own and opponents' numbers that cannot be; where nothing is known a position or street is all 0."""
    parts = {name: batch[name].detach() for name in ("self_info", "opponent_info")}
    if any(part.device.type != "cpu" for part in parts.values()) or not len(parts["self_info"]):
        return
    numbers = torch.cat([part.float() for part in parts.values()], dim=1)
    if _are_amounts(numbers):
        bits = numbers.index_select(1, BITS)
        if not torch.equal(bits.square(), bits) or float((bits @ BIT_GROUPS).max()) > 1.0:
            _refuse_bits(bits)
        return
    for (name, part), columns in zip(parts.items(), (OWN, OTHERS), strict=True):
        _refuse_amounts(name, part, columns)


def want_cards(batch: Mapping[str, Tensor]) -> None:
    """Refuses ranks and suits that no card has."""
    for name in ("hole", "board"):
        want_ranks_and_suits(batch[f"{name}_ranks"], batch[f"{name}_suits"], f"{name}_")


def want_rows(rows: npt.NDArray[Any]) -> None:
    """Refuses rows of 184 bytes that no state has."""
    if rows.ndim != 2 or rows.shape[1] != ROW_BYTES or rows.dtype != np.uint8:
        raise EncodingError(f"rows: got {rows.dtype} {rows.shape}, wanted uint8 (B, {ROW_BYTES})")
    seen = np.ascontiguousarray(rows).view(ROW)[:, 0]
    for field, most in LIMITS.items():
        bad = np.argwhere(seen[field] > most)
        if len(bad):
            raise EncodingError(f"rows[{bad[0][0]}].{field}: got {seen[field][tuple(bad[0])]}, wanted 0 to {most}")
    for field in ("amount", "own", "stack", "invested"):
        bad = np.argwhere(~((seen[field] >= 0) & np.isfinite(seen[field])))
        if len(bad):
            got = seen[field][tuple(bad[0])]
            raise EncodingError(f"rows[{bad[0][0]}].{field}[{bad[0][1]}]: got {got:g}, wanted a number from 0")


def _are_amounts(numbers: Tensor) -> bool:
    low, high = (float(end) for end in torch.aminmax(numbers))  # nan where any is
    return low >= 0.0 and high < float("inf")


def _refuse_amounts(name: str, numbers: Tensor, columns: tuple[str, ...], mask: Tensor | None = None) -> None:
    bad = (~((numbers >= 0) & torch.isfinite(numbers))).nonzero()
    if len(bad):
        row, column = bad[0].tolist()
        where = f"{name}[{row}]" if mask is None else _place(mask, row)
        raise EncodingError(f"{where}.{columns[column]}: got {float(numbers[row, column]):g}, wanted a number from 0")


def _refuse_bits(bits: Tensor) -> None:
    wrong = (bits.square() != bits).float() @ BIT_GROUPS + (bits @ BIT_GROUPS > 1.0)
    row, group = wrong.nonzero()[0].tolist()
    name, field, wanted = SWITCHES[group]
    got = f"got {float(bits[row] @ BIT_GROUPS[:, group]):g}, " if name == "opponent_info" else ""
    raise EncodingError(f"{name}[{row}].{field}: {got}wanted {wanted}")


def _place(mask: Tensor, row: int) -> str:
    """Where the real token `row` is."""
    state, step = (~mask).nonzero()[row].tolist()
    return f"actions[{state}][{step}]"
