"""Games of Gomoku written down: SGF (one or many games a file) and Piskvork's PSQ (one).

SGF: `(;FF[4]GM[4]SZ[15]PB[..]PW[..]RE[..];B[hh];W[ii])`, columns and rows as letters from a. PSQ: `Piskvorky WxH, ...`,
a line `x,y,milliseconds` for each move, both from 1, then the players, and a number at the end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from zerosum.errors import GameError, ZerosumError
from zerosum.games.gomoku import Gomoku, GomokuState
from zerosum.games.protocol import TERMINAL
from zerosum.runs.files import check_writable, write_atomically, write_together

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST_BYTES = 1 << 28
SETUP = ("AB", "AW", "AE")  # stones that are there, or are taken away, without a move
PSQ_LINE = 5  # it does not say how many in a row win


@dataclass(frozen=True)
class GomokuRecord:
    """A game, finished or not: its moves as cells, the players, what each move took, and how it ended."""

    game: Gomoku
    moves: tuple[int, ...]
    players: tuple[str, str] = ("", "")
    milliseconds: tuple[int, ...] = ()
    result: str = ""  # B+, W+, B+F, 0, or nothing where it is not known


def check_writing(path: str | Path, game: Gomoku) -> None:
    """Refuses a file that games could not be written to, before they are played."""
    path = Path(path)
    if path.suffix not in (".sgf", ".psq"):
        raise GameError(f"{path}: got ending {path.suffix!r}, wanted .sgf or .psq")
    if path.suffix == ".psq" and game.line != PSQ_LINE:
        raise GameError(f"{path}: got {game.spec()}, wanted five in a row for .psq; .sgf holds every game")
    if path.is_dir() or not path.parent.is_dir():
        raise GameError(f"{path}: cannot be written, wanted a file in a directory that is there")
    check_writable(path.absolute().parent)


def write_records(path: str | Path, records: Sequence[GomokuRecord], written: int = 0) -> None:
    """By the file's ending, .sgf or .psq; so many of the games are `written` there already.

    SGF holds them all; PSQ holds one, so several are FILE-0001.psq, FILE-0002.psq and so on.
    """
    path = Path(path)
    for record in records[:1]:
        check_writing(path, record.game)
    if path.suffix == ".sgf":
        write_atomically(path, "".join(sgf_text(record) + "\n" for record in records).encode())
    elif len(records) == 1:
        write_atomically(path, psq_text(records[0]).encode())
    else:
        names = [path.with_name(f"{path.stem}-{number:04d}.psq") for number in range(1, len(records) + 1)]
        texts = [psq_text(record).encode() for record in records[written:]]
        write_together(dict(zip(names[written:], texts, strict=True)))


def read_records(path: str | Path) -> list[GomokuRecord]:
    """All games of a file; refuses, with the line, what is cut off or against the rules."""
    path = Path(path)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise GameError(f"{path}: got {path.stat().st_size:,} bytes, wanted at most {MOST_BYTES:,}")
        text = path.read_text("utf-8", errors="replace")
    except OSError as error:
        raise GameError(f"{path}: cannot be read ({error.strerror})") from None
    if path.suffix == ".psq":
        return [read_psq(text, str(path))]
    if path.suffix == ".sgf":
        return read_sgf(text, str(path))
    raise GameError(f"{path}: got ending {path.suffix!r}, wanted .sgf or .psq")


# SGF


def sgf_text(record: GomokuRecord) -> str:
    game = record.game
    size = f"{game.width}" if game.width == game.height else f"{game.width}:{game.height}"
    told = {"FF": "4", "GM": "4", "SZ": size, "RU": game.spec(), "PB": record.players[0], "PW": record.players[1]}
    if record.result:
        told["RE"] = record.result
    head = "".join(f"{key}[{_escaped(value)}]" for key, value in told.items() if value)
    moves = "".join(
        f";{'BW'[i % 2]}[{chr(97 + cell % game.width)}{chr(97 + cell // game.width)}]"
        for i, cell in enumerate(record.moves)
    )
    return f"(;{head}{moves})"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]").replace("\n", " ")


class _Sgf:
    """Reads characters and knows on which line it is."""

    def __init__(self, text: str, where: str) -> None:
        self.text, self.where, self.at = text, where, 0

    def error(self, wanted: str) -> GameError:
        line = self.text.count("\n", 0, self.at) + 1
        got = repr(self.text[self.at : self.at + 20]) if self.at < len(self.text) else "the end of the file"
        return GameError(f"{self.where}, line {line}: got {got}, wanted {wanted}")

    def skip(self) -> str:
        """Passes blanks; the next character, or nothing at the end."""
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.text[self.at : self.at + 1]

    def take(self, character: str, wanted: str) -> None:
        if self.skip() != character:
            raise self.error(wanted)
        self.at += 1

    def properties(self) -> list[tuple[str, str]]:
        """Those of one node."""
        found = []
        while (first := self.skip()).isalpha():
            start = self.at
            while self.text[self.at : self.at + 1].isalpha():
                self.at += 1
            name = self.text[start : self.at]
            if name in SETUP:
                self.at = start
                raise self.error("a game from an empty board on, without stones set up")
            if self.skip() != "[":
                raise self.error(f"[ after {name[:10]}")
            while self.skip() == "[":
                found.append((name, self.value()))
        if first == "(":
            raise self.error("a game without variations")
        return found

    def value(self) -> str:
        self.at += 1
        parts: list[str] = []
        while True:
            character = self.text[self.at : self.at + 1]
            if character == "":
                raise self.error("] at the end of a value")
            self.at += 1
            if character == "]":
                return "".join(parts)
            if character == "\\":
                character, self.at = self.text[self.at : self.at + 1], self.at + 1
            parts.append(character)


def read_sgf(text: str, where: str = "sgf") -> list[GomokuRecord]:
    reader, found = _Sgf(text, where), list[GomokuRecord]()
    while reader.skip() or not found:
        reader.take("(", "( at the beginning of a game")
        reader.take(";", "; at the beginning of a node")
        head = dict(reader.properties())
        game = _game_of(head, reader)
        record, cells = game.root(), list[int]()
        while reader.skip() == ";":
            reader.at += 1
            start = reader.at
            for name, value in reader.properties():
                if name not in ("B", "W"):
                    continue
                if name != "BW"[len(cells) % 2]:
                    reader.at = start
                    raise reader.error(f"a move of {'BW'[len(cells) % 2]}")
                try:
                    if record.actor == TERMINAL or not re.fullmatch("[a-t]{2}", value):
                        raise GameError("no move")
                    cell = (ord(value[1]) - 97) * game.width + ord(value[0]) - 97
                    if ord(value[0]) - 97 >= game.width:
                        raise GameError("no column")
                    record = record.child(cell)
                except ZerosumError:
                    reader.at = start
                    raise reader.error("an empty field while the game goes on") from None
                cells.append(cell)
        reader.take(")", ") at the end of a game")
        players = (head.get("PB", ""), head.get("PW", ""))
        found.append(GomokuRecord(game, tuple(cells), players, (), head.get("RE", "")))
    return found


def _game_of(head: dict[str, str], reader: _Sgf) -> Gomoku:
    size = re.fullmatch(r"([0-9]{1,2})(?::([0-9]{1,2}))?", head.get("SZ", "15"))
    if head.get("GM", "4") != "4" or size is None:
        raise reader.error("GM[4] and a size SZ[..]")
    told = re.fullmatch(r"gomoku(?::(.*))?", head.get("RU", ""))
    options = dict(part.split("=", 1) for part in (told[1] or "").split(",") if "=" in part) if told else {}
    try:
        return Gomoku(
            int(size[1]), int(size[2] or size[1]), int(options.get("line", "5")), options.get("rule", "freestyle")
        )
    except (ZerosumError, ValueError) as error:
        raise reader.error(f"a board ({error})") from None


# PSQ


def psq_text(record: GomokuRecord) -> str:
    game = record.game
    lines = [f"Piskvorky {game.width}x{game.height}, 11:11, {int(game.rule == 'standard')}"]
    times = record.milliseconds or (0,) * len(record.moves)
    lines += [
        f"{cell % game.width + 1},{cell // game.width + 1},{ms}" for cell, ms in zip(record.moves, times, strict=True)
    ]
    players = [" ".join(player.split()) or "unknown" for player in record.players]
    return "\n".join([*lines, *players, "-1", ""])


def read_psq(text: str, where: str = "psq") -> GomokuRecord:
    lines = text.splitlines()
    found = re.match(r"Piskvorky\s+([0-9]{1,2})x([0-9]{1,2})\s*(?:,|$)", lines[0] if lines else "")
    if found is None:
        raise GameError(f"{where}, line 1: got {(lines or [''])[0][:40]!r}, wanted Piskvorky WIDTHxHEIGHT")
    standard = re.search(r",\s*1\s*$", lines[0]) is not None
    try:
        game = Gomoku(int(found[1]), int(found[2]), PSQ_LINE, "standard" if standard else "freestyle")
    except ZerosumError as error:
        raise GameError(f"{where}, line 1: {error}") from None
    state, cells, times = game.root(), [], []
    number = 1
    while number < len(lines) and (move := re.fullmatch(r"\s*(\d{1,3}),(\d{1,3}),(\d{1,12})\s*", lines[number])):
        x, y = int(move[1]) - 1, int(move[2]) - 1
        try:
            if not (0 <= x < game.width and 0 <= y < game.height):
                raise GameError("off the board")
            state = state.child(y * game.width + x)
        except ZerosumError:
            got = f"got {lines[number][:40]!r}, wanted an empty field while the game goes on"
            raise GameError(f"{where}, line {number + 1}: {got}") from None
        cells.append(y * game.width + x)
        times.append(int(move[3]))
        number += 1
    return GomokuRecord(game, tuple(cells), _psq_players(lines, number, text.endswith("\n"), where), tuple(times))


def _psq_players(lines: list[str], number: int, ended: bool, where: str) -> tuple[str, str]:
    """What stands after the moves: the two players, whom Piskvork leaves out of games that people play, and a whole
    number that says how the game ended. Where that is missing, the file was cut off; a number alone whose line has not
    `ended` is the beginning of a move.
    """
    last = lines[number : number + 3]
    broken_move = [re.match(r"\s*\d+,", line) is not None for line in last]
    if len(last) == 3 and _is_whole(last[2]) and not any(broken_move):
        return last[0], last[1]
    if last and _is_whole(last[0]) and (len(last) > 1 or ended):
        return "", ""
    wrong = next((i for i, broken in enumerate(broken_move) if broken or i == 2), len(last))
    got = repr(last[wrong][:40]) if wrong < len(last) else "the end of the file"
    wanted = ("a move x,y,ms or the two players", "the second player", "a whole number after the players")[wrong]
    raise GameError(f"{where}, line {number + wrong + 1}: got {got}, wanted {wanted}")


def _is_whole(text: str) -> bool:
    return re.fullmatch(r"\s*-?[0-9]+\s*", text) is not None


def openings_of(
    records: Iterable[GomokuRecord], game: Gomoku, where: str, most_moves: int | None = None
) -> list[tuple[int, ...]]:
    """The moves of records, or the first so many of each, as openings, equal ones once; refuses those of another board
    and those after which the game is over.
    """
    found = dict[tuple[int, ...], None]()  # in order
    for number, record in enumerate(records, 1):
        if (record.game.width, record.game.height) != (game.width, game.height):
            raise GameError(f"{where}, game {number}: got {record.game.spec()}, wanted {game.spec()}")
        moves = record.moves[:most_moves]
        if GomokuState(game, moves).actor == TERMINAL:
            got = f"got a game that is over after {len(moves)} moves, wanted an opening"
            hint = "fewer --opening-moves" if most_moves is not None else "--opening-moves N takes the first N moves"
            raise GameError(f"{where}, game {number}: {got}; {hint}")
        found[moves] = None
    return list(found)
