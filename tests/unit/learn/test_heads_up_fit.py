"""Both heads fitted at once: gradients against PyTorch's, in float32 and nearly in bfloat16; and that they learn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch

from zerosum.learn.adam import Adam
from zerosum.learn.heads_up_fit import fit_heads, heads_of, size_of
from zerosum.learn.rows import Rows
from zerosum.networks.heads_up import ACTIONS
from zerosum.networks.heads_up_flat import FlatTwoHeads
from zerosum.networks.heads_up_settings import HeadsUpNetworkSettings
from zerosum.networks.small import Backpropagation, precision_named

if TYPE_CHECKING:
    import numpy.typing as npt

SETTINGS = HeadsUpNetworkSettings()


def network(seed: int = 1, settings: HeadsUpNetworkSettings = SETTINGS) -> FlatTwoHeads:
    torch.manual_seed(seed)
    made = FlatTwoHeads(settings)
    with torch.no_grad():
        made.flat.add_(0.05 * torch.randn_like(made.flat))
    return made


def rows(seed: int, strategies: bool, count: int = 400) -> Rows:
    luck = np.random.default_rng(seed)
    features = luck.random((count, 55)).astype(np.float32)
    legal = luck.random((count, ACTIONS)) < 0.7
    legal[:, 1] = True
    values: npt.NDArray[np.float64] = np.sin(5 * features[:, :ACTIONS].astype(np.float64)) * legal
    if strategies:
        values = np.exp(values) * legal
        values /= values.sum(axis=1, keepdims=True)
    return Rows(features, legal, values.astype(np.float32), luck.random(count).astype(np.float32) + 0.5)


@pytest.mark.parametrize(("kind", "inputs"), [("cfr", 55), ("history", 88)])
def test_it_says_what_the_network_that_is_saved_says(kind: str, inputs: int) -> None:
    made = network(settings=HeadsUpNetworkSettings(kind))
    told = torch.rand(7, inputs)
    regrets, logits = made.plays()(told[:, :50], told[:, 50:])
    assert torch.allclose(made(told), torch.cat([regrets, logits], dim=1), atol=1e-5)


def test_it_tells_a_call_from_a_blind_in_bfloat16() -> None:
    before = torch.tensor([[0.0] * 50 + [0.0075, 0.9975, 0.995, 0.0, 0.0]])
    after = torch.tensor([[0.0] * 50 + [0.01, 0.995, 0.995, 0.0, 0.0]])
    assert torch.equal(before[:, 51].bfloat16(), after[:, 51].bfloat16())  # stacks as they are
    assert not torch.equal(FlatTwoHeads.sees(before)[:, 51].bfloat16(), FlatTwoHeads.sees(after)[:, 51].bfloat16())


def test_it_sees_less_of_the_past() -> None:
    told = torch.ones(1, 88)
    seen = FlatTwoHeads.sees(told)[0]
    assert torch.equal(seen[53:64], torch.ones(11))  # the street, the position, four numbers of now, what is legal
    assert torch.equal(seen[64:], torch.full((24,), 0.2))  # six of every street


@pytest.mark.parametrize(
    ("able", "wanted"),
    [({"avx512_bf16": True}, torch.bfloat16), ({"avx512_bf16": False}, torch.float32), ({}, torch.float32)],
)
def test_auto_is_bfloat16_where_the_processor_has_it(
    able: dict[str, bool], wanted: torch.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: able)
    assert precision_named("auto") == wanted
    assert (precision_named("float32"), precision_named("bfloat16")) == (torch.float32, torch.bfloat16)


@pytest.mark.parametrize(("precision", "near"), [(torch.float32, 1e-5), (torch.bfloat16, 0.08)])
def test_gradients(precision: torch.dtype, near: float) -> None:
    made = network()
    features, slope = torch.rand(64, 55), torch.randn(64, 2 * ACTIONS)
    made(features).backward(slope)
    way = Backpropagation(made, precision)
    said = way.answer(made.sees(features))
    way.back(slope)
    assert made.flat.grad is not None
    assert torch.allclose(said, made(features), atol=near)
    apart = torch.linalg.vector_norm(way.gradient - made.flat.grad) / torch.linalg.vector_norm(made.flat.grad)
    assert apart < near


def test_both_heads_learn_from_rows_of_their_own() -> None:
    made = network()
    adam, averaged = Adam(made.flat.detach(), 0.0), made.flat.detach().clone()
    advantages, strategies = [rows(1, False), rows(2, False)], rows(3, True)
    heads = heads_of(advantages, 256, strategies, 128)
    losses = []
    for number in range(12):
        reports = fit_heads(made, adam, averaged, heads, 25, 3e-3, 5.0, 0.9, torch.float32, (1, number))
        losses.append([report.loss for report in reports])
    assert losses[-1][0] < 0.15 < 0.5 < losses[0][0]  # of squares of mean 1
    assert losses[-1][1] < losses[0][1]
    assert torch.linalg.vector_norm(averaged - made.flat.detach()) < 1.0


def test_values_are_divided_by_their_size() -> None:
    one = rows(1, False)
    thrice = Rows(one.features, one.legal, 3 * one.values, one.weight)
    assert size_of([thrice]) == pytest.approx(3 * size_of([one]), rel=1e-6)


def test_a_fit_that_is_not_finite_changes_nothing() -> None:
    made = network()
    adam, averaged = Adam(made.flat.detach(), 0.0), made.flat.detach().clone()
    bad = rows(1, False)
    bad.features[:] = np.inf
    before = made.flat.detach().clone()
    heads = heads_of([bad, rows(2, False)], 64, rows(3, True), 64)
    reports = fit_heads(made, adam, averaged, heads, 5, 1e-3, None, 0.9, torch.float32, (1, 2))
    assert all(report.undone for report in reports)
    assert torch.equal(made.flat.detach(), before)
    assert torch.equal(averaged, before)
