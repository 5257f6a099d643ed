"""Local best response: closed forms, and what its choices are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from zerosum.cards.equity import equity
from zerosum.cards.names import parse_cards
from zerosum.cards.ranges import combo_index
from zerosum.errors import SettingsError
from zerosum.evaluate.lbr import _Hand, local_best_response, winning_chances
from zerosum.games.holdem import Holdem
from zerosum.policy.simple import SimplePolicy
from zerosum.policy.uniform import UniformPolicy

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt


def test_who_always_folds_loses_its_blinds_exactly() -> None:
    game = Holdem()
    found = local_best_response(game, SimplePolicy(game, "fold"), deals=12)
    assert found.mbb_per_hand == pytest.approx(750)
    assert found.ci95 == pytest.approx(0, abs=1e-9)


def test_who_always_calls_loses_nothing_to_an_opponent_who_never_bets() -> None:
    """Both check the hand down; against all hands that it may hold, the opponent wins as often as it loses."""
    game = Holdem()
    found = local_best_response(game, SimplePolicy(game, "call"), deals=100, bets=False)
    assert abs(found.mbb_per_hand) < 2 * found.ci95 < 250  # a showdown for two blinds has a spread of a thousand


def test_who_always_calls_loses_much_to_one_who_bets() -> None:
    game = Holdem(stack="2000")
    found = local_best_response(game, SimplePolicy(game, "call"), deals=30, seed=1)
    assert found.mbb_per_hand > found.ci95


def test_betting_adds_to_checking_and_calling() -> None:
    game = Holdem()
    passive, betting = (
        local_best_response(game, SimplePolicy(game, "fold"), deals=20, bets=bets, seed=2).mbb_per_hand
        for bets in (False, True)
    )
    assert passive < betting == pytest.approx(750)


@pytest.mark.parametrize("board", ["2h7dTc", "2h7dTc9s", "2h7dTc9s3d"])
def test_chances_against_each_hand(board: str) -> None:
    own, cards = parse_cards("AhKd"), parse_cards(board)
    chances = winning_chances(own, cards, np.random.default_rng(1))
    for text in ("QsQc", "AsQd", "7c6c", "AcKc"):
        wanted = equity(["AhKd", text], board).players[0].equity
        assert chances[combo_index(*parse_cards(text))] == pytest.approx(wanted, abs=1e-12)


def test_chances_before_the_flop_are_drawn() -> None:
    chances = winning_chances(parse_cards("AhKd"), (), np.random.default_rng(1))
    wanted = equity(["AhKd", "QsQc"]).players[0].equity
    assert chances[combo_index(*parse_cards("QsQc"))] == pytest.approx(wanted, abs=0.12)


def test_the_policy_is_asked_with_every_hand_it_may_hold_and_no_other() -> None:
    game = Holdem(stack="300")
    seen: list[set[Any]] = []

    class Watched:
        def __call__(self, views: Sequence[Any]) -> npt.NDArray[np.float64]:
            seen.append({tuple(sorted(view.hole)) for view in views})
            assert all(not set(view.hole) & set(view.board) for view in views)
            return UniformPolicy(game)(views)

    local_best_response(game, Watched(), deals=3)
    assert len(seen[0]) == 50 * 49 // 2  # two of the 52 are ours
    assert len({card for hole in seen[0] for card in hole}) == 50


def test_only_heads_up() -> None:
    with pytest.raises(SettingsError, match="wanted heads-up"):
        local_best_response(Holdem(players=3), UniformPolicy(Holdem(players=3)))


def test_the_script_equity_as_a_policy_is_the_script() -> None:
    """What it does with each luck, at the sizes of the menu; where the script does not bet the same exactly."""
    from zerosum import native
    from zerosum.policy.equity_script import EquityPolicy

    game = Holdem()
    policy, luck = EquityPolicy(game), np.random.default_rng(5)
    bets = 0
    for number in range(60):
        hand = game.deal(8, number)
        while hand.actor >= 0:
            view = hand.view(hand.actor)
            (shares,) = policy([view])
            assert shares.sum() == pytest.approx(1)
            said = [native.script_action("equity", view, luck) for luck in (0.0, 0.999999)]
            if max(said) > 0:
                bets += 1
                assert shares[2:].sum() == pytest.approx(native.equity_strength(view), abs=1e-9)
            else:
                assert shares[1 + said[0]] == 1.0
            hand = hand.child(int(luck.choice(hand.legal())))
    assert bets > 20


def test_luck_of_the_policys_choices_is_taken_out() -> None:
    game = Holdem()
    hands = [_Hand(game, UniformPolicy(game), deal % 2, 5, deal, bets=True) for deal in range(150)]
    kept = np.array([hand.play() for hand in hands])
    lucky = np.array([hand.lucky for hand in hands])
    assert abs(lucky.mean()) < 3.5 * lucky.std() / len(hands) ** 0.5  # its mean is nothing
    assert kept.std() < 0.8 * (kept + lucky).std()
