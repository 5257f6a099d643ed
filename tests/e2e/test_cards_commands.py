"""`zerosum equity` and `zerosum cards` as a user meets them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from e2e.command import refusal, report, zerosum

if TYPE_CHECKING:
    from pathlib import Path


def test_json() -> None:
    found = report("equity", "AcAd", "KcKd")
    assert list(found) == ["board", "method", "players"]
    assert found["method"] == "exact"
    assert [list(player) for player in found["players"]] == [["hand", "equity", "win", "tie", "stderr"]] * 2
    assert found["players"][0]["equity"] == pytest.approx(0.82636611, abs=1e-8)
    sampled = report("equity", "AA", "KK", "random", "--board", "2c7dJh", "--samples", "20000", "--seed", "3")
    assert sampled["method"] == "monte-carlo"
    assert sampled["board"] == "2c7dJh"
    assert 0 < sampled["players"][0]["stderr"] < 0.01


def test_text() -> None:
    text = zerosum("equity", "QQ+,AKs", "random", "--board", "2h7dTc").stdout
    assert "board 2h7dTc, exact" in text
    assert "QQ+,AKs: equity in % by hand" in text
    assert sum(line.strip()[:1] in tuple("AKQJT98765432") for line in text.splitlines()) >= 13
    assert "monte-carlo, 5,000 samples" in zerosum("equity", "AA", "KK", "--samples", "5000").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["equity", "AcAd", "AcKd"], "zerosum equity: hand 'AcKd': Ac is also in 'AcAd'"),
        (["equity", "AcAd", "KK", "--board", "Ac2c"], "board: got 2 cards in 'Ac2c'"),
        (["equity", "AA", "QQ++"], "got 'QQ++'"),
        (["equity", "AA", "KK", "--samples", "0"], "samples: got 0"),
        (["equity", "AA", "KK", "--samples", "5", "--exact"], "not allowed with argument"),
        (["equity", "AA", "KK", "--seed", "-1"], "seed: got -1"),
        (["equity", "random", "random", "random", "--exact"], "exact: would take about"),
        (["equity"], "the following arguments are required"),
        (["cards", "build-tables", "--threads", "0"], "threads: got 0"),
        (["cards", "build-tables", "--out", "/dev/null/tables"], "/dev/null/tables: cannot be written"),
        (["cards"], "required: ACTION"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert message in refusal(*arguments)
    assert list(tmp_path.iterdir()) == []
