"""The Gomocup brain: conversations word by word, and whatever a manager may send."""

from __future__ import annotations

import random
import re
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from zerosum.cli.board_players import play_settings
from zerosum.errors import PolicyError
from zerosum.games.gomoku import Gomoku
from zerosum.policy.board_network import load_board_network
from zerosum.protocols.gomocup import Brain
from zerosum.search.board_player import BoardPlayer
from zerosum.search.classical import ClassicalPlayer
from zerosum.search.memory import bytes_for_search

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

GOLDEN = Path(__file__).parents[1] / "golden" / "gomocup"
ANSWER = re.compile(r"OK|ERROR .*|UNKNOWN .*|[0-9]+,[0-9]+|SWAP|[0-9,]+ [0-9,]+ [0-9,]+|SUGGEST [0-9]+,[0-9]+|name=.*")


def brain(player: str = "greedy") -> tuple[Brain, list[str]]:
    said: list[str] = []
    return Brain(ClassicalPlayer(player, 1), said.append), said


@pytest.mark.parametrize("name", sorted(file.stem for file in GOLDEN.glob("*.txt")))
def test_conversations(name: str) -> None:
    """`> ` is the manager's line, `< ` what the brain answers to it."""
    lines = (GOLDEN / f"{name}.txt").read_text().splitlines()
    whole, said = brain()
    answers: list[str] = []
    for line in lines:
        if line.startswith("> "):
            assert answers == []
            said.clear()
            whole.hear(line[2:] + "\r\n")
            answers = list(said)
        elif line.startswith("< "):
            assert answers.pop(0) == line[2:]
    assert answers == []


def test_three_stones_for_swap2_are_put_within_the_turn() -> None:
    """However long it takes to judge an opening, what is best so far goes out when the time is over."""

    class Slow(ClassicalPlayer):
        judged = 0

        def value(self, moves: Sequence[int]) -> float:
            Slow.judged += 1
            time.sleep(0.1)
            return super().value(moves)

    said: list[str] = []
    whole = Brain(Slow("greedy", 1), said.append)
    for line in ("START 15", "INFO timeout_turn 300", "SWAP2BOARD", "DONE"):
        whole.hear(line)
    assert re.fullmatch(r"(\d+,\d+ ){2}\d+,\d+", said[-1])
    assert 1 <= Slow.judged <= 4


def test_mutated_lines_get_an_answer() -> None:
    luck = random.Random(0)
    whole, said = brain("random")
    known = [
        *("START 7", "START 15", "RECTSTART 6,9", "RESTART", "BEGIN", "TURN 3,3", "TURN 0,6", "PLAY 2,2"),
        *(
            "TAKEBACK 3,3",
            "SUGGEST",
            "BOARD",
            "1,1,1",
            "2,2,2",
            "DONE",
            "SWAP2BOARD",
            "3,3",
            "INFO timeout_turn 0",
            "ABOUT",
        ),
        *("INFO rule 1", "INFO max_memory 1000", "INFO time_left 5", "INFO rule 4", "INFO game_type 1"),
    ]
    silent = ("INFO", "BOARD", "SWAP2BOARD")
    for _ in range(100_000):
        text = luck.choice(known)
        for _ in range(luck.choice((0, 0, 1, 1, 2, 5))):
            at = luck.randrange(len(text) + 1)
            text = (
                text[:at]
                + chr(luck.choice((luck.randrange(32, 127), luck.randrange(0x250))))
                + text[at + luck.randrange(2) :]
            )
        in_block = whole.block is not None
        said.clear()
        whole.hear(text)
        assert len(said) <= 1
        assert all(ANSWER.fullmatch(line) for line in said), (text, said)
        if not in_block and text.strip() and not text.strip().upper().startswith(silent):
            assert said, text


class Slow(ClassicalPlayer):
    """Thinks until it is told to stop."""

    def move(self, moves: Sequence[int], seconds: float, stopping: Callable[[], bool] = lambda: False) -> int:
        while not stopping():
            time.sleep(0.01)
        return super().move(moves, seconds)


def test_end_and_stop_are_heard_while_it_thinks() -> None:
    said: list[str] = []
    read = threading.Event()

    def lines() -> Iterator[str]:
        yield from ("START 15\n", "INFO timeout_turn 100000\n", "BEGIN\n")
        time.sleep(0.2)
        yield "STOP\n"
        while len(said) < 2:
            time.sleep(0.01)
        yield "TURN 0,0\n"
        time.sleep(0.2)
        read.set()
        yield "END\n"

    start = time.monotonic()
    Brain(Slow("greedy"), said.append).converse(lines())
    assert time.monotonic() - start < 10
    assert read.is_set()
    assert said[0] == "OK"
    assert re.fullmatch(r"[0-9]+,[0-9]+", said[1])


