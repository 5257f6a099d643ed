"""Policies on disk: a directory with `policy.json`, the header, and the safetensors files it names."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from zerosum.errors import PolicyError, SettingsError, ZerosumError
from zerosum.games.catalog import load_game
from zerosum.games.holdem import Holdem
from zerosum.games.tree import tree_of
from zerosum.policy.headers import HEADER, find_header, read_header, write_header
from zerosum.policy.table import Origin, TablePolicy
from zerosum.policy.tensors import forget_others, read_tensors, write_tensors
from zerosum.runs.files import make_directory
from zerosum.settings import from_mapping

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from zerosum.games.protocol import Game
    from zerosum.games.tree import Progress, Tree


def save_policy(policy: TablePolicy, directory: str | Path) -> None:
    """Writes the directory, or replaces the policy in it."""
    if policy.origin is None:
        raise PolicyError("a policy without an origin cannot be saved: its header would be empty")
    directory = make_directory(directory)
    tree = policy.tree
    name, digest = write_tensors(
        directory,
        "policy",
        {
            "probabilities": policy.probabilities,
            "first": tree.first,
            "actions": tree.actions,
            "owner": tree.owner,
            "keys": _keys(tree),
        },
    )
    header = {
        "kind": "table",
        "game": tree.game.spec(),
        **asdict(policy.origin),
        "tensors": name,
        "tensors_sha256": digest,
    }
    write_header(directory, header)
    forget_others(directory, "policy", name)


def load_policy(directory: str | Path, game: Game | None = None, progress: Progress | None = None) -> TablePolicy:
    """Reads a policy directory, or the policy of a run directory, and checks it against its game (and `game`).

    What networks play is read as the table it comes to.
    """
    where = find_header(str(directory) if directory else "")
    header = read_header(where)
    if game is not None and header["game"] != game.spec():
        raise PolicyError(f"{where}: a policy for {header['game']}, wanted one for {game.spec()}")
    tensors = read_tensors(where, header["tensors"], header["tensors_sha256"]) if header["kind"] == "table" else {}
    try:
        game = game or load_game(header["game"])
        if isinstance(game, Holdem):
            raise PolicyError(
                f"{where}: networks for {game.spec()}, which cannot be listed; see them play with zerosum match"
            )
        tree = tree_of(game, progress)
        about = {key: header[key] for key in Origin.__dataclass_fields__ if header.get(key) is not None}
        origin = from_mapping(Origin, about, str(where))
    except SettingsError as error:
        raise PolicyError(f"{where / HEADER}: {error}") from None
    if header["kind"] == "table":
        probabilities = _probabilities(where, header, tensors, tree)
    else:
        try:
            from zerosum.policy.learned import learned_profile
        except ImportError:
            raise PolicyError(f"{where}: networks need PyTorch, wanted the extra 'train'") from None
        probabilities = learned_profile(where, header, tree)
    try:
        return TablePolicy(tree, probabilities, origin)
    except ZerosumError as error:
        raise PolicyError(f"{where}: {error}") from None


def _probabilities(
    where: Path, header: dict[str, Any], tensors: dict[str, npt.NDArray[Any]], tree: Tree
) -> npt.NDArray[np.float64]:
    """The table itself, if it is one for this tree."""
    shape: dict[str, npt.NDArray[Any]] = {
        "first": tree.first,
        "actions": tree.actions,
        "owner": tree.owner,
        "keys": _keys(tree),
    }
    if not all(np.array_equal(tensors.get(name, np.empty(0)), wanted) for name, wanted in shape.items()):
        raise PolicyError(f"{where}: its information sets are not those of the game {header['game']}")
    probabilities = tensors.get("probabilities", np.empty(0))
    if probabilities.dtype != np.float64:
        raise PolicyError(f"{where}: probabilities of type {probabilities.dtype}, wanted float64")
    return probabilities


def _keys(tree: Tree) -> npt.NDArray[np.uint8]:
    """The views' keys as bytes, separated by zeros."""
    return np.frombuffer("\0".join(view.key for view in tree.views).encode(), dtype=np.uint8)
