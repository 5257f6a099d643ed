"""Hand histories: what is read, what is refused and where, and what is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from zerosum.cards.names import parse_cards
from zerosum.errors import RuleError, ZerosumError
from zerosum.games.holdem import (
    FlopHoldem,
    Holdem,
    parse_phh,
    read_phh,
    record_of,
    replay,
    write_phh,
)

if TYPE_CHECKING:
    from pathlib import Path

HAND = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [20, 20]
actions = ['d dh p1 AsKs', 'd dh p2 7c2d', 'p2 f']
finishing_stacks = [21, 19]
"""


@pytest.mark.parametrize(
    ("change", "line", "says"),
    [
        (("'NT'", "'PO'"), 1, "got variant 'PO', wanted NT or FT"),
        (("[20, 20]", "[20, 'x']"), 5, "starting_stacks: got x, wanted a number of chips"),
        (("[20, 20]", "[20]"), 5, "got 1 players"),
        (("[0, 0]", "[0]"), 2, "got 1 antes, wanted 2"),
        (("min_bet = 2", "min_bet 2"), 4, "wanted TOML"),
        (("min_bet = 2", "min_bet = [2"), 5, "unclosed array, wanted TOML"),
        (("'p2 f'", "'p1 f'"), 6, "out of turn: p2 is to act"),
        (("'p2 f'", "'p2 cbr 3'"), 6, "the minimum is 4"),
        (("'p2 f'", "'p2 cbr x'"), 6, "got 'x', wanted an amount"),
        (("'p2 f'", "'p2 jumps'"), 6, "wanted d dh, d db, f, cc, cbr or sm"),
        (("'p2 f'", "'p9 f'"), 6, "got player 'p9'"),
        (("'p2 f'", "'p2 cc'"), 6, "end too early: seat p1 is to act"),
        (("'p2 f'", "'p2 f', 'p1 sm QhQd'"), 6, "p1 was dealt AsKs"),
        (("7c2d", "7cAs"), 6, "As was dealt before"),
        (("7c2d", "7c"), 6, "got '7c', wanted two cards"),
        (("7c2d", "7cXd"), 6, "got 'Xd'"),
        (("'p2 f'", "'p2 cbr 99999999999999999999'"), 6, "wanted an amount of chips"),
        (("'p2 f'", "'p2 cbr 0'"), 6, "wanted an amount of chips"),
        (("'p2 f'", "'p\u0662 f'"), 6, "wanted p1 to p2"),
        (("'p2 f'", "'p2 cc', 'p1 cc', 'd db 4c5c6h7h9h'"), 6, "got 5 cards, wanted 3"),
        (("min_bet = 2", "min_bet = 0"), 4, "min_bet: got 0, wanted more than 0 chips"),
        (("[21, 19]", "['x', 'y']"), 7, "finishing_stacks: got x"),
        (("[21, 19]", "[nan, nan]"), 7, "finishing_stacks: got NaN"),
        (("[21, 19]", "5"), 7, "wanted a list of numbers"),
        (("min_bet = 2", "min_bet = 2\nmin_bet = 2"), 5, "wanted TOML"),
    ],
)
def test_malformed_records_name_file_and_line(tmp_path: Path, change: tuple[str, str], line: int, says: str) -> None:
    path = tmp_path / "hand.phh"
    path.write_text(HAND.replace(*change))
    with pytest.raises(ZerosumError) as error:
        for record in read_phh(path):
            replay(record)
    assert f"{path}:{line}:" in str(error.value)
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("change", "end"),
    [
        (("antes = [0, 0]", "antes = [0, 0] # it's"), ""),
        (("'d dh p1 AsKs',", "# [the first\n 'd dh p1 AsKs', # [ace] king\n"), ""),
        (("min_bet = 2", 'min_bet = 2\nvenue = """two\nlines = 3"""'), ""),
        (("min_bet = 2", "min_bet = 0x2"), ""),
        (("[20, 20]", "[inf, 20]"), ""),
        (("AsKs", "As??"), ""),
        (("min_bet = 2", "min_bet = 2.0"), "[metadata]\nnote = 'x'\n"),
    ],
)
def test_whatever_toml_allows_is_read(change: tuple[str, str], end: str) -> None:
    assert change[0] in HAND
    (record,) = parse_phh(HAND.replace(*change) + end)
    assert replay(record).hand.actor == -2


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "got no hand"),
        ("# nothing", "got no hand"),
        ("[1", ":1: expected"),
        ("[1]", "hand 1: got no field"),
        ("[1]\nx = 1\n[1]\nx = 1\n", ":3: cannot declare"),
        ("x = " + "[" * 3000, "cannot be read as TOML"),
        ("x = " + "9" * 5000, "cannot be read as TOML"),
    ],
)
def test_a_file_without_a_hand(text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "x.phh").write_text(text)
    with pytest.raises(ZerosumError) as error:
        list(read_phh(tmp_path / "x.phh"))
    assert says in str(error.value)


