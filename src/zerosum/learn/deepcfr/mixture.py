"""The average of single Deep CFR (Steinberger 2019): every past advantage network, each with its iteration's weight.

Networks are written in blocks, one file for each checkpoint, that never change once they are there.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np
from safetensors.numpy import save as save_tensors

from zerosum.errors import PolicyError, RunError
from zerosum.policy.learned import read_block
from zerosum.runs.files import make_directory, write_atomically

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy.typing as npt


class Mixture:
    """Weights of networks, player by player, in the order of the iterations that played them."""

    def __init__(self, players: int, directory: Path | None) -> None:
        self.players, self.directory = players, directory
        self.blocks: list[dict[str, Any]] = []  # name and sha256 of each file
        self.uniform = [0.0] * players  # the weight of each one's iterations before its first network
        self._networks: list[list[npt.NDArray[np.float32]]] = [[] for _ in range(players)]  # not yet written
        self._shares: list[list[float]] = [[] for _ in range(players)]

    def add(self, networks: Sequence[npt.NDArray[np.float32] | None], share: float) -> None:
        """An iteration was played with these networks, one a player; None: uniformly."""
        for player, network in enumerate(networks):
            if network is None:
                self.uniform[player] += share
            else:
                self._networks[player].append(network)
                self._shares[player].append(share)

    def write(self) -> None:
        """Writes what came since the last time as a block."""
        if self.directory is None or not any(self._shares):
            return
        make_directory(self.directory)
        tensors: dict[str, npt.NDArray[Any]] = {}
        for player in range(self.players):
            if self._shares[player]:
                tensors[f"player{player}"] = np.stack(self._networks[player])
            tensors[f"shares{player}"] = np.array(self._shares[player])
        data = save_tensors(tensors)
        name = f"networks-{len(self.blocks):06d}.safetensors"
        write_atomically(self.directory / name, data)
        self.blocks.append({"name": name, "sha256": hashlib.sha256(data).hexdigest()})
        self._networks = [[] for _ in range(self.players)]
        self._shares = [[] for _ in range(self.players)]

    def restore(self, blocks: list[dict[str, Any]], uniform: Sequence[float]) -> None:
        """Goes back to the blocks of a checkpoint; refuses if one of them is not as it was."""
        assert self.directory is not None
        try:
            for block in blocks:
                read_block(self.directory, block)
        except PolicyError as error:
            raise RunError(str(error)) from None
        known = {block["name"] for block in blocks}
        for path in self.directory.glob("networks-*.safetensors"):
            if path.name not in known:
                path.unlink(missing_ok=True)
        self.blocks, self.uniform = list(blocks), list(uniform)
