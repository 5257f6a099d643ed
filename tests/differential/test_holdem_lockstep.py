"""Our engine beside PokerKit and OpenSpiel over random hands; see tests/lockstep.py for the rules that differ."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

import pytest

from lockstep import recorded_by_pokerkit, with_openspiel, with_pokerkit
from zerosum.games.holdem import parse_phh, replay

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_NAMED = 0.05


def _play(engine: Callable[[int], tuple[int, str]], seeds: range) -> tuple[int, Counter[str]]:
    decisions, named = 0, Counter[str]()
    for seed in seeds:
        compared, name = engine(seed)
        decisions += compared
        named[name] += 1
    return decisions, named


def _check(decisions: int, named: Counter[str], hands: int, known: set[str]) -> None:
    assert set(named) <= {"", *known}
    assert sum(named.values()) == hands
    assert hands - named[""] <= MOST_NAMED * hands, named
    assert decisions > 5 * hands


def test_pokerkit() -> None:
    decisions, named = _play(with_pokerkit, range(1_000))
    _check(decisions, named, 1_000, set())


def test_openspiel() -> None:
    decisions, named = _play(with_openspiel, range(2_000))
    _check(decisions, named, 2_000, {"reopening", "useless raise", "useless check"})


def test_hands_that_pokerkit_recorded_replay_to_their_end() -> None:
    """Untrimmed antes, blinds that a stack cannot pay, short all-ins, side pots and odd chips among them."""
    for seed in range(300):
        (record,) = parse_phh(recorded_by_pokerkit(seed))
        assert replay(record).difference() == "", seed


@pytest.mark.slow
def test_pokerkit_at_length() -> None:
    parts = [range(start, start + 5_000) for start in range(10_000, 110_000, 5_000)]
    with ProcessPoolExecutor(2) as pool:
        results = list(pool.map(_play, [with_pokerkit] * len(parts), parts))
    named = sum((part for _, part in results), Counter[str]())
    _check(sum(count for count, _ in results), named, 100_000, set())


@pytest.mark.slow
def test_openspiel_at_length() -> None:
    decisions, named = _play(with_openspiel, range(10_000, 130_000))
    _check(decisions, named, 120_000, {"reopening", "useless raise", "useless check"})
