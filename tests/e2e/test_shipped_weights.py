"""Networks that come along: they load, say where they come from, play, and are as good as their cards say."""

from __future__ import annotations

import pytest

from e2e.command import report, zerosum
from zerosum.policy.board_network import load_board_network
from zerosum.policy.headers import SHIPPED, shipped_names

NAMES = ("gomoku-5x5-4", "gomoku-6x6-4", "gomoku-9x9", "gomoku-15x15")
EXAM = 1_800.0  # seconds: minutes on a machine of its own, more on a busy one
STARTS = ("empty board", "random openings")


@pytest.mark.parametrize("name", NAMES)
def test_they_load_and_have_a_card(name: str) -> None:
    assert name in shipped_names()
    policy = load_board_network(name)
    assert policy.origin["algorithm"] == "alphazero"
    card = (SHIPPED / name / "CARD.md").read_text()
    scored = "zerosum evaluate" if policy.game.num_actions <= 64 else "zerosum match"
    for word in (f"zerosum train {name}", "minutes", scored, policy.game.spec()):
        assert word in card
    assert sum(file.stat().st_size for file in (SHIPPED / name).iterdir()) < 1_000_000


def test_play_finds_its_opponent() -> None:
    told = zerosum("play", "gomoku:size=6,line=4", "--simulations", "50", "--second", stdin="q\n").stdout
    assert "it plays" in told


def test_a_short_judgement() -> None:
    told = report("evaluate", "gomoku-6x6-4", "--exact", "--positions", "200", "--games", "4")
    assert told["positions"]["search"]["value"] >= 0.95
    assert told["perfect"]["search first empty board"]["wins"] == told["perfect"]["search first empty board"]["games"]


@pytest.mark.slow
def test_five_by_five_is_as_good_as_its_card_says() -> None:
    told = report("evaluate", "gomoku-5x5-4", "--exact", "--positions", "10000", "--games", "400", seconds=EXAM)
    assert told["positions"]["search"]["value"] >= 0.98
    sides = [told["perfect"][f"search {side} {start}"] for side in ("first", "second") for start in STARTS]
    assert sum(side["games"] for side in sides) == 400
    assert [side["losses"] for side in sides] == [0, 0, 0, 0]


@pytest.mark.slow
def test_six_by_six_is_as_good_as_its_card_says() -> None:
    told = report("evaluate", "gomoku-6x6-4", "--exact", "--positions", "10000", "--games", "200", seconds=EXAM)
    assert told["positions"]["search"]["value"] >= 0.98
    for start in STARTS:
        side = told["perfect"][f"search first {start}"]
        assert side["wins"] == side["games"] == 50
