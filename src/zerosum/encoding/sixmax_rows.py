"""Native rows of 184 bytes, as six-max's networks are trained on and asked with, and what is at stake in each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from zerosum import native
from zerosum.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from zerosum.games.holdem import Holdem

VERSION = 1
ROW_BYTES = 184
ROW = np.dtype(
    [
        ("card", "u1", 7),
        ("position", "u1"),
        ("street", "u1"),
        ("raises", "u1"),
        ("active", "u1"),
        ("tokens", "u1"),
        ("token", "u1", 24),
        ("amount", "f4", 24),
        ("own", "f4", 3),  # stack, pot, to call
        ("stack", "f4", 5),
        ("invested", "f4", 5),
    ]
)
BIG_BLINDS = 100.0
MOST_POTS = 4.0  # that an all-in may be


def sixmax_encoder(game: Holdem) -> str:
    """The name under which networks remember what they see."""
    if game.players > 6:
        raise SettingsError(f"network: features: got sixmax for {game.players} players, wanted two to six")
    return f"sixmax-{VERSION}"


def sixmax_rows(views: Sequence[object]) -> npt.NDArray[np.uint8]:
    """B views -> [B, 184], suits named by how much they matter: hands that differ in suits alone are one."""
    return native.sixmax_rows(cast("list[native.HoldemView]", list(views)), True)


def considered(rows: npt.NDArray[Any], legal: npt.NDArray[np.bool_], game: Holdem) -> npt.NDArray[np.bool_]:
    """[B, A] what these networks choose from: all that is legal but all-ins of more than four pots.

    Deep stacks make such bets a poor choice and a noisy one, and who may make them learns little else.
    """
    if not game.rules.all_in:
        return legal
    own = np.ascontiguousarray(rows).view(ROW)[:, 0]["own"]
    answer = legal.copy()
    answer[:, -1] &= own[:, 0] <= MOST_POTS * (own[:, 1] + own[:, 2])
    return answer


def stakes(rows: npt.NDArray[Any], game: Holdem) -> npt.NDArray[np.float32]:
    """[B, 184] -> [B, A] big blinds that each action of the menu plays for, roughly: the pot and twice what it adds.

    Networks tell advantages in these units: an all-in of a hundred big blinds is a hundred times as noisy as a fold,
    and would drown it.
    """
    seen = np.ascontiguousarray(rows).view(ROW)[:, 0]
    stack, pot, owed = (BIG_BLINDS * seen["own"][:, k] for k in range(3))
    active = (seen["active"][:, None] >> np.arange(5)) & 1
    theirs = BIG_BLINDS * (seen["stack"] * active).max(axis=1)
    answer = np.empty((len(rows), game.num_actions), np.float32)
    answer[:, 0] = pot
    answer[:, 1] = pot + 2 * owed
    answer[:, 2:] = (3 * (pot + owed) + owed)[:, None]
    if game.rules.all_in:
        answer[:, -1] = pot + 2 * np.minimum(stack, owed + theirs)
    return np.maximum(answer, 1.0, out=answer)
