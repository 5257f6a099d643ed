"""Ratings from wins, draws and losses, and a test of whether one player is better that stops as soon as it knows."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, Literal

import numpy as np

from zerosum.errors import SettingsError
from zerosum.evaluate.estimate import Z95

if TYPE_CHECKING:
    import numpy.typing as npt

SCALE = 400 / np.log(10)  # Elo points in a natural unit


@dataclass(frozen=True)
class Rating:
    """Elo points above the mean of all, and half the width of their 95 % interval."""

    elo: float
    ci95: float


def elo_ratings(points: npt.NDArray[np.float64], games: npt.NDArray[np.float64]) -> list[Rating]:
    """[N, N] points scored against each (a draw is half) and games -> ratings of highest likelihood.

    Bradley & Terry's model (1952) by Newton's method; intervals from the information matrix. A draw added to every pair
    that has met keeps a player who has won or lost every game finite.
    """
    count = len(points)
    met = (games > 0) & ~np.eye(count, dtype=np.bool_)
    played = games + met
    scored = points + 0.5 * met
    theta = np.zeros(count)
    for _ in range(100):
        expected = played / (1 + np.exp(theta[None, :] - theta[:, None]))
        spread = np.where(met, expected * (1 - expected / np.where(met, played, 1)), 0.0)
        gradient = np.where(met, scored - expected, 0.0).sum(axis=1)
        information = np.diag(spread.sum(axis=1)) - spread
        step = np.linalg.pinv(information) @ gradient
        theta += np.clip(step, -2, 2)
        if np.abs(step).max() < 1e-10:
            break
    theta -= theta.mean()
    errors = np.sqrt(np.maximum(np.diag(np.linalg.pinv(information)), 0.0))
    return [Rating(float(SCALE * t), float(Z95 * SCALE * e)) for t, e in zip(theta, errors, strict=True)]


@dataclass(frozen=True)
class SprtResult:
    """`verdict` is "better" for the second hypothesis, "not better" for the first, "undecided" for neither yet."""

    llr: float
    lower: float
    upper: float
    verdict: Literal["better", "not better", "undecided"]


def sprt(
    wins: int,
    draws: int,
    losses: int,
    *,
    elo0: float = 0.0,
    elo1: float = 10.0,
    alpha: float = 0.05,
    beta: float = 0.05,
) -> SprtResult:
    """Wald's sequential probability ratio test (1945) of "stronger by elo0" against "stronger by elo1".

    The log-likelihood ratio is that of a normal score with the variance seen, so draws count as what they are.
    """
    if not (elo0 < elo1 and 0 < alpha < 0.5 and 0 < beta < 0.5):
        raise SettingsError(f"sprt: got elo {elo0:g} to {elo1:g}, errors {alpha:g} and {beta:g}, wanted elo0 < elo1")
    if min(wins, draws, losses) < 0:
        raise SettingsError(f"sprt: got {wins} wins, {draws} draws, {losses} losses, wanted none below 0")
    games = wins + draws + losses
    lower, upper = log(beta / (1 - alpha)), log((1 - beta) / alpha)
    llr = 0.0
    if games > 1:
        # Half a game each way, so that a run of nothing but wins has a variance too.
        won, drawn, lost = (x + 0.5 for x in (wins, draws, losses))
        total = won + drawn + lost
        mean = (won + drawn / 2) / total
        variance = (won + drawn / 4) / total - mean * mean
        score0, score1 = (1 / (1 + 10 ** (-elo / 400)) for elo in (elo0, elo1))
        llr = games * (score1 - score0) * (2 * mean - score0 - score1) / (2 * variance)
    verdict: Literal["better", "not better", "undecided"] = (
        "better" if llr >= upper else "not better" if llr <= lower else "undecided"
    )
    return SprtResult(llr, lower, upper, verdict)
