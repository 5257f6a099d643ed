"""Hold'em played by networks of Deep CFR: the average-strategy network, or a mixture of past networks.

A player of a mixture draws one network at the start of each hand, in proportion to the weights of their iterations, and
follows it to the end (Steinberger 2019): over hands that is the average policy.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from zerosum.encoding.holdem import holdem_encoder, holdem_features
from zerosum.encoding.sixmax_rows import ROW_BYTES, considered, sixmax_encoder, sixmax_rows, stakes
from zerosum.errors import PolicyError
from zerosum.native import holdem_feature_counts
from zerosum.networks.choice import advantage_network, strategy_network
from zerosum.networks.settings import SIXMAX
from zerosum.networks.small import set_flat_weights
from zerosum.policy.headers import find_header, read_header
from zerosum.policy.learned import load_weights, network_settings, read_block
from zerosum.policy.matching import regret_matching
from zerosum.policy.player import PolicyPlayer, chosen_actions

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from zerosum.games.holdem import Holdem
    from zerosum.games.protocol import View
    from zerosum.native import HoldemView
    from zerosum.networks.choice import AnyAdvantageNet, AnyStrategyNet
    from zerosum.networks.settings import NetworkSettings


@dataclass(frozen=True)
class Sight:
    """What networks of hold'em see, and what their answers mean: by their settings."""

    game: Holdem
    settings: NetworkSettings

    @property
    def is_sixmax(self) -> bool:
        return self.settings.features == SIXMAX

    @property
    def encoder(self) -> str:
        return sixmax_encoder(self.game) if self.is_sixmax else holdem_encoder(self.game)

    @property
    def inputs(self) -> int:
        return ROW_BYTES if self.is_sixmax else holdem_feature_counts(self.game.rules)[0]

    @property
    def networks(self) -> int:
        """One a seat, or one that all share."""
        return 1 if self.is_sixmax else self.game.players

    def network(self) -> AnyAdvantageNet:
        return advantage_network(self.inputs, self.game.num_actions, self.settings)

    def features(self, views: Sequence[Any]) -> npt.NDArray[Any]:
        """B views -> [B, F]."""
        return sixmax_rows(views) if self.is_sixmax else holdem_features(views)

    def follow(
        self, network: AnyAdvantageNet, features: npt.NDArray[Any], legal: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.float64]:
        """[B, A] what an advantage network plays, by regret matching."""
        with torch.inference_mode():
            said = network(torch.from_numpy(features)).numpy()
        if not self.is_sixmax:
            return regret_matching(said, legal, otherwise="best")
        offered = considered(features, legal, self.game)
        return regret_matching(said * stakes(features, self.game), offered, otherwise="best")


@dataclass(eq=False)
class StrategyNetworkPolicy:
    """A policy over the menu, from the strategy network."""

    game: Holdem
    network: AnyStrategyNet = field(repr=False)
    settings: NetworkSettings

    def __call__(self, views: Sequence[View]) -> npt.NDArray[np.float64]:
        """B views -> [B, A]."""
        if not views:
            return np.zeros((0, self.game.num_actions))
        with torch.inference_mode():
            features = Sight(self.game, self.settings).features(views)
            told = torch.from_numpy(features), torch.from_numpy(_legal(views, self.game.num_actions))
            shares = self.network.strategy(*told).numpy().astype(np.float64)
        normal: npt.NDArray[np.float64] = shares / shares.sum(axis=1, keepdims=True)
        return normal


@dataclass(eq=False)
class AdvantagePolicy:
    """A policy over the menu: each seat follows its own advantage network, or the one that all share; None plays
    uniformly."""

    game: Holdem
    networks: Sequence[AnyAdvantageNet | None] = field(repr=False)
    settings: NetworkSettings

    def __call__(self, views: Sequence[View]) -> npt.NDArray[np.float64]:
        """B views -> [B, A]."""
        answer = np.zeros((len(views), self.game.num_actions))
        if not views:
            return answer
        sight = Sight(self.game, self.settings)
        features, legal = sight.features(views), _legal(views, self.game.num_actions)
        seats = np.array([view.seat for view in views]) % len(self.networks)
        for seat, network in enumerate(self.networks):
            mine = np.flatnonzero(seats == seat)
            if network is None:
                answer[mine] = legal[mine] / legal[mine].sum(axis=1, keepdims=True)
            elif len(mine):
                answer[mine] = sight.follow(network, features[mine], legal[mine])
        return answer


