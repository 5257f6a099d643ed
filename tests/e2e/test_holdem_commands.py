"""`zerosum replay`, `zerosum perft` and `zerosum play` as a user meets them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from e2e.command import refusal, report, zerosum

if TYPE_CHECKING:
    from pathlib import Path

HAND = """variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [20, 20, 20]
actions = ['d dh p1 AsKs', 'd dh p2 7c2d', 'd dh p3 QhQd', 'p3 cbr 6', 'p1 cc', 'p2 f', 'd db 2h9sTs', 'p1 cc', 'p3 f']
players = ['Ann', 'Bob', 'Cid']
"""
FOLDED = HAND.replace("'p1 cc', 'p3 f']", "'p1 cbr 4', 'p3 f']")


def test_replay_tells_a_hand_and_checks_its_end(tmp_path: Path) -> None:
    path = tmp_path / "hand.phh"
    path.write_text(FOLDED + "finishing_stacks = [28, 18, 14]\n")
    text = zerosum("replay", str(path)).stdout
    for line in (
        "Ann AsKs, Bob 7c2d, Cid QhQd",
        "Cid raises to 6",
        "Ann calls 5",
        "flop: 2h9sTs",
        "Ann bets 4",
        "Ann wins 8",
    ):
        assert line in text
    assert "1 hands replayed, 1 finishing stacks checked, 0 differ" in text
    assert report("replay", str(path))["told"][0]["finishing_stacks"] == [28, 18, 14]


def test_replay_says_which_hand_differs(tmp_path: Path) -> None:
    path = tmp_path / "hands.phhs"
    good, bad = (FOLDED + f"finishing_stacks = [{end}, 18, 14]\n" for end in (28, 29))
    path.write_text(f"[1]\n{good}\n[2]\n{bad}")
    done = zerosum("replay", "--quiet", str(path), code=1)
    assert done.stderr.strip() == f"{path} hand 2: p1 ends with 28, recorded 29"
    assert done.stdout.strip() == "2 hands replayed, 2 finishing stacks checked, 1 differ"


def test_perft() -> None:
    assert report("perft", "holdem:stack=10,blinds=1/2") == {
        "game": "holdem:stack=10,blinds=1/2",
        "nodes": {"pre-flop": 60, "flop": 300, "turn": 860, "river": 1868},
        "total": 3088,
    }
    assert "1,868" in zerosum("perft", "holdem:stack=10,blinds=1/2").stdout


def test_play() -> None:
    """A hand is played with a typing error on the way; the end of the input leaves the table."""
    done = zerosum("play", "sixmax", "--seed", "3", "--against", "call", stdin="x\n99999999\n" + "c\n" * 4)
    assert "holding" in done.stdout
    assert "got 'x'; f fold" in done.stdout
    assert "raise to 99999999: the minimum is" in done.stdout
    assert "river:" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("1 hand, ")
    again = zerosum("play", "sixmax", "--seed", "3", "--against", "call", stdin="x\n99999999\n" + "c\n" * 4)
    assert again.stdout == done.stdout


def test_play_names_what_half_pot_pot_and_all_in_come_to() -> None:
    """Heads-up before the flop the small blind calls 50 into 150: half of 200 and all of it on top of 100."""
    told = zerosum("play", "holdem", "--seed", "4", "--against", "call", "--hands", "2", stdin="p\np\n").stdout
    assert "raise to 200 to 20,000 (h 200, p 300, a 20,000)" in told
    assert "you raise to 300" in told


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["replay", "missing.phh"], "missing.phh: cannot be read"),
        (["perft", "leduc"], "wanted holdem, sixmax, flop-holdem or gomoku"),
        (["perft", "holdem:stack=0"], "stack: got 0"),
        (["play", "kuhn"], "wanted holdem, sixmax, flop-holdem or gomoku"),
        (["play", "holdem", "--against", "cal"], "unknown player 'cal' of holdem; did you mean call?"),
        (["play", "holdem", "--hands", "0"], "hands: got 0"),
        (["solve", "holdem"], "holdem"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], message: str) -> None:
    assert message in refusal(*arguments)


def test_a_malformed_record_names_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "hand.phh"
    path.write_text(HAND)
    assert refusal("replay", str(path)).startswith(
        f"zerosum replay: {path}:6: 'p3 f': fold: there is nothing to call; legal"
    )
