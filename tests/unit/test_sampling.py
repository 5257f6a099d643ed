"""The sampled solvers: unbiased, converging, and blind to the number of threads."""

from __future__ import annotations

import numpy as np
import pytest

import zerosum as zs
from zerosum import native

SAMPLINGS = ("external", "outcome", "pcs")


def slope(spec: str, sampling: str, seed: int, walks: tuple[int, ...]) -> float:
    """Of log exploitability against log walks."""
    game = zs.load_game(spec)
    marks = [count // game.players for count in walks]
    found = [iterate.exploitability for iterate in zs.iterates(game, sampling, seed=seed, threads=2, at=marks)]
    return float(np.polyfit(np.log(walks), np.log(found), 1)[0])


WALKS = (10_000, 31_600, 100_000, 316_000, 1_000_000)


@pytest.mark.parametrize(("spec", "sampling"), [("kuhn", s) for s in SAMPLINGS] + [("leduc", s) for s in SAMPLINGS[:2]])
def test_converges(spec: str, sampling: str) -> None:
    slopes = [slope(spec, sampling, seed, WALKS) for seed in range(5)]
    assert np.mean(slopes) <= -0.4, slopes


@pytest.mark.slow
def test_public_chance_sampling_converges_on_leduc() -> None:
    slopes = [slope("leduc", "pcs", seed, WALKS) for seed in range(5)]
    assert np.mean(slopes) <= -0.4, slopes


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("spec", ["kuhn", "leduc", "liars-dice:faces=3", "openspiel:kuhn_poker(players=3)"])
def test_unbiased(spec: str, sampling: str) -> None:
    """The mean sampled regret of every action, z-tested against the exact counterfactual regret.

    Positive regrets that are a strategy make the walks play that strategy; one batch then adds its samples to them.
    """
    tree = zs.tree_of(zs.load_game(spec))
    rng = np.random.default_rng(7)
    counts = np.diff(tree.first)
    profile = np.concatenate([rng.dirichlet(np.ones(count)) for count in counts])
    exact = tree.native.counterfactual_values(profile)
    exact -= np.repeat(np.add.reduceat(exact * profile, tree.first[:-1]), counts)
    trials = 4_000 if sampling != "pcs" else 1_000
    means = np.empty((trials, tree.sequences))
    for trial in range(trials):
        solver = native.SampledSolver(tree.native, sampling, trial, 1)
        solver.restore(0, np.concatenate([profile, np.zeros(tree.sequences)]))
        solver.run(solver.batch)
        _, state = solver.state()
        means[trial] = (state["table"][: tree.sequences] - profile) / solver.batch
    error = means.std(axis=0, ddof=1) / np.sqrt(trials)
    difference = means.mean(axis=0) - exact
    if sampling == "pcs" and spec != "leduc":  # only Leduc deals a card that all can see: here nothing is sampled
        np.testing.assert_allclose(difference, 0.0, atol=1e-12)
        return
    assert np.all(np.abs(difference) <= 5.0 * error + 1e-12)
    seen = error > 1e-12
    assert np.count_nonzero(seen) > len(seen) / 2
    z = difference[seen] / error[seen]
    assert abs(np.mean(z)) < 0.5
    assert 0.7 < np.std(z) < 1.3


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_threads_do_not_show(sampling: str) -> None:
    tree = zs.tree_of(zs.load_game("leduc"))
    tables = []
    for threads in (1, 2, 3, 8):
        solver = native.SampledSolver(tree.native, sampling, 5, threads)
        solver.run(333)
        tables.append(solver.average_profile())
    for table in tables[1:]:
        assert np.array_equal(table, tables[0])


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_seeds_show(sampling: str) -> None:
    game = zs.load_game("leduc")
    one, same, other = (zs.solve(game, sampling, iterations=50, seed=seed).policy.probabilities for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_stopping_leaves_no_trace(sampling: str) -> None:
    """Looking at a solve anywhere, or saving and restoring it, gives the bits of a solve in one go."""
    tree = zs.tree_of(zs.load_game("leduc"))
    straight = native.SampledSolver(tree.native, sampling, 3, 2)
    straight.run(251)
    stopped = native.SampledSolver(tree.native, sampling, 3, 1)
    for count in (1, 6, 93, 20):
        stopped.run(count)
    iteration, state = stopped.state()
    resumed = native.SampledSolver(tree.native, sampling, 3, 2)
    resumed.restore(iteration, **state)
    resumed.run(251 - iteration)
    assert resumed.iteration == 251
    assert np.array_equal(resumed.average_profile(), straight.average_profile())
