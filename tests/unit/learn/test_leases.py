"""Leases: whoever is lost, and whenever, every piece counts once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zerosum.learn.cluster.leases import Leases


def test_what_a_lost_holder_held_waits_again_before_the_rest() -> None:
    leases: Leases[str] = Leases(4)
    assert [leases.take(1), leases.take(2), leases.take(1)] == [0, 1, 2]
    assert leases.lost(1) == [0, 2]
    assert [leases.take(2), leases.take(2), leases.take(2)] == [0, 2, 3]
    assert not leases.done(0, 1, "from the lost one")
    for lease in (3, 0, 2, 1):
        assert leases.done(lease, 2, f"piece {lease}")
    assert not leases.done(3, 2, "again")
    assert leases.finished
    assert leases.results() == ["piece 0", "piece 1", "piece 2", "piece 3"]


@given(count=st.integers(0, 30), luck=st.randoms(use_true_random=False))
def test_every_piece_counts_once(count: int, luck: object) -> None:
    import random

    assert isinstance(luck, random.Random)
    leases: Leases[int] = Leases(count)
    out: list[tuple[int, int]] = []
    counted: list[int] = []
    holder = 3
    while not leases.finished:
        move = luck.random()
        if move < 0.5 and leases.waiting:
            who = luck.randrange(holder)
            out.append((leases.take(who), who))
        elif move < 0.85 and out:
            lease, who = out.pop(luck.randrange(len(out)))
            if leases.done(lease, who, lease):
                counted.append(lease)
        elif move < 0.9 and out:  # a worker is lost; what it still sends does not count
            leases.lost(out[luck.randrange(len(out))][1])
            holder += 1
    assert sorted(counted) == list(range(count))
    assert leases.results() == list(range(count))
