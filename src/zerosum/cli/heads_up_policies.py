"""The networks of heads-up hold'em by name, as several verbs want them."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from zerosum.errors import PolicyError, SettingsError

if TYPE_CHECKING:
    from zerosum.policy.heads_up import HeadsUpPolicy

UNTRAINED = r"untrained(?::([0-9]{1,9}))?"


def heads_up_policy(name: str, game: str | None = None) -> HeadsUpPolicy:
    """The policy in that directory or of that name; `untrained:SEED` has random weights, and plays any game."""
    from zerosum.games.catalog import load_game
    from zerosum.games.holdem import Holdem

    try:
        from zerosum.policy.heads_up import HeadsUpPolicy
        from zerosum.policy.heads_up_storage import load_heads_up
    except ImportError:
        raise SettingsError("PyTorch is not installed, wanted the extra 'train'") from None
    wanted = None if game is None else load_game(game)
    if wanted is not None and not isinstance(wanted, Holdem):
        raise PolicyError(f"{name}: plays heads-up hold'em, not {wanted.spec()}")
    found = re.fullmatch(UNTRAINED, name)
    if found:
        return HeadsUpPolicy.untrained(wanted or Holdem(), int(found[1] or 0))
    if name.startswith("untrained:") and not os.path.lexists(name):
        raise PolicyError(f"{name[:60]}: wanted untrained:SEED, SEED being a number of up to nine digits")
    return load_heads_up(name, wanted)
