"""Told the truth instead of samples, the machinery of Deep CFR is tabular CFR; with a network between, nearly so."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch

from zerosum import load_game, native
from zerosum.learn.adam import Adam
from zerosum.learn.deepcfr.listed import ListedFound, ListedGame
from zerosum.learn.deepcfr.settings import FitSettings, RunSettings, TrainSettings
from zerosum.learn.fit import fit, squared_error
from zerosum.learn.merged import MergedBuffer
from zerosum.networks.settings import NetworkSettings
from zerosum.networks.small import AdvantageNet, alone
from zerosum.policy.matching import regret_matching

if TYPE_CHECKING:
    import numpy.typing as npt


def truth(game: ListedGame, profile: npt.NDArray[np.float64], player: int) -> ListedFound:
    """What walks would find on average: the exact regrets of every information set."""
    tree = game.tree
    value = tree.native.counterfactual_values(profile)
    regret = value - np.repeat(np.add.reduceat(value * profile, tree.first[:-1]), np.diff(tree.first))
    rows = np.zeros(game.legal.shape)
    rows[game.infoset_of, tree.actions] = regret
    mine = np.flatnonzero(tree.owner == player).astype(np.int32)
    none: Any = np.zeros(0)
    return ListedFound(
        mine, rows[mine], none.astype(np.int32), none.reshape(0, 1), none, none.astype(np.int64), none, 0
    )


class Told:
    """A learner that knows the buffer by heart, or a network that was fitted to it for long."""

    def __init__(self, game: ListedGame, networks: bool) -> None:
        self.buffers = [MergedBuffer(1000, game.inputs, game.actions) for _ in range(game.players)]
        self.networks = []
        alone()
        torch.manual_seed(0)
        for _ in range(game.players if networks else 0):
            network = AdvantageNet(game.inputs, game.actions, NetworkSettings(hidden=64, layers=2))
            self.networks.append((network, Adam(network.flat.detach(), 0.0)))

    def strategies(
        self, player: int, features: npt.NDArray[np.float32], legal: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.float64]:
        rows = self.buffers[player].rows()
        if not self.networks:
            pairs = zip(rows.features, rows.legal, strict=True)
            known = {(f.tobytes(), a.tobytes()): k for k, (f, a) in enumerate(pairs)}
            order = [known[f.tobytes(), a.tobytes()] for f, a in zip(features, legal, strict=True)]
            return regret_matching(rows.values[order], legal, otherwise="uniform")
        network, adam = self.networks[player]
        fit(network, adam, rows, FitSettings(steps=150, visits=0.0), 1e-3, squared_error, (0,))
        with torch.inference_mode():
            return regret_matching(network(torch.from_numpy(features)).numpy(), legal, otherwise="uniform")


def run(spec: str, iterations: int, networks: bool) -> tuple[ListedGame, npt.NDArray[np.float64]]:
    game = ListedGame(load_game(spec), TrainSettings(RunSettings(spec), network=NetworkSettings(features="plain")))
    learner, playing, average = Told(game, networks), game.uniform(), game.average()
    for _ in range(iterations):
        for player in range(game.players):
            if player == 0:
                average.add(playing, 1.0)
            game.add_advantages(learner.buffers[player], truth(game, playing, player), 1.0)
            playing = game.updated(playing, player, game.piece(learner, player))
    return game, average.profile()


@pytest.mark.parametrize(("spec", "iterations"), [("kuhn", 50), ("leduc", 30)])
def test_told_the_truth_it_is_tabular_cfr(spec: str, iterations: int) -> None:
    game, found = run(spec, iterations, networks=False)
    solver = native.Solver(game.tree.native, inf, inf, 0.0, False, False)
    solver.run(iterations)
    wanted = solver.average_profile()
    # Tabular CFR averages player 1 as of its own turn, after player 0 has moved on: the same strategies.
    assert found == pytest.approx(wanted, abs=1e-9)


def test_a_network_told_the_truth_is_nearly_so() -> None:
    game, found = run("kuhn", 25, networks=True)
    _, wanted = run("kuhn", 25, networks=False)
    gap = [game.tree.native.best_responses(profile)[0].sum() / 2 for profile in (found, wanted)]
    assert gap[0] == pytest.approx(gap[1], abs=0.01)
    assert np.abs(found - wanted).max() < 0.15
