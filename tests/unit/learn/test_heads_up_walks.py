"""Walks of heads-up hold'em for CardModel and its network: what they show, and that their regrets are unbiased."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from zerosum import native
from zerosum.encoding.heads_up import HISTORY, heads_up_history, heads_up_inputs
from zerosum.errors import SettingsError
from zerosum.games.holdem import Holdem
from zerosum.learn.deepcfr.settings import RunSettings, TrainSettings, WalkSettings
from zerosum.networks.heads_up import ACTIONS

if TYPE_CHECKING:
    import numpy.typing as npt

ORDERS = ("standard", "botzone")
STREETS = 4


def mixes(
    cards: npt.NDArray[np.int64], betting: npt.NDArray[np.float32], legal: npt.NDArray[np.bool_]
) -> npt.NDArray[np.float64]:
    """[B, 5] some strategy that depends on the cards and on the betting."""
    told = np.hstack([cards[:, :2] // 4 / 6.0 - 1.0, (cards[:, 2:5] % 13) / 13.0, betting]).astype(np.float64)
    weights = np.random.default_rng(7).normal(size=(told.shape[1], ACTIONS))
    shares = np.exp(1.5 * np.sin(told @ weights)) * legal
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def view_mix(view: native.HoldemView) -> npt.NDArray[np.float64]:
    seen = heads_up_inputs([view], ACTIONS)
    (mix,) = mixes(np.hstack([seen.hole, seen.board]), heads_up_history([view]), seen.legal)
    return np.asarray(mix)


def walked(game: Holdem, traverser: int, count: int, hands: int, seed: int = 3) -> native.HeadsUpWalks:
    walks = native.HeadsUpWalks(game.rules, True, seed, 1, traverser, 0, count, hands)
    shown = walks.cards()
    while (asked := walks.pending()) is not None:
        rows, betting, legal = asked
        walks.answer(mixes(shown[rows], betting, legal))
    return walks


class Truth:
    """What two hands come to, by trying everything: all-ins count all boards, whatever lies in the deck. `regrets` are
    the sums over all decisions of the traverser on a street, each times how likely the other player is to come to it.
    """

    def __init__(self, game: Holdem, deal: list[int], traverser: int) -> None:
        self.deal, self.traverser, self.big = deal, traverser, max(game.amounts()[1])
        self.regrets = np.zeros((STREETS, ACTIONS))
        self.size = 0.0  # of what was added up
        self.shares: dict[int, float] = {}  # of the pot, by cards on the board
        self.value(game.deal_cards(deal), 1.0)

    def value(self, hand: native.HoldemHand, reach: float) -> float:
        if hand.actor < 0:
            return self.payoff(hand)
        view = hand.view(hand.actor)
        shares, own = view_mix(view), hand.actor == self.traverser
        values = np.zeros(ACTIONS)
        for action in hand.legal():
            values[action] = self.value(hand.child(action), reach if own else reach * shares[action])
        worth = float(shares @ values)
        if own:
            row = reach * np.where(heads_up_inputs([view], ACTIONS).legal[0], values - worth, 0.0)
            self.regrets[max(len(hand.board) - 2, 0)] += row
            self.size += float(np.abs(row).sum())
        return worth

    def payoff(self, hand: native.HoldemHand) -> float:
        events = [event for event in hand.events() if event[0] >= 0]
        if any(hand.folded) or min(hand.stacks) > 0 or events[-1][1] == 3:
            return hand.returns()[self.traverser] / self.big
        board = hand.board[: (0, 3, 4)[events[-1][1]]]  # as it lay when betting ended
        if len(board) not in self.shares:
            boards, outcomes = native.hands_equity([bytes(self.deal[:2]), bytes(self.deal[2:4])], bytes(board))
            self.shares[len(board)] = outcomes[self.traverser][0] / native.WHOLE_POT / boards
        share = self.shares[len(board)]
        return (share * hand.pot - hand.invested[self.traverser]) / self.big


def truth_of(game: Holdem, dealt: npt.NDArray[np.int64], traverser: int) -> tuple[npt.NDArray[np.float64], float]:
    """[2, 4, hands, 7] a walk's cards -> its regrets [4, 5], each hand's a mean over those it meets; their size."""
    hands, board = dealt[:, 3, :, :2].tolist(), dealt[0, 3, 0, 2:].tolist()
    regrets, size = np.zeros((STREETS, ACTIONS)), 0.0
    for own in hands[traverser]:
        met = [other for other in hands[1 - traverser] if not set(own) & set(other)]
        for other in met:
            pair = own + other if traverser == 0 else other + own
            truth = Truth(game, pair + board, traverser)
            regrets += truth.regrets / len(met)
            size += truth.size / len(met)
    return regrets, size


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("traverser", [0, 1])
@pytest.mark.parametrize(("hands", "count"), [(1, 160), (3, 12)])
def test_regrets_are_unbiased(order: str, traverser: int, hands: int, count: int) -> None:
    """On a small game (3 big blinds): the mean of what walks find is what trying everything finds: in all, and
    with enough walks that even what is seldom met shows, on every street.
    """
    game = Holdem(stack="300", order=order)
    walks = walked(game, traverser, count, hands)
    dealt = walks.dealt().reshape(count, 2, 4, hands, 7)
    (rows, betting, legal), regrets, weights, *_ = walks.samples()
    streets = np.rint(3 * betting[:, 3]).astype(np.int64)
    assert set(streets.tolist()) == set(range(STREETS))
    assert not regrets[~legal].any()
    truths = [truth_of(game, one, traverser) for one in dealt]
    wrong = -np.array([regret for regret, _ in truths])
    np.add.at(wrong, (rows // (8 * hands), streets), regrets * weights[:, None])
    assert sum(size for _, size in truths) > 50  # there is something to be wrong about
    for off in (wrong.sum(axis=1), *(wrong.transpose(1, 0, 2) if hands == 1 else ())):
        error = off.std(axis=0, ddof=1) / count**0.5
        assert (np.abs(off.mean(axis=0)) <= 4.5 * error + 1e-9).all(), (off.mean(axis=0), error)


def test_many_hands_make_regrets_less_noisy() -> None:
    """What hangs on the other seat's hand alone becomes a mean: of two aces at the first decision, in big blinds."""
    noise = {}
    for hands, count in ((1, 3000), (32, 100)):
        walks = walked(Holdem(), 1, count, hands)
        shown = walks.cards()
        (rows, betting, _), regrets, *_ = walks.samples()
        aces = (betting[:, 0] == np.float32(150 / 20_000)) & (shown[rows, 1] >= 48)
        assert aces.sum() > 8
        noise[hands] = float(regrets[aces].std(axis=0).mean())
    assert noise[32] < 0.75 * noise[1], noise


