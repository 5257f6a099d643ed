"""Fitting: gradients held against PyTorch's, Adam against PyTorch's, masks that mask, and steps that are undone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch

from zerosum.learn.adam import Adam
from zerosum.learn.fit import cross_entropy, fit, squared_error
from zerosum.learn.rows import Rows
from zerosum.networks.settings import NetworkSettings
from zerosum.networks.small import AdvantageNet, Backpropagation, StrategyNet, flat_weights

if TYPE_CHECKING:
    from zerosum.learn.fit import Loss


@dataclass(frozen=True)
class Fitting:
    steps: int = 5
    batch_rows: int | None = None
    clip: float | None = None
    scale: bool = False
    visits: float = 1.0


def network(seed: int = 0, activation: str = "relu") -> AdvantageNet:
    torch.manual_seed(seed)
    made = AdvantageNet(6, 3, NetworkSettings(hidden=8, layers=3, activation=activation))
    torch.nn.init.normal_(made.flat, std=0.4)
    return made


def some_rows(count: int = 40, seed: int = 0) -> Rows:
    rng = np.random.default_rng(seed)
    legal = rng.random((count, 3)) < 0.7
    legal[:, 0] = True
    values = rng.random((count, 3)) * legal
    return Rows(
        rng.normal(size=(count, 6)).astype(np.float32),
        legal,
        values / values.sum(axis=1, keepdims=True),
        rng.random(count) + 0.5,
    )


@pytest.mark.parametrize("activation", ["relu", "leaky-relu"])
@pytest.mark.parametrize("loss_of", [squared_error, cross_entropy])
def test_the_gradient_is_pytorchs(activation: str, loss_of: Loss) -> None:
    net, rows = network(1, activation), some_rows()
    features, values = torch.from_numpy(rows.features), torch.from_numpy(rows.values.astype(np.float32))
    share = torch.from_numpy((rows.weight[:, None] * rows.legal).astype(np.float32))
    answer = net(features)
    if loss_of is squared_error:
        loss = ((answer - values).square() * share).sum()
    else:
        logs = torch.log_softmax(answer.masked_fill(share == 0, -torch.inf), dim=1)
        loss = -(torch.where(share > 0, logs, 0.0) * values * share).sum()
    loss.backward()
    way = Backpropagation(net)
    found, by_answer = loss_of(way.answer(features), values, share)
    way.back(by_answer)
    assert float(found) == pytest.approx(float(loss.detach()), rel=1e-5)
    assert net.flat.grad is not None
    assert torch.allclose(way.gradient, net.flat.grad, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("l2", [0.0, 0.01])
def test_adam_is_pytorchs(l2: float) -> None:
    torch.manual_seed(0)
    weights = torch.randn(50)
    theirs = torch.nn.Parameter(weights.clone())
    optimiser = torch.optim.Adam([theirs], lr=1e-2, weight_decay=l2)
    adam = Adam(weights, l2)
    for step in range(30):
        gradient = torch.randn(50) * (step % 3)
        theirs.grad = gradient.clone()
        optimiser.step()
        adam.step(gradient, 1e-2)
    assert torch.allclose(weights, theirs.detach(), atol=1e-6)


def test_adam_remembers_how_many_steps_it_took() -> None:
    adam = Adam(torch.zeros(3), 0.0)
    adam.steps = 2**24 + 1  # the first number that a float of 32 bits cannot hold
    again = Adam(torch.zeros(3), 0.0)
    again.restore(adam.state())
    assert again.steps == adam.steps


@pytest.mark.parametrize(("kind", "loss_of"), [(AdvantageNet, squared_error), (StrategyNet, cross_entropy)])
def test_masked_actions_never_influence_a_fit(kind: type[AdvantageNet], loss_of: Loss) -> None:
    rows = some_rows()
    wild = Rows(rows.features, rows.legal, np.where(rows.legal, rows.values, 1e6), rows.weight)
    found = []
    for one in (rows, wild):
        torch.manual_seed(1)
        net = kind(6, 3, NetworkSettings(hidden=8, layers=2))
        fit(net, Adam(net.flat.detach(), 0.0), one, Fitting(steps=20, scale=True), 1e-2, loss_of, (0,))
        found.append(flat_weights(net))
    assert np.array_equal(found[0], found[1])


def test_a_fit_fits() -> None:
    rows, net = some_rows(), network()
    adam = Adam(net.flat.detach(), 0.0)
    first = fit(net, adam, rows, Fitting(steps=1), 1e-2, squared_error, (0,)).loss
    fit(net, adam, rows, Fitting(steps=800), 1e-2, squared_error, (0,))
    assert fit(net, adam, rows, Fitting(steps=1), 1e-2, squared_error, (0,)).loss < 0.02 * first


def test_heavier_rows_count_more() -> None:
    features, legal = np.ones((2, 6), np.float32), np.ones((2, 3), np.bool_)
    rows = Rows(features, legal, np.array([[0.0] * 3, [1.0] * 3]), np.array([1.0, 3.0]))
    for visits, wanted in ((1.0, 0.75), (0.0, 0.5)):
        net = network(2)
        fit(net, Adam(net.flat.detach(), 0.0), rows, Fitting(steps=1500, visits=visits), 3e-3, squared_error, (0,))
        with torch.inference_mode():
            assert net(torch.ones(1, 6)).numpy()[0] == pytest.approx([wanted] * 3, abs=1e-3)


@pytest.mark.parametrize("damage", ["nan", "inf"])
def test_a_step_that_is_not_finite_is_undone(damage: str) -> None:
    rows, net = some_rows(), network()
    adam = Adam(net.flat.detach(), 0.0)
    fit(net, adam, rows, Fitting(steps=3), 1e-2, squared_error, (0,))
    before, moments = flat_weights(net), adam.state()
    values = rows.values.copy()
    values[7, 0] = float(damage)
    report = fit(net, adam, Rows(rows.features, rows.legal, values, rows.weight), Fitting(), 1e-2, squared_error, (0,))
    assert report.undone
    assert np.array_equal(flat_weights(net), before)
    assert all(np.array_equal(adam.state()[name], moments[name]) for name in moments)


def test_large_gradients_are_clipped() -> None:
    rows = some_rows()
    huge = Rows(rows.features, rows.legal, rows.values * 1e6, rows.weight)
    moved = []
    for clip in (None, 1e-3):
        net = network()
        adam = Adam(net.flat.detach(), 0.0)
        fit(net, adam, huge, Fitting(steps=1, clip=clip), 1e-2, squared_error, (0,))
        moved.append(float(adam.first.norm()))
    assert moved[1] == pytest.approx(1e-4, rel=1e-3)  # a tenth of the clipped norm
    assert moved[0] > 1.0


def test_batches_are_drawn_by_their_key() -> None:
    found = []
    for key in ((1, 2), (1, 2), (1, 3)):
        net = network()
        fit(net, Adam(net.flat.detach(), 0.0), some_rows(), Fitting(batch_rows=8), 1e-2, squared_error, key)
        found.append(flat_weights(net))
    assert np.array_equal(found[0], found[1])
    assert not np.array_equal(found[0], found[2])


def test_untrained_networks_prefer_nothing() -> None:
    net = AdvantageNet(6, 3, NetworkSettings())
    with torch.inference_mode():
        assert not net(torch.randn(5, 6)).any()
