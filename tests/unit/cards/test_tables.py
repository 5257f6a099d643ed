"""All-hands tables: exact on one board, and the same when built, stopped, resumed and read back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pytest

from unit.cards.test_evaluation import random_hands
from zerosum import native
from zerosum.cards.isomorphism import board_indexer
from zerosum.cards.ranges import combos
from zerosum.cards.tables import FLOP, TURN, CardTables, Street, all_hands, build_tables
from zerosum.errors import CardError

if TYPE_CHECKING:
    from pathlib import Path


def slow_histogram(hand: tuple[int, int], board: tuple[int, ...]) -> np.ndarray:
    """River by river, one opponent at a time, by the definition: bin = min(49, floor(50 e)), e = win + tie / 2."""
    counts = np.zeros(50)
    deck = [card for card in range(52) if card not in (*hand, *board)]
    for river in deck:
        wins, ties, total = native.versus_random(bytes(hand), bytes((*board, river)))
        counts[min(49, int(np.floor(50 * (wins + ties / 2) / total + 1e-12)))] += 1
    return counts / len(deck)


@pytest.mark.parametrize("board", [(0, 5, 30, 47), (0, 4, 8, 12), (51, 50, 49, 3)])
def test_histograms_by_the_definition(board: tuple[int, ...]) -> None:
    found = all_hands(board)
    for hand in ((1, 2), (20, 24), (44, 46)):
        number = combos().index(hand)
        np.testing.assert_allclose(found.histogram[number], slow_histogram(hand, board), atol=1e-12)


def test_one_board() -> None:
    found = all_hands((0, 5, 30))
    free = ~np.isnan(found.equity)
    assert np.count_nonzero(free) == 1176
    np.testing.assert_allclose(found.histogram[free].sum(axis=1), 1.0)
    assert found.equity[free].mean() == pytest.approx(0.5, abs=1e-12)  # someone wins what another loses
    river = all_hands((0, 5, 30, 31, 40))
    seen = ~np.isnan(river.equity)
    assert np.array_equal(river.histogram[seen].max(axis=1), np.ones(1081))  # a single bin on the river
    assert np.array_equal(
        river.histogram[seen].argmax(axis=1), np.minimum(49, np.floor(river.equity[seen] * 50 + 1e-12))
    )


@dataclass(frozen=True)
class Few(Street):
    """A street's tables with only its first boards built."""

    few: int = 0

    @property
    def boards(self) -> int:
        return self.few


def few(street: Street, boards: int) -> Few:
    return Few(street.name, street.board_cards, street.rivers, street.counts, boards)


@pytest.mark.parametrize("street", [FLOP, TURN], ids=["flop", "turn"])
def test_built_stopped_resumed_read(street: Street, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zerosum.cards.tables.CHUNK", 2)
    monkeypatch.setattr("zerosum.cards.tables.MARK_EVERY", 2)

    def stop(done: int, boards: int) -> None:
        assert boards == 20
        if done >= 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_tables(tmp_path, few(street, 20), 2, stop)
    with pytest.raises(CardError, match="not complete"):
        CardTables(tmp_path, few(street, 20))
    seen: list[int] = []
    build_tables(tmp_path, few(street, 20), 1, lambda done, _: seen.append(done))
    assert seen[0] == 10  # not from the beginning
    tables = CardTables(tmp_path, few(street, 20))
    boards = board_indexer(street.board_cards).hands(np.arange(20, dtype=np.uint64))
    for board in boards[[0, 7, 8, 9, 19]]:
        fresh = all_hands(tuple(board.tolist()))
        free = np.flatnonzero(~np.isnan(fresh.equity))
        pairs = np.array(combos(), dtype=np.uint8)[free]
        equity, histogram = tables.look_up(np.hstack([pairs, np.tile(board, (len(free), 1))]))
        np.testing.assert_allclose(equity, fresh.equity[free], atol=1e-12)
        np.testing.assert_allclose(histogram, fresh.histogram[free], atol=1e-6)


def test_a_damaged_table_is_named(tmp_path: Path) -> None:
    build_tables(tmp_path, few(FLOP, 1), 1)
    (tmp_path / "flop-histogram.npy").write_bytes(b"\x93NUMPY nonsense")
    with pytest.raises(CardError, match="the flop tables are not complete"):
        CardTables(tmp_path, few(FLOP, 1))
    with pytest.raises(CardError, match="wanted 3, 4 or 5"):
        all_hands((1, 2))


def test_a_damaged_header_is_built_anew(tmp_path: Path) -> None:
    build_tables(tmp_path, few(FLOP, 1), 1)
    path = tmp_path / "flop-points.npy"
    path.write_bytes(b"nonsense" + path.read_bytes()[8:])
    with pytest.raises(CardError, match=r"cannot be opened .*; run zerosum cards build-tables"):
        CardTables(tmp_path, few(FLOP, 1))
    build_tables(tmp_path, few(FLOP, 1), 1)
    CardTables(tmp_path, few(FLOP, 1))


def test_two_builds_in_one_folder(tmp_path: Path) -> None:
    def second(_done: int, _boards: int) -> None:
        build_tables(tmp_path, few(FLOP, 40), 1)

    with pytest.raises(CardError, match="another build is at work there"):
        build_tables(tmp_path, few(FLOP, 40), 1, second)
    seen: list[int] = []
    build_tables(tmp_path, few(FLOP, 40), 1, lambda done, _: seen.append(done))
    assert seen == [40]  # what was done when it stopped was kept


@pytest.mark.slow
def test_all_tables(tmp_path: Path) -> None:
    """The whole tables, looked up in random places and against fresh computation."""
    for street in (FLOP, TURN):
        build_tables(tmp_path, street, 2)
        tables = CardTables(tmp_path, street)
        hands = random_hands(40, street.board_cards + 2)
        equity, histogram = tables.look_up(hands)
        for k, hand in enumerate(hands.tolist()):
            fresh = all_hands(tuple(hand[2:]))
            number = combos().index((min(hand[:2]), max(hand[:2])))
            assert equity[k] == pytest.approx(fresh.equity[number], abs=1e-12)
            np.testing.assert_allclose(histogram[k], fresh.histogram[number], atol=1e-6)
