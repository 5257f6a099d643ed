"""Rows of card numbers as the native code wants them, or a refusal that says what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from zerosum.errors import CardError

if TYPE_CHECKING:
    import numpy.typing as npt


def card_rows(cards: Any, where: str, sizes: tuple[int, ...]) -> npt.NDArray[np.uint8]:
    """Whole numbers [B, cards] of any integer type -> uint8[B, cards]; `sizes` are the numbers of cards possible."""
    try:
        rows = np.asarray(cards)
    except ValueError:
        raise CardError(f"{where}: got rows of different lengths, wanted {_wanted(sizes)}") from None
    if rows.ndim != 2 or rows.shape[1] not in sizes:
        raise CardError(f"{where}: got shape {rows.shape}, wanted {_wanted(sizes)}")
    if rows.dtype == np.uint8:
        return np.ascontiguousarray(rows)  # numbers above 51 are found while they are read
    if not np.issubdtype(rows.dtype, np.integer):
        raise CardError(f"{where}: got {rows.dtype}, wanted whole numbers")
    wrong = np.argwhere((rows < 0) | (rows > 51))
    if len(wrong):
        row, column = (int(k) for k in wrong[0])
        raise CardError(f"{where}: got {int(rows[row, column])} in row {row}, wanted cards from 0 to 51")
    return rows.astype(np.uint8)


def _wanted(sizes: tuple[int, ...]) -> str:
    return " or ".join(f"[B, {size}]" for size in sizes)
