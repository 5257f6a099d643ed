"""Heads-up hold'em as training sees it when CardModel reads the cards: they are shown to it once a deal, seat and
street, and its histograms are reused at every node of the walk.

One network serves both players, who are told apart by what they see. Regrets are divided by a size that depends on the
pot alone (`unit_of`): regret matching is the same with any such size, and pots of 1 and of 400 big blinds count alike.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from zerosum import native
from zerosum.encoding.heads_up import CHIPS
from zerosum.errors import SettingsError
from zerosum.learn.deepcfr.ground import Task
from zerosum.learn.rows import Rows
from zerosum.networks.heads_up import ACTIONS, HISTOGRAM, CardModel, network_for
from zerosum.networks.heads_up_flat import flat_two_heads
from zerosum.networks.heads_up_settings import HeadsUpNetworkSettings
from zerosum.networks.small import precision_named
from zerosum.policy.heads_up import HeadsUpPolicy
from zerosum.policy.heads_up_storage import load_card_model
from zerosum.policy.matching import regret_matching

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from zerosum.games.holdem import Holdem
    from zerosum.learn.buffer import Buffer
    from zerosum.learn.deepcfr.networks import Networks
    from zerosum.learn.deepcfr.settings import TrainSettings

STREETS = 4
ASKED = 4096  # hands shown to CardModel at once
PAD = 52


@dataclass(frozen=True)
class HeadsUpFound:
    """What walks found, in the order of the walks."""

    features: npt.NDArray[np.float32]  # [N, F] the traverser's decisions
    legal: npt.NDArray[np.bool_]  # [N, 5]
    advantages: npt.NDArray[np.float64]  # [N, 5] in big blinds
    weights: npt.NDArray[np.float32]  # [N] how much each counts
    others: npt.NDArray[np.float32]  # [M, F] the other player's decisions
    others_legal: npt.NDArray[np.bool_]  # [M, 5]
    strategies: npt.NDArray[np.float64]  # [M, 5]
    others_weights: npt.NDArray[np.float32]  # [M]
    nodes: int
    seconds: dict[str, float]  # by part of the work


def unit_of(features: npt.NDArray[np.float32], big_blind: float) -> npt.NDArray[np.float32]:
    """[N, F] -> [N] what regrets are divided by, in big blinds: they grow with the pot, though more slowly."""
    pot = features[:, HISTOGRAM] * np.float32(CHIPS / big_blind)
    return np.asarray(np.sqrt(4.0 + pot), np.float32)


class HeadsUpGame:
    """Walks that ask one network. What is played is its weights, once for each player; None before there is one."""

    def __init__(self, game: Holdem, settings: TrainSettings) -> None:
        self.game, self.settings = game, settings
        self.network = HeadsUpNetworkSettings(settings.network.kind, settings.network.hidden)
        self._check()
        self.players = self.nets = 2
        self.actions, self.kind = ACTIONS, "float32"
        self.inputs = HISTOGRAM + network_for(self.network).betting
        self.encoder_name = f"heads-up-{self.network.kind}"
        self.cards, self.cards_digest = load_card_model(settings.network.cards)
        self.precision = precision_named(settings.network.precision)
        self.shown_to = CardModel().to(self.precision)
        self.shown_to.load_state_dict(self.cards.state_dict())
        self.big_blind = float(max(game.amounts()[1]))
        self._preflop = self._preflop_table()

    def _check(self) -> None:
        game, settings, where = self.game, self.settings, f"network: kind {self.network.kind}"
        if game.players != 2 or game.num_actions != ACTIONS or game.streets != STREETS:
            raise SettingsError(f"{where}: got {game.spec()}, wanted heads-up hold'em with five actions")
        for name, got, wanted in (
            ("run: algorithm", settings.run.algorithm, "deep-cfr"),
            ("walks: stratified", settings.walks.stratified, False),
            ("walks: baseline", settings.walks.baseline, "none"),
            ("walks: ahead", settings.walks.ahead, False),
            ("buffer: merge", settings.buffer.merge, False),
            ("average: keep_networks", settings.average.keep_networks, False),
            ("run: target", settings.run.target, None),
        ):
            if got != wanted:
                raise SettingsError(f"{name}: got {got}, wanted {wanted} for {where}")

    def _preflop_table(self) -> npt.NDArray[np.float32]:
        """[52 * 52, 50] histograms before the flop, by the two cards as they are renamed."""
        hands = [(high, low) for high in range(52) for low in range(52) if high != low]
        seven = np.full((len(hands), 7), PAD, np.int64)
        seven[:, :2] = hands
        table = np.zeros((52 * 52, HISTOGRAM), np.float32)
        table[seven[:, 0] * 52 + seven[:, 1]] = self._shown(native.canonical_suits(seven))
        return table

    def _shown(self, cards: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """[N, 7] -> [N, 50]."""
        parts = []
        for start in range(0, len(cards), ASKED):
            part = torch.from_numpy(cards[start : start + ASKED])
            with torch.inference_mode():
                features = self.shown_to.features(part[:, :2], part[:, 2:]).float()
                parts.append(self.cards.histogram_head(features).numpy())
        return np.concatenate(parts)

    def histograms(self, cards: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """[N, 7] what walks show -> [N, 50]."""
        found = np.empty((len(cards), HISTOGRAM), np.float32)
        first = cards[:, 2] == PAD
        found[first] = self._preflop[cards[first, 0] * 52 + cards[first, 1]]
        found[~first] = self._shown(cards[~first])
        return found

    def uniform(self) -> list[npt.NDArray[np.float32] | None]:
        return [None] * self.players

    def piece(self, _networks: Networks, _player: int) -> npt.NDArray[np.float32]:
        raise NotImplementedError("the learner of heads-up hold'em hands out its own")

    def updated(self, _playing: Any, _player: int, piece: npt.NDArray[Any]) -> list[npt.NDArray[np.float32] | None]:
        return [piece] * self.players

    def baseline(self) -> None:
        return None

    def teach(self, _networks: Networks) -> None:
        return None

    def tasks(self, iteration: int, traverser: int, _workers: int) -> list[Task]:
        count, lease = self.settings.walks.per_player, self.settings.walks.lease
        return [Task(iteration, traverser, first, min(lease, count - first)) for first in range(0, count, lease)]

    def walk(self, task: Task, playing: list[npt.NDArray[np.float32] | None], _baseline: Any) -> HeadsUpFound:
        """Native code advances, the network answers."""
        begin = time.perf_counter()
        seed, history, hands = self.settings.run.seed, self.network.kind == "history", self.settings.walks.hands
        walks = native.HeadsUpWalks(
            self.game.rules, history, seed, task.iteration, task.traverser, task.first, task.count, hands
        )
        start = time.perf_counter()
        shown = self.histograms(walks.cards())
        seconds = {"cards": time.perf_counter() - start, "network": 0.0}
        network = None if playing[0] is None else flat_two_heads(self.network, playing[0]).to(self.precision)
        while (asked := walks.pending()) is not None:
            rows, betting, legal = asked
            start = time.perf_counter()
            if network is None:
                strategy = legal / legal.sum(axis=1, keepdims=True)
            else:
                with torch.inference_mode():
                    said = network(torch.from_numpy(np.hstack([shown[rows], betting])))[:, :ACTIONS].float().numpy()
                strategy = regret_matching(said, legal, otherwise="best")
            seconds["network"] += time.perf_counter() - start
            walks.answer(strategy)
        found = self._found(walks, shown, seconds)
        seconds["walking"] = time.perf_counter() - begin - sum(seconds.values())
        return found

    @staticmethod
    def _found(walks: native.HeadsUpWalks, shown: npt.NDArray[np.float32], seconds: dict[str, float]) -> HeadsUpFound:
        (rows, betting, legal), regrets, weights, other, strategies, others_weights, nodes = walks.samples()
        features, seen = np.hstack([shown[rows], betting]), np.hstack([shown[other[0]], other[1]])
        return HeadsUpFound(
            features, legal, regrets, weights, seen, other[2], strategies, others_weights, nodes, seconds
        )

    def pieces(self, parts: Sequence[HeadsUpFound]) -> Sequence[HeadsUpFound]:
        """The leases, which are the same for any number of workers."""
        return parts

    def reserve(self, buffer: Buffer) -> None:
        pass  # nobody knows how many different rows will come

    def add_advantages(self, buffer: Buffer, found: HeadsUpFound, weight: float) -> int:
        scaled = found.advantages / unit_of(found.features, self.big_blind)[:, None]
        buffer.add(Rows(found.features, found.legal, scaled, weight * found.weights.astype(np.float64)))
        return len(found.features)

    def add_strategies(self, buffer: Buffer, found: HeadsUpFound, weight: float) -> int:
        counts = weight * found.others_weights.astype(np.float64)
        buffer.add(Rows(found.others, found.others_legal, found.strategies, counts))
        return len(found.others)

    def average(self) -> None:
        return None

    def policy(self, weights: npt.NDArray[np.float32]) -> HeadsUpPolicy:
        """What is played with these weights: the average strategy."""
        below = self.settings.network.denoise_below or None
        return HeadsUpPolicy(self.game, self.cards, flat_two_heads(self.network, weights).plays(), below)
