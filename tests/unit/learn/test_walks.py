"""Walks: unbiased, the same on a table and asked level by level, on any number of threads, with baselines or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from zerosum import load_game, native, tree_of
from zerosum.learn.deepcfr.listed import ListedGame
from zerosum.learn.deepcfr.settings import RunSettings, TrainSettings, WalkSettings

if TYPE_CHECKING:
    import numpy.typing as npt

    from zerosum.games.tree import Tree


def walks_of(tree: Tree) -> native.TreeWalks:
    return native.TreeWalks(tree.native, tree.game.num_actions, np.arange(tree.infosets, dtype=np.int32))


def some_profile(tree: Tree, seed: int = 0) -> npt.NDArray[np.float64]:
    weights = np.random.default_rng(seed).random(tree.sequences) + 0.05
    counts = np.diff(tree.first)
    return np.asarray(weights / np.repeat(np.add.reduceat(weights, tree.first[:-1]), counts))


def exact_regrets(tree: Tree, profile: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """[sequences] counterfactual regrets."""
    value = tree.native.counterfactual_values(profile)
    return np.asarray(value - np.repeat(np.add.reduceat(value * profile, tree.first[:-1]), np.diff(tree.first)))


def summed(tree: Tree, infosets: npt.NDArray[np.int32], rows: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """[N, A] rows -> [sequences] their sums."""
    table = np.zeros((tree.infosets, tree.game.num_actions))
    np.add.at(table, infosets, rows)
    return np.asarray(table[np.repeat(np.arange(tree.infosets), np.diff(tree.first)), tree.actions])


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "liars-dice:faces=3", "openspiel:kuhn_poker(players=3)"])
@pytest.mark.parametrize(("baseline", "stratified"), [(False, False), (True, False), (True, True)])
def test_walks_that_ask_find_what_walks_on_a_table_find(spec: str, baseline: bool, stratified: bool) -> None:
    tree = tree_of(load_game(spec))
    walks, profile = walks_of(tree), some_profile(tree)
    guess = np.random.default_rng(1).normal(size=walks.slots) if baseline else None
    where = (7, 3, 1, 10, 50, 110)
    on_table = walks.run(profile, guess, stratified, *where, 3)
    asking = walks.ask(guess, stratified, *where)
    levels = 0
    while (infosets := asking.pending()) is not None:
        rows = np.zeros((len(infosets), tree.game.num_actions))
        for row, infoset in zip(rows, infosets, strict=True):
            own = slice(tree.first[infoset], tree.first[infoset + 1])
            row[tree.actions[own]] = profile[own]
        asking.answer(rows)
        levels += 1
    found = asking.samples()
    assert levels > 1
    assert found[-1] == on_table[-1]
    for k in range(7):
        assert np.array_equal(found[k], on_table[k])


@pytest.mark.parametrize("threads", [2, 3, 7])
def test_threads_and_leases_do_not_show(threads: int) -> None:
    tree = tree_of(load_game("leduc"))
    walks, profile = walks_of(tree), some_profile(tree)
    whole = walks.run(profile, None, True, 1, 2, 0, 0, 240, 240, 1)
    other = walks.run(profile, None, True, 1, 2, 0, 0, 240, 240, threads)
    parts = [walks.run(profile, None, True, 1, 2, 0, first, 80, 240 + first, 1) for first in (0, 80, 160)]
    for k in range(7):
        joined = np.concatenate([part[k] for part in parts])
        assert np.array_equal(whole[k], other[k])
        assert np.array_equal(whole[k], joined)


@pytest.mark.parametrize("spec", ["leduc", "openspiel:kuhn_poker(players=3)"])
@pytest.mark.parametrize("how", ["plain", "baseline", "stratified with baseline"])
def test_sampled_regrets_are_unbiased(spec: str, how: str) -> None:
    """The mean over many walks is within its error of the exact regrets: the largest of the z-scores is not large."""
    tree = tree_of(load_game(spec))
    walks, profile = walks_of(tree), some_profile(tree)
    guess = None if how == "plain" else np.random.default_rng(5).normal(size=walks.slots)
    wanted = exact_regrets(tree, profile)
    batches, each = 60, max(600, walks.deals * 5)
    for player in range(tree.game.players):
        means = []
        for k in range(batches):
            found = walks.run(profile, guess, how.startswith("strat"), 11, k, player, 0, each, k * each, 2)
            means.append(summed(tree, found[0], found[1]) / each)
        mine = tree.sequence_owner == player
        mean, error = np.mean(means, axis=0)[mine], np.std(means, axis=0, ddof=1)[mine] / batches**0.5
        score = (mean - wanted[mine])[error > 1e-12] / error[error > 1e-12]
        assert np.abs(score).max() < 5.5
        assert np.abs(mean - wanted[mine])[error <= 1e-12].max(initial=0.0) < 1e-9
        assert 0.7 < np.std(score) < 1.5  # no larger, no smaller than chance makes them


@pytest.mark.parametrize("traverser", [0, 1, 2])
def test_strategies_are_weighted_to_their_own_reach(traverser: int) -> None:
    """With three players, a seat's weighted visits are its own reach times the chance of its card: a quarter."""
    tree = tree_of(load_game("openspiel:kuhn_poker(players=3)"))
    walks, profile = walks_of(tree), some_profile(tree)
    means = []
    for k in range(40):
        found = walks.run(profile, None, False, 3, k, traverser, 0, 5_000, 0, 2)
        means.append(summed(tree, found[2], found[3] * found[4][:, None]) / 5_000)
    others = tree.sequence_owner != traverser
    mean, error = np.mean(means, axis=0)[others], np.std(means, axis=0, ddof=1)[others] / 40**0.5
    wanted = 0.25 * tree.native.own_reaches(profile)[others]
    assert np.abs((mean - wanted) / error).max() < 5


