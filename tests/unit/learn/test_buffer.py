"""Buffers: exactly uniform, the same however samples arrive, and merged rows that lose nothing."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chisquare

from zerosum import native
from zerosum.errors import SettingsError
from zerosum.learn.merged import MergedBuffer
from zerosum.learn.reservoir import ReservoirBuffer
from zerosum.learn.rows import Rows


def numbered(start: int, count: int) -> Rows:
    """Rows that carry their number."""
    numbers = np.arange(start, start + count, dtype=np.float32)
    return Rows(
        np.stack([numbers, -numbers], axis=1), np.ones((count, 3), np.bool_), np.tile(numbers[:, None], 3), numbers
    )


def filled(seed: int, sizes: list[int], capacity: int = 50) -> ReservoirBuffer:
    buffer = ReservoirBuffer(capacity, 2, 3, seed, 0)
    start = 0
    for size in sizes:
        buffer.add(numbered(start, size))
        start += size
    return buffer


def test_seen_and_stored_are_different_numbers() -> None:
    buffer = filled(0, [30])
    assert (buffer.seen, buffer.stored) == (30, 30)
    buffer.add(numbered(30, 970))
    assert (buffer.seen, buffer.stored) == (1000, 50)


@pytest.mark.parametrize("sizes", [[1] * 300, [300], [7, 43, 1, 149, 100], [50, 250]])
def test_contents_do_not_depend_on_how_samples_arrive(sizes: list[int]) -> None:
    one, other = filled(3, sizes).rows(), filled(3, [120, 180]).rows()
    assert np.array_equal(one.weight, other.weight)
    assert np.array_equal(one.features, other.features)


def test_rows_stay_whole() -> None:
    rows = filled(1, [500]).rows()
    assert np.array_equal(rows.features[:, 0], rows.weight)
    assert np.array_equal(rows.features[:, 1], -rows.weight)
    assert np.array_equal(rows.values[:, 2], rows.weight)


def test_every_sample_is_kept_alike() -> None:
    """Chi-square over 20 groups of samples, 2,000 buffers: each group is kept as often as any other."""
    counts = np.zeros(20)
    for seed in range(2000):
        kept = filled(seed, [200]).rows().weight.astype(int)
        counts += np.bincount(kept // 10, minlength=20)
    assert counts.sum() == 2000 * 50
    assert chisquare(counts).pvalue > 0.001


def test_a_wrong_reservoir_would_be_noticed() -> None:
    """The same test refuses a fixed rate of keeping, and first in, first out."""
    rng = np.random.default_rng(0)
    for first_out in (False, True):
        counts = np.zeros(20)
        for _ in range(400):
            slots = np.arange(50)
            for number in range(50, 200):
                if first_out or rng.random() < 0.25:
                    slots[number % 50 if first_out else rng.integers(50)] = number
            counts += np.bincount(slots // 10, minlength=20)
        assert chisquare(counts).pvalue < 1e-6


def test_slots_are_uniform_too() -> None:
    slots = np.concatenate([native.reservoir(seed, 0, 50, 150, 50)[1] for seed in range(3000)])
    assert chisquare(np.bincount(slots, minlength=50)).pvalue > 0.001


def test_streams_are_apart() -> None:
    one, other = (native.reservoir(1, stream, 1000, 1000, 100)[0] for stream in (0, 1))
    assert not np.array_equal(one, other)


def test_a_saved_buffer_goes_on_as_if_never_saved() -> None:
    whole = filled(5, [80, 220])
    first = filled(5, [80])
    numbers, arrays = first.state()
    second = ReservoirBuffer(50, 2, 3, 5, 0)
    second.restore(numbers, arrays)
    second.add(numbered(80, 220))
    assert np.array_equal(second.rows().weight, whole.rows().weight)


def random_rows(count: int, kinds: int, seed: int = 0) -> Rows:
    rng = np.random.default_rng(seed)
    which = rng.integers(0, kinds, count)
    return Rows(
        np.eye(kinds, dtype=np.float32)[which],
        np.ones((count, 2), np.bool_),
        rng.normal(size=(count, 2)),
        rng.random(count) + 0.1,
    )


def test_merged_rows_are_weighted_means() -> None:
    rows = random_rows(500, 7)
    buffer = MergedBuffer(10, 7, 2)
    buffer.add(Rows(rows.features[:200], rows.legal[:200], rows.values[:200], rows.weight[:200]))
    buffer.add(Rows(rows.features[200:], rows.legal[200:], rows.values[200:], rows.weight[200:]))
    merged = buffer.rows()
    assert (buffer.seen, buffer.stored) == (500, 7)
    for features, mean, weight in zip(merged.features, merged.values, merged.weight, strict=True):
        same = (rows.features == features).all(axis=1)
        assert mean == pytest.approx(np.average(rows.values[same], axis=0, weights=rows.weight[same]))
        assert weight == pytest.approx(rows.weight[same].sum())


def test_merging_leaves_the_loss_alone_but_for_a_constant() -> None:
    rows = random_rows(400, 5)
    buffer = MergedBuffer(5, 5, 2)
    buffer.add(rows)
    merged = buffer.rows()

    def loss(rows: Rows, answers: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float:
        return float((rows.weight[:, None] * (rows.features @ answers - rows.values) ** 2).sum())

    rng = np.random.default_rng(1)
    gaps = [loss(rows, a) - loss(merged, a) for a in rng.normal(size=(5, 5, 2))]
    assert gaps == pytest.approx([gaps[0]] * 5)


def test_rows_that_differ_only_in_what_is_legal_are_not_merged() -> None:
    buffer = MergedBuffer(4, 1, 2)
    legal = np.array([[True, True], [True, False]])
    buffer.add(Rows(np.ones((2, 1), np.float32), legal, np.ones((2, 2)), np.ones(2)))
    assert buffer.stored == 2


def test_a_merged_buffer_that_is_full_says_so() -> None:
    buffer = MergedBuffer(3, 7, 2)
    with pytest.raises(SettingsError, match="buffer: more than 3 different rows"):
        buffer.add(random_rows(100, 7))


def test_a_saved_merged_buffer_goes_on() -> None:
    rows, more = random_rows(100, 7), random_rows(60, 7, seed=2)
    buffer, other = MergedBuffer(10, 7, 2), MergedBuffer(10, 7, 2)
    buffer.add(rows)
    other.restore(*buffer.state())
    buffer.add(more)
    other.add(more)
    assert other.seen == buffer.seen
    assert np.array_equal(other.rows().values, buffer.rows().values)
    assert np.array_equal(other.rows().features, buffer.rows().features)