def test_hands_and_how_often_they_are_told() -> None:
    """Hands of a deal: none holds a card of the board, the k-th ones of both seats never share one; weights of the
    traverser's decisions and strategies of the other's tell how often it comes there.
    """
    hands, count = 16, 6
    walks = walked(Holdem(), 0, count, hands)
    dealt = walks.dealt().reshape(count, 2, 4, hands, 7)
    for deal in dealt:
        board = set(deal[0, 3, 0, 2:].tolist())
        assert len(board) == 5
        for own, other in zip(deal[0, 3, :, :2].tolist(), deal[1, 3, :, :2].tolist(), strict=True):
            assert len({*own, *other}) == 4
            assert not board & {*own, *other}
    (rows, _, _), _, weights, (others, others_betting, legal), strategies, others_weights, nodes = walks.samples()
    assert weights.min() >= np.float32(0.1)
    assert nodes >= len(rows)
    shown = walks.cards()
    assert np.allclose(strategies, mixes(shown[others], others_betting, legal))
    assert len(others) == len(others_weights)
    assert len(others) % (hands // 4) == 0  # of every decision the same number of hands


@pytest.mark.parametrize("order", ORDERS)
def test_walks_show_what_views_show(order: str) -> None:
    """The same walk told again by the engine: the same cards, the same numbers, the same choices."""
    game = Holdem(order=order)
    hands = 2
    walks = native.HeadsUpWalks(game.rules, True, 4, 1, 0, 0, 3, hands)
    plain = native.HeadsUpWalks(game.rules, False, 4, 1, 0, 0, 3, hands)
    shown, dealt, seen = walks.cards(), walks.dealt().reshape(3, 2, 4, hands, 7), set()
    assert np.array_equal(shown, plain.cards())
    while (asked := walks.pending()) is not None:
        rows, betting, legal = asked
        short = plain.pending()
        assert short is not None
        assert np.array_equal(betting[:, :5], short[1])
        seen |= {(int(row), one.tobytes(), may.tobytes()) for row, one, may in zip(rows, betting, legal, strict=True)}
        call = np.zeros(legal.shape)
        call[:, 1] = 1.0
        walks.answer(call)
        plain.answer(call)
    told = set()

    def tell(hand: native.HoldemHand, number: int, one: int) -> None:
        if hand.actor < 0:
            return
        view = hand.view(hand.actor)
        inputs, street = heads_up_inputs([view], ACTIONS), {0: 0, 3: 1, 4: 2, 5: 3}[len(hand.board)]
        row = ((number * 2 + hand.actor) * 4 + street) * hands + one
        assert np.array_equal(shown[row], np.hstack([inputs.hole, inputs.board])[0])
        told.add((row, heads_up_history([view])[0].tobytes(), inputs.legal[0].tobytes()))
        for action in hand.legal() if hand.actor == 0 else [1]:
            tell(hand.child(action), number, one)

    for number, deal in enumerate(dealt):
        for one in range(hands):
            tell(game.deal_cards([*deal[0, 3, one, :2], *deal[1, 3, one]]), number, one)
    assert seen == told


def test_what_happened_before_is_seen() -> None:
    """The numbers of a street, in the order that docs/holdem-features.md gives them."""
    hand = Holdem().deal(1).act(300).act(0).act(0).act(400)  # raise, call; check, bet 2/3 of the pot
    row = heads_up_history([hand.view(0)])[0]
    assert len(row) == HISTORY == 5 + 4 + 5 + 24
    assert row[5] == pytest.approx(400 / (1000 + 400))
    before, flop = row[14:20], row[20:26]
    assert before[:4].tolist() == [1.0, 0.0, 0.5, -1.0]  # one raise, and the other's
    assert before[4] == pytest.approx((300 - 100) / 200 / 2)
    assert flop[:4].tolist() == [1.0, 0.0, 0.5, -1.0]
    assert flop[4] == pytest.approx(400 / 600 / 2)
    assert not row[26:].any()  # streets to come


def test_walks_that_cannot_be() -> None:
    with pytest.raises(Exception, match="wanted two players and four streets"):
        native.HeadsUpWalks(Holdem(players=3).rules, False, 0, 1, 0, 0, 1, 1)
    with pytest.raises(ValueError, match="no such player"):
        native.HeadsUpWalks(Holdem().rules, False, 0, 1, 2, 0, 1, 1)
    with pytest.raises(SettingsError, match="hands: got 2, wanted 1 for network: kind perceptron"):
        TrainSettings(RunSettings("leduc"), walks=WalkSettings(hands=2))
    with pytest.raises(ValueError, match="hands: got 0, wanted 1 to 1024"):
        native.HeadsUpWalks(Holdem().rules, False, 0, 1, 0, 0, 1, 0)
    walks = native.HeadsUpWalks(Holdem().rules, False, 0, 1, 0, 0, 1, 1)
    with pytest.raises(ValueError, match="wanted a row for each"):
        walks.answer(np.zeros((7, ACTIONS)))
    with pytest.raises(ValueError, match="still waiting"):
        walks.samples()
