"""Best responses in subgames against the same subgame compiled as a game of its own."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from zerosum.cards.names import parse_cards
from zerosum.cards.ranges import COMBOS, combo_index, combos
from zerosum.errors import RuleError
from zerosum.evaluate.exact import best_response, expected_value
from zerosum.evaluate.subgame import apart, beating, river_exploitability, subgame_value
from zerosum.games.holdem import Holdem
from zerosum.games.protocol import CHANCE
from zerosum.games.tree import tree_of
from zerosum.policy.simple import SimplePolicy
from zerosum.policy.uniform import UniformPolicy

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from zerosum.native import HoldemHand

HANDS = ("AhAd", "KhKd", "7c6c", "AcKs", "2h2d", "JsTs")
GAME = Holdem(stack="1200", menu="100%+a", menu_raises=1)


def begin(board: str) -> HoldemHand:
    """The first decision of a street, face down, after checks."""
    cards = parse_cards(board)
    hand = GAME.root().deal(bytes([52] * 4)).act(0).act(0).deal(bytes(cards[:3]))
    for card in cards[3:]:
        hand = hand.act(0).act(0).deal(bytes([card]))
    return hand


@dataclass(frozen=True)
class Tilted:
    """A policy that depends on the hand: the higher its first card, the more it raises."""

    def __call__(self, views: Sequence[Any]) -> npt.NDArray[np.float64]:
        answer = np.zeros((len(views), GAME.num_actions))
        for row, view in zip(answer, views, strict=True):
            legal = list(view.legal())
            wishes = np.array([1 + (number + 1) * (max(view.hole) / 52) ** 2 for number in legal])
            row[legal] = wishes / wishes.sum()
        return answer


@dataclass(frozen=True)
class Position:
    hand: HoldemHand | None
    start: HoldemHand
    count: int  # of the hands that are dealt

    @property
    def actor(self) -> int:
        return CHANCE if self.hand is None or self.hand.actor == -1 else self.hand.actor

    def chance(self) -> list[tuple[int, float]]:
        if self.hand is not None:
            return self.hand.chance()
        pairs = [(a, b) for a, b in product(range(self.count), repeat=2) if not _cards(a) & _cards(b)]
        return [(a * len(HANDS) + b, 1 / len(pairs)) for a, b in pairs]

    def legal(self) -> Sequence[int]:
        assert self.hand is not None
        return self.hand.legal()

    def child(self, action: int) -> Position:
        if self.hand is not None:
            return Position(self.hand.child(action), self.start, self.count)
        first, second = (parse_cards(HANDS[k]) for k in divmod(action, len(HANDS)))
        return Position(self.start.show(0, *first).show(1, *second), self.start, self.count)

    def view(self, seat: int) -> Any:
        assert self.hand is not None
        return self.hand.view(seat)

    def returns(self) -> list[float]:
        assert self.hand is not None
        return self.hand.returns()


def _cards(number: int) -> set[int]:
    return set(parse_cards(HANDS[number]))


@dataclass(frozen=True)
class Subgame:
    """A few hands each, dealt at the subgame's beginning."""

    start: HoldemHand
    count: int
    players: int = 2
    num_actions: int = GAME.num_actions
    name: str = "subgame"

    def root(self) -> Position:
        return Position(None, self.start, self.count)

    def spec(self) -> str:
        return "subgame"


@pytest.mark.parametrize(("board", "count"), [("2c3d9hQs5h", 6), pytest.param("2c3d9hQs", 3, marks=pytest.mark.slow)])
def test_against_the_compiled_subgame(board: str, count: int) -> None:
    start = begin(board)
    weights = np.zeros(COMBOS)
    weights[[combo_index(*parse_cards(text)) for text in HANDS[:count]]] = 1.0
    tree = tree_of(Subgame(start, count))
    policy = Tilted()
    for player in range(2):
        found = subgame_value(start, policy, player, (weights, weights))
        assert found.policy == pytest.approx(expected_value(tree, policy)[player], abs=1e-9)
        assert found.best_response == pytest.approx(best_response(tree, policy, player).value, abs=1e-9)
        assert found.gain > 0


def test_who_always_folds_can_be_robbed_of_the_pot_and_no_more() -> None:
    """On the river the pot is 200 each way: a bet wins it from who folds, and folding to a bet is all it loses."""
    start = begin("2c3d9hQs5h")
    everyone = np.ones(COMBOS)
    found = subgame_value(start, SimplePolicy(GAME, "fold"), 0, (everyone, everyone))
    assert found.best_response == pytest.approx(100, abs=1e-9)
    assert found.policy == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("board", ["2c3d9hQs5h", "AhKh7h2c2d", "8c8d8h3s4s"])
@pytest.mark.parametrize(
    "policy", [Tilted(), UniformPolicy(GAME), SimplePolicy(GAME, "call")], ids=["tilted", "uniform", "call"]
)
def test_local_best_response_is_a_lower_bound(board: str, policy: Any) -> None:
    """Exactly, for every hand at once, on the river's whole tree; and it is worth having."""
    start = begin(board)
    everyone = np.ones(COMBOS)
    for player in range(2):
        found = subgame_value(start, policy, player, (everyone, everyone))
        assert found.policy < found.local <= found.best_response + 1e-9


def test_against_who_folds_the_local_response_is_the_best() -> None:
    everyone = np.ones(COMBOS)
    found = subgame_value(begin("2c3d9hQs5h"), SimplePolicy(GAME, "fold"), 0, (everyone, everyone))
    assert found.local == pytest.approx(found.best_response)


def test_hands_and_their_order() -> None:
    assert apart().sum() == COMBOS * 50 * 49 / 2
    beats = beating(tuple(parse_cards("2c3d9hQs5h")))
    queens, aces = combo_index(*parse_cards("QhQd")), combo_index(*parse_cards("AhAd"))
    assert beats[queens, aces] == 1
    assert beats[aces, queens] == 0
    assert beats[queens].sum() == 990 - 2 * 16  # all but the straights of 64 and A4
    assert beats[combo_index(*parse_cards("6c4c"))].sum() == 990 - 9  # all but the other 64s
    assert not beats[[number for number, pair in enumerate(combos()) if 0 in pair]].any()


def test_rivers_that_play_leads_to() -> None:
    found = river_exploitability(GAME, UniformPolicy(GAME), subgames=2, seed=3)
    assert found.count == 2
    assert found.mean[0] > 50


def test_where_no_subgame_begins() -> None:
    with pytest.raises(RuleError, match="wanted a decision on the turn or river"):
        subgame_value(begin("2c3d9h"), UniformPolicy(GAME), 0, (np.ones(COMBOS), np.ones(COMBOS)))
    with pytest.raises(RuleError, match="no two hands"):
        subgame_value(begin("2c3d9hQs5h"), UniformPolicy(GAME), 0, (np.zeros(COMBOS), np.ones(COMBOS)))
