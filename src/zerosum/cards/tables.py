"""Every hand on every canonical flop and turn: exact equity against a random hand, and the histogram of river equities.

A row for each canonical (hole, unordered board), kept in `.npy` files that are read by memory map. Building goes board
by board and can be stopped and resumed.
"""

from __future__ import annotations

import fcntl
import json
import os
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from zerosum import native
from zerosum.cards.isomorphism import board_indexer, canonical_index, indexer
from zerosum.cards.rows import card_rows
from zerosum.errors import CardError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

BINS = 50
POINTS = 2 * 990  # two for each opponent beaten on the river, one for a tie
FORMAT = 1
CHUNK = 32  # boards built in one native call
_ANEW = "run zerosum cards build-tables"
MARK_EVERY = 256  # boards after which the work is safe on disk


@dataclass(frozen=True)
class Street:
    """A street's tables: the cards of its board, the rivers that follow a hand, and the type of its counts."""

    name: str
    board_cards: int
    rivers: int
    counts: type[np.unsignedinteger[Any]]

    @property
    def rows(self) -> int:
        return len(indexer(self.board_cards - 2, recall=False))

    @property
    def boards(self) -> int:
        return len(board_indexer(self.board_cards))

    @property
    def size_bytes(self) -> int:
        return self.rows * (4 + BINS * np.dtype(self.counts).itemsize)


FLOP = Street("flop", 3, 1081, np.uint16)
TURN = Street("turn", 4, 46, np.uint8)
STREETS = {street.name: street for street in (FLOP, TURN)}


@dataclass(frozen=True, eq=False)
class AllHands:
    """All 1,326 pairs of hole cards on one board; NaN and zeros where a card is on the board."""

    equity: npt.NDArray[np.float64]  # [1326] against a random hand
    histogram: npt.NDArray[np.float64]  # [1326, 50] shares of rivers


def all_hands(board: tuple[int, ...]) -> AllHands:
    """A board of three to five cards -> every hand's equity and histogram, exact, from nothing."""
    if len(board) not in (3, 4, 5):
        raise CardError(f"all hands: got a board of {len(board)} cards, wanted 3, 4 or 5")
    try:
        points, rivers, counts = native.all_hands(bytes(card_rows([list(board)], "all hands", (3, 4, 5))[0]))
    except ValueError as error:
        raise CardError(f"all hands: {error}") from None
    seen = np.maximum(rivers, 1)
    equity = np.where(rivers > 0, points / (POINTS * seen), np.nan)
    return AllHands(equity, counts / seen[:, None])