def test_a_field_missing_in_the_second_hand_is_looked_for_there(tmp_path: Path) -> None:
    path = tmp_path / "x.phhs"
    path.write_text(f"[1]\n{HAND}\n[2]\n{HAND.partition(chr(10))[2]}")
    with pytest.raises(ZerosumError, match=rf"x.phhs:{HAND.count(chr(10)) + 3}: got variant None"):
        [replay(record) for record in read_phh(path)]


def test_what_cannot_be_recorded_is_refused() -> None:
    for game in (FlopHoldem(), Holdem(order="botzone"), Holdem(streets=3)):
        hand = game.deal(1)
        while hand.actor >= 0:
            hand = hand.act(0)
        with pytest.raises(RuleError, match="wanted four streets in the standard order"):
            record_of(game, hand)
    with pytest.raises(ZerosumError, match="record: got None"):
        write_phh([{"venue": None}])
    assert write_phh([{"a b": "\x7f"}]) == '"a b" = "\\u007f"\n'


def test_a_third_of_a_chip_is_left_out_of_a_record() -> None:
    game = Holdem(players=3, stack="20", blinds="1/2", ante="1/0/0")
    board = parse_cards("AhKhQhJhTh")
    hand = game.deal_cards([*range(6), *board])
    while hand.actor >= 0:
        hand = hand.act(0)
    assert [end % 1 for end in hand.returns()] == pytest.approx([1 / 3] * 3)
    fields = record_of(game, hand)
    assert "finishing_stacks" not in fields
    (record,) = parse_phh(write_phh([fields]))
    assert replay(record).hand.returns() == hand.returns()


def test_a_record_of_decimals_unknown_cards_and_shows() -> None:
    text = """
    # a comment
    variant = "NT"
    ante_trimming_status = true
    antes = [0, 0, 0]
    blinds_or_straddles = [0.05, 0.10, 0]
    min_bet = 0.10
    starting_stacks = [1.25, 2, 3.5]
    actions = [
      'd dh p1 ????', 'd dh p2 AcAd', 'd dh p3 ????',  # dealt
      'p3 cbr 1.25', 'p1 cc', 'p2 f # too much',
      'p1 sm KsKd', 'p3 sm QhQc', 'd db 2c3d4h', 'd db 8s', 'd db 9s',
    ]
    finishing_stacks = [2.60, 1.90, 2.25]
    """
    (record,) = parse_phh(text)
    played = replay(record)
    assert played.scale == 100
    assert played.difference() == ""
    wrong = dict(record.fields) | {"finishing_stacks": record.fields["starting_stacks"]}
    told = type(played)(type(record)(wrong), played.hand, played.scale).difference()
    assert told.startswith("p1 ends with 2.6, recorded 1.25; p2 ends with 1.9, recorded 2")
