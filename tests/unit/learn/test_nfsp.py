"""Fictitious self-play: games that add up, targets that look one's own step ahead, and a state to go on from."""

from __future__ import annotations

import numpy as np
import pytest

from zerosum import load_game
from zerosum.learn.deepcfr.listed import ListedGame
from zerosum.learn.deepcfr.nfsp import END, Nfsp
from zerosum.learn.presets import load_settings
from zerosum.networks.small import alone

QUICK = ["nfsp.games=64", "advantage.steps=3", "strategy.steps=3", "buffer.start_rows=1", "run.game=kuhn"]


def nfsp(*changes: str) -> Nfsp:
    alone()
    settings = load_settings("leduc-nfsp", [*QUICK, *changes])
    return Nfsp(ListedGame(load_game(settings.run.game), settings), settings)


def test_transitions_lead_from_a_decision_to_the_players_next() -> None:
    trainer = nfsp("nfsp.games=300")
    trainer.step()
    views = trainer.game.tree.views
    for player, replay in enumerate(trainer.replays):
        told = {name: array[: replay.stored] for name, array in replay.arrays.items()}
        assert replay.stored > 200
        for infoset, column, reward, following in zip(*(told[name] for name in replay.arrays), strict=True):
            assert views[infoset].seat == player
            assert column in views[infoset].legal()
            if following == END:
                assert abs(reward) in (1.0, 2.0)
            else:
                assert reward == 0.0
                assert views[following].seat == player
                assert views[following].key.startswith(views[infoset].key)


def test_targets_are_rewards_and_the_best_that_may_follow() -> None:
    trainer = nfsp()
    trainer.step()
    trainer.frozen = np.where(trainer.game.legal, np.arange(trainer.game.tree.infosets)[:, None] * 10.0, -np.inf)
    replay = trainer.replays[0]
    rows = trainer._targets(replay)
    assert (rows.legal.sum(axis=1) == 1).all()  # only what was done counts
    wanted = {
        float(reward if following == END else 10.0 * following)
        for reward, following in zip(
            replay.arrays["reward"][: replay.stored], replay.arrays["following"][: replay.stored], strict=True
        )
    }
    assert {float(value) for value in rows.values.sum(axis=1)} <= wanted


def test_only_best_responses_are_imitated() -> None:
    none = nfsp("nfsp.anticipation=0.0")
    none.step()
    assert none.buffers["strategy"].seen == 0
    every = nfsp("nfsp.anticipation=1.0")
    every.step()
    assert every.buffers["strategy"].seen == sum(replay.seen for replay in every.replays)


def test_best_responses_are_greedy_and_explore() -> None:
    trainer = nfsp("nfsp.exploration=0.5")
    trainer.iteration = 1
    found = trainer._best_response()
    assert sorted(set(np.round(found, 9))) == [0.25, 0.75]


def test_the_replay_keeps_the_newest() -> None:
    trainer = nfsp("nfsp.replay_rows=100")
    trainer.step()
    trainer.step()
    replay = trainer.replays[0]
    assert replay.stored == 100 < replay.seen


def test_going_on_from_a_state() -> None:
    whole, first = nfsp(), nfsp()
    for _ in range(5):
        whole.step()
    first.step()
    first.step()
    second = nfsp()
    second.restore(*first.state())
    for _ in range(3):
        second.step()
    assert second.weights_hash() == whole.weights_hash()


def test_it_learns_kuhn() -> None:
    trainer = nfsp("nfsp.games=256", "advantage.steps=20", "strategy.steps=20", "network.hidden=32")
    for _ in range(150):
        trainer.step()
    profile = trainer.standing().policies["strategy"]
    found = trainer.game.tree.native.best_responses(profile)[0].sum() / 2
    assert found == pytest.approx(0.0, abs=0.2)  # uniform play: 0.458
