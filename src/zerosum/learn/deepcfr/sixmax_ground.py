"""Hold'em for two to six players with the 261-number encoding: one network for all seats, whose position is in it.

Walks are external sampling with n players. With more than two of them no equilibrium is promised: each player's
regrets vanish against what the others did, and what that comes to is measured by matches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from zerosum import native
from zerosum.encoding.sixmax_rows import ROW_BYTES, considered, sixmax_encoder, stakes
from zerosum.errors import SettingsError
from zerosum.learn.deepcfr.card_lessons import teach_cards
from zerosum.learn.deepcfr.unlisted import UnlistedFound, UnlistedGame
from zerosum.learn.rows import Rows
from zerosum.networks.sixmax import SixMaxNet
from zerosum.networks.small import set_flat_weights
from zerosum.policy.matching import regret_matching

if TYPE_CHECKING:
    import numpy.typing as npt

    from zerosum.games.holdem import Holdem
    from zerosum.learn.buffer import Buffer
    from zerosum.learn.deepcfr.ground import Task
    from zerosum.learn.deepcfr.networks import Networks
    from zerosum.learn.deepcfr.settings import TrainSettings
    from zerosum.learn.fit import FitReport

NO_HISTORIES = np.zeros((0, 0), np.float32), np.zeros(0, np.int32), np.zeros(0)  # of a baseline


class SixMaxGround(UnlistedGame):
    """Walks that ask one network. What everyone plays is a list of its weights alone, None before there is one."""

    def __init__(self, game: Holdem, settings: TrainSettings) -> None:
        super().__init__(game, settings)
        if settings.walks.baseline != "none":
            raise SettingsError(f"walks: baseline: got {settings.walks.baseline}, wanted none with features sixmax")
        if settings.buffer.merge:
            raise SettingsError("buffer: merge: got true, wanted false with features sixmax: hardly two rows are equal")
        self.nets, self.inputs, self.kind = 1, ROW_BYTES, "uint8"
        self.encoder_name = sixmax_encoder(game)

    def uniform(self) -> list[npt.NDArray[np.float32] | None]:
        return [None]

    def updated(
        self, _playing: list[npt.NDArray[np.float32] | None], _player: int, piece: npt.NDArray[Any]
    ) -> list[npt.NDArray[np.float32] | None]:
        return [piece]

    def teach(self, networks: Networks) -> FitReport | None:
        network = networks.advantages[0]
        assert isinstance(network, SixMaxNet)
        return teach_cards(network, self.game, self.settings)

    def walk(
        self,
        task: Task,
        playing: list[npt.NDArray[np.float32] | None],
        _baseline: npt.NDArray[np.float32] | None,
    ) -> UnlistedFound:
        """Native code advances, the network answers."""
        network, weights = None, playing[0]
        if weights is not None:
            network = SixMaxNet(self.inputs, self.actions, self.settings.network)
            set_flat_weights(network, weights)
        tremble = self.settings.walks.tremble
        walks = native.SixMaxWalks(
            self.game.rules, self.settings.run.seed, task.iteration, task.traverser, task.first, task.count
        )
        while (asked := walks.pending()) is not None:
            actors, rows, legal = asked
            offered = considered(rows, legal, self.game)
            if network is None:
                strategy = offered / offered.sum(axis=1, keepdims=True)
            else:
                with torch.inference_mode():
                    said = network(torch.from_numpy(rows)).numpy()
                strategy = regret_matching(said * stakes(rows, self.game), offered, otherwise="best")
            others = actors != task.traverser
            strategy[others] += tremble * (legal[others] / legal[others].sum(axis=1, keepdims=True) - strategy[others])
            walks.answer(strategy, np.where(offered, self.settings.walks.explore, 0.0))
        seen, legal, advantages, *others, nodes = walks.samples(self.settings.strategy.train)
        theirs: tuple[Any, Any, Any, Any] = (others[0], others[1], others[2], others[3])
        return UnlistedFound(seen, legal, advantages, *theirs, *NO_HISTORIES, nodes)

    def add_advantages(self, buffer: Buffer, found: UnlistedFound, weight: float) -> int:
        values = found.advantages / stakes(found.features, self.game)
        buffer.add(Rows(found.features, found.legal, values, np.full(len(values), weight)))
        return len(values)
