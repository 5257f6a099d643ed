"""What a seat of heads-up hold'em sees, as the numbers its networks read: cards, and five numbers of the betting.

Suits are renamed first (the board's most frequent is clubs, and so on), so that a renaming of suits changes nothing
that a network sees: `native/include/zerosum/cards/canonical_suits.hpp` is the one place that says how.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from zerosum import native

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

CHIPS = 20_000.0  # what amounts are divided by
HISTORY = native.heads_up_history_count(5)  # numbers of the betting and its history
STREETS = 4 * 6  # of those, the last: six of every street


@dataclass(frozen=True, eq=False)
class HeadsUpInputs:
    """B views: `env` is the pot, player 0's and player 1's stack, each / 20,000, street / 3 and position (0 or 1)."""

    hole: npt.NDArray[np.int64]  # [B, 2] suits renamed
    board: npt.NDArray[np.int64]  # [B, 5] 52 where missing
    env: npt.NDArray[np.float32]  # [B, 5]
    legal: npt.NDArray[np.bool_]  # [B, actions] what the menu offers


def heads_up_inputs(views: Sequence[object], actions: int) -> HeadsUpInputs:
    """B views of heads-up hold'em -> arrays."""
    cards, env, legal = native.heads_up_inputs(cast("list[native.HoldemView]", list(views)), actions, CHIPS)
    return HeadsUpInputs(cards[:, :2], cards[:, 2:], env, legal)


def heads_up_history(views: Sequence[object]) -> npt.NDArray[np.float32]:
    """B views -> [B, HISTORY] the five numbers, four more of now, what is legal, and six of every street.

    Of now: the share of the pot after calling that is asked, and the pot, what is asked and stack / pot on a scale of
    logarithms. Of a street: 1 once it was reached, raises of one's own and of the other's / 2, who raised last (1
    oneself, -1 the other), that raise in pots / 2, and the pot the street began with, as a logarithm.
    """
    return native.heads_up_history(cast("list[native.HoldemView]", list(views)))
