"""`zerosum match` and `zerosum tournament` as a user types them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from e2e.command import refusal, report, zerosum

if TYPE_CHECKING:
    from pathlib import Path


def test_match() -> None:
    text = zerosum("match", "fold", "pot", "--game", "holdem", "--hands", "2000").stdout
    assert text.startswith("fold loses to pot by -750.0 ± ")
    assert "mbb/hand (95 %, 2,000 duplicate hands)" in text
    for word in ("pre-flop", "showdowns: 0.0% of hands", "duplicate", "all-in", "by seat"):
        assert word in text


def test_match_as_json() -> None:
    found = report("match", "uniform", "call", "--game", "leduc", "--hands", "4000", "--seed", "3")
    assert found["game"] == "leduc"
    assert found["hands"] == 4000
    assert [row["name"] for row in found["results"]] == ["uniform", "call"]
    assert {"mbb_per_hand", "ci95", "won", "by_seat"} <= set(found["results"][0])
    assert list(found["rates"]["call"]["all"]) == ["fold", "check/call", "bet/raise"]
    assert found == report(
        "match", "uniform", "call", "--game", "leduc", "--hands", "4000", "--seed", "3", "--threads", "1"
    )


def test_one_deal_has_no_interval() -> None:
    assert report("match", "fold", "call", "--game", "holdem", "--hands", "1")["results"][0]["ci95"] is None


def test_a_solved_policy_beats_uniform(tmp_path: Path) -> None:
    zerosum("solve", "kuhn", "--iterations", "200", "--out", str(tmp_path / "kuhn"))
    found = report("match", str(tmp_path / "kuhn"), "uniform", "--game", "kuhn", "--until-ci", "10")
    assert found["results"][0]["mbb_per_hand"] > 2 * found["results"][0]["ci95"]
    assert found["results"][0]["ci95"] <= 10


def test_a_policy_for_another_game_is_refused(tmp_path: Path) -> None:
    zerosum("solve", "kuhn", "--iterations", "10", "--out", str(tmp_path / "kuhn"))
    for game, says in (("leduc", "a policy for kuhn, wanted one for leduc"), ("holdem", "wanted a player of holdem")):
        assert says in refusal("match", str(tmp_path / "kuhn"), "call", "--game", game)


def test_hands_are_written_and_replay(tmp_path: Path) -> None:
    out = tmp_path / "hands.phhs"
    zerosum("match", "random", "equity", "call", "--game", "holdem:players=3", "--hands", "30", "--out", str(out))
    assert report("replay", str(out), "--quiet")["differing"] == 0
    assert "players = [" in out.read_text()


def test_tournament(tmp_path: Path) -> None:
    plot = tmp_path / "matrix.svg"
    found = report("tournament", "call", "fold", "random", "--game", "holdem", "--hands", "600", "--plot", str(plot))
    assert found["players"] == ["call", "fold", "random"]
    assert len(found["ratings"]) == 3
    assert plot.read_text().lstrip().startswith("<?xml")
    text = zerosum("tournament", "call", "fold", "--game", "holdem", "--hands", "600").stdout
    assert "Elo" in text


def test_local_best_response() -> None:
    found = report("evaluate", "fold", "--game", "holdem", "--lbr", "--hands", "10")
    assert found["lbr"]["bet menu"]["mbb_per_hand"] == pytest.approx(750)
    assert (
        "bet menu: +750.0 ± 0.0 mbb/hand"
        in zerosum("evaluate", "fold", "--game", "holdem", "--lbr", "--hands", "10").stdout
    )


def test_best_responses_on_rivers() -> None:
    found = report("evaluate", "call", "--game", "holdem:stack=600", "--best-response", "--hands", "2")
    assert found["rivers"]["subgames"] == 2
    assert found["rivers"]["mbb_per_river"] > 0


def test_a_player_is_evaluated_exactly() -> None:
    assert report("evaluate", "uniform", "--game", "kuhn")["nash_conv"] == pytest.approx(11 / 12)
    assert "exploitability" not in zerosum("evaluate", "uniform", "--game", "kuhn", "--best-response").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["match", "call", "fol", "--game", "holdem"], "unknown player 'fol' of holdem; did you mean fold?"),
        (["match", "call", "--game", "holdem"], "got 1 players, wanted 2"),
        (["match", "call", "fold", "--game", "holdem", "--hands", "0"], "hands: got 0"),
        (["match", "call", "fold", "--game", "holdem", "--until-ci", "-1"], "until-ci: got -1"),
        (["match", "call", "fold", "--game", "leduc", "--out", "x.phhs"], "cannot be written as PHH"),
        (["match", "call", "fold", "--game", "holdm"], "holdm"),
        (
            ["evaluate", "uniform", "--game", "holdem", "--exploitability"],
            "wanted heads-up and --lbr or --best-response",
        ),
        (["evaluate", "uniform"], "the name of a player needs --game"),
        (["evaluate", "tight-aggressive", "--game", "holdem", "--lbr"], "its bets are not on a menu"),
        (["evaluate", "call", "--game", "kuhn", "--lbr"], "wanted --game holdem"),
        (["tournament", "call", "--game", "holdem"], "wanted two or more"),
        (["tournament", "call", "fold", "--game", "holdem", "--plot", "x.pdf"], "wanted .svg or .png"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert message in refusal(*arguments)
    assert not list(tmp_path.iterdir())
