"""Actions of a hand as tokens of 17 numbers: position 6, type 6, amount, street 4."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from numbers import Integral, Real  # of NumPy too
from typing import TYPE_CHECKING, Any

import torch

from zerosum.errors import EncodingError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

POSITIONS = ("UTG", "HJ", "CO", "BTN", "SB", "BB")
ACTION_TYPES = ("fold", "check", "call", "bet", "raise", "all-in")
STREETS = 4
ACTION_TOKEN_DIM = len(POSITIONS) + len(ACTION_TYPES) + 1 + STREETS
MAX_ACTIONS = 24
AMOUNT_UNIT = 100.0  # big blinds


def amount_of(field: str, value: Any) -> float:
    """An amount of big blinds, none below zero."""
    if isinstance(value, bool) or not isinstance(value, Real) or not isfinite(value) or value < 0:
        raise EncodingError(f"{field}: got {value!r}, wanted a number of big blinds from 0")
    return float(value)


def index_of(field: str, value: Any, count: int) -> int:
    """A whole number below `count`."""
    if isinstance(value, bool) or not isinstance(value, Integral) or not 0 <= int(value) < count:
        raise EncodingError(f"{field}: got {value!r}, wanted a whole number from 0 to {count - 1}")
    return int(value)


def type_of(field: str, value: Any) -> int:
    """The name of an action, or its number."""
    if isinstance(value, str) and value in ACTION_TYPES:
        return ACTION_TYPES.index(value)
    if isinstance(value, Integral) and not isinstance(value, bool) and 0 <= int(value) < len(ACTION_TYPES):
        return int(value)
    raise EncodingError(f"{field}: got {value!r}, wanted {', '.join(ACTION_TYPES[:-1])} or {ACTION_TYPES[-1]}")


def list_of(field: str, value: Any, wanted: str) -> list[Any]:
    """What a field lists; text and dictionaries list nothing."""
    try:
        if not isinstance(value, (str, dict)):
            return list(value)
    except TypeError:
        pass
    raise EncodingError(f"{field}: got {value!r}, wanted {wanted}")


def want_dictionary(field: str, value: Any, wanted: str = "a dictionary") -> None:
    """Refuses what has no names."""
    if not isinstance(value, Mapping):
        raise EncodingError(f"{field}: got {value!r}, wanted {wanted}")


def token_of(player: Any, action_type: Any, amount: Any, street: Any, where: str = "") -> list[float]:
    """The 17 numbers of an action, as a list."""
    token = [0.0] * ACTION_TOKEN_DIM
    token[index_of(f"{where}player", player, len(POSITIONS))] = 1.0
    token[len(POSITIONS) + type_of(f"{where}type", action_type)] = 1.0
    token[len(POSITIONS) + len(ACTION_TYPES)] = amount_of(f"{where}amount", amount) / AMOUNT_UNIT
    token[-STREETS + index_of(f"{where}street", street, STREETS)] = 1.0
    return token


def encode_single_action(player: int, action_type: str | int, amount: float, street: int) -> Tensor:
    """One action -> (17,). `player` is its position 0 (UTG) to 5 (BB), `amount` the big blinds it added."""
    return torch.tensor(token_of(player, action_type, amount, street))


def encode_action_sequence(actions: Sequence[Mapping[str, Any]], max_len: int = MAX_ACTIONS) -> tuple[Tensor, Tensor]:
    """Actions, oldest first -> tokens (max_len, 17) and mask (max_len,), True = padding; of more the latest ones."""
    rows = token_rows(actions, max_len)
    tokens = torch.zeros(max_len, ACTION_TOKEN_DIM)
    if rows:
        tokens[: len(rows)] = torch.tensor(rows)
    return tokens, torch.arange(max_len) >= len(rows)


def token_rows(actions: Sequence[Mapping[str, Any]], max_len: int, where: str = "") -> list[list[float]]:
    """At most `max_len` tokens of a hand's latest actions, as lists; every action is checked."""
    rows = []
    for number, action in enumerate(list_of(f"{where}actions", actions, "a list of actions")):
        at = f"{where}actions[{number}]."
        want_dictionary(at[:-1], action, "a dictionary with player, type, amount and street")
        missing = [key for key in ("player", "type", "amount", "street") if key not in action]
        if missing:
            raise EncodingError(f"{at}{missing[0]}: got none, wanted player, type, amount and street")
        rows.append(token_of(action["player"], action["type"], action["amount"], action["street"], at))
    return rows[-max_len:]
