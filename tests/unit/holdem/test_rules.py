"""Each test stands for one rule, which its first line names."""

from __future__ import annotations

import pytest

from zerosum import native
from zerosum.errors import RuleError
from zerosum.games.holdem import FlopHoldem, Holdem

MENU = [[(0, 1, 1)]] * 4


def table(
    stacks: list[int], blinds: list[int], *, antes: list[int] | None = None, odd: str = "exact"
) -> native.HoldemHand:
    """Blinds by seat, as posted; cards from the bottom of the deck."""
    count = len(stacks)
    rules = native.holdem_rules(
        stacks, blinds, antes or [0] * count, [max(blinds)] * 4, [0] * 4, False, False, odd, True, MENU, True, 0
    )
    return native.HoldemHand(rules).deal(bytes(range(2 * count)))


def play(hand: native.HoldemHand, *actions: int) -> native.HoldemHand:
    for action in actions:
        hand = hand.act(action)
    return hand


def raises(hand: native.HoldemHand) -> tuple[int, int] | None:
    _, _, may, low, high = hand.limits()
    return (low, high) if may else None


def test_heads_up_the_button_posts_the_small_blind_and_acts_first_before_the_flop() -> None:
    """TDA 34-B (heads-up): the small blind is on the button."""
    hand = Holdem().root().deal(bytes(range(4)))
    assert hand.invested == [100, 50]
    assert hand.actor == 1
    assert play(hand, 0, 0).deal(bytes([10, 11, 12])).actor == 0


def test_botzone_small_blind_acts_first_on_every_street() -> None:
    """Botzone: the dealer is the big blind, and the small blind opens each street."""
    hand = Holdem(order="botzone").root().deal(bytes(range(4)))
    assert hand.invested == [50, 100]
    assert hand.actor == 0
    assert play(hand, 0, 0).deal(bytes([10, 11, 12])).actor == 0


def test_the_big_blind_has_the_last_word_before_the_flop() -> None:
    """The big blind may raise when everyone has called."""
    hand = play(table([100, 100, 100], [1, 2, 0]), 0, 0)
    assert hand.actor == 1
    assert hand.limits()[:2] == (False, 0)
    assert raises(hand) == (4, 100)


def test_a_raise_is_at_least_as_large_as_the_last() -> None:
    """TDA 43-A: a raise must be at least equal to the largest prior full bet or raise of the round."""
    hand = table([100, 100, 100], [1, 2, 0])
    assert raises(hand) == (4, 100)
    hand = play(hand, 10)
    assert raises(hand) == (18, 100)
    assert raises(play(hand, 30)) == (50, 100)


def test_a_short_all_in_does_not_reopen_the_betting() -> None:
    """TDA 47-A: an all-in for less than a full raise does not reopen betting to a player who has acted."""
    hand = play(table([100, 15, 100], [1, 2, 0]), 10, 0, 15)
    assert hand.actor == 2
    assert hand.limits() == (True, 5, False, 0, 0)


def test_short_all_ins_that_add_up_reopen_the_betting() -> None:
    """TDA 47-A: several short all-ins that total a full raise reopen it."""
    hand = play(table([15, 17, 100, 100], [1, 2, 0, 0]), 10, 0, 15, 17)  # a raise by 8, then 5 and 2 more
    assert hand.actor == 2
    assert raises(hand) is None
    hand = play(table([15, 19, 100, 100], [1, 2, 0, 0]), 10, 0, 15, 19)  # by 8, then 5 and 4 more
    assert raises(hand) == (27, 100)


def test_who_has_not_acted_may_raise_over_a_short_all_in() -> None:
    """The min raise then is the last full raise on top of the all-in."""
    hand = play(table([100, 100, 100, 14], [1, 2, 0, 0]), 10, 14)
    assert hand.actor == 0
    assert raises(hand) == (22, 100)


def test_an_uncalled_bet_is_returned() -> None:
    """What nobody matched never was in the pot."""
    hand = play(table([100, 100, 100], [1, 2, 0]), 50, -1, -1)
    assert hand.actor == -2
    assert hand.invested == [1, 2, 2]
    assert hand.returns() == [-1.0, -2.0, 3.0]


