"""Whatever is given as cards from Python is read as it is, or refused in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

from zerosum.cards.equity import equity
from zerosum.cards.evaluation import evaluate, evaluate_one
from zerosum.cards.isomorphism import canonical_hand, canonical_index
from zerosum.cards.tables import CHUNK, FLOP, all_hands, build_tables
from zerosum.errors import CardError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: canonical_index(np.array([[0, 300]])), "got 300 in row 0"),
        (lambda: canonical_index(np.array([[0, -206]])), "got -206 in row 0"),
        (lambda: canonical_index(np.array([[0, 1.9]])), "got float64, wanted whole numbers"),
        (lambda: canonical_hand([1.9], 0), "wanted [B] whole numbers"),
        (lambda: canonical_hand([[5]], 0), "wanted [B] whole numbers"),
        (lambda: evaluate_one(cast("Any", [0.5, 1.5, 2.5, 3.5, 4.5])), "got float64, wanted whole numbers"),
        (lambda: evaluate_one(cast("Any", None)), "got None"),
        (lambda: evaluate_one(cast("Any", ["a"] * 5)), "wanted whole numbers"),
        (lambda: evaluate(cast("Any", [[1, 2, 3, 4, 5], [1, 2]])), "rows of different lengths"),
        (lambda: all_hands((1, 1, 2)), "wanted different numbers"),
        (lambda: all_hands((1, 2, 60)), "got 60"),
        (lambda: all_hands((1, 2, -1)), "got -1"),
        (lambda: equity(cast("Any", ["AhKh", None])), "wanted text"),
        (lambda: equity(["AhKh", "QQ"], cast("Any", None)), "wanted text"),
        (lambda: equity(["AhKh", "AA:0.00001"]), "got weight '0.00001'"),
        (lambda: equity(["AhKh", "76s:1.00001"]), "got weight '1.00001'"),
        (lambda: equity([f"random,{hand}:0.0003" for hand in ("AA", "KK", "QQ", "JJ", "TT")], exact=True), "too fine"),
    ],
)
def test_what_is_no_card_is_refused(call: Callable[[], object], says: str) -> None:
    with pytest.raises(CardError) as error:
        call()
    assert says in str(error.value)


@pytest.mark.parametrize("given", [{"samples": 1000.0}, {"seed": 1.5}, {"threads": 1.5}])
def test_numbers_that_must_be_whole(given: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match="wanted a whole number"):
        equity(["AhKh", "QQ"], **given)


@pytest.mark.parametrize(
    "mark", ['{"format": 1}', '{"format": 1, "boards_done": "x"}', '{"format": 1, "boards_done": 99999}']
)
def test_a_mark_that_cannot_be_starts_anew(tmp_path: Path, mark: str) -> None:
    (tmp_path / "flop.json").write_text(mark)
    with pytest.raises(_StoppedError) as stopped:
        build_tables(tmp_path, FLOP, 1, _stop)
    assert stopped.value.args == (CHUNK,)


def test_a_shortened_table_is_built_anew(tmp_path: Path) -> None:
    with pytest.raises(_StoppedError):
        build_tables(tmp_path, FLOP, 1, _stop)
    (tmp_path / "flop.json").write_text('{"format": 1, "boards_done": 512}')
    with pytest.raises(_StoppedError) as stopped:
        build_tables(tmp_path, FLOP, 1, _stop)
    assert stopped.value.args == (512 + CHUNK,)
    with (tmp_path / "flop-histogram.npy").open("r+b") as file:
        file.truncate(1_000_000)
    with pytest.raises(_StoppedError) as stopped:
        build_tables(tmp_path, FLOP, 1, _stop)
    assert stopped.value.args == (CHUNK,)


def test_a_full_disk_is_told_before_anything_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.posix_fallocate", full)
    with pytest.raises(CardError, match="no room for the flop tables"):
        build_tables(tmp_path, FLOP, 1, _stop)
    assert not list(tmp_path.iterdir())


class _StoppedError(Exception):
    pass


def _stop(done: int, _boards: int) -> None:
    raise _StoppedError(done)
