"""The networks of heads-up hold'em by PyTorch, ONNX Runtime and our own C++: the same numbers, the same actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch

from zerosum import native
from zerosum.encoding.heads_up import heads_up_history, heads_up_inputs
from zerosum.export import CardModelInference, CFRNetInference
from zerosum.export.onnx import onnx_models, onnx_session
from zerosum.export.packed import pack, packed_policy
from zerosum.export.states import random_views
from zerosum.export.weights import tensors_of, weights_bin
from zerosum.games.holdem import Holdem
from zerosum.networks.heads_up import CardModel, network_for
from zerosum.networks.heads_up_settings import HeadsUpNetworkSettings
from zerosum.policy.heads_up import HeadsUpPolicy
from zerosum.policy.heads_up_storage import load_heads_up
from zerosum.policy.player import PolicyPlayer

if TYPE_CHECKING:
    from zerosum.native import HoldemView

CLOSE = 1e-5
STATES = 10_000


def decided(game: Holdem, kind: str = "cfr") -> HeadsUpPolicy:
    """Networks with random weights whose strategies are as far from uniform as those of trained ones."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(5)
        policy = HeadsUpPolicy(game, CardModel(), network_for(HeadsUpNetworkSettings(kind)))
        with torch.no_grad():
            for network in (policy.cards.backbone, policy.cards.histogram_head, policy.network.backbone):
                for layer in network:
                    if isinstance(layer, torch.nn.Linear):
                        layer.weight *= 3
                    elif isinstance(layer, torch.nn.LayerNorm):
                        torch.nn.init.uniform_(layer.weight, 0.5, 1.5)
                        torch.nn.init.uniform_(layer.bias, -0.5, 0.5)
            policy.network.policy_head.weight *= 6
    return policy


@pytest.fixture(scope="module", params=["holdem-hu", "holdem-hu-botzone"])
def policy(request: Any) -> HeadsUpPolicy:
    return load_heads_up(request.param)


@pytest.fixture(scope="module")
def views(policy: HeadsUpPolicy) -> list[HoldemView]:
    return list(random_views(policy.game, STATES, seed=3))


def player(policy: HeadsUpPolicy, plain: bool = False) -> native.HeadsUpPlayer:
    cards, network = weights_bin(tensors_of(policy.cards)), weights_bin(tensors_of(policy.network))
    return native.HeadsUpPlayer(cards, network, policy.denoise_below or 0.0, plain)


def test_histograms_and_logits(policy: HeadsUpPolicy, views: list[HoldemView]) -> None:
    seen = heads_up_inputs(views, 5)
    with torch.inference_mode():
        _, histograms = policy.cards(torch.from_numpy(seen.hole), torch.from_numpy(seen.board))
        _, logits = policy.network(histograms, torch.from_numpy(seen.env))
    close = CLOSE * max(1.0, float(logits.abs().max()))  # PyTorch's own logits of 24 move by 2e-5 with the batch's size
    raw = np.array([[*view.hole, *view.board, *[52] * (5 - len(view.board))] for view in views])
    for plain, count in ((False, STATES), (True, STATES // 5)):
        cards = CardModelInference(weights_bin(tensors_of(policy.cards)), plain)
        net = CFRNetInference(weights_bin(tensors_of(policy.network)), plain)
        found = cards.histograms(raw[:count])  # it renames suits itself
        assert np.abs(found - histograms.numpy()[:count]).max() < CLOSE
        assert np.abs(net.logits(found, seen.env[:count]) - logits.numpy()[:count]).max() < close
    card_session, net_session = map(onnx_session, onnx_models(policy))
    _, found = card_session.run(None, {"x_hole": seen.hole, "x_board": seen.board})
    assert np.abs(found - histograms.numpy()).max() < CLOSE
    _, found = net_session.run(None, {"card_features": found, "env_features": seen.env})
    assert np.abs(found - logits.numpy()).max() < close


def test_strategies_and_actions(policy: HeadsUpPolicy, views: list[HoldemView]) -> None:
    """The same action for the same random number, and chances that differ by rounding alone."""
    strategies = policy(views)
    assert (strategies.max(axis=1) > 0.9).mean() > 0.05  # they do decide something
    luck = np.random.default_rng(1).random(len(views)).tolist()
    wanted = PolicyPlayer("torch", policy).act(views, luck)
    for plain, count in ((False, STATES), (True, STATES // 5)):
        native_player = player(policy, plain=plain)
        found = native_player.strategies(views[:count])
        at_the_bound = (
            np.abs(found - strategies[:count]).max(axis=1) > CLOSE
        )  # a chance of 3 % more or less by rounding
        assert at_the_bound.sum() <= 3
        assert [native_player.act(view, one) for view, one in zip(views[:count], luck[:count], strict=True)] == wanted[
            :count
        ]


@pytest.mark.parametrize(
    "policy", [decided(Holdem(), "history"), load_heads_up("holdem-hu-history")], ids=["random", "trained"]
)
def test_a_network_that_sees_the_history(policy: HeadsUpPolicy) -> None:
    views = list(random_views(policy.game, 2000, seed=4))
    seen = heads_up_inputs(views, 5)
    with torch.inference_mode():
        _, histograms = policy.cards(torch.from_numpy(seen.hole), torch.from_numpy(seen.board))
        _, logits = policy.network(histograms, torch.from_numpy(heads_up_history(views)))
    net = CFRNetInference(weights_bin(tensors_of(policy.network)))
    close = CLOSE * max(1.0, float(logits.abs().max()))
    assert np.abs(net.logits(histograms.numpy(), heads_up_history(views)) - logits.numpy()).max() < close
    assert (np.abs(player(policy).strategies(views) - policy(views)).max(axis=1) > CLOSE).sum() <= 1


def test_weights_of_few_bits(policy: HeadsUpPolicy) -> None:
    """What stands in a source file plays as the weights themselves do."""
    cards, network, bits, moved = packed_policy(policy)
    assert moved <= 0.01
    assert bits[0] in (8, 16)
    views = list(random_views(policy.game, 3000, seed=8))
    strategies = policy(views)
    small = native.HeadsUpPlayer(cards, network, policy.denoise_below or 0.0, packed=True)
    far = np.abs(small.strategies(views) - strategies).sum(axis=1) / 2
    assert far.mean() <= 0.01
    assert (far > 0.01).mean() < 0.005  # where a chance lies at the bound of 3 %


def test_packing_by_rows() -> None:
    rows = np.array([[1.0, -0.5], [0.001, 0.0005], [0.0, 0.0]], dtype=np.float32)
    for bits, close in ((8, 0.5 / 127), (16, 0.5 / 32767)):
        found = native.parse_packed(pack({"x": rows, "regret_head.bias": np.ones(5, np.float32)}, bits))
        assert list(found) == ["x"]
        assert (np.abs(found["x"] - rows) <= close * np.abs(rows).max(axis=1, keepdims=True) + 1e-9).all()
