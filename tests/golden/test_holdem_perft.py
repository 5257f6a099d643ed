"""The betting tree's size, and real hands."""

from __future__ import annotations

from pathlib import Path

import pytest

from zerosum import native
from zerosum.games.holdem import Holdem
from zerosum.games.holdem.phh import read_phh
from zerosum.games.holdem.replay import replay

HANDS = Path(__file__).parents[3] / "shared" / "data" / "pluribus"


@pytest.mark.parametrize(("stack", "nodes"), [(10, [60, 300, 860, 1_868]), (20, [1_188, 19_996, 151_124, 738_540])])
def test_perft(stack: int, nodes: list[int]) -> None:
    assert native.holdem_perft(Holdem(stack=str(stack), blinds="1/2").rules) == nodes


def test_perft_agrees_with_plain_recursion() -> None:
    """Counted in Python, without merging anything, for three unequal seats."""
    game = Holdem(players=3, stack="4/3/5", blinds="1/2")
    counts = [0] * 4

    def visit(hand: native.HoldemHand) -> None:
        while hand.actor == -1:
            hand = hand.deal(bytes([52]))
        if hand.actor < 0:
            return
        counts[hand.street] += 1
        fold, _, raises, low, high = hand.limits()
        for action in ([-1] if fold else []) + [0] + (list(range(low, high + 1)) if raises else []):
            visit(hand.act(action))

    visit(game.root())
    assert native.holdem_perft(game.rules) == counts


@pytest.mark.skipif(not HANDS.is_dir(), reason="the real hands of shared/data/pluribus are not here")
def test_real_hands_end_with_the_recorded_stacks() -> None:
    hands = 0
    for path in sorted(HANDS.rglob("*.phh*")):
        for record in read_phh(path):
            assert replay(record).difference() == ""
            hands += 1
    assert hands > 900
