"""Games written down and read again; files that are cut off or wrong are refused with their line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from zerosum.errors import GameError
from zerosum.games.gomoku import Gomoku
from zerosum.games.gomoku_records import (
    GomokuRecord,
    check_writing,
    openings_of,
    psq_text,
    read_psq,
    read_records,
    read_sgf,
    sgf_text,
    write_records,
)
from zerosum.games.protocol import TERMINAL

if TYPE_CHECKING:
    from pathlib import Path


def some_game(game: Gomoku, seed: int) -> GomokuRecord:
    luck = np.random.default_rng(seed)
    state = game.root()
    for _ in range(int(luck.integers(1, game.num_actions))):
        if state.actor == TERMINAL:
            break
        state = state.child(int(luck.choice(state.legal())))
    times = tuple(int(t) for t in luck.integers(0, 1000, len(state.moves)))
    return GomokuRecord(game, state.moves, ("a [b]\\", "c, d"), times, "B+")


GAMES = [Gomoku(15, 15, 5), Gomoku(20, 20, 5, "standard"), Gomoku(7, 5, 4), Gomoku(9, 9, 5)]


@pytest.mark.parametrize("game", GAMES)
def test_sgf_there_and_back(game: Gomoku) -> None:
    records = [some_game(game, seed) for seed in range(5)]
    found = read_sgf("\n".join(map(sgf_text, records)))
    for record, same in zip(records, found, strict=True):
        assert (same.game, same.moves, same.players, same.result) == (game, record.moves, record.players, "B+")


@pytest.mark.parametrize("game", [game for game in GAMES if game.line == 5])
def test_psq_there_and_back(game: Gomoku) -> None:
    record = some_game(game, 3)
    same = read_psq(psq_text(record))
    assert (same.game, same.moves, same.players, same.milliseconds) == (
        game,
        record.moves,
        record.players,
        record.milliseconds,
    )


def test_files(tmp_path: Path) -> None:
    records = [some_game(GAMES[0], seed) for seed in range(3)]
    write_records(tmp_path / "a.sgf", records)
    assert [one.moves for one in read_records(tmp_path / "a.sgf")] == [one.moves for one in records]
    write_records(tmp_path / "a.psq", records[:1])
    assert read_records(tmp_path / "a.psq")[0].moves == records[0].moves
    (tmp_path / "a.txt").write_text("")
    with pytest.raises(GameError, match=r"wanted .sgf or .psq"):
        read_records(tmp_path / "a.txt")
    with pytest.raises(GameError, match="cannot be read"):
        read_records(tmp_path / "none.sgf")
    with pytest.raises(GameError, match=r"game 1: got gomoku, wanted gomoku:size=9"):
        openings_of(records, Gomoku(9, 9, 5), "a.sgf")


def test_several_games_of_psq_are_numbered(tmp_path: Path) -> None:
    records = [some_game(GAMES[0], seed) for seed in range(4)]
    write_records(tmp_path / "b.psq", records[:2])
    (tmp_path / "b-0001.psq").unlink()
    write_records(tmp_path / "b.psq", records, written=2)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["b-0002.psq", "b-0003.psq", "b-0004.psq"]
    assert read_records(tmp_path / "b-0004.psq")[0].moves == records[3].moves


def test_where_games_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "folder.sgf").mkdir()
    check_writing(tmp_path / "a.psq", GAMES[0])
    for name in ("a.txt", "a", ".psq", "folder.sgf", "none/a.sgf"):
        with pytest.raises(GameError, match=r"wanted \.sgf or \.psq|wanted a file in a directory"):
            check_writing(tmp_path / name, GAMES[0])
    with pytest.raises(GameError, match=r"got gomoku:width=7,height=5,line=4, wanted five in a row for \.psq"):
        check_writing(tmp_path / "a.psq", GAMES[2])


def test_openings_of_games_that_are_over() -> None:
    game = Gomoku(9, 9, 5)
    over = GomokuRecord(game, (0, 9, 1, 10, 2, 11, 3, 12, 4))
    with pytest.raises(GameError, match=r"a, game 2: got a game that is over after 9 moves, .*; --opening-moves N"):
        openings_of([GomokuRecord(game, (0,)), over], game, "a")
    assert openings_of([over, over], game, "a", 3) == [(0, 9, 1)]
    with pytest.raises(GameError, match=r"a, game 1: got a game that is over .*; fewer --opening-moves"):
        openings_of([over], Gomoku(9, 9, 4), "a", 8)


def test_what_others_write_is_read() -> None:
    told = "(;GM[4]FF[4]\nSZ[15]C[a\\] comment];B[hh]BL[3];W[ii]C[two\nlines];B[gg])"
    (record,) = read_sgf(told)
    assert record.moves == (7 * 15 + 7, 8 * 15 + 8, 6 * 15 + 6)
    record = read_psq("Piskvorky 15x15, 11:11, 0\r\n8,8,20\r\n9,9,31\r\nA.exe\r\nB.exe\r\n-1\r\n")
    assert record.moves == (7 * 15 + 7, 8 * 15 + 8)
    record = read_psq("Piskvorky 20x20, 11:11, 0\n8,8,20\nA.zip\n7\n-1\n0,Freestyle\n")  # a tournament's
    assert record.players == ("A.zip", "7")
    record = read_psq("Piskvorky 20x20, 0:0, 0\n8,8,20\n-1\n")  # Piskvork's, between people
    assert (len(record.moves), record.players) == (1, ("", ""))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("(;FF[4]GM[4]SZ[15];B[hh]\n;W[ii", r"x, line 2: got the end of the file, wanted \] at the end"),
        ("(;FF[4]GM[4]SZ[15];B[hh]\n", r"x, line 2: got the end of the file, wanted \) at the end"),
        ("(;GM[4]SZ[15];B[hh];W[hh])", "x, line 1: .* wanted an empty field"),
        ("(;GM[4]SZ[15];B[hh];\nB[ii])", "x, line 1: .* wanted a move of W"),
        ("(;GM[4]SZ[9];B[jj])", "x, line 1: .* wanted an empty field"),
        ("(;GM[1]SZ[19])", r"x, line 1: .* wanted GM\[4\]"),
        ("(;GM[4]SZ[15](;B[hh])(;B[ii]))", "x, line 1: .* wanted a game without variations"),
        ("(;GM[4]SZ[15]\nAB[hh][ii];W[gg])", r"x, line 2: got 'AB\[hh\].* wanted a game from an empty board"),
        ("(;GM[4]SZ[15];B[hh]\n;W[gg]\nAW[aa])", r"x, line 3: got 'AW\[aa\].* wanted a game from an empty board"),
        ("(;GM[4]SZ[15];B[hh];AE[hh])", r"x, line 1: got 'AE\[hh\].* wanted a game from an empty board"),
        ("hello", "x, line 1: got 'hello', wanted \\( at the beginning"),
    ],
)
def test_wrong_sgf(text: str, wanted: str) -> None:
    with pytest.raises(GameError, match=wanted):
        read_sgf(text, "x")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", "x, line 1: got '', wanted Piskvorky"),
        ("Piskvorky 99x99, 0", "x, line 1: "),
        ("Piskvorky 15x15, 0\n8,8,1\n9,", "x, line 3: got '9,', wanted a move"),
        ("Piskvorky 15x15, 0\n8,8,1\n", "x, line 3: got the end of the file, wanted a move"),
        ("Piskvorky 15x15, 0\n8,8,1\n8,8,1\na\nb\n", "x, line 3: .* wanted an empty field"),
        ("Piskvorky 15x15, 0\n16,8,1\na\nb\n", "x, line 2: .* wanted an empty field"),
        ("Piskvorky 15x15, 0\n8,8,1\na", "x, line 4: got the end of the file, wanted the second player"),
        ("Piskvorky 15x15, 0\n8,8,1\na\n9,9,2\n", "x, line 4: got '9,9,2', wanted the second player"),
        ("Piskvorky 15x15, 0\n8,8,1\na\nb\n", "x, line 5: got the end of the file, wanted a whole number after"),
        ("Piskvorky 15x15, 0\n8,8,1\na\nb\n-", "x, line 5: got '-', wanted a whole number after"),
    ],
)
def test_wrong_psq(text: str, wanted: str) -> None:
    with pytest.raises(GameError, match=wanted):
        read_psq(text, "x")


def test_every_cut_is_noticed() -> None:
    record = some_game(GAMES[0], 1)
    whole = sgf_text(record)
    for length in range(len(whole)):
        with pytest.raises(GameError, match=r"x, line 1: "):
            read_sgf(whole[:length], "x")
    whole = psq_text(record)
    for length in range(len(whole) - 1):  # the end of the last line may be missing
        with pytest.raises(GameError, match=r"x, line [0-9]+: "):
            read_psq(whole[:length], "x")
    assert read_psq(whole[:-1]).moves == record.moves


def test_players_of_several_lines_do_not_break_a_record() -> None:
    record = GomokuRecord(GAMES[0], (0, 1), ("a\u2028b\r\nc", "\x0b"))
    assert read_psq(psq_text(record)).players == ("a b c", "unknown")
