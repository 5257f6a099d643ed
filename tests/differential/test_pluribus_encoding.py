"""Real hands: what the encoder makes of them is what a slow, independent one makes of their records."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch

from slow_sixmax import slow_encoding, slow_states
from zerosum.encoding import StateBatchBuilder, StateEncoder
from zerosum.games.holdem import SixMax, read_phh, replay

if TYPE_CHECKING:
    from zerosum.games.holdem.phh import Record
    from zerosum.native import HoldemView

HANDS = Path(__file__).parents[3] / "shared" / "data" / "pluribus"
GAME = SixMax()

pytestmark = pytest.mark.skipif(not HANDS.is_dir(), reason="the real hands of shared/data/pluribus are not here")


def views(record: Record) -> list[HoldemView]:
    """What each seat saw when it was to act."""
    events = replay(record).hand.events()
    hands = [GAME.restore(events[:k]) for k, event in enumerate(events) if event[0] >= 0]
    return [hand.view(hand.actor) for hand in hands]


def states(file: str) -> tuple[list[HoldemView], list[dict[str, Any]]]:
    native: list[HoldemView] = []
    slow: list[dict[str, Any]] = []
    for record in read_phh(HANDS / file):
        seen = list(slow_states(record.fields))
        found = views(record)
        assert [view.seat for view in found] == [seat for seat, _ in seen]
        native += found
        slow += [numbers for _, numbers in seen]
    return native, slow


@pytest.mark.parametrize("file", sorted(path.name for path in HANDS.glob("*.phhs")))
def test_numbers_agree(file: str) -> None:
    native, slow = states(file)
    assert len(native) > 200
    batch = {name: part.numpy() for name, part in StateBatchBuilder().build_batch(native).items()}
    for k, seen in enumerate(slow):
        assert list(zip(batch["hole_ranks"][k], batch["hole_suits"][k], strict=True)) == seen["hole"]
        assert list(zip(batch["board_ranks"][k], batch["board_suits"][k], strict=True)) == seen["board"]
        np.testing.assert_array_equal(batch["self_info"][k], np.array(seen["own"], np.float32))
        np.testing.assert_array_equal(batch["opponent_info"][k], np.array(seen["others"], np.float32))
        count = len(seen["tokens"])
        np.testing.assert_array_equal(batch["action_mask"][k], np.arange(24) >= count)
        tokens = np.array(seen["tokens"], np.float32).reshape(count, 17)
        np.testing.assert_array_equal(batch["actions"][k][:count], tokens)
        assert not batch["actions"][k][count:].any()


def test_all_261_numbers_agree() -> None:
    native, slow = states("75.phhs")
    torch.manual_seed(3)
    encoder = StateEncoder().eval()
    weights = {name: part.double().numpy() for name, part in encoder.state_dict().items()}
    with torch.inference_mode():
        found = encoder(StateBatchBuilder().build_batch(native)).numpy()
    wanted = np.array([slow_encoding(seen, weights) for seen in slow])
    np.testing.assert_allclose(found, wanted, atol=1e-5)