def spread(walks: native.TreeWalks, tree: Tree, guess: npt.NDArray[np.float64] | None, stratified: bool) -> float:
    profile = some_profile(tree)
    means = []
    for k in range(200):
        found = walks.run(profile, guess, stratified, 1, k, 0, 0, 120, 120 * k, 1)
        means.append(summed(tree, found[0], found[1]) / 120)
    return float(np.var(means, axis=0).sum())


def test_baselines_and_shared_deals_lower_the_variance() -> None:
    tree = tree_of(load_game("leduc"))
    game = ListedGame(load_game("leduc"), TrainSettings(RunSettings("leduc")))
    walks, profile = game.walks, some_profile(tree)
    learnt = np.zeros(walks.slots)
    for k in range(300):
        found = walks.run(profile, learnt, True, 2, k, k % 2, 0, 120, 120 * k, 1)
        native.moving_average(learnt, found[5], found[6], 0.1)
    plain, shared = spread(walks, tree, None, False), spread(walks, tree, None, True)
    both = spread(walks, tree, learnt, True)
    assert shared < 0.85 * plain
    assert both < 0.7 * shared


def test_a_block_of_walks_covers_every_deal_once() -> None:
    tree = tree_of(load_game("leduc"))
    walks = walks_of(tree)
    assert walks.deals == 120
    always_call = np.zeros(tree.sequences)
    for infoset in range(tree.infosets):
        own = np.arange(tree.first[infoset], tree.first[infoset + 1])
        always_call[own[tree.actions[own] == 1]] = 1.0
    found = walks.run(always_call, None, True, 9, 1, 0, 0, 120, 0, 1)
    views = [tree.views[k] for k in found[2].tolist()]
    seen: dict[str, int] = {}
    for view in views:
        key: Any = view
        if key.first == "c" and key.second is None:
            seen[key.card] = seen.get(key.card, 0) + 1
    assert set(seen.values()) == {20}  # 120 deals, six cards of player 1


def test_deals_that_are_not_alike_are_refused() -> None:
    from zerosum.errors import SettingsError

    with pytest.raises(SettingsError, match=r"the deals of liars-dice:dice=2,faces=2 are not equally likely"):
        ListedGame(
            load_game("liars-dice:dice=2,faces=2"),
            TrainSettings(RunSettings("liars-dice:dice=2,faces=2"), WalkSettings(stratified=True)),
        )


def test_futures_join_what_differs_in_suits_only() -> None:
    game = ListedGame(load_game("leduc"), TrainSettings(RunSettings("leduc")))
    assert game.walks.slots < tree_of(load_game("leduc")).nodes / 10
    assert [len(known.features) for known in game.situations] == [144, 144]
