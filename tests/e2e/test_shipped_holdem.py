"""Networks for heads-up hold'em that come along: they load, say where they come from, and win what their cards say."""

from __future__ import annotations

import json
from itertools import permutations

import numpy as np
import pytest
import torch

from e2e.command import report, zerosum
from zerosum import native
from zerosum.learn.cardmodel.scores import scores
from zerosum.learn.cardmodel.targets import Targets
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
    told = json.loads((SHIPPED / "cardmodel" / HEADER).read_text())["scores"]
    assert set(told) == set(BARS)
    for street, (equity, histogram) in BARS.items():
        assert told[street]["equity_error"] <= equity
        assert told[street]["histogram_distance"] <= histogram


def test_a_renaming_of_suits_moves_cardmodel_by_less_than_its_card_says() -> None:
    model, luck = load_card_model("cardmodel")[0], np.random.default_rng(5)
    for cards in (2, 5, 6, 7):
        dealt = np.array([luck.permutation(52)[:7] for _ in range(60)], np.int64)
        dealt[:, cards:] = 52
        answers = []
        for names in permutations(range(4)):
            renamed = native.canonical_suits(np.where(dealt < 52, dealt // 4 * 4 + np.array(names)[dealt % 4], 52))
            with torch.inference_mode():
                answers.append(model(torch.from_numpy(renamed[:, :2].copy()), torch.from_numpy(renamed[:, 2:].copy())))
        for said in zip(*answers, strict=True):
            assert np.ptp(torch.stack(said).numpy(), axis=0).max() < 1e-5


def test_cardmodel_on_fresh_withheld_rivers() -> None:
    """Scored again, on boards that nobody trained on; the other streets need tables of minutes."""
    rows = Targets().draw(3, 1_600, np.random.default_rng(77), withheld=True)
    found = scores(load_card_model("cardmodel")[0], {"river": rows})["river"]
    assert found["equity_error"] <= BARS["river"][0]
    assert found["histogram_distance"] <= BARS["river"][1]


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
    assert "no networks for holdem:players=3 come along, wanted heads-up hold'em" in said
    said = zerosum("play", "holdem:stack=5000", "--advice", code=2).stderr
    assert "zerosum train holdem-hu --set run.game=holdem:stack=5000" in said
