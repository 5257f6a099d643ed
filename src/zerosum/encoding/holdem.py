"""What a seat of hold'em sees as a row of numbers: cards as bits, the betting from its chair; two to ten seats."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from zerosum import native

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from zerosum.games.holdem import Holdem

VERSION = 1


def holdem_encoder(game: Holdem) -> str:
    """The name under which networks remember what they see."""
    return f"holdem-{game.players}-{VERSION}"


def holdem_features(views: Sequence[object]) -> npt.NDArray[np.float32]:
    """B views -> [B, F]."""
    return native.holdem_features(cast("list[native.HoldemView]", list(views)))
