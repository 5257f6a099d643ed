"""The chief: what goes where, what happens to a step that is not finite, and what an average is."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from zerosum import load_game
from zerosum.errors import PolicyError
from zerosum.evaluate.distances import distance
from zerosum.learn.deepcfr.chief import Chief
from zerosum.learn.deepcfr.learner import Learner
from zerosum.learn.deepcfr.listed import ListedGame
from zerosum.learn.deepcfr.stability import Stability
from zerosum.learn.deepcfr.worker import ThreadWorkers
from zerosum.learn.presets import load_settings
from zerosum.networks.small import alone, flat_weights
from zerosum.policy.storage import load_policy

if TYPE_CHECKING:
    from zerosum.learn.deepcfr.settings import TrainSettings

QUICK = ["walks.per_player=30", "advantage.steps=5"]


def chief_of(*changes: str, preset: str = "kuhn-sdcfr") -> Chief:
    alone()
    settings: TrainSettings = load_settings(preset, [*QUICK, *changes])
    ground = ListedGame(load_game(settings.run.game), settings)
    return Chief(ground, settings, ThreadWorkers(ground, 1), Learner(ground, settings), None)


def test_each_players_rows_go_to_its_own_buffer() -> None:
    chief = chief_of()
    chief.step()
    ground = chief.ground
    assert isinstance(ground, ListedGame)
    for player in range(2):
        rows = chief.learner.buffers[f"advantage{player}"].rows()
        own = {row.tobytes() for row in ground.situations[player].features}
        assert {row.tobytes() for row in rows.features} <= own


def test_a_step_that_is_not_finite_is_an_event(monkeypatch: pytest.MonkeyPatch) -> None:
    chief = chief_of()
    chief.step()
    walk = chief.workers.walk

    def damaged(*arguments: Any) -> Any:
        found = walk(*arguments)
        found[0].advantages[0, 0] = np.nan
        return found

    before = [flat_weights(network) for network in chief.learner.networks.advantages]
    monkeypatch.setattr(chief.workers, "walk", damaged)
    report = chief.step()
    assert len(report.events) == 2
    assert "a step was not finite" in report.events[0]
    for network, weights in zip(chief.learner.networks.advantages, before, strict=True):
        assert np.array_equal(flat_weights(network), weights)


def test_the_learning_rate_decays() -> None:
    quick, slow = chief_of(), chief_of("advantage.decay=0.01", "advantage.decay_every=1")
    for _ in range(4):
        quick.step()
        slow.step()
    moved = [np.abs(flat_weights(chief.learner.networks.advantages[0])).sum() for chief in (quick, slow)]
    assert moved[0] != moved[1]
    first = flat_weights(slow.learner.networks.advantages[0])
    slow.step()
    assert np.abs(flat_weights(slow.learner.networks.advantages[0]) - first).max() < 1e-8


def test_networks_begin_anew_where_that_is_asked() -> None:
    warm, fresh = chief_of(), chief_of("advantage.warm=false")
    for chief in (warm, fresh):
        for _ in range(3):
            chief.step()
    assert warm.learner.networks._optimisers[0].steps == 15
    assert fresh.learner.networks._optimisers[0].steps == 5


def test_warm_up_and_start_rows_wait() -> None:
    waiting = chief_of("walks.warm_up=2")
    reports = [waiting.step() for _ in range(3)]
    assert [report.batches for report in reports] == [0, 0, 10]
    late = chief_of("buffer.start_rows=1000000")
    assert late.step().batches == 0


def test_the_average_is_weighted_by_iteration_and_reach() -> None:
    chief = chief_of()
    ground = chief.ground
    assert isinstance(ground, ListedGame)
    wanted = np.zeros(ground.tree.sequences)
    for t in range(1, 6):
        wanted += t * ground.tree.native.own_reaches(chief.playing)
        chief.step()
    assert chief.average is not None
    assert chief.average.summed == pytest.approx(wanted)


def test_going_on_from_a_state_is_the_same_as_never_having_stopped() -> None:
    whole, first = chief_of("strategy.train=true"), chief_of("strategy.train=true")
    for _ in range(6):
        whole.step()
    for _ in range(3):
        first.step()
    second = chief_of("strategy.train=true")
    second.restore(*first.state())
    for _ in range(3):
        second.step()
    assert second.weights_hash() == whole.weights_hash()
    assert second.iteration == 6


def test_stability_warns() -> None:
    look = Stability()
    for k in range(20):
        told = look.look(k + 1, {"advantage0": 0.5 * (k % 2)})
    assert told["advantage_loss_spread"] == pytest.approx(0.25)
    assert told["warnings"] == ["the advantage loss strays by more than 0.05 from its mean"]
    calm = Stability()
    calm.look(1, {"strategy": 1.0})
    assert "warnings" not in calm.look(101, {"strategy": 0.5})
    assert calm.look(201, {"strategy": 0.49})["warnings"]


def test_distances_are_total_variations() -> None:
    chief = chief_of()
    ground = chief.ground
    assert isinstance(ground, ListedGame)
    tree = ground.tree
    pure = np.zeros(tree.sequences)
    pure[tree.first[:-1]] = 1.0
    assert distance(tree, tree.uniform(), pure) == pytest.approx(np.full(tree.infosets, 0.5))


def test_a_network_for_other_features_is_refused(tmp_path: Any) -> None:
    from zerosum.policy.learned import save_strategy_network
    from zerosum.policy.table import Origin

    chief = chief_of()
    weights, settings = flat_weights(chief.learner.networks.strategy), chief.settings.network
    origin = Origin("deep-cfr", 1, 0.5)
    save_strategy_network(tmp_path, weights, chief.ground.game, settings, "kuhn-full-99", origin)
    with pytest.raises(PolicyError, match="a network for features kuhn-full-99, wanted kuhn-full-1"):
        load_policy(tmp_path)
    wider = replace(settings, hidden=40)
    save_strategy_network(tmp_path, weights, chief.ground.game, wider, "kuhn-full-1", origin)
    with pytest.raises(PolicyError, match=r"a network of \d+ weights, wanted \d+"):
        load_policy(tmp_path)


def test_a_mixture_knows_who_began_to_learn_when(tmp_path: Any) -> None:
    """Players whose buffers fill at different speeds play their first network in different iterations."""
    from zerosum.policy.learned import save_mixture
    from zerosum.policy.table import Origin

    alone()
    settings = load_settings("kuhn-sdcfr", [*QUICK, "buffer.start_rows=125"])
    ground = ListedGame(load_game("kuhn"), settings)
    chief = Chief(ground, settings, ThreadWorkers(ground, 1), Learner(ground, settings), tmp_path)
    for _ in range(8):
        chief.step()
    chief.state()  # writes the networks
    assert chief.mixture.uniform[0] != chief.mixture.uniform[1]
    save_mixture(tmp_path, chief.mixture, ground.game, settings.network, ground.encoder_name, Origin("sd-cfr", 8, None))
    assert load_policy(tmp_path).probabilities == pytest.approx(chief.standing().policies["mixture"], abs=1e-9)


def test_an_undone_fit_keeps_the_old_network_even_where_they_begin_anew() -> None:
    chief = chief_of("advantage.warm=false")
    chief.step()
    before, playing = flat_weights(chief.learner.networks.advantages[0]), chief.playing.copy()
    rows = chief.learner.buffers["advantage0"].rows()
    rows.values[0] = np.nan
    report = chief.learner.networks.fit_advantages(0, rows, 2)
    assert report.undone
    assert np.array_equal(flat_weights(chief.learner.networks.advantages[0]), before)
    assert np.array_equal(chief.playing, playing)


def test_walking_ahead_is_deterministic_and_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everyone walks with what the iteration began with, whether the learner is quick or slow."""
    ahead = ("walks.ahead=true", "strategy.train=true")
    whole, first, plain = chief_of(*ahead), chief_of(*ahead), chief_of("strategy.train=true")
    for chief in (whole, plain):
        for _ in range(6):
            chief.step()
    for _ in range(3):
        first.step()
    second = chief_of(*ahead)
    second.restore(*first.state())
    learn = second.learner.learn

    def slowly(*told: Any) -> Any:
        time.sleep(0.05)
        return learn(*told)

    monkeypatch.setattr(second.learner, "learn", slowly)
    for _ in range(3):
        second.step()
    assert second.weights_hash() == whole.weights_hash()
    assert plain.weights_hash() != whole.weights_hash()
