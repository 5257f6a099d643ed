"""The networks of heads-up hold'em: their shapes, and how logits become a strategy."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from zerosum import native
from zerosum.encoding.heads_up import heads_up_inputs
from zerosum.errors import PolicyError, ZerosumError
from zerosum.evaluate.lbr import local_best_response
from zerosum.evaluate.match import play_match
from zerosum.evaluate.roster import entrants
from zerosum.games.holdem import Holdem, SixMax
from zerosum.networks.heads_up import CardModel, CFRNetwork
from zerosum.policy.heads_up import HeadsUpPolicy, strategy_of


def layers(*sizes: tuple[str, int, int]) -> dict[str, tuple[int, ...]]:
    """Names and shapes of linear layers."""
    return {f"{name}.weight": (out, into) for name, into, out in sizes} | {
        f"{name}.bias": (out,) for name, _, out in sizes
    }


def test_parameters_and_keys() -> None:
    """As spec'd by name and shape; layer norms are vectors."""
    cards, network = CardModel(), CFRNetwork()
    assert sum(p.numel() for p in cards.parameters()) == 493_939
    assert sum(p.numel() for p in network.parameters()) == 114_314
    norms = {
        f"backbone.{n}.{kind}": (size,) for n, size in ((2, 512), (5, 512), (8, 256)) for kind in ("weight", "bias")
    }
    wanted: dict[str, tuple[int, ...]] = {"embedding.weight": (53, 64), **norms}
    wanted |= layers(("backbone.0", 128, 512), ("backbone.3", 512, 512), ("backbone.6", 512, 256))
    wanted |= layers(("equity_head.0", 256, 32), ("equity_head.2", 32, 1))
    wanted |= layers(("histogram_head.0", 256, 64), ("histogram_head.2", 64, 50))
    assert {name: tuple(value.shape) for name, value in cards.state_dict().items()} == wanted
    wanted = layers(("backbone.0", 55, 256), ("backbone.2", 256, 256), ("backbone.4", 256, 128))
    wanted |= layers(("regret_head", 128, 5), ("policy_head", 128, 5))
    assert {name: tuple(value.shape) for name, value in network.state_dict().items()} == wanted


def test_what_they_read_and_say() -> None:
    hand = Holdem().deal(1).act(0).act(0)
    views = [hand.view(seat) for seat in range(2)]
    seen = heads_up_inputs(views, 5)
    told = [[*hand.hole(seat), *hand.board, 52, 52] for seat in range(2)]
    renamed = native.canonical_suits(np.array(told, np.int64))
    assert seen.hole.tolist() == renamed[:, :2].tolist()
    assert seen.board.tolist() == renamed[:, 2:].tolist()
    assert (seen.hole // 4).tolist() == [[card // 4 for card in hand.hole(seat)] for seat in range(2)]
    assert seen.env.tolist() == [
        pytest.approx([0.01, 0.995, 0.995, 1 / 3, 0.0]),
        pytest.approx([0.01, 0.995, 0.995, 1 / 3, 1.0]),
    ]
    assert seen.legal[hand.actor].nonzero()[0].tolist() == list(hand.legal())
    equity, histogram = CardModel()(torch.from_numpy(seen.hole), torch.from_numpy(seen.board))
    assert equity.shape == (2, 1)
    assert histogram.shape == (2, 50)
    assert histogram.sum(dim=1).tolist() == pytest.approx([1.0, 1.0])


def test_illegal_actions_have_no_chance_and_small_ones_are_dropped() -> None:
    logits = np.array([[9.0, 0.0, 0.0, -9.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0]], dtype=np.float32)
    legal = np.array([[False, True, True, True, False], [True, True, False, False, False]])
    assert strategy_of(logits, legal, 0.03) == pytest.approx(np.array([[0, 0.5, 0.5, 0, 0], [0.5, 0.5, 0, 0, 0]]))
    assert strategy_of(logits, legal, None)[0, 3] > 0
    assert strategy_of(np.full_like(logits, -3e9), legal, 0.03).sum(axis=1) == pytest.approx(1)
    with pytest.raises(PolicyError, match="not finite"):
        strategy_of(np.full_like(logits, np.inf), legal, 0.03)
    even = strategy_of(np.zeros((1, 5), dtype=np.float32), np.ones((1, 5), dtype=np.bool_), 0.5)
    assert even == pytest.approx(np.full((1, 5), 0.2))  # never all of them


def test_a_batch_says_what_single_views_say() -> None:
    game = Holdem()
    policy = HeadsUpPolicy.untrained(game, 1)
    views = []
    for number in range(20):
        hand = game.deal(3, number)
        for _ in range(number % 5):
            hand = hand.act(0) if hand.actor >= 0 else hand
        views.append(hand.view(hand.actor))
    together = policy(views)
    fresh = HeadsUpPolicy.untrained(game, 1)
    assert together == pytest.approx(np.vstack([fresh([view]) for view in views]), abs=1e-5)
    assert together.sum(axis=1) == pytest.approx(np.ones(20))
    for row, view in zip(together, views, strict=True):
        assert set(np.flatnonzero(row)) <= set(view.legal())


def test_networks_play_and_are_measured() -> None:
    game = Holdem()
    found = play_match(game, entrants(["untrained:1", "untrained:2"], game), hands=400, seed=1)
    again = play_match(game, entrants(["untrained:1", "untrained:2"], game), hands=400, seed=1)
    assert found == again
    bound = local_best_response(game, HeadsUpPolicy.untrained(game, 1), deals=2)
    assert bound.hands == 4


def test_networks_that_do_not_fit() -> None:
    with pytest.raises(ZerosumError, match="wanted views of heads-up"):
        heads_up_inputs([SixMax().deal(1).view(0)], 5)
    with pytest.raises(ZerosumError, match="heads-up hold'em and five actions"):
        HeadsUpPolicy.untrained(SixMax(), 1)
    with pytest.raises(ZerosumError, match="wanted untrained or untrained:SEED"):
        entrants(["untrained:x", "call"], Holdem())
