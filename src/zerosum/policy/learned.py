"""Policies made of networks: the mixture of single Deep CFR and the average-strategy network of Deep CFR.

On a game that can be listed both are read as a table: the mixture as its exact average, each network weighted by how
likely it is to play that far.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import torch

from zerosum.encoding.small import KINDS, encoder_for
from zerosum.errors import PolicyError, SettingsError
from zerosum.networks.settings import NetworkSettings
from zerosum.networks.small import AdvantageNet, Flat, StrategyNet, alone, set_flat_weights
from zerosum.policy.headers import write_header
from zerosum.policy.matching import regret_matching
from zerosum.policy.tensors import forget_others, read_tensors, write_tensors
from zerosum.runs.files import make_directory
from zerosum.settings import from_mapping

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from zerosum.games.protocol import Game
    from zerosum.games.tree import Tree
    from zerosum.policy.table import Origin


class Blocks(Protocol):
    """A mixture as a run keeps it: files of networks, and each player's weight of uniform play."""

    blocks: list[dict[str, Any]]
    uniform: list[float]


def save_mixture(
    directory: Path, mixture: Blocks, game: Game, network: NetworkSettings, encoder: str, origin: Origin
) -> None:
    """Writes the header beside the blocks of networks; after a run's first iteration there are none, and it plays
    uniformly."""
    make_directory(directory)
    header = {
        "kind": "mixture",
        "game": game.spec(),
        **asdict(origin),
        "encoder": encoder,
        "network": asdict(network),
        "uniform": mixture.uniform,
        "blocks": mixture.blocks,
    }
    write_header(directory, header)


def save_strategy_network(
    directory: Path,
    weights: npt.NDArray[np.float32],
    game: Game,
    settings: NetworkSettings,
    encoder: str,
    origin: Origin,
) -> None:
    make_directory(directory)
    name, digest = write_tensors(directory, "network", {"weights": weights})
    header = {
        "kind": "strategy-network",
        "game": game.spec(),
        **asdict(origin),
        "encoder": encoder,
        "network": asdict(settings),
        "blocks": [{"name": name, "sha256": digest}],
    }
    write_header(directory, header)
    forget_others(directory, "network", name)


def network_settings(where: Path, header: dict[str, Any], encoder: str) -> NetworkSettings:
    """What the header says of its networks, if they see what this encoder shows."""
    try:
        settings = from_mapping(NetworkSettings, header["network"], str(where))
    except (KeyError, SettingsError) as error:
        raise PolicyError(f"{where}: its network cannot be read ({error})") from None
    if header.get("encoder") != encoder:
        raise PolicyError(f"{where}: a network for features {header.get('encoder')}, wanted {encoder}")
    return settings


def learned_profile(where: Path, header: dict[str, Any], tree: Tree) -> npt.NDArray[np.float64]:
    """[sequences] what the networks of a policy directory play on a compiled game."""
    alone()
    kind = str(header["encoder"]).rpartition("-")[0].rpartition("-")[2]  # game-kind-version
    encoder = encoder_for(tree.game, kind if kind in KINDS else KINDS[0], tree.views)
    settings = network_settings(where, header, encoder.name)
    features = torch.from_numpy(encoder(tree.views))
    legal = np.zeros((tree.infosets, tree.game.num_actions), np.bool_)
    infosets = np.repeat(np.arange(tree.infosets), np.diff(tree.first))
    legal[infosets, tree.actions] = True
    if header["kind"] == "strategy-network":
        return _strategy_network(where, header, settings, features, legal)[infosets, tree.actions]
    return _mixture(where, header, settings, tree, features, legal)


def _strategy_network(
    where: Path, header: dict[str, Any], settings: NetworkSettings, features: torch.Tensor, legal: npt.NDArray[np.bool_]
) -> npt.NDArray[np.float64]:
    network = StrategyNet(features.shape[1], legal.shape[1], settings)
    load_weights(network, read_block(where, header["blocks"][0])["weights"], where)
    with torch.inference_mode():
        shares = network.strategy(features, torch.from_numpy(legal)).numpy().astype(np.float64)
    normal: npt.NDArray[np.float64] = shares / shares.sum(axis=1, keepdims=True)
    return normal


def _mixture(
    where: Path,
    header: dict[str, Any],
    settings: NetworkSettings,
    tree: Tree,
    features: torch.Tensor,
    legal: npt.NDArray[np.bool_],
) -> npt.NDArray[np.float64]:
    summed = np.array(header["uniform"])[tree.sequence_owner] * tree.native.own_reaches(tree.uniform())
    infosets = np.repeat(np.arange(tree.infosets), np.diff(tree.first))
    owner = tree.sequence_owner
    network = AdvantageNet(features.shape[1], legal.shape[1], settings)
    for block in header["blocks"]:
        tensors = read_block(where, block)
        for player in range(tree.game.players):
            mine = owner == player
            if f"player{player}" not in tensors:
                continue
            for weights, share in zip(tensors[f"player{player}"], tensors[f"shares{player}"], strict=True):
                load_weights(network, weights, where)
                with torch.inference_mode():
                    strategies = regret_matching(network(features).numpy(), legal, otherwise="best")
                profile = tree.uniform()
                profile[mine] = strategies[infosets[mine], tree.actions[mine]]
                summed[mine] += share * tree.native.own_reaches(profile)[mine]
    return tree.native.average(summed)


def load_weights(network: Flat, weights: npt.NDArray[np.float32], where: Path) -> None:
    if weights.shape != tuple(network.flat.shape):
        raise PolicyError(f"{where}: a network of {weights.size} weights, wanted {network.flat.numel()}")
    set_flat_weights(network, weights)


def read_block(directory: Path, block: dict[str, Any]) -> dict[str, npt.NDArray[Any]]:
    """A file of networks, checked."""
    return read_tensors(directory, block["name"], block["sha256"])