def default_folder() -> Path:
    """Where tables are kept unless a folder is named."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "zerosum" / "cards"


def build_tables(
    folder: Path, street: Street, threads: int, progress: Callable[[int, int], None] | None = None
) -> None:
    """Builds a street's tables in a folder that exists, or goes on where an earlier build stopped."""
    with _alone(folder):
        done = _done(folder, street)
        if done == 0 or not _are_readable(folder, street):
            done = 0
            _reserve(folder, street)
        points, histogram = _open(folder, street, "r+")
        marked = done
        try:
            while done < street.boards:
                last = min(done + CHUNK, street.boards)
                native.fill_tables(street.board_cards, done, last, threads, points, histogram)
                done = last
                if done % MARK_EVERY == 0:
                    marked = _mark(folder, street, done, points, histogram)
                if progress is not None:
                    progress(done, street.boards)
        finally:
            if done > marked:
                _mark(folder, street, done, points, histogram)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keeps other builds out of a folder."""
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise CardError(f"{folder}: another build is at work there") from None
    finally:
        os.close(lock)


def _are_readable(folder: Path, street: Street) -> bool:
    try:
        _open(folder, street, "r")
    except CardError:
        return False
    return True


def _paths(folder: Path, street: Street) -> tuple[Path, Path]:
    return folder / f"{street.name}-points.npy", folder / f"{street.name}-histogram.npy"


def _open(folder: Path, street: Street, mode: Any) -> tuple[np.memmap[Any, Any], np.memmap[Any, Any]]:
    points, histogram = _paths(folder, street)
    try:
        return (
            np.lib.format.open_memmap(points, mode=mode, dtype=np.uint32, shape=(street.rows,)),
            np.lib.format.open_memmap(histogram, mode=mode, dtype=street.counts, shape=(street.rows, BINS)),
        )
    except (OSError, ValueError) as error:
        raise CardError(
            f"{folder}: the {street.name} tables cannot be opened ({error}); run zerosum cards build-tables"
        ) from None


def _reserve(folder: Path, street: Street) -> None:
    """Makes the files with all the room they need: a memory map that meets a full disk later ends the program."""
    _, histogram = _open(folder, street, "w+")
    del histogram
    for path in _paths(folder, street):
        try:
            with path.open("r+b") as file:
                os.posix_fallocate(file.fileno(), 0, path.stat().st_size)
        except OSError as error:
            for partial in _paths(folder, street):
                partial.unlink(missing_ok=True)
            raise CardError(f"{folder}: no room for the {street.name} tables ({error.strerror})") from None


def _mark(folder: Path, street: Street, done: int, points: np.memmap[Any, Any], histogram: np.memmap[Any, Any]) -> int:
    """Notes how many boards are safe on disk."""
    points.flush()
    histogram.flush()
    mark = {"format": FORMAT, "street": street.name, "boards_done": done, "boards": street.boards}
    new = folder / f"{street.name}.json.new"
    new.write_text(json.dumps(mark) + "\n")
    new.replace(folder / f"{street.name}.json")
    return done


def _done(folder: Path, street: Street) -> int:
    """How many boards an earlier build finished; 0 where it does not fit."""
    try:
        mark = json.loads((folder / f"{street.name}.json").read_bytes())
    except (OSError, ValueError):
        return 0
    done = mark.get("boards_done") if isinstance(mark, dict) and mark.get("format") == FORMAT else None
    if not isinstance(done, int) or not 0 <= done <= street.boards:
        return 0
    points, histogram = _paths(folder, street)
    whole = _has_bytes(points, 4 * street.rows) and _has_bytes(histogram, street.size_bytes - 4 * street.rows)
    return done if whole else 0


def _has_bytes(path: Path, data: int) -> bool:
    """Whether the file is as long as its data and its header, which numpy pads to 128 bytes here."""
    return path.is_file() and path.stat().st_size == data + 128


@dataclass(frozen=True)
class CardTables:
    """A street's finished tables, read by memory map."""

    folder: Path
    street: Street

    def __post_init__(self) -> None:
        object.__setattr__(self, "folder", Path(self.folder))
        done = _done(self.folder, self.street)
        if done < self.street.boards:
            raise CardError(
                f"{self.folder}: the {self.street.name} tables are not complete ({done:,} of {self.street.boards:,} "
                f"boards); {_ANEW}"
            )
        points, histogram = self._arrays
        if points.shape != (self.street.rows,) or histogram.shape != (self.street.rows, BINS):
            raise CardError(
                f"{self.folder}: the {self.street.name} tables have another shape; run zerosum cards build-tables"
            )

    @cached_property
    def _arrays(self) -> tuple[np.memmap[Any, Any], np.memmap[Any, Any]]:
        return _open(self.folder, self.street, "r")

    def look_up(self, cards: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float32]]:
        """uint8[B, 5 | 6] hole cards and board -> (float64[B] equities, float32[B, 50] histograms)."""
        cards = card_rows(cards, f"{self.street.name} tables", (self.street.board_cards + 2,))
        rows = canonical_index(cards, recall=False).astype(np.int64)
        points, histogram = self._arrays
        equity = points[rows] / (POINTS * self.street.rivers)
        return equity, (histogram[rows] / self.street.rivers).astype(np.float32)
