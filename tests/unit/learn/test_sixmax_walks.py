"""Walks of tables of two to six: what plain walks find where nothing is drawn, cheaper elsewhere, never biased."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch

from zerosum import native
from zerosum.encoding.sixmax_rows import ROW, sixmax_rows, stakes
from zerosum.errors import RuleError, SettingsError
from zerosum.games.holdem import Holdem, PokerGame, SixMax
from zerosum.learn.buffer import BufferSettings
from zerosum.learn.deepcfr.card_lessons import simple_rows, teach_cards
from zerosum.learn.deepcfr.crew import ground_for
from zerosum.learn.deepcfr.learner import Learner
from zerosum.learn.deepcfr.settings import (
    FitSettings,
    LessonSettings,
    RunSettings,
    TrainSettings,
    WalkSettings,
)
from zerosum.learn.deepcfr.sixmax_ground import SixMaxGround
from zerosum.networks.settings import NetworkSettings
from zerosum.networks.sixmax import SixMaxNet

if TYPE_CHECKING:
    import numpy.typing as npt

Samples = tuple[Any, ...]


def settings(game: str = "sixmax", **more: Any) -> TrainSettings:
    return TrainSettings(
        RunSettings(game),
        walks=WalkSettings(per_player=8, lease=8, explore=0.3),
        buffer=BufferSettings(2_000, merge=False),
        network=NetworkSettings(hidden=16, layers=1, features="sixmax"),
        advantage=FitSettings(steps=2, batch_rows=64),
        **more,
    )


def uniform(legal: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    return np.asarray(legal / legal.sum(axis=1, keepdims=True))


def plain_walks(game: Holdem, seed: int, traverser: int, count: int) -> Samples:
    walks = native.HoldemWalks(game.rules, False, seed, 1, traverser, 0, count)
    while (asked := walks.pending()) is not None:
        walks.answer(uniform(asked[2]), None)
    return walks.samples()


def sixmax_walks(game: Holdem, seed: int, traverser: int, count: int, explore: float = 1.0) -> Samples:
    walks = native.SixMaxWalks(game.rules, seed, 1, traverser, 0, count)
    while (asked := walks.pending()) is not None:
        walks.answer(uniform(asked[2]), np.full(asked[2].shape, explore))
    return walks.samples(True)


@pytest.mark.parametrize("traverser", [0, 1, 2])
def test_without_all_ins_they_find_what_plain_walks_find(traverser: int) -> None:
    """Nothing is run out, and luck is counted in whole games only: walks just end where the traverser folds."""
    game = Holdem(players=3, stack="100000bb", menu="100%", menu_raises=1, streets=3)
    plain, found = plain_walks(game, 4, traverser, 60), sixmax_walks(game, 4, traverser, 60)
    np.testing.assert_array_equal(plain[1], found[1])
    np.testing.assert_allclose(plain[2], found[2], atol=1e-9)
    assert found[-1] < plain[-1]


@pytest.mark.parametrize(
    ("game", "action"),
    [
        (SixMax(players=2, stack="3bb", menu="a"), 2),  # boards are run out
        (SixMax(players=2, stack="1000bb", menu="100%", menu_raises=1), 1),  # the luck of the streets is taken out
    ],
)
def test_what_makes_walks_surer_leaves_the_mean_alone(game: Holdem, action: int) -> None:
    sums = {
        name: np.array([walk(game, seed, 0, 200)[2].sum(axis=0) / 200 for seed in range(40)])
        for name, walk in (("plain", plain_walks), ("ours", sixmax_walks))
    }
    spread = {name: rows.std(axis=0, ddof=1) for name, rows in sums.items()}
    error = np.hypot(spread["plain"], spread["ours"]) / 40**0.5
    gap = (sums["plain"].mean(axis=0) - sums["ours"].mean(axis=0)) / error
    assert np.abs(gap).max() < 4.5
    assert spread["ours"][action] < spread["plain"][action]


def test_pruning_leaves_out_only_what_is_never_played() -> None:
    game, shares = SixMax(), np.array([0.6, 0.4, 0.0, 0.0, 0.0])
    whole: list[Samples] = []
    for explore in (1.0, 0.25):
        walks = native.SixMaxWalks(game.rules, 3, 1, 2, 0, 200)
        while (asked := walks.pending()) is not None:
            wanted = np.where(asked[2], shares, 0.0)
            walks.answer(wanted / wanted.sum(axis=1, keepdims=True), np.full(wanted.shape, explore))
        whole.append(walks.samples(False))
    assert whole[1][-1] < 0.6 * whole[0][-1]
    assert whole[1][1][:, 1].all()
    tried = whole[1][1][:, 4].mean()
    assert 0.2 < tried < 0.3
    assert not (whole[1][2] * ~whole[1][1]).any()


def test_rows_show_the_actors_own_cards_and_all_actions() -> None:
    game = SixMax()
    walks = native.SixMaxWalks(game.rules, 5, 1, 1, 0, 20)
    levels = 0
    while (asked := walks.pending()) is not None:
        actors, rows, legal = asked
        seen = rows.view(ROW)[:, 0]
        assert (seen["card"][:, :2] < 52).all()
        assert (seen["tokens"] == min(levels, 24)).all()
        assert ((seen["card"] < 52).sum(axis=1) == 2 + np.array([0, 3, 4, 5])[seen["street"]]).all()
        positions = np.array([4, 5, 0, 1, 2, 3])
        assert (seen["position"] == positions[actors]).all()
        walks.answer(uniform(legal), np.ones(legal.shape))
        levels += 1
    assert levels > 6


def test_rows_of_walks_are_rows_of_views() -> None:
    """The first decision of a deal, from the walk and from the view of the same cards."""
    game = SixMax()
    walks = native.SixMaxWalks(game.rules, 5, 1, 2, 0, 1)
    asked = walks.pending()
    assert asked is not None
    seen = asked[1].view(ROW)[0, 0]
    others = [card for card in range(52) if card not in seen["card"][:2]]
    cards = [*others[:4], *seen["card"][:2].tolist(), *others[4:15]]
    np.testing.assert_array_equal(sixmax_rows([game.deal_cards(cards).view(2)]), asked[1])


def test_stakes_grow_with_what_an_action_adds() -> None:
    table = PokerGame(SixMax(), seed=1)
    row = sixmax_rows([table.hand.view(table.current_player)])
    fold, call, *raises, all_in = stakes(row, table.game)[0].tolist()
    assert fold == pytest.approx(1.5)
    assert call == pytest.approx(3.5)
    assert all_in == pytest.approx(1.5 + 2 * 100, abs=0.1)
    assert call < raises[0] <= raises[1] < all_in


def test_equities_are_right() -> None:
    """Aces against one and against five random hands, and on a board that makes them the nuts."""
    game = SixMax()
    aces = game.deal_cards([48, 51, *range(15)]).view(0)
    one, five, now = native.sixmax_equities(native.sixmax_rows([aces]), 20_000, 1)[0]
    assert one == pytest.approx(0.852, abs=0.01)
    assert five == pytest.approx(0.493, abs=0.015)
    assert now == one


def test_lessons_make_a_network_know_cards() -> None:
    game = SixMax()
    rows = simple_rows(game, 3_000, 1)
    assert rows.shape == (3_000, 184)
    streets = np.bincount(rows.view(ROW)["street"].ravel(), minlength=4)
    assert (streets > 60).all()
    torch.manual_seed(0)
    network = SixMaxNet(184, 5, settings().network)
    before = network.flat.clone()
    lessons = settings(lessons=LessonSettings(steps=60, rows=3_000, batch_rows=128))
    report = teach_cards(network, game, lessons)
    assert report is not None
    assert report.loss < 0.06  # chances vary by more: 0.08
    assert not torch.equal(before, network.flat)
    assert not network.head.weight.any()
    assert teach_cards(network, game, settings()) is None


def test_one_network_learns_for_all_seats() -> None:
    ground = ground_for(settings(lessons=LessonSettings(steps=2, rows=200, batch_rows=32)))
    assert isinstance(ground, SixMaxGround)
    learner = Learner(ground, ground.settings)
    assert list(learner.buffers) == ["advantage0"]
    assert learner.buffers["advantage0"].rows().features.dtype == np.uint8
    playing = ground.uniform()
    for player in range(6):
        found = [ground.walk(task, playing, None) for task in ground.tasks(1, player, 1)]
        learnt = learner.learn(player, 1, found)
        assert (learnt.played is not None) == (player == 5)
        assert len(found[0].others) == 0
    assert [name for name, _ in learnt.fits] == ["lessons", "advantage0"]
    assert learnt.played is not None
    playing = ground.updated(playing, 0, learnt.played.piece)
    again = ground.walk(ground.tasks(2, 3, 1)[0], playing, None)
    assert again.nodes > 0
    assert np.isfinite(again.advantages).all()


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(RuleError, match="players: got 7, wanted 2 to 6"):
        native.SixMaxWalks(Holdem(players=7).rules, 1, 1, 0, 0, 1)
    with pytest.raises(SettingsError, match="got sixmax for 7 players"):
        ground_for(settings("holdem:players=7"))
    with pytest.raises(SettingsError, match=r"explore: got .*, wanted 1 and 0 without features sixmax"):
        TrainSettings(RunSettings("leduc"), walks=WalkSettings(explore=0.5))
    with pytest.raises(SettingsError, match="lessons: steps: got 5, wanted 0"):
        TrainSettings(RunSettings("leduc"), lessons=LessonSettings(steps=5))
    with pytest.raises(SettingsError, match="merge: got true"):
        ground_for(TrainSettings(RunSettings("sixmax"), network=NetworkSettings(features="sixmax")))
    with pytest.raises(SettingsError, match="features: got 'sixmax'"):
        ground_for(TrainSettings(RunSettings("leduc"), network=NetworkSettings(features="sixmax")))
