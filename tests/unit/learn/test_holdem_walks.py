"""Walks of hold'em that ask networks: what they show, what they hide, and that baselines leave the mean alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from zerosum import load_game, native
from zerosum.encoding.holdem import holdem_features
from zerosum.games.holdem import Holdem
from zerosum.learn.deepcfr.settings import RunSettings, TrainSettings, WalkSettings
from zerosum.learn.deepcfr.unlisted import UnlistedGame

if TYPE_CHECKING:
    import numpy.typing as npt


def holdem(spec: str) -> Holdem:
    game = load_game(spec)
    assert isinstance(game, Holdem)
    return game


def regrets(game: Holdem, seed: int, noise: float | None, count: int = 400) -> npt.NDArray[np.float64]:
    """[A] the traverser's summed regrets of uniform play, a walk; with baselines of pure noise, or none."""
    walks = native.HoldemWalks(game.rules, noise is not None, seed, 1, 0, 0, count)
    luck = np.random.default_rng(seed)
    while (asked := walks.pending()) is not None:
        _, _, legal, histories = asked
        assert (histories is not None) == (noise is not None)
        guess = None if noise is None else luck.normal(size=legal.shape) * noise
        walks.answer(legal / legal.sum(axis=1, keepdims=True), guess)
    return np.asarray(walks.samples()[2].sum(axis=0) / count)


def test_any_baseline_leaves_the_mean_alone() -> None:
    game = holdem("flop-holdem")
    plain = np.array([regrets(game, seed, None) for seed in range(60)])
    noisy = np.array([regrets(game, seed + 1000, 3.0) for seed in range(60)])
    error = np.hypot(plain.std(axis=0, ddof=1), noisy.std(axis=0, ddof=1)) / 60**0.5
    assert np.abs((plain.mean(axis=0) - noisy.mean(axis=0)) / error).max() < 4.5


@pytest.mark.parametrize("spec", ["flop-holdem", "holdem", "sixmax", "holdem:players=3"])
def test_what_is_shown(spec: str) -> None:
    game = holdem(spec)
    width, whole = native.holdem_feature_counts(game.rules)
    walks = native.HoldemWalks(game.rules, True, 5, 1, 1, 0, 3)
    levels = 0
    while (asked := walks.pending()) is not None:
        actors, features, legal, histories = asked
        assert histories is not None
        assert features.shape == (len(actors), width)
        assert histories.shape == (len(actors), whole)
        assert (features[:, :52].sum(axis=1) == 2).all()  # two cards of one's own
        assert (histories.sum(axis=1) >= 2 * game.players).all()
        assert legal.any(axis=1).all()
        assert np.isfinite(features).all()
        walks.answer(legal / legal.sum(axis=1, keepdims=True), np.zeros(legal.shape))
        levels += 1
    assert levels > 3


@pytest.mark.parametrize("spec", ["flop-holdem", "holdem", "sixmax"])
def test_views_show_the_same_and_hide_the_same(spec: str) -> None:
    """Features from a view do not change with cards the seat does not see."""
    game = holdem(spec)
    luck = np.random.default_rng(0)
    for number in range(20):
        deck = luck.permutation(52)[: 2 * game.players + 5]
        hand, other = (game.deal_cards(cards.tolist()) for cards in (deck, _others_changed(deck, game.players)))
        for _ in range(8):
            if hand.actor < 0:
                break
            if hand.actor == 0:
                one, two = (holdem_features([h.view(0)]) for h in (hand, other))
                assert np.array_equal(one, two), number
            action = int(luck.choice(hand.legal()))
            hand, other = hand.child(action), other.child(action)


def _others_changed(deck: npt.NDArray[np.int64], players: int) -> npt.NDArray[np.int64]:
    """The same cards for seat 0 and the board, others for everyone else."""
    unused = np.setdiff1d(np.arange(52), deck)
    changed = deck.copy()
    changed[2 : 2 * players] = unused[: 2 * players - 2]
    return changed


def test_leases_are_shared_out_and_put_together_in_order() -> None:
    game = holdem("flop-holdem")
    settings = TrainSettings(RunSettings("flop-holdem"), WalkSettings(per_player=50, lease=20))
    ground = UnlistedGame(game, settings)
    tasks = ground.tasks(1, 0, 7)
    assert [(task.first, task.count) for task in tasks] == [(0, 20), (20, 20), (40, 10)]
    parts = [ground.walk(task, ground.uniform(), None) for task in tasks]
    whole = native.HoldemWalks(game.rules, False, 0, 1, 0, 0, 50)
    while (asked := whole.pending()) is not None:
        whole.answer(asked[2] / asked[2].sum(axis=1, keepdims=True), None)
    samples = whole.samples()
    advantages = np.concatenate([part.advantages for part in ground.pieces(parts)])
    assert np.array_equal(samples[2], advantages)  # uniform play: no network, so no last digits
    assert samples[-1] == sum(part.nodes for part in parts)
    assert all(len(part.others) == 0 for part in parts)  # nobody keeps strategies in this run


def test_a_menu_that_is_too_wide_is_refused() -> None:
    game = holdem("holdem:menu=10%+20%+30%+40%+50%+60%+70%+a")
    with pytest.raises(Exception, match="a menu of 10 actions, wanted at most 8"):
        UnlistedGame(game, TrainSettings(RunSettings("holdem")))


@pytest.mark.parametrize("spec", ["flop-holdem", "holdem", "holdem:players=3"])
@pytest.mark.parametrize("traverser", [0, 1])
def test_walks_show_what_views_show(spec: str, traverser: int) -> None:
    """A walk in which the others always call, told again by the engine from the same cards: the same features."""
    game = holdem(spec)
    walks = native.HoldemWalks(game.rules, True, 4, 1, traverser, 0, 1)
    width = native.holdem_feature_counts(game.rules)[0]
    seen, cards, boards = [], {}, set()
    while (asked := walks.pending()) is not None:
        actors, features, legal, histories = asked
        assert histories is not None
        for row in histories:
            boards.add(tuple(np.flatnonzero(row[52:104]).tolist()))
        cards[traverser] = np.flatnonzero(histories[0, :52]).tolist()
        for k in range(1, game.players):
            others = histories[0, width + 52 * (k - 1) : width + 52 * k]
            cards[(traverser + k) % game.players] = np.flatnonzero(others).tolist()
        seen += [(int(actor), row.tobytes()) for actor, row in zip(actors, features, strict=True)]
        call = np.zeros(legal.shape)
        call[:, 1] = 1.0
        walks.answer(call, np.zeros(legal.shape))
    walks.samples()
    board: list[int] = []
    for one in sorted(boards, key=len):
        board += [card for card in one if card not in board]
    held = [card for seat in range(game.players) for card in cards[seat]]
    unused = [card for card in range(52) if card not in held and card not in board]
    told: list[tuple[int, bytes]] = []

    def tell(hand: native.HoldemHand) -> None:
        if hand.actor < 0:
            return
        told.append((hand.actor, holdem_features([hand.view(hand.actor)])[0].tobytes()))
        for action in hand.legal() if hand.actor == traverser else [1]:
            tell(hand.child(action))

    tell(game.deal_cards([*held, *board, *unused[: 5 - len(board)]]))
    assert sorted(seen) == sorted(told)
