"""The script `equity` as a policy over the menu: its bets become the nearest size that is offered.

So that what local best response wins from it can be told; a match plays the script itself, with its own sizes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, cast

import numpy as np

from zerosum import native
from zerosum.cards.ranges import combo_index
from zerosum.cards.tables import all_hands

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from zerosum.games.holdem import Holdem
    from zerosum.games.protocol import View

SURE = np.nextafter(1.0, 0.0)  # luck with which the script does not bet


@lru_cache(maxsize=4096)
def _equities(board: tuple[int, ...]) -> npt.NDArray[np.float64]:
    return all_hands(board).equity


@dataclass(frozen=True)
class EquityPolicy:
    """Bets with good hands, as often as they win; calls where the price is right."""

    game: Holdem

    def __call__(self, views: Sequence[View]) -> npt.NDArray[np.float64]:
        """B views -> [B, A]."""
        answer = np.zeros((len(views), self.game.num_actions))
        for row, view in zip(answer, views, strict=True):
            self._fill(row, cast("native.HoldemView", view))
        return answer

    def _fill(self, row: npt.NDArray[np.float64], view: native.HoldemView) -> None:
        good = self._strength(view)
        bets, rests = (native.equity_action(view, good, luck) for luck in (0.0, SURE))
        row[self._nearest(view, bets)] += good if bets > 0 else 1.0
        if bets > 0:
            row[self._nearest(view, rests)] += 1.0 - good

    @staticmethod
    def _strength(view: native.HoldemView) -> float:
        if not view.board:
            return native.equity_strength(view)
        return float(_equities(tuple(sorted(view.board)))[combo_index(*view.hole)])

    @staticmethod
    def _nearest(view: native.HoldemView, action: int) -> int:
        """The number of the menu for an action of the engine."""
        if action <= 0:
            return 0 if action < 0 else 1
        sized = [number for number in view.legal() if number > 1]
        return min(sized, key=lambda number: abs(view.amount(number) - action)) if sized else 1