@dataclass(eq=False)
class MixturePlayer:
    """Draws a network for each hand, and follows it."""

    name: str
    game: Holdem
    settings: NetworkSettings
    weights: Sequence[npt.NDArray[np.float32]] = field(repr=False)  # [players, or 1 that all share] of [T, weights]
    shares: Sequence[npt.NDArray[np.float64]] = field(repr=False)  # the same of [T + 1], the last of uniform play

    def act(self, views: Sequence[HoldemView], uniforms: Sequence[float], once: Sequence[float]) -> list[int]:
        legal = _legal(views, self.game.num_actions)
        strategy = legal / legal.sum(axis=1, keepdims=True)
        sight = Sight(self.game, self.settings)
        features, network = sight.features(views), sight.network()
        owners = [view.seat % len(self.weights) for view in views]
        drawn = [
            (own, int(np.searchsorted(self.shares[own], luck, side="right")))
            for own, luck in zip(owners, once, strict=True)
        ]
        for own, number in sorted(set(drawn)):
            if number < len(self.weights[own]):
                mine = np.array([k for k, one in enumerate(drawn) if one == (own, number)])
                set_flat_weights(network, self.weights[own][number])
                strategy[mine] = sight.follow(network, features[mine], legal[mine])
        return chosen_actions(strategy, views, uniforms)


def _legal(views: Sequence[Any], actions: int) -> npt.NDArray[np.bool_]:
    legal = np.zeros((len(views), actions), np.bool_)
    for row, view in zip(legal, views, strict=True):
        row[list(view.legal())] = True
    return legal


def load_holdem_networks(name: str, game: Holdem) -> StrategyNetworkPolicy | MixturePlayer:
    """The networks in a policy or run directory; `RUN@N`: its mixture's first N, as it was after so many iterations."""
    run, _, first = name.rpartition("@") if not Path(name).is_dir() and "@" in name else (name, "", "")
    where = find_header(run)
    header = read_header(where)
    if header["kind"] == "table":
        raise PolicyError(f"{name}: a policy in a table, wanted a player of {game.spec()}")
    if header["game"] != game.spec():
        raise PolicyError(f"{where}: a policy for {header['game']}, wanted one for {game.spec()}")
    if header["kind"] == "heads-up":
        raise PolicyError(f"{name}: keeps no past networks; what was measured on the way is in {run}/measured")
    is_sixmax = (header.get("network") or {}).get("features") == SIXMAX
    settings = network_settings(where, header, sixmax_encoder(game) if is_sixmax else holdem_encoder(game))
    sight = Sight(game, settings)
    if header["kind"] == "mixture":
        return _mixture(name, where, header, sight, int(first) if first else None)
    if first:
        raise PolicyError(f"{name}: a strategy network, wanted a mixture to take the first {first} networks of")
    network = strategy_network(sight.inputs, game.num_actions, settings)
    load_weights(network, read_block(where, header["blocks"][0])["weights"], where)
    return StrategyNetworkPolicy(game, network, settings)


def _mixture(name: str, where: Path, header: dict[str, Any], sight: Sight, first: int | None) -> MixturePlayer:
    blocks = [read_block(where, block) for block in header["blocks"]]
    seats = range(sight.networks)
    wanted = sight.network().flat.numel()
    weights = []
    for seat in seats:
        parts = [block[f"player{seat}"] for block in blocks if f"player{seat}" in block]
        if any(part.ndim != 2 or part.shape[1] != wanted for part in parts):
            raise PolicyError(f"{where}: its networks are not of {wanted} weights each, as wanted")
        weights.append(np.concatenate([np.zeros((0, wanted), np.float32), *parts]))
    if first is not None:
        _want_first(name, first, max(len(one) for one in weights), min(header["uniform"]))
        weights = [one[:first] for one in weights]
    shares = []
    for seat in seats:
        kept = np.concatenate([np.zeros(0), *(block[f"shares{seat}"] for block in blocks)])[:first]
        told = np.append(kept, header["uniform"][seat])
        shares.append(np.cumsum(told) / told.sum())
    return MixturePlayer(name, sight.game, sight.settings, weights, shares)


def _want_first(name: str, first: int, networks: int, uniform: float) -> None:
    """Refuses to take more networks than there are, and none at all where there is no uniform play to be left with."""
    least = 0 if uniform > 0 else 1
    if not least <= first <= networks:
        raise PolicyError(f"{name}: got {first} after @, wanted {least} to {networks}: the mixture's first networks")


def holdem_player(name: str, found: StrategyNetworkPolicy | MixturePlayer) -> PolicyPlayer | MixturePlayer:
    """What sits down at a table."""
    return found if isinstance(found, MixturePlayer) else PolicyPlayer(name, found)
