"""A network that plays a board game, on disk: a header, and its weights as safetensors."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors

from zerosum.errors import PolicyError, SettingsError
from zerosum.games.catalog import load_game
from zerosum.games.gomoku import Gomoku
from zerosum.networks.board_settings import BoardNetworkSettings
from zerosum.policy.headers import HEADER, find_header, read_header, write_header
from zerosum.runs.files import make_directory, write_atomically
from zerosum.settings import from_mapping

if TYPE_CHECKING:
    from zerosum.networks.gomoku import BoardNet

KIND = "board-network"


@dataclass(frozen=True, eq=False)
class BoardNetwork:
    """A network, the game it was trained for, and where it comes from."""

    game: Gomoku
    settings: BoardNetworkSettings
    network: BoardNet
    origin: dict[str, Any]

    @property
    def board(self) -> tuple[int, int]:
        return self.game.height, self.game.width


def save_board_network(policy: BoardNetwork, directory: str | Path) -> None:
    """Writes the directory, or replaces the policy in it."""
    directory = make_directory(directory)
    data = save_tensors({name: tensor.contiguous() for name, tensor in policy.network.state_dict().items()})
    digest = hashlib.sha256(data).hexdigest()
    name = f"network-{digest[:16]}.safetensors"
    write_atomically(directory / name, data)
    header = {
        "kind": KIND,
        "game": policy.game.spec(),
        "network": asdict(policy.settings),
        **policy.origin,
        "tensors": name,
        "tensors_sha256": digest,
    }
    write_header(directory, header)
    for old in directory.glob("network-*.safetensors"):
        if old.name != name:
            old.unlink(missing_ok=True)


def load_board_network(directory: str | Path, game: Gomoku | None = None) -> BoardNetwork:
    """Reads a policy directory, or that of a run, and checks it (and that it is for this game)."""
    where = find_header(str(directory))
    header = read_header(where)
    if header["kind"] != KIND:
        raise PolicyError(f"{where}: a policy for {header['game']}, wanted a network for a board")
    if game is not None and header["game"] != game.spec():
        raise PolicyError(f"{where}: a policy for {header['game']}, wanted one for {game.spec()}")
    path = where / Path(header["tensors"]).name
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PolicyError(f"{path}: cannot be read ({error.strerror})") from None
    if hashlib.sha256(data).hexdigest() != header["tensors_sha256"]:
        raise PolicyError(f"{path}: truncated or changed after it was written (its checksum does not match)")
    try:
        own = load_game(header["game"])
        settings = from_mapping(BoardNetworkSettings, header["network"], str(where))
    except (SettingsError, KeyError, TypeError) as error:
        raise PolicyError(f"{where / HEADER}: {error}") from None
    if not isinstance(own, Gomoku):
        raise PolicyError(f"{where / HEADER}: a network for {header['game']}, wanted one for gomoku")
    network = settings.build(own)
    try:
        network.load_state_dict(load_tensors(data))
    except (RuntimeError, ValueError) as error:
        raise PolicyError(f"{path}: not the weights of such a network ({str(error).splitlines()[0]})") from None
    if not all(torch.isfinite(tensor).all() for tensor in network.state_dict().values()):
        raise PolicyError(f"{path}: weights that are not finite numbers")
    known = ("algorithm", "iterations", "seed")
    return BoardNetwork(own, settings, network.eval(), {key: header.get(key) for key in known})
