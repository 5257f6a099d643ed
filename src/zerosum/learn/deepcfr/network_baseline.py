"""A baseline that is a network (Steinberger et al. 2020), for games whose histories are too many for a table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from zerosum.learn.adam import Adam
from zerosum.learn.fit import fit, squared_error
from zerosum.learn.rows import Rows
from zerosum.networks.small import AdvantageNet, flat_weights, set_flat_weights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from zerosum.learn.deepcfr.settings import TrainSettings
    from zerosum.learn.deepcfr.unlisted import UnlistedFound
    from zerosum.learn.fit import FitReport

BASELINE_BATCH = 512
NETWORK = 1_000  # the baseline's number among the networks: apart from players


class NetworkBaseline:
    """What each action of the others is worth to the traverser, learnt from all cards."""

    def __init__(self, inputs: int, actions: int, settings: TrainSettings) -> None:
        self.actions, self.settings = actions, settings
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(settings.run.seed + NETWORK)
            self.network = AdvantageNet(inputs, actions, settings.network)
        self.adam = Adam(self.network.flat.detach(), 0.0)
        batch = settings.advantage.batch_rows or BASELINE_BATCH
        self.fitting = replace(settings.advantage, scale=False, batch_rows=batch, visits=1.0)

    def handout(self) -> npt.NDArray[np.float32]:
        return flat_weights(self.network)

    def learn(self, pieces: Sequence[UnlistedFound], iteration: int) -> FitReport | None:
        """Fits the newest worths only: what was true of older strategies is true no more."""
        histories, sampled, worth = (
            np.concatenate([getattr(found, name) for found in pieces]) for name in ("histories", "sampled", "worth")
        )
        if not len(sampled):
            return None
        only = np.eye(self.actions, dtype=np.bool_)[sampled]
        rows = Rows(histories, only, only * worth[:, None], np.ones(len(sampled)))
        key = (self.settings.run.seed, NETWORK, iteration)
        rate = self.settings.advantage.learning_rate
        return fit(self.network, self.adam, rows, self.fitting, rate, squared_error, key)

    def state(self) -> dict[str, npt.NDArray[Any]]:
        return {"weights": flat_weights(self.network), **{f"adam.{k}": v for k, v in self.adam.state().items()}}

    def restore(self, saved: Mapping[str, npt.NDArray[Any]]) -> None:
        set_flat_weights(self.network, saved["weights"])
        self.adam.restore({key[5:]: array for key, array in saved.items() if key.startswith("adam.")})
