"""The evaluator: how good a run's policies are, exactly where the game can be listed, by matches where it cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from zerosum.learn.deepcfr.exact_evaluator import ExactEvaluator
from zerosum.learn.deepcfr.heads_up import HeadsUpGame
from zerosum.learn.deepcfr.heads_up_evaluator import HeadsUpEvaluator
from zerosum.learn.deepcfr.listed import ListedGame
from zerosum.learn.deepcfr.match_evaluator import MatchEvaluator

if TYPE_CHECKING:
    from zerosum.learn.deepcfr.settings import TrainSettings
    from zerosum.learn.deepcfr.trainer import Standing
    from zerosum.learn.deepcfr.unlisted import UnlistedGame


class Evaluator(Protocol):
    def measure(self, standing: Standing) -> dict[str, Any]: ...


def evaluator_for(ground: ListedGame | UnlistedGame | HeadsUpGame, settings: TrainSettings) -> Evaluator:
    if isinstance(ground, HeadsUpGame):
        return HeadsUpEvaluator(ground, settings)
    return ExactEvaluator(ground.tree) if isinstance(ground, ListedGame) else MatchEvaluator(ground.game, settings)