def test_side_pots() -> None:
    """A player wins from each other at most what was put in alone."""
    hand = play(table([10, 30, 50], [1, 2, 0]), 50, 0, 0)
    assert hand.pots() == [(30, [0, 1, 2]), (40, [1, 2])]
    assert hand.stacks == [0, 0, 20]


def test_all_in_players_see_the_board_run_out() -> None:
    """No betting is left when at most one player has chips."""
    hand = play(table([20, 20], [2, 1]), 20, 0)
    for card in (10, 20, 30, 40, 50):
        assert hand.actor == -1
        hand = hand.deal(bytes([card]))
    assert hand.actor == -2
    assert sum(hand.returns()) == 0


def test_nobody_raises_whom_nobody_could_call() -> None:
    """With everyone else all-in there is only to call or to fold."""
    hand = play(table([100, 10], [2, 1]), 10)
    assert hand.limits() == (True, 8, False, 0, 0)


def test_folding_with_nothing_to_call_is_refused() -> None:
    """ACPC: a fold where a check is free is illegal; the state stays as it was."""
    hand = play(table([100, 100], [2, 1]), 0)
    before = str(hand)
    with pytest.raises(RuleError, match=r"nothing to call; legal: check, raise to 4 \.\. 100"):
        hand.act(-1)
    assert str(hand) == before


def test_illegal_raises_name_what_is_legal() -> None:
    hand = table([100, 100], [2, 1])
    with pytest.raises(
        RuleError, match=r"raise to 3: the minimum is 4, the maximum 100; legal: fold, call 1, raise to 4"
    ):
        hand.act(3)
    with pytest.raises(RuleError, match="raise to 101"):
        hand.act(101)
    with pytest.raises(RuleError, match="no card is due"):
        hand.deal(bytes([50]))


def split(odd: str) -> list[float]:
    """Three players tie on the board for 5 chips of a dead small blind and ante."""
    rules = native.holdem_rules(
        [20] * 4, [1, 2, 0, 0], [0] * 4, [2] * 4, [0] * 4, False, False, odd, True, MENU, True, 0
    )
    hand = native.HoldemHand(rules).deal(bytes([0, 4, 1, 5, 2, 6, 3, 7]))
    hand = play(hand, 0, 0, -1, 0)  # the small blind folds its one chip: a pot of 7 for three
    hand = hand.deal(bytes([48, 44, 40]))
    hand = play(hand, 0, 0, 0).deal(bytes([36]))
    hand = play(hand, 0, 0, 0).deal(bytes([33]))  # a straight to the ace on the board, but for the suit
    return play(hand, 0, 0, 0).returns()


def test_odd_chips_go_by_seat() -> None:
    """TDA 20: odd chips go to the first seats left of the button, one each; or pots divide exactly."""
    assert split("seats") == [-1.0, 1.0, 0.0, 0.0]
    assert split("exact") == pytest.approx([-1.0, 1 / 3, 1 / 3, 1 / 3])


def test_a_blind_that_a_stack_cannot_pay_is_paid_as_far_as_it_goes() -> None:
    """A short blind is all-in and plays for what it put in from each."""
    hand = table([100, 1, 100], [1, 2, 0])
    assert hand.invested == [1, 1, 0]
    assert hand.stacks == [99, 0, 100]


def test_antes_are_dead_money() -> None:
    hand = table([100, 100, 100], [1, 2, 0], antes=[5, 5, 5])
    assert hand.pot == 18
    assert hand.limits()[1] == 2


def test_limit_betting_has_one_size_and_a_cap() -> None:
    """Fixed limit: bets of one size, three raises before the flop and four on it."""
    hand = FlopHoldem().root().deal(bytes(range(4)))
    assert raises(hand) == (200, 200)
    hand = play(hand, 200, 300, 400)
    assert raises(hand) is None
    hand = play(hand, 0).deal(bytes([10, 11, 12]))
    assert play(hand, 100, 200, 300, 400).limits()[2] is False
    assert play(hand, 0, 0).actor == -2


def test_menu_of_five_actions() -> None:
    """Spec 3: half pot and pot after calling, at most two sized raises on a street, all-in always."""
    hand = Holdem().root().deal(bytes(range(4)))
    assert [hand.amount(k) for k in hand.legal()] == [-1, 0, 200, 300, 20000]
    hand = play(hand, 300, 900)
    assert hand.raises == 2
    assert hand.legal() == (0, 1, 4)
