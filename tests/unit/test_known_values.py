"""Closed-form values of the small games, with tight tolerances: a loose one hides a wrong algorithm."""

from __future__ import annotations

from itertools import islice

import pytest

import zerosum as zs
from zerosum.solve.algorithms import ALGORITHMS, CFR_PLUS, Discount

LEDUC_VALUE = -0.085606424078


def probability(policy: zs.TablePolicy, key: str, action: str) -> float:
    number = next(n for n, view in enumerate(policy.tree.views) if view.key == key)
    return policy.row(number)[action]


def test_kuhn_lands_on_the_equilibrium_family() -> None:
    """Kuhn 1950: one parameter α for player 0, a unique strategy for player 1."""
    result = zs.solve(zs.load_game("kuhn"), "pcfr+")
    assert result.value[0] == pytest.approx(-1 / 18, abs=1e-7)
    assert result.value[1] == pytest.approx(1 / 18, abs=1e-7)
    alpha = probability(result.policy, "J:", "bet")
    assert -1e-4 <= alpha <= 1 / 3 + 1e-4
    wanted = {
        ("J:", "bet"): alpha,
        ("Q:", "bet"): 0.0,
        ("K:", "bet"): 3 * alpha,
        ("J:pb", "call"): 0.0,
        ("Q:pb", "call"): alpha + 1 / 3,
        ("K:pb", "call"): 1.0,
        ("J:p", "bet"): 1 / 3,
        ("Q:p", "bet"): 0.0,
        ("K:p", "bet"): 1.0,
        ("J:b", "call"): 0.0,
        ("Q:b", "call"): 1 / 3,
        ("K:b", "call"): 1.0,
    }
    assert len(wanted) == result.policy.tree.infosets
    for (key, action), p in wanted.items():
        assert probability(result.policy, key, action) == pytest.approx(p, abs=1e-4), key


def test_leduc_to_a_millionth_in_a_second() -> None:
    result = zs.solve(zs.load_game("leduc"), "pdcfr+", iterations=20_000)
    assert result.value[0] == pytest.approx(LEDUC_VALUE, abs=1e-9)
    assert result.nash_conv <= 1e-6
    assert result.exploitability == result.nash_conv / 2


@pytest.mark.parametrize(("spec", "wanted"), [("kuhn", 0.916667), ("leduc", 4.747222)])
def test_uniform_policies(spec: str, wanted: float) -> None:
    game = zs.load_game(spec)
    assert zs.nash_conv(game, zs.UniformPolicy(game)) == pytest.approx(wanted, abs=1e-6)
    assert zs.exploitability(game, zs.UniformPolicy(game)) == pytest.approx(wanted / 2, abs=1e-6)


@pytest.mark.parametrize("name", [name for name, how in ALGORITHMS.items() if isinstance(how, Discount)])
def test_every_exact_algorithm_converges(name: str) -> None:
    game = zs.load_game("leduc")
    early, late = zs.solve(game, name, iterations=100), zs.solve(game, name, iterations=2_000)
    assert late.exploitability < early.exploitability / 4
    assert late.exploitability < 0.01


def test_an_iterator_of_iterates() -> None:
    seen = [iterate.exploitability for iterate in islice(zs.iterates(zs.load_game("kuhn"), CFR_PLUS), 50)]
    assert len(seen) == 50
    assert seen[0] == pytest.approx(0.916667 / 2, abs=1e-6)  # the first iterate is uniform
    assert seen[-1] < 0.02


def test_best_response_gets_what_it_promises() -> None:
    game = zs.load_game("leduc")
    policy = zs.solve(game, "cfr+", iterations=50).policy
    gains = 0.0
    for player in (0, 1):
        best = zs.best_response(game, policy, player=player)
        pair = [policy, policy]
        pair[player] = best.policy
        assert zs.expected_value(game, pair)[player] == pytest.approx(best.value, abs=1e-12)
        gains += best.value
    assert gains == pytest.approx(zs.nash_conv(game, policy), abs=1e-12)


def test_expected_value_of_a_pair_of_policies() -> None:
    """In Kuhn, folding and passing always against betting and calling always loses the ante."""
    game = zs.load_game("kuhn")
    tree = zs.tree_of(game)
    timid = zs.TablePolicy(tree, (tree.actions == 0).astype(float))
    bold = zs.TablePolicy(tree, (tree.actions == 1).astype(float))
    assert zs.expected_value(game, [timid, bold]) == pytest.approx((-1.0, 1.0))
    assert zs.expected_value(game, [bold, timid]) == pytest.approx((1.0, -1.0))
    assert zs.expected_value(game, [bold, bold]) == pytest.approx((0.0, 0.0))


def test_target_stops_early() -> None:
    result = zs.solve(zs.load_game("leduc"), "cfr+", target=0.01)
    assert 0.0 < result.exploitability <= 0.01
    assert result.iterations < 1_000
    assert result.history[-2].exploitability > 0.01


def test_three_players() -> None:
    """No promise of an equilibrium, but the measures hold: values add up to zero, NashConv is a sum of gains."""
    game = zs.load_game("openspiel:kuhn_poker(players=3)")
    result = zs.solve(game, "cfr", iterations=2_000)
    assert len(result.value) == 3
    assert sum(result.value) == pytest.approx(0.0, abs=1e-12)
    assert 0 <= result.nash_conv < 0.05
    assert result.exploitability == pytest.approx(result.nash_conv / 3)
    assert zs.solve(game, "external", iterations=20_000).nash_conv < 0.2
