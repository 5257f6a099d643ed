"""What CardModel learns from: exact, drawn as dealt, with the withheld boards apart; and how it is scored."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch

from zerosum import native
from zerosum.cards.equity import equity
from zerosum.cards.ranges import combo_index
from zerosum.cards.tables import all_hands
from zerosum.errors import CardError
from zerosum.games.holdem.telling import cards_text
from zerosum.learn.cardmodel.scores import distance, scores
from zerosum.learn.cardmodel.targets import WITHHELD, Targets, is_withheld
from zerosum.networks.heads_up import CardModel

if TYPE_CHECKING:
    from pathlib import Path


def test_one_board_in_twenty_is_withheld_by_any_name() -> None:
    luck = np.random.default_rng(1)
    for cards in (3, 4, 5):
        boards = np.array([luck.permutation(52)[:cards] for _ in range(20_000)], np.uint8)
        kept = is_withheld(boards)
        assert kept.mean() == pytest.approx(1 / WITHHELD, abs=0.01)
        for names in permutations(range(4)):
            assert np.array_equal(is_withheld(boards // 4 * 4 + np.array(names, np.uint8)[boards % 4]), kept)
        assert np.array_equal(is_withheld(np.ascontiguousarray(boards[:, ::-1])), kept)


@pytest.mark.parametrize("withheld", [False, True])
def test_rivers_are_exact(withheld: bool) -> None:
    rows = Targets().draw(3, 200, np.random.default_rng(2), withheld=withheld)
    assert rows.cards.shape == (200, 7)
    assert (is_withheld(rows.cards[:, 2:].astype(np.uint8)) == withheld).all()
    assert (rows.histogram.sum(axis=1) == 1).all()
    for cards, value, histogram in list(zip(rows.cards, rows.equity, rows.histogram, strict=True))[::20]:
        found = all_hands(tuple(cards[2:])).equity[combo_index(*cards[:2])]
        assert value == pytest.approx(found, abs=1e-6)
        assert histogram[min(49, int(50 * found + 1e-9))] == 1
    assert np.array_equal(native.canonical_suits(rows.cards), rows.cards)


def test_a_river_by_another_way() -> None:
    rows = Targets().draw(3, 16, np.random.default_rng(3))
    for cards, value in list(zip(rows.cards, rows.equity, strict=True))[:3]:
        hole, board = cards_text(cards[:2].tolist()), cards_text(cards[2:].tolist())
        assert value == pytest.approx(equity([hole, "random"], board).players[0].equity, abs=1e-6)


def test_the_same_luck_draws_the_same_rows() -> None:
    one, two, other = (Targets().draw(3, 64, np.random.default_rng(seed)) for seed in (4, 4, 5))
    assert np.array_equal(one.cards, two.cards)
    assert np.array_equal(one.equity, two.equity)
    assert not np.array_equal(one.cards, other.cards)


def test_missing_tables_name_the_command(tmp_path: Path) -> None:
    with pytest.raises(CardError, match="zerosum cards build-tables"):
        Targets(str(tmp_path)).draw(1, 10, np.random.default_rng(0))


def test_distance_and_scores() -> None:
    ends = torch.eye(50)[[0, 49, 10]]
    assert distance(ends, torch.eye(50)[[49, 49, 11]]).tolist() == pytest.approx([49 / 50, 0.0, 1 / 50])
    rows = Targets().draw(3, 300, np.random.default_rng(6))
    found = scores(CardModel().eval(), {"river": rows})["river"]
    assert 0.1 < found["equity_error"] < 0.4
    assert 0.1 < found["histogram_distance"] < 0.5
