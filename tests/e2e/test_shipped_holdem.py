"""Networks for heads-up hold'em that come along: they load, say where they come from, and win what their cards say."""

from __future__ import annotations

import json

import pytest

from e2e.command import report, zerosum
from zerosum.networks.heads_up import CardModel
from zerosum.policy.headers import HEADER, SHIPPED, shipped_names
from zerosum.policy.heads_up_storage import load_card_model, load_heads_up, weights_digest

NAMES = {"holdem-hu": "holdem", "holdem-hu-botzone": "holdem:order=botzone", "holdem-hu-history": "holdem"}
BARS = {"preflop": (0.01, 0.02), "flop": (0.01, 0.02), "turn": (0.01, 0.02), "river": (0.015, 0.02)}


@pytest.mark.parametrize("name", [*NAMES, "cardmodel"])
def test_they_load_and_have_a_card(name: str) -> None:
    assert name in shipped_names()
    card = (SHIPPED / name / "CARD.md").read_text()
    assert f"zerosum train {name}" in card
    assert "minutes" in card
    assert sum(file.stat().st_size for file in (SHIPPED / name).iterdir()) < 3_000_000
    model, digest = load_card_model(name)
    assert isinstance(model, CardModel)
    assert digest == load_card_model("cardmodel")[1] == weights_digest(model)
    if name in NAMES:
        policy = load_heads_up(name)
        assert policy.game.spec() == NAMES[name]
        assert policy.network.settings.kind == ("history" if name.endswith("history") else "cfr")


def test_cardmodel_keeps_its_bars() -> None:
    scores = json.loads((SHIPPED / "cardmodel" / HEADER).read_text())["scores"]
    assert set(scores) == set(BARS)
    for street, (equity, histogram) in BARS.items():
        assert scores[street]["equity_error"] <= equity
        assert scores[street]["histogram_distance"] <= histogram


@pytest.mark.parametrize("name", NAMES)
def test_they_play(name: str) -> None:
    won = report("match", name, "random", "--game", NAMES[name], "--hands", "4000", "--threads", "1")["results"][0]
    assert won["mbb_per_hand"] > won["ci95"]


def test_advice_from_those_that_come_along() -> None:
    shown = ("--against", "call", "--advice", "--seed", "3", "--hands", "1")
    told = zerosum("play", "holdem", *shown, stdin="c\nc\nc\nc\nc\nc\n").stdout
    assert told.count("advice: equity") >= 2
    assert "big blinds" in told
    said = zerosum("play", "holdem:players=3", "--advice", code=2).stderr
    assert "no networks for holdem:players=3 come along" in said
    assert "zerosum train holdem-hu" in said