@pytest.mark.parametrize("new", ["START 9", "RECTSTART 9,7", "restart"])
def test_a_new_game_ends_the_thought_of_the_last_one(new: str) -> None:
    said: list[str] = []

    def lines() -> Iterator[str]:
        yield from ("START 15", "INFO timeout_turn 100000", "BEGIN", new)
        end = time.monotonic() + 10
        while len(said) < 3 and time.monotonic() < end:
            time.sleep(0.01)
        yield "END"

    assert Brain(Slow("greedy"), said.append).converse(lines())
    assert re.fullmatch(r"[0-9]+,[0-9]+", said[1])
    assert [said[0], said[2]] == ["OK", "OK"]


@pytest.mark.parametrize("asked", [["BEGIN"], ["TURN 7,7"], ["BOARD", "7,7,2", "DONE"], ["SUGGEST"]])
def test_stop_is_heard_before_the_thought_begins(asked: list[str]) -> None:
    said: list[str] = []

    class SlowToBegin(Slow):
        def start(self, game: Gomoku, most_bytes: int = 0) -> None:
            time.sleep(0.1)  # meanwhile all lines are read
            super().start(game, most_bytes)

    def lines() -> Iterator[str]:
        yield from ("START 15", "INFO timeout_turn 100000", *asked, "STOP")
        end = time.monotonic() + 10
        while len(said) < 2 and time.monotonic() < end:
            time.sleep(0.01)
        assert len(said) == 2
        yield "END"

    assert Brain(SlowToBegin("greedy"), said.append).converse(lines())
    assert not said[1].startswith("ERROR")


def test_the_end_of_the_lines_is_heard_while_it_thinks() -> None:
    said: list[str] = []

    def lines() -> Iterator[str]:
        yield from ("START 15\n", "INFO timeout_turn 100000\n", "BEGIN\n")
        time.sleep(0.2)

    start = time.monotonic()
    assert Brain(Slow("greedy"), said.append).converse(lines())
    assert time.monotonic() - start < 1.2
    assert len(said) == 2


def test_what_was_asked_before_the_end_of_the_lines_is_answered() -> None:
    said: list[str] = []
    lines = ["START 15", "INFO timeout_turn 100000", *(["BEGIN", "RESTART"] * 20)]
    start = time.monotonic()
    assert Brain(Slow("greedy"), said.append).converse(lines)
    assert time.monotonic() - start < 10
    assert len(said) == 41
    assert said[::2] == ["OK"] * 21


@pytest.mark.parametrize("last", [[], ["END"]])
def test_a_thought_that_does_not_heed_is_left_behind(last: list[str]) -> None:
    class Deaf(ClassicalPlayer):
        def move(self, *_: object) -> int:
            time.sleep(5)
            return 0

    def lines() -> Iterator[str]:
        yield from ("START 15", "BEGIN")
        time.sleep(0.1)
        yield from last

    start = time.monotonic()
    assert not Brain(Deaf("greedy"), lambda _: None).converse(lines())
    assert time.monotonic() - start < 1.5


def test_nobody_listens() -> None:
    def say(_: str) -> None:
        raise BrokenPipeError

    assert Brain(ClassicalPlayer("greedy"), say).converse(["START 15", "BEGIN", "ABOUT"])


def test_a_board_that_is_never_done_does_not_swallow_what_follows() -> None:
    whole, said = brain()
    for line in ("START 15", "BOARD", "7,7,1", "START 9", "SWAP2BOARD", "ABOUT"):
        whole.hear(line)
    assert said == ["OK", "OK", 'name="zerosum greedy"']


def test_a_board_that_the_player_refuses_is_none() -> None:
    class Small(ClassicalPlayer):
        def start(self, game: Gomoku, most_bytes: int = 0) -> None:
            if game.width > 9:
                raise PolicyError("small: wanted another board")
            super().start(game, most_bytes)

    said: list[str] = []
    whole = Brain(Small("greedy"), said.append)
    for line in ("START 15", "BEGIN", "START 9", "START 15", "TURN 14,14", "TURN 8,8"):
        whole.hear(line)
    refused, no_start, off = (
        "small: wanted another board",
        "got no START, wanted a board first",
        "got 14,14, wanted a field",
    )
    assert said[:4] == [f"ERROR {refused}", f"ERROR {no_start}", "OK", f"ERROR {refused}"]
    assert said[4].startswith(f"ERROR {off}")
    assert re.fullmatch(r"[0-8],[0-8]", said[5])


