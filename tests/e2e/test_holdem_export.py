"""Heads-up policies as files for elsewhere, whole or not at all, and what the commands for bots refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from e2e.command import refusal, report, zerosum
from zerosum.games.holdem import Holdem
from zerosum.policy.heads_up_storage import load_heads_up

if TYPE_CHECKING:
    from pathlib import Path


def test_onnx_and_bin(policies: Path, tmp_path: Path) -> None:
    import onnxruntime

    zerosum("export", policies / "standard", "--to", "onnx", "--out", tmp_path)
    zerosum("export", policies / "standard", "--to", "bin", "--out", tmp_path)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["card_model.bin", "card_model.onnx", "cfr_net.bin", "cfr_net.onnx"]
    for name, inputs, outputs in (
        ("card_model", ["x_hole", "x_board"], ["pred_equity", "pred_histogram"]),
        ("cfr_net", ["card_features", "env_features"], ["regrets", "policy_logits"]),
    ):
        session = onnxruntime.InferenceSession(str(tmp_path / f"{name}.onnx"), providers=["CPUExecutionProvider"])
        assert [one.name for one in session.get_inputs()] == inputs
        assert [one.name for one in session.get_outputs()] == outputs
        assert not isinstance(session.get_inputs()[0].shape[0], int)  # any number of rows


def test_onnx_models_say_which_chances_are_dropped(tmp_path: Path) -> None:
    from zerosum.export.onnx import OnnxPolicy

    zerosum("export", "holdem-hu-history", "--to", "onnx", "--out", tmp_path)
    policy = load_heads_up("holdem-hu-history")
    views = [hand.view(hand.actor) for hand in (Holdem().deal(seed=seed) for seed in range(40))]
    found = OnnxPolicy(tmp_path)
    assert found.denoise_below == policy.denoise_below == 0.25
    assert np.abs(found(views) - policy(views)).max() < 1e-5
    assert "canonical_suits" in found.cards.get_modelmeta().custom_metadata_map["suits"]


@pytest.mark.parametrize("to", ["bin", "onnx", "cpp"])
def test_an_export_that_fails_leaves_nothing(policies: Path, tmp_path: Path, to: str) -> None:
    """Its last file cannot be written: those before it are as they were."""
    where = tmp_path / "out"
    first, last = ("bot.cpp", "data/cfr_net.bin") if to == "cpp" else (f"card_model.{to}", f"cfr_net.{to}")
    (where / last).mkdir(parents=True)
    command = ("export", policies / "botzone", "--to", to, "--out", where)
    assert f"{where / last}: cannot be written (Is a directory)" in refusal(*command)
    assert not [path for path in where.rglob("*") if path.is_file()]
    (where / first).write_text("old")
    refusal(*command)
    assert (where / first).read_text() == "old"
    (where / last).rmdir()
    told = report(*command)
    assert told["files"][str(where / first)] == (where / first).stat().st_size > 3
    assert not list(where.rglob(".*"))


def test_refusals(policies: Path, tmp_path: Path) -> None:
    out = ("--out", str(tmp_path / "x"))
    assert "no such directory" in refusal("export", tmp_path / "none", "--to", "bin", *out)
    assert "wanted --to cpp" in refusal("export", "untrained", "--to", "bin", "--embed", *out)
    assert "wanted networks of heads-up hold'em" in refusal("export", "gomoku-5x5-4", "--to", "cpp", *out)
    assert "untrained:x: wanted untrained:SEED" in refusal("export", "untrained:x", "--to", "bin", *out)
    assert "not leduc" in refusal("export", "untrained", "--to", "cpp", "--game", "leduc", *out)
    assert "wanted holdem with at most" in refusal(
        "export", "untrained", "--to", "cpp", "--game", "holdem:ante=5", *out
    )
    assert "wanted one for holdem" in refusal("export", policies / "botzone", "--to", "bin", "--game", "holdem", *out)
    assert "wanted the name of a directory" in refusal("export", "untrained", "--to", "bin", "--out", "")
    (tmp_path / "file").touch()
    assert "cannot be written" in refusal("export", "untrained", "--to", "bin", "--out", tmp_path / "file" / "x")
    assert not (tmp_path / "x").exists()
    assert "wanted --host and --port" in refusal("bot", "call", "--protocol", "acpc")
    assert "wanted --protocol botzone" in refusal("bot", "call", "--protocol", "acpc", "--one-shot")
    assert "cannot be reached" in refusal("bot", "call", "--protocol", "acpc", "--host", "127.0.0.1", "--port", "1")
    assert "wanted --protocol acpc" in refusal("bot", "call", "--protocol", "botzone", "--port", "1")
    told = refusal("export", "nosuch", "--to", "bin", *out)
    assert "holdem-hu-botzone" in told
    assert "cardmodel" not in told
    for protocol in (("acpc", "--host", "127.0.0.1", "--port", "1"), ("botzone",)):
        told = refusal("bot", "nosuch", "--protocol", *protocol)
        assert "holdem-hu" in told
        assert "tight-aggressive" in told
    assert "wanted two such as 18791,18792" in refusal("dealer", "--ports", "1")
    assert "ports: got 18790 twice, wanted two that differ" in refusal("dealer", "--ports", "18790,18790")
    assert "--hands: got 'abc', wanted a whole number" in refusal("dealer", "--ports", "0,0", "--hands", "abc")
    assert "ports: got 70000, wanted 0 to 65535" in refusal("dealer", "--ports", "18791,70000")
    assert "in the standard order" in refusal("dealer", "--ports", "0,0", "--game", "holdem:order=botzone")
    assert "wanted two such as one,two" in refusal("dealer", "--ports", "0,0", "--names", "a")
    judge = ("judge", "botzone", "--game", "holdem")
    assert "cannot be started" in refusal(*judge, "/no/such", "/no/such")
    assert "got --games" in refusal(*judge, "a", "b", "--games", "3")
    assert "hands: got 0" in refusal(*judge, "a", "b", "--hands", "0")
