"""Hold'em played by networks of Deep CFR: the average-strategy network, or a mixture of past networks.

A player of a mixture draws one network at the start of each hand, in proportion to the weights of their iterations, and
follows it to the end (Steinberger 2019): over hands that is the average policy.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from zerosum.encoding.holdem import holdem_encoder, holdem_features
from zerosum.errors import PolicyError
from zerosum.native import holdem_feature_counts
from zerosum.networks.small import AdvantageNet, StrategyNet
from zerosum.policy.headers import find_header, read_header
from zerosum.policy.learned import load_weights, network_settings, read_block
from zerosum.policy.matching import regret_matching
from zerosum.policy.player import PolicyPlayer, chosen_actions

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy.typing as npt

    from zerosum.games.holdem import Holdem
    from zerosum.games.protocol import View
    from zerosum.native import HoldemView
    from zerosum.networks.settings import NetworkSettings


@dataclass(eq=False)
class StrategyNetworkPolicy:
    """A policy over the menu, from the strategy network."""

    game: Holdem
    network: StrategyNet = field(repr=False)

    def __call__(self, views: Sequence[View]) -> npt.NDArray[np.float64]:
        """B views -> [B, A]."""
        if not views:
            return np.zeros((0, self.game.num_actions))
        with torch.inference_mode():
            told = torch.from_numpy(holdem_features(views)), torch.from_numpy(_legal(views, self.game.num_actions))
            shares = self.network.strategy(*told).numpy().astype(np.float64)
        normal: npt.NDArray[np.float64] = shares / shares.sum(axis=1, keepdims=True)
        return normal


@dataclass(eq=False)
class AdvantagePolicy:
    """A policy over the menu: each seat follows its own advantage network by regret matching, None plays uniformly."""

    game: Holdem
    networks: Sequence[AdvantageNet | None] = field(repr=False)

    def __call__(self, views: Sequence[View]) -> npt.NDArray[np.float64]:
        """B views -> [B, A]."""
        answer = np.zeros((len(views), self.game.num_actions))
        if not views:
            return answer
        features, legal = holdem_features(views), _legal(views, self.game.num_actions)
        seats = np.array([view.seat for view in views])
        for seat, network in enumerate(self.networks):
            mine = np.flatnonzero(seats == seat)
            if network is None:
                answer[mine] = legal[mine] / legal[mine].sum(axis=1, keepdims=True)
            elif len(mine):
                with torch.inference_mode():
                    said = network(torch.from_numpy(features[mine])).numpy()
                answer[mine] = regret_matching(said, legal[mine], otherwise="best")
        return answer


@dataclass(eq=False)
class MixturePlayer:
    """Draws a network for each hand, and follows it."""

    name: str
    game: Holdem
    settings: NetworkSettings
    weights: Sequence[npt.NDArray[np.float32]] = field(repr=False)  # [players] of [T, weights]
    shares: Sequence[npt.NDArray[np.float64]] = field(repr=False)  # [players] of [T + 1], the last of uniform play

    def act(self, views: Sequence[HoldemView], uniforms: Sequence[float], once: Sequence[float]) -> list[int]:
        legal = _legal(views, self.game.num_actions)
        strategy = legal / legal.sum(axis=1, keepdims=True)
        features = holdem_features(views)
        drawn = [
            (view.seat, int(np.searchsorted(self.shares[view.seat], luck, side="right")))
            for view, luck in zip(views, once, strict=True)
        ]
        network = AdvantageNet(features.shape[1], self.game.num_actions, self.settings)
        for seat, number in sorted(set(drawn)):
            if number < len(self.weights[seat]):
                mine = np.array([k for k, one in enumerate(drawn) if one == (seat, number)])
                network.flat.data = torch.from_numpy(self.weights[seat][number])
                with torch.inference_mode():
                    said = network(torch.from_numpy(features[mine])).numpy()
                strategy[mine] = regret_matching(said, legal[mine], otherwise="best")
        return chosen_actions(strategy, views, uniforms)


def _legal(views: Sequence[Any], actions: int) -> npt.NDArray[np.bool_]:
    legal = np.zeros((len(views), actions), np.bool_)
    for row, view in zip(legal, views, strict=True):
        row[list(view.legal())] = True
    return legal


def load_holdem_networks(name: str, game: Holdem) -> StrategyNetworkPolicy | MixturePlayer:
    """The networks in a policy or run directory."""
    where = find_header(name)
    header = read_header(where)
    if header["kind"] == "table":
        raise PolicyError(f"{name}: a policy in a table, wanted a player of {game.spec()}")
    if header["game"] != game.spec():
        raise PolicyError(f"{where}: a policy for {header['game']}, wanted one for {game.spec()}")
    settings = network_settings(where, header, holdem_encoder(game))
    if header["kind"] == "mixture":
        return _mixture(name, where, header, game, settings)
    network = StrategyNet(holdem_feature_counts(game.rules)[0], game.num_actions, settings)
    load_weights(network, read_block(where, header["blocks"][0])["weights"], where)
    return StrategyNetworkPolicy(game, network)


def _mixture(name: str, where: Path, header: dict[str, Any], game: Holdem, settings: NetworkSettings) -> MixturePlayer:
    blocks = [read_block(where, block) for block in header["blocks"]]
    seats = range(game.players)
    wanted = AdvantageNet(holdem_feature_counts(game.rules)[0], game.num_actions, settings).flat.numel()
    weights = []
    for seat in seats:
        parts = [block[f"player{seat}"] for block in blocks if f"player{seat}" in block]
        if any(part.ndim != 2 or part.shape[1] != wanted for part in parts):
            raise PolicyError(f"{where}: its networks are not of {wanted} weights each, as wanted")
        weights.append(np.concatenate([np.zeros((0, wanted), np.float32), *parts]))
    shares = []
    for seat in seats:
        told = np.concatenate([*(block[f"shares{seat}"] for block in blocks), [header["uniform"][seat]]])
        shares.append(np.cumsum(told) / told.sum())
    return MixturePlayer(name, game, settings, weights, shares)


def holdem_player(name: str, found: StrategyNetworkPolicy | MixturePlayer) -> PolicyPlayer | MixturePlayer:
    """What sits down at a table."""
    return found if isinstance(found, MixturePlayer) else PolicyPlayer(name, found)