def test_a_row_of_six_is_no_end_where_only_five_win() -> None:
    """In whatever order its stones are told, and as long as the game goes on."""
    row = [(x, 7) for x in range(3, 9)]
    for seed in range(20):
        luck = random.Random(seed)
        own, other = [f"{x},{y},1" for x, y in row], [f"{2 * x},0,2" for x in range(6)]
        luck.shuffle(own)
        whole, said = brain()
        for line in ("START 15", "INFO rule 1", "BOARD", *own, *other, "DONE", "TURN 14,14"):
            whole.hear(line)
        assert [re.fullmatch(r"[0-9]+,[0-9]+", line) is not None for line in said[1:]] == [True] * 2, said


@pytest.mark.parametrize("rule", [0, 1])
def test_a_game_that_is_over_is_refused_and_all_is_as_before(rule: int) -> None:
    whole, said = brain()
    for line in ("START 15", f"INFO rule {rule}", "BOARD", "7,7,2", "DONE"):
        whole.hear(line)
    before = list(whole.stones)
    five, others = [f"{x},7,2" for x in range(5)], [f"{2 * x},9,1" for x in range(5)]
    for line in ("BOARD", *five, *others, "DONE"):
        whole.hear(line)
    assert said[-1] == "ERROR 8,9: the game is over, wanted a position with a move to make"
    assert whole.stones == before


def test_blanks_are_no_matter() -> None:
    whole, said = brain("random")
    for line in (
        "START\t15\r\n",
        "INFO\ttimeout_turn\t0",
        "\r\n",
        "BOARD",
        "7,7,2",
        "",
        " 8,8,1",
        "9 , 9 , 2 ",
        "DONE",
    ):
        whole.hear(line)
    assert said[0] == "OK"
    assert re.fullmatch(r"[0-9]+,[0-9]+", said[1])
    assert len(said) == 2
    assert whole.limits.turn_ms == 0


@pytest.mark.parametrize("line", ["\udcff\udcfe", "TURN é,1", "START é", "INFO timeout_turn é", "é"])
def test_answers_are_ascii(line: str) -> None:
    """Whatever the terminal's encoding is, they can be written."""
    whole, said = brain()
    whole.hear("START 15")
    whole.hear(line)
    assert said[-1].isascii()


def test_time_is_kept() -> None:
    whole, _ = brain()
    for line in ("START 15", "INFO timeout_turn 1000", "INFO timeout_match 60000", "INFO time_left 6000"):
        whole.hear(line)
    assert 0.3 < whole.seconds() <= 0.5
    whole.hear("INFO time_left 60000")
    assert 0.9 <= whole.seconds() < 1.0
    whole.hear("INFO timeout_match 0")
    whole.hear("INFO timeout_turn 0")
    assert whole.seconds() < 0.05


@pytest.mark.parametrize(("turn", "held_back"), [(100, 50), (200, 70), (300, 100), (5000, 100)])
def test_what_is_held_back_of_a_turn(turn: int, held_back: int) -> None:
    """Late by a tenth of a second, as a virtual processor may be, it is still in time wherever that leaves enough."""
    whole, _ = brain()
    whole.hear(f"INFO timeout_turn {turn}")
    assert whole.seconds() == pytest.approx((turn - held_back) / 1000)


def test_as_fast_as_possible_whatever_is_left_of_the_match() -> None:
    whole, _ = brain()
    for line in ("START 15", "INFO timeout_turn 0", "INFO timeout_match 100000", "INFO time_left 94000"):
        whole.hear(line)
    assert whole.seconds() < 0.05


def test_a_few_milliseconds_are_not_overdrawn() -> None:
    whole, _ = brain()
    whole.hear("START 15")
    whole.hear("INFO timeout_turn 5")
    assert whole.seconds() < 0.005
    for line in ("INFO timeout_turn 1000", "INFO timeout_match 1000", "INFO time_left 40"):
        whole.hear(line)
    assert whole.seconds() < 0.04 / 12


def test_a_match_s_time_is_kept_where_the_manager_does_not_say_what_is_left() -> None:
    whole, _ = brain()
    for line in ("START 15", "INFO timeout_turn 5000", "INFO timeout_match 12000"):
        whole.hear(line)
    assert 0.89 < whole.seconds() <= 1.0
    whole.limits.spent_ms = 6000
    assert 0.39 < whole.seconds() <= 0.5
    whole.hear("RESTART")
    assert 0.89 < whole.seconds() <= 1.0


@pytest.mark.parametrize("again", ["START 15", "RECTSTART 15,12", "RESTART"])
def test_what_was_left_of_the_last_game_s_time_is_forgotten(again: str) -> None:
    whole, _ = brain()
    for line in ("START 15", "INFO timeout_turn 5000", "INFO timeout_match 60000", "INFO time_left 0", again):
        whole.hear(line)
    assert 4.85 < whole.seconds() < 5.0


