"""`zerosum train cardmodel` and `zerosum train holdem-hu`: runs that are killed and go on, and what is refused."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from typing import TYPE_CHECKING, Any

import pytest

from e2e.command import ZEROSUM, refusal, report, started, zerosum
from zerosum.networks.heads_up import CardModel
from zerosum.policy.heads_up_storage import load_card_model, load_heads_up, save_card_model

if TYPE_CHECKING:
    from pathlib import Path

RIVERS = tuple(
    word
    for change in (
        "streets.preflop=0", "streets.flop=0", "streets.turn=0", "streets.river=1", "fit.steps=20",
        "fit.batch_rows=256", "fit.score_rows=200", "run.iterations=6", "run.evaluate_every=2",
        "run.checkpoint_seconds=0",
    )
    for word in ("--set", change)
)  # fmt: skip
SMALL = tuple(
    word
    for change in (
        "run.iterations=4", "run.evaluate_every=2", "run.checkpoint_seconds=0", "walks.per_player=6", "walks.lease=3",
        "buffer.capacity_rows=3000", "advantage.steps=3", "advantage.batch_rows=64", "strategy.batch_rows=32",
    )
    for word in ("--set", change)
)  # fmt: skip


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A CardModel that knows nothing."""
    path = tmp_path_factory.mktemp("cards")
    save_card_model(CardModel(), path, {})
    return path


def killed(run: Path, *command: str | Path) -> dict[str, Any]:
    """Starts a run, kills it once it has a checkpoint, and lets it go on to its end."""
    process = started(*command, "--out", run, until=run / "checkpoints")
    while process.poll() is None and not list((run / "checkpoints").glob("*.safetensors")):
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return report("train", "--resume", run)


def test_cardmodel_learns_and_goes_on(tmp_path: Path) -> None:
    quiet = report("train", "cardmodel", *RIVERS, "--out", tmp_path / "quiet")
    found = killed(tmp_path / "killed", "train", "cardmodel", *RIVERS)
    assert found["weights_sha256"] == quiet["weights_sha256"]
    rows = [json.loads(line) for line in (tmp_path / "quiet" / "metrics.jsonl").read_text().splitlines()]
    assert [row["iteration"] for row in rows] == [2, 4, 6]
    wrong = [row["scores"]["river"]["equity_error"] for row in rows]
    assert wrong[-1] < wrong[0]
    assert quiet["scores"]["river"]["equity_error"] == wrong[-1] < 0.25
    model, digest = load_card_model(tmp_path / "quiet")
    assert load_card_model(tmp_path / "killed")[1] == digest
    assert model.embedding.weight.shape == (53, 64)
    assert "cardmodel" in zerosum("runs", tmp_path).stdout


def test_missing_tables(tmp_path: Path) -> None:
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    command = [*ZEROSUM, "train", "cardmodel", "--out", str(tmp_path / "run")]
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 2
    assert "zerosum cards build-tables" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("preset", ["holdem-hu", "holdem-hu-history"])
def test_deep_cfr_learns_and_goes_on(preset: str, tmp_path: Path, cards: Path) -> None:
    command = ("train", preset, *SMALL, "--set", f"network.cards={cards}")
    quiet = report(*command, "--out", tmp_path / "quiet", "--workers", "1")
    found = killed(tmp_path / "killed", *command, "--workers", "2")
    assert found["weights_sha256"] == quiet["weights_sha256"]
    assert found["nodes"] == quiet["nodes"] > 200
    for saved in ("policy", "measured/0000004"):  # what was learnt is also what is written
        names = [sorted(file.name for file in (tmp_path / run / saved).iterdir()) for run in ("quiet", "killed")]
        assert names[0] == names[1]  # which tell the weights' checksums
    rows = [json.loads(line) for line in (tmp_path / "quiet" / "metrics.jsonl").read_text().splitlines()]
    assert [row["iteration"] for row in rows] == [2, 4]
    assert set(rows[0]["time_shares"]) == {"cards", "network", "walking", "fit"}
    assert sum(rows[0]["time_shares"].values()) == pytest.approx(1)
    assert set(rows[0]["losses"]) == {"advantage", "strategy"}
    assert {"random", "call", "tight-aggressive", "equity"} == set(rows[0]["versus"])
    early = ("match", f"{tmp_path / 'quiet'}@2", "call", "--game", "holdem")
    assert "quiet/measured" in refusal(*early)
    policy = load_heads_up(tmp_path / "quiet")
    assert policy.network.settings.kind == {"holdem-hu": "cfr", "holdem-hu-history": "history"}[preset]
    assert policy.denoise_below == {"holdem-hu": 0.03, "holdem-hu-history": 0.25}[preset]
    assert load_heads_up(tmp_path / "quiet" / "measured" / "0000002").game == policy.game
    won = report("match", tmp_path / "quiet", "fold", "--game", "holdem", "--hands", "200")
    assert len(won["results"]) == 2
    text = zerosum("play", "holdem", "--against", tmp_path / "quiet", "--advice", "--seed", "3", stdin="c\nq\n").stdout
    assert "advice: equity" in text
    assert "against any hand" in text


def test_refusals(tmp_path: Path, cards: Path) -> None:
    out = ("--out", tmp_path / "run")
    assert "zerosum train cardmodel" in refusal("train", "holdem-hu", *out, "--set", "network.cards=nowhere")
    assert "wanted a CardModel" in refusal("train", "holdem-hu", *out, "--set", "network.cards=gomoku-6x6-4")
    said = refusal("train", "holdem-hu", *out, "--set", f"network.cards={cards}", "--set", "run.game=sixmax")
    assert "wanted heads-up hold'em with five actions" in said
    said = refusal("train", "holdem-hu", *out, "--set", f"network.cards={cards}", "--set", "network.hidden=64")
    assert "wanted 256" in said
    assert "wanted perceptron" in refusal("train", "kuhn-sdcfr", *out, "--set", "network.kind=cfr")
    said = refusal("train", "holdem-hu", *out, "--set", f"network.cards={cards}", "--set", "buffer.merge=true")
    assert "buffer: merge: got True, wanted False" in said
    assert "knows cards and no betting" in refusal("train", "cardmodel", *out, "--set", "run.game=leduc")
    assert "add up to" in refusal("train", "cardmodel", *out, "--set", "streets.river=1")
    assert "wanted float32 or bfloat16 or auto" in refusal("train", "cardmodel", *out, "--set", "fit.precision=int8")
    junk = tmp_path / "junk.pt"
    junk.write_bytes(b"junk")
    assert "not a file of weights alone" in refusal("train", "holdem-hu", *out, "--set", f"network.cards={junk}")
    assert not (tmp_path / "run").exists()


def test_another_cardmodel_is_refused(tmp_path: Path) -> None:
    run = tmp_path / "run"
    own = tmp_path / "own"
    save_card_model(CardModel(), own, {})
    short = ("--set", "run.iterations=1", "--set", "run.evaluate_every=5")
    report("train", "holdem-hu", *SMALL, *short, "--set", f"network.cards={own}", "--out", run)
    save_card_model(CardModel(), own, {})  # another one by the same name
    said = zerosum("train", "--resume", run, "--set", "run.iterations=2", code=2).stderr
    assert "not the CardModel that the run was begun with" in said
    assert "Traceback" not in said
