"""OpenSpiel as oracle: the same exploitability after the same iterations, and the same trees."""

from __future__ import annotations

from typing import Any

import pyspiel
import pytest
from open_spiel.python.algorithms import discounted_cfr
from open_spiel.python.algorithms import exploitability as openspiel_exploitability

from zerosum import UniformPolicy, expected_value, exploitability, iterates, load_game, nash_conv, tree_of

PAIRS = [
    ("kuhn", "kuhn_poker"),
    ("leduc", "leduc_poker"),
    ("liars-dice:faces=4", "liars_dice(dice_sides=4)"),
]
MARKS = (1, 10, 100)


def compare(spec: str, algorithm: str, solver: Any, exact: Any, marks: tuple[int, ...]) -> None:
    done = 0
    for iterate in iterates(load_game(spec), algorithm, at=marks):
        while done < iterate.iteration:
            solver.evaluate_and_update_policy()
            done += 1
        assert iterate.exploitability == pytest.approx(exact(solver.average_policy()), abs=1e-9)


@pytest.mark.parametrize(("spec", "name"), PAIRS)
@pytest.mark.parametrize("algorithm", ["cfr", "cfr+"])
def test_cfr_and_cfr_plus_agree(spec: str, name: str, algorithm: str) -> None:
    game = pyspiel.load_game(name)
    solver = pyspiel.CFRSolver(game) if algorithm == "cfr" else pyspiel.CFRPlusSolver(game)
    compare(spec, algorithm, solver, lambda policy: pyspiel.exploitability(game, policy), MARKS)


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["cfr", "cfr+"])
def test_cfr_and_cfr_plus_agree_on_full_liars_dice(algorithm: str) -> None:
    test_cfr_and_cfr_plus_agree("liars-dice", "liars_dice", algorithm)


def compare_discounted(spec: str, name: str, algorithm: str, marks: tuple[int, ...]) -> None:
    game = pyspiel.load_game(name)
    solver = (discounted_cfr.LCFRSolver if algorithm == "lcfr" else discounted_cfr.DCFRSolver)(game)
    compare(spec, algorithm, solver, lambda policy: openspiel_exploitability.exploitability(game, policy), marks)


@pytest.mark.parametrize(("spec", "name", "marks"), [(*PAIRS[0], MARKS), (*PAIRS[1], MARKS[:2])])
@pytest.mark.parametrize("algorithm", ["lcfr", "dcfr"])
def test_discounted_cfr_agrees(spec: str, name: str, marks: tuple[int, ...], algorithm: str) -> None:
    compare_discounted(spec, name, algorithm, marks)


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "name"), [*PAIRS[1:], ("liars-dice", "liars_dice")])
@pytest.mark.parametrize("algorithm", ["lcfr", "dcfr"])
def test_discounted_cfr_agrees_for_long(spec: str, name: str, algorithm: str) -> None:
    compare_discounted(spec, name, algorithm, MARKS)


@pytest.mark.parametrize(("spec", "name"), [*PAIRS, ("liars-dice", "liars_dice")])
def test_our_games_are_openspiels(spec: str, name: str) -> None:
    ours, theirs = tree_of(load_game(spec)), tree_of(load_game(f"openspiel:{name}"))
    assert ours.infosets == theirs.infosets
    assert (ours.chance_nodes, ours.decision_nodes, ours.terminal_nodes) == (
        theirs.chance_nodes,
        theirs.decision_nodes,
        theirs.terminal_nodes,
    )
    for tree in (ours, theirs):
        uniform = UniformPolicy(tree.game)
        assert expected_value(tree, uniform)[0] == pytest.approx(expected_value(ours, UniformPolicy(ours.game))[0])
        assert nash_conv(tree, uniform) == pytest.approx(nash_conv(ours, UniformPolicy(ours.game)), abs=1e-12)


@pytest.mark.parametrize(
    "name",
    [
        "kuhn_poker(players=3)",
        "leduc_poker(players=2)",
        "matrix_rps",  # simultaneous moves
        "goofspiel(num_cards=3,players=2,imp_info=True,points_order=descending)",
        "first_sealed_auction(max_value=3)",
        "tiny_bridge_2p",
    ],
)
def test_adapter_agrees_with_openspiel_on_uniform_policies(name: str) -> None:
    game = load_game(f"openspiel:{name}")
    if name.startswith(("first_sealed", "tiny_bridge")):  # not zero-sum
        with pytest.raises(Exception, match="not zero-sum"):
            tree_of(game)
        return
    wanted = pyspiel.nash_conv(*_turn_based(name))
    assert nash_conv(game, UniformPolicy(game)) == pytest.approx(wanted, abs=1e-9)
    assert exploitability(game, UniformPolicy(game)) == pytest.approx(wanted / game.players, abs=1e-9)


def _turn_based(name: str) -> tuple[Any, Any]:
    loaded = pyspiel.load_game(name)
    if loaded.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        loaded = pyspiel.convert_to_turn_based(loaded)
    return loaded, pyspiel.UniformRandomPolicy(loaded)