def test_time_left_alone_is_kept() -> None:
    whole, _ = brain()
    whole.hear("START 15")
    whole.hear("INFO time_left 1200")
    assert whole.seconds() <= 0.1


def test_who_has_used_up_a_match_s_time_plays_in_haste() -> None:
    whole, said = brain()
    for line in ("START 15", "INFO timeout_match 60000", "INFO time_left -250"):
        whole.hear(line)
    assert said == ["OK"]
    assert whole.seconds() == 0.0


LIMITS = ("timeout_turn", "timeout_match", "time_left", "max_memory", "rule")
NO_LIMITS = ("", "1e3", "9" * 16, "0x10", "5 5", "--5")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *((key, value) for key in LIMITS for value in NO_LIMITS),
        *((key, "-5") for key in LIMITS if key != "time_left"),
    ],
)
def test_what_is_no_limit_is_refused_and_changes_nothing(key: str, value: str) -> None:
    whole, said = brain()
    for line in ("START 15", "INFO timeout_turn 1000", "INFO timeout_match 60000", "INFO time_left 6000"):
        whole.hear(line)
    before = vars(whole.limits).copy()
    said.clear()
    whole.hear(f"INFO {key} {value}")
    assert said == [f"ERROR got INFO {key} {value!r}, wanted a whole number from 0, of at most 15 digits"]
    assert vars(whole.limits) == before


class SlowToStart(ClassicalPlayer):
    """Takes its time for another rule, and notes how long it may think."""

    def __init__(self) -> None:
        super().__init__("greedy", 1)
        self.may: list[float] = []

    def start(self, game: Gomoku, most_bytes: int = 0) -> None:
        if game.rule == "standard":
            time.sleep(0.2)
        super().start(game, most_bytes)

    def move(self, moves: Sequence[int], seconds: float, stopping: Callable[[], bool] = lambda: False) -> int:
        self.may.append(seconds)
        return super().move(moves, seconds, stopping)


def test_a_move_s_time_runs_while_info_lines_before_it_are_worked_off() -> None:
    said: list[str] = []
    player = SlowToStart()
    whole = Brain(player, said.append)
    lines = ("START 9", "INFO timeout_turn 1000", "INFO rule 1", "BEGIN", "TURN 0,0")
    assert whole.converse([*lines, "ABOUT"])
    assert said[0] == "OK"
    assert len(player.may) == 2
    assert player.may[0] < 0.8  # of 0.95: START went before, INFO rule took 0.2


def test_play_is_for_the_brain_s_turn() -> None:
    whole, said = brain()
    for line in ("START 9", "PLAY 3,3", "PLAY 4,4", "TURN 5,5"):
        whole.hear(line)
    assert said[:2] == ["OK", "3,3"]
    assert said[2] == "ERROR got 1 own stones and 0 of the other, wanted it to be the brain's turn"
    assert not said[3].startswith("ERROR")


def test_a_network_is_ready_for_another_rule() -> None:
    """What answers for it takes a third of a second to make, which a move after INFO rule does not have."""
    player = BoardPlayer(load_board_network("gomoku-9x9"), "gomoku-9x9", play_settings(), 1)
    player.start(Gomoku(9, 9, 5), 0)
    assert player.searcher is not None
    before = player.searcher.evaluate
    player.start(Gomoku(9, 9, 5, "standard"), 0)
    assert player.searcher.game.rule == "standard"
    assert player.searcher.evaluate is before
    player.start(Gomoku(7, 7, 5), 0)
    assert player.searcher.evaluate is before  # a pattern network's is for all boards, and takes 35 MB
    assert player.move([], 0.05) in range(49)


def test_a_tree_has_the_same_room_in_every_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a program has freed may still count as its own; that must not make the next tree smaller."""
    takes = iter(range(50_000_000, 200_000_000, 10_000_000))
    rooms: list[int] = []
    monkeypatch.setattr("zerosum.search.board_player.resident_bytes", lambda: next(takes))

    def noted(most_bytes: int, taken: int) -> int:
        rooms.append(bytes_for_search(most_bytes, taken))
        return rooms[-1]

    monkeypatch.setattr("zerosum.search.board_player.bytes_for_search", noted)
    player = BoardPlayer(load_board_network("gomoku-9x9"), "gomoku-9x9", play_settings(), 1)
    for size in (9, 15, 9):
        player.start(Gomoku(size, size, 5), 150_000_000)
    assert len(rooms) == 3
    assert len(set(rooms)) == 1
