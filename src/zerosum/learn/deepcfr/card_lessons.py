"""Lessons in cards: before six-max's network learns what actions are worth, it learns how likely its cards are to win.

A network of the same shape is fitted to chances that were drawn for rows of simple play, and hands over all it has but
its last layer. What cards are worth would be learnt from results alone too, only with far more of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from zerosum import native
from zerosum.encoding.sixmax_rows import ROW
from zerosum.learn.adam import Adam
from zerosum.learn.deepcfr.settings import FitSettings
from zerosum.learn.fit import fit, squared_error
from zerosum.learn.rows import Rows
from zerosum.networks.sixmax import SixMaxNet

if TYPE_CHECKING:
    import numpy.typing as npt

    from zerosum.games.holdem import Holdem
    from zerosum.learn.deepcfr.settings import TrainSettings
    from zerosum.learn.fit import FitReport

DRAWS = 24  # for each row
WALKS = 250  # at once
FOLDS, CALLS, RAISES = 0.5, 0.35, 0.15  # how those walk whose rows are lessons
LESSONS = 2_000  # their number among the networks: apart from players
CHANCES = 3  # what is told of a row's cards
SLOWER = 0.2  # the learning rate's last part


def simple_rows(game: Holdem, count: int, seed: int) -> npt.NDArray[np.uint8]:
    """[count, 184] from walks in which everyone mostly folds and calls: hands that get to see every street."""
    found: list[npt.NDArray[np.uint8]] = []
    first = 0
    while sum(map(len, found)) < count:
        walks = native.SixMaxWalks(game.rules, seed, LESSONS, first % game.players, first, WALKS)
        while (asked := walks.pending()) is not None:
            legal = asked[2]
            shares = np.where(legal, RAISES / max(1, legal.shape[1] - 2), 0.0)
            shares[:, 0], shares[:, 1] = legal[:, 0] * FOLDS, CALLS
            walks.answer(shares / shares.sum(axis=1, keepdims=True), legal.astype(np.float64))
        found.append(walks.samples(False)[0])
        first += WALKS
    return np.concatenate(found)[:count]


def teach_cards(network: SixMaxNet, game: Holdem, settings: TrainSettings) -> FitReport | None:
    """Makes a network know cards; nothing happens without steps."""
    lessons, seed = settings.lessons, settings.run.seed
    if lessons.steps == 0:
        return None
    features = simple_rows(game, lessons.rows, seed)
    features.view(ROW)["tokens"] = 0  # what happened says nothing of the cards here, and costs the most
    chances = native.sixmax_equities(features, DRAWS, seed) - 0.5
    lesson = Rows(features, np.ones(chances.shape, np.bool_), chances, np.ones(len(chances)))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        pupil = SixMaxNet(features.shape[1], CHANCES, settings.network)
    report = None
    adam = Adam(pupil.flat, 0.0)
    for part, (share, rate) in enumerate(((0.7, 1.0), (0.3, SLOWER))):
        steps = max(1, round(share * lessons.steps))
        fitting = FitSettings(steps=steps, batch_rows=lessons.batch_rows, scale=False, clip=1.0)
        key = (seed, LESSONS, part)
        report = fit(pupil, adam, lesson, fitting, rate * lessons.learning_rate, squared_error, key)
    with torch.no_grad():
        for own, learnt in ((network.encoder, pupil.encoder), (network.trunk, pupil.trunk)):
            for parameter, taught in zip(own.parameters(), learnt.parameters(), strict=True):
                parameter.copy_(taught)
    return report
