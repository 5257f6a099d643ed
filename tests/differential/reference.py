"""CFR the slow way: recursion over states, dictionaries, nothing shared with the native solver.

Written from the papers: Zinkevich et al. 2007 (cfr), Tammelin 2014 (cfr+), Brown & Sandholm 2019 (lcfr, dcfr),
Farina, Kroer & Sandholm 2021 (pcfr+), Xu et al. 2024 (dcfr+, pdcfr+).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from zerosum.games.protocol import CHANCE, TERMINAL

if TYPE_CHECKING:
    from collections.abc import Hashable

    from zerosum.games.protocol import Game, State

Table = dict[int, float]


def factor(variant: str, t: int, *, positive: bool) -> float:
    """What a summed regret is multiplied by after iteration t."""
    exponents = {"lcfr": (1.0, 1.0), "dcfr": (1.5, 0.0), "dcfr+": (1.5, None), "pdcfr+": (2.3, None)}
    if variant == "cfr":
        return 1.0
    if variant in ("cfr+", "pcfr+"):
        return 1.0 if positive else 0.0
    exponent = exponents[variant][0 if positive else 1]
    return 0.0 if exponent is None else t**exponent / (t**exponent + 1)


WEIGHT = {"cfr": 0, "cfr+": 1, "lcfr": 1, "dcfr": 2, "dcfr+": 4, "pcfr+": 2, "pdcfr+": 5}


class Reference:
    """One solve, a player at a time."""

    def __init__(self, game: Game, variant: str) -> None:
        self.game, self.variant = game, variant
        self.regret: dict[Hashable, Table] = {}
        self.latest: dict[Hashable, Table] = {}
        self.average: dict[Hashable, Table] = {}
        self.t = 0

    def run(self, iterations: int) -> None:
        for _ in range(iterations):
            self.t += 1
            for player in range(self.game.players):
                self.instant: dict[Hashable, Table] = defaultdict(lambda: defaultdict(float))
                self.reached: dict[Hashable, float] = {}
                self.walk(self.game.root(), player, [1.0] * self.game.players, 1.0)
                self.learn()

    def strategy(self, view: Hashable, legal: list[int]) -> Table:
        regret = self.regret.get(view, {})
        latest = self.latest.get(view, {}) if self.variant.startswith("p") else {}
        wanted = {a: max(regret.get(a, 0.0) + latest.get(a, 0.0), 0.0) for a in legal}
        total = sum(wanted.values())
        return {a: wanted[a] / total if total > 0 else 1 / len(legal) for a in legal}

    def walk(self, state: State, player: int, reach: list[float], chance: float) -> float:
        """The player's expected payoff; collects its counterfactual regrets on the way."""
        actor = state.actor
        if actor == TERMINAL:
            return state.returns()[player]
        if actor == CHANCE:
            return sum(p * self.walk(state.child(a), player, reach, chance * p) for a, p in state.chance())
        view, legal = state.view(actor), list(state.legal())
        strategy = self.strategy(view, legal)
        values = {}
        for a in legal:
            after = reach.copy()
            after[actor] *= strategy[a]
            values[a] = self.walk(state.child(a), player, after, chance)
        expected = sum(strategy[a] * values[a] for a in legal)
        if actor == player:
            others = chance
            for seat, probability in enumerate(reach):
                others *= probability if seat != player else 1.0
            for a in legal:
                self.instant[view][a] += others * (values[a] - expected)
            self.reached[view] = reach[player]
        return expected

    def learn(self) -> None:
        for view, instant in self.instant.items():
            strategy = self.strategy(view, list(instant))
            average = self.average.setdefault(view, dict.fromkeys(instant, 0.0))
            regret = self.regret.setdefault(view, dict.fromkeys(instant, 0.0))
            for a, change in instant.items():
                average[a] += self.t ** WEIGHT[self.variant] * self.reached[view] * strategy[a]
                summed = regret[a] + change
                regret[a] = summed * factor(self.variant, self.t, positive=summed > 0)
            self.latest[view] = dict(instant)

    def average_strategy(self, view: Hashable) -> Table:
        total = sum(self.average[view].values())
        count = len(self.average[view])
        return {a: x / total if total > 0 else 1 / count for a, x in self.average[view].items()}
