"""Policies on disk: what is written comes back; what was damaged is refused, by name."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import numpy as np
import pytest

import zerosum as zs
from zerosum.errors import PolicyError, RunError
from zerosum.runs.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    zs.save_policy(zs.solve(zs.load_game("kuhn"), "cfr+", iterations=100).policy, tmp_path / "policy")
    return tmp_path / "policy"


def tensors(folder: Path) -> Path:
    (found,) = folder.glob("*.safetensors")
    return found


def test_round_trip(saved: Path) -> None:
    policy = zs.load_policy(saved)
    fresh = zs.solve(zs.load_game("kuhn"), "cfr+", iterations=100)
    assert np.array_equal(policy.probabilities, fresh.policy.probabilities)
    assert policy.origin == fresh.policy.origin
    header = json.loads((saved / "policy.json").read_text())
    assert (header["game"], header["algorithm"], header["iterations"]) == ("kuhn", "cfr+", 100)
    assert header["exploitability"] == fresh.exploitability


def test_replacing_leaves_one_policy(saved: Path) -> None:
    zs.save_policy(zs.solve(zs.load_game("leduc"), "cfr", iterations=5).policy, saved)
    assert zs.load_policy(saved).tree.game == zs.load_game("leduc")
    assert len(list(saved.iterdir())) == 2


def test_a_writer_killed_half_way_leaves_the_old_policy(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(path: Path, data: bytes) -> None:
        if path.name == "policy.json":
            raise KeyboardInterrupt
        write_atomically(path, data)

    monkeypatch.setattr("zerosum.policy.headers.write_atomically", killed)
    with pytest.raises(KeyboardInterrupt):
        zs.save_policy(zs.solve(zs.load_game("leduc"), "cfr", iterations=5).policy, saved)
    assert zs.load_policy(saved).tree.game == zs.load_game("kuhn")


def truncate(folder: Path) -> None:
    tensors(folder).write_bytes(tensors(folder).read_bytes()[:-9])


def flip(folder: Path) -> None:
    data = bytearray(tensors(folder).read_bytes())
    data[-3] ^= 1
    tensors(folder).write_bytes(bytes(data))


def edit(key: str, value: object) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        header = json.loads((folder / "policy.json").read_text())
        header[key] = value
        (folder / "policy.json").write_text(json.dumps(header))

    return apply


def cut_header(folder: Path) -> None:
    (folder / "policy.json").write_text((folder / "policy.json").read_text()[:40])


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (truncate, r"policy-.*\.safetensors: truncated or changed"),
        (flip, r"policy-.*\.safetensors: truncated or changed"),
        (lambda folder: tensors(folder).unlink(), r"policy-.*\.safetensors: cannot be read \(No such file"),
        (edit("game", "leduc"), r"policy\.json: was changed after it was written"),
        (edit("exploitability", 0.0), r"policy\.json: was changed after it was written"),
        (edit("format", 99), r"policy\.json: not the header of a policy, format 1"),
        (cut_header, r"policy\.json: not a readable header"),
        (lambda folder: (folder / "policy.json").unlink(), r"holds no policy \(policy.json is missing\)"),
        (shutil.rmtree, r"no such directory"),
    ],
)
def test_damage_is_refused(saved: Path, damage: Callable[[Path], None], message: str) -> None:
    damage(saved)
    with pytest.raises(PolicyError, match=message):
        zs.load_policy(saved)


def test_a_policy_for_another_game_is_refused(saved: Path) -> None:
    policy, leduc = zs.load_policy(saved), zs.load_game("leduc")
    with pytest.raises(PolicyError, match="a policy for kuhn, wanted one for leduc"):
        zs.load_policy(saved, leduc)
    with pytest.raises(PolicyError, match="a policy for kuhn, wanted one for leduc"):
        zs.exploitability(leduc, policy)
    with pytest.raises(PolicyError, match="knows no situation 'holding Jc, first to act'"):
        policy([zs.tree_of(leduc).views[0]])


def test_a_policy_for_other_settings_of_the_game_is_refused() -> None:
    policy = zs.solve(zs.load_game("leduc"), iterations=1).policy
    with pytest.raises(PolicyError, match="a policy for leduc, wanted one for leduc:ante=5"):
        zs.exploitability(zs.load_game("leduc:ante=5"), policy)


def test_a_best_response_can_be_saved(tmp_path: Path) -> None:
    game = zs.load_game("kuhn")
    zs.save_policy(zs.best_response(game, zs.UniformPolicy(game), 1).policy, tmp_path)
    assert zs.load_policy(tmp_path).origin is not None


def test_a_policy_stays_as_it_was_checked() -> None:
    policy = zs.solve(zs.load_game("kuhn"), iterations=1).policy
    with pytest.raises(ValueError, match="read-only"):
        policy.probabilities[0] = 5.0
    assert len(repr(policy)) < 300


def test_tables_answer_views() -> None:
    """The same answers by views as by table, in any order."""
    policy = zs.solve(zs.load_game("leduc"), "cfr+", iterations=20).policy
    tree = policy.tree
    answer = policy(list(reversed(tree.views)))
    assert answer.shape == (936, 3)
    np.testing.assert_allclose(answer.sum(axis=1), 1.0)
    for number in (0, 17, 935):
        own = slice(tree.first[number], tree.first[number + 1])
        assert np.array_equal(answer[935 - number][tree.actions[own]], policy.probabilities[own])
    assert zs.exploitability(tree.game, policy.__call__) == zs.exploitability(tree.game, policy)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda p: p * 0.5, "add up to 0.5, wanted 1"),
        (lambda p: p - 0.7, "wanted none below 0"),
        (lambda p: p[1:], "wanted"),
    ],
)
def test_tables_that_are_no_policies(change: Callable[[np.ndarray], np.ndarray], message: str) -> None:
    tree = zs.tree_of(zs.load_game("kuhn"))
    with pytest.raises(PolicyError, match=message):
        zs.TablePolicy(tree, change(tree.uniform()))


def test_an_unwritable_place_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    policy = zs.solve(zs.load_game("kuhn"), iterations=1).policy
    with pytest.raises(RunError, match=r"file/inside: cannot be written \(Not a directory\)"):
        zs.save_policy(policy, tmp_path / "file" / "inside")
