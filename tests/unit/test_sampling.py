"""The sampled solvers: unbiased, converging, and blind to the number of threads."""

from __future__ import annotations

from collections import Counter
from math import inf
from typing import TYPE_CHECKING

import numpy as np
import pytest

import zerosum as zs
from differential.generic import Generic
from zerosum import native
from zerosum.games.protocol import CHANCE, TERMINAL
from zerosum.games.tree import compile_tree

if TYPE_CHECKING:
    from collections.abc import Hashable

    import numpy.typing as npt

    from zerosum.games.protocol import Game, State
    from zerosum.games.tree import Tree

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


def chance_reach(game: Game) -> Counter[Hashable]:
    """For each view, the probability of chance summed over its states."""
    found: Counter[Hashable] = Counter()
    stack: list[tuple[State, float]] = [(game.root(), 1.0)]
    while stack:
        state, reach = stack.pop()
        if state.actor == TERMINAL:
            continue
        if state.actor == CHANCE:
            stack.extend((state.child(a), reach * p) for a, p in state.chance())
        else:
            found[state.view(state.actor)] += reach  # type: ignore[assignment]
            stack.extend((state.child(a), reach) for a in state.legal())
    return found


def exact_increments(tree: Tree, profile: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """[2, sequences] what an iteration adds on average: counterfactual regrets, and strategies by own reach.

    The average of a player is added to in every other player's walk, by the reach of chance.
    """
    counts = np.diff(tree.first)
    regret = tree.native.counterfactual_values(profile)
    regret -= np.repeat(np.add.reduceat(regret * profile, tree.first[:-1]), counts)
    own = native.Solver(tree.native, inf, inf, 0.0, False, False)
    zeros = np.zeros(tree.sequences)
    own.restore(0, zeros, zeros, profile)
    own.run(1)  # its average is then the profile's own reaches, for the players it has not yet moved
    reach = own.state()[1]["average"]
    dealt = chance_reach(tree.game)
    return np.stack([regret, reach * np.repeat([(tree.game.players - 1) * dealt[view] for view in tree.views], counts)])


GAMES = ("kuhn", "leduc:ranks=2", "liars-dice:faces=3", "openspiel:kuhn_poker(players=3)")


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("spec", GAMES)
def test_unbiased(spec: str, sampling: str) -> None:
    """What a batch adds to both tables, z-tested against the exact answer, with chances that are not uniform.

    Positive regrets that are a strategy make the walks play that strategy; one batch then adds its samples to them.
    """
    tree = compile_tree(Generic(zs.load_game(spec)))
    rng = np.random.default_rng(7)
    profile = np.concatenate([rng.dirichlet(np.full(count, 5.0)) for count in np.diff(tree.first)])
    exact = exact_increments(tree, profile)
    trials = 4_000 if sampling != "pcs" else 1_000
    start = np.stack([profile, np.zeros(tree.sequences)])
    means = np.empty((trials, *start.shape))
    for trial in range(trials):
        solver = native.SampledSolver(tree.native, sampling, trial, 1)
        solver.restore(0, start.ravel())
        solver.run(solver.batch)
        _, state = solver.state()
        means[trial] = (state["table"].reshape(start.shape) - start) / solver.batch
    error = means.std(axis=0, ddof=1) / np.sqrt(trials)
    difference = means.mean(axis=0) - exact
    if sampling == "pcs" and not spec.startswith("leduc"):  # no card that all can see: here nothing is sampled
        np.testing.assert_allclose(difference, 0.0, atol=1e-12)
        return
    often = np.count_nonzero(means, axis=0) >= 150  # a mean of fewer samples is far from normal
    for half in (0, 1):
        z = difference[half][often[half]] / np.maximum(error[half][often[half]], 1e-9)  # some are not sampled at all
        assert len(z) > tree.sequences / 2
        assert np.max(np.abs(z)) < 5.0
        assert abs(np.mean(z)) < 0.5
        if len(z) > 80:
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


def test_looking_at_every_iteration_costs_no_progress() -> None:
    """One iteration at a time, saved after each: the bits of a run in one go."""
    tree = zs.tree_of(zs.load_game("leduc"))
    straight, stepped = (native.SampledSolver(tree.native, "external", 3, 1) for _ in range(2))
    straight.run(137)
    for _ in range(137):
        stepped.run(1)
        stepped.state()
    assert stepped.iteration == 137
    assert np.array_equal(stepped.average_profile(), straight.average_profile())
