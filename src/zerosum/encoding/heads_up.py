"""What a seat of heads-up hold'em sees, as the numbers its networks read: cards, and five numbers of the betting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from zerosum import native

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

CHIPS = 20_000.0  # what amounts are divided by


@dataclass(frozen=True, eq=False)
class HeadsUpInputs:
    """B views: `env` is the pot, player 0's and player 1's stack, each / 20,000, street / 3 and position (0 or 1)."""

    hole: npt.NDArray[np.int64]  # [B, 2]
    board: npt.NDArray[np.int64]  # [B, 5] 52 where missing
    env: npt.NDArray[np.float32]  # [B, 5]
    legal: npt.NDArray[np.bool_]  # [B, actions] what the menu offers


def heads_up_inputs(views: Sequence[object], actions: int) -> HeadsUpInputs:
    """B views of heads-up hold'em -> arrays."""
    cards, env, legal = native.heads_up_inputs(cast("list[native.HoldemView]", list(views)), actions, CHIPS)
    return HeadsUpInputs(cards[:, :2], cards[:, 2:], env, legal)
