"""A game with its chances and payoffs shaken, so that no two actions are ever exactly alike.

Where regrets tie at zero, regret matching jumps, and two right programs may differ by a rounding error there. A generic
game has no such ties, so that every variant can be compared to the last digits.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zerosum.games.protocol import Game, State, View


@dataclass(frozen=True)
class Generic:
    game: Game

    @property
    def players(self) -> int:
        return self.game.players

    @property
    def num_actions(self) -> int:
        return self.game.num_actions

    def spec(self) -> str:
        return f"generic {self.game.spec()}"

    def root(self) -> GenericState:
        return GenericState(self.game.root())


@dataclass(frozen=True)
class GenericState:
    state: State

    @property
    def actor(self) -> int:
        return self.state.actor

    def legal(self) -> Sequence[int]:
        return self.state.legal()

    def view(self, seat: int) -> View:
        return self.state.view(seat)

    def child(self, action: int) -> GenericState:
        return GenericState(self.state.child(action))

    def chance(self) -> list[tuple[int, float]]:
        rng = random.Random(str(self.state))
        shaken = [(action, p * rng.uniform(0.5, 1.5)) for action, p in self.state.chance()]
        total = sum(p for _, p in shaken)
        return [(action, p / total) for action, p in shaken]

    def returns(self) -> tuple[float, ...]:
        rng = random.Random(str(self.state))
        shaken = [payoff + rng.uniform(-0.5, 0.5) for payoff in self.state.returns()]
        mean = sum(shaken) / len(shaken)
        return tuple(payoff - mean for payoff in shaken)
