"""Games of a network against itself, as rows to learn from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from zerosum import native

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from zerosum.games.gomoku import Gomoku
    from zerosum.learn.alphazero.settings import AlphaZeroSettings, SelfPlaySettings
    from zerosum.networks.inference import Evaluator
    from zerosum.search.settings import SearchSettings

NAMES = ("stones", "black", "policy", "value")


@dataclass(frozen=True)
class Positions:
    """Rows to learn from: stones [N, cells] (1 own, −1 the other's), whether the first player moves [N], what the
    search says [N, cells], and how the game ended for the side to move [N].
    """

    stones: npt.NDArray[np.int8]
    black: npt.NDArray[np.uint8]
    policy: npt.NDArray[np.float32]
    value: npt.NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.stones)

    @staticmethod
    def none(cells: int) -> Positions:
        rows, flags, one = np.zeros((0, cells)), np.zeros(0, np.uint8), np.zeros(0, np.float32)
        return Positions(rows.astype(np.int8), flags, rows.astype(np.float32), one)


def joined(parts: Sequence[Positions]) -> Positions:
    return Positions(*(np.concatenate([getattr(part, name) for part in parts]) for name in NAMES))


@dataclass(frozen=True)
class Played:
    """What a round of self-play came to."""

    positions: Positions
    games: list[tuple[int, ...]]
    openings: list[int]
    results: list[int]
    simulations: int
    asked: int  # rows the network was asked about

    @staticmethod
    def none(cells: int) -> Played:
        return Played(Positions.none(cells), [], [], [], 0, 0)


def simulations_at(settings: AlphaZeroSettings, iteration: int) -> int:
    """Of a move that is learnt from; more as the network gets better."""
    first, last = settings.selfplay.first_simulations, settings.search.simulations
    if first is None or first >= last or iteration >= settings.selfplay.growth:
        return last
    return round(first + (last - first) * (iteration - 1) / settings.selfplay.growth)


def referee_for(game: Gomoku, play: SelfPlaySettings, threads: int) -> native.GomokuReferee | None:
    """Who ends games where a proof search knows how; it remembers openings, so one serves a whole run."""
    if play.proof_nodes == 0:
        return None
    return native.GomokuReferee(
        game.rules,
        nodes=play.proof_nodes,
        early_stones=play.early_stones,
        early_nodes=play.early_proof_nodes,
        threads=threads,
    )


def play_games(
    game: Gomoku,
    evaluate: Evaluator,
    settings: AlphaZeroSettings,
    iteration: int,
    threads: int,
    referee: native.GomokuReferee | None,
    stopping: Callable[[], bool] = lambda: False,
) -> Played | None:
    """All games of an iteration; None when they were given up before their ends."""
    play = settings.selfplay
    search: SearchSettings = replace(settings.search, simulations=simulations_at(settings, iteration))
    pool = native.GomokuSelfPlay(
        game.rules,
        search.native(settings.run.seed),
        native.SelfPlaySettings(
            simulations=search.simulations,
            fast_simulations=min(play.fast_simulations, search.simulations),
            full_share=play.full_share,
            noise_alpha=play.noise_alpha,
            noise_share=play.noise_share,
            temperature_moves=play.temperature_moves,
            opening_share=play.opening_share,
            opening_most=min(play.opening_most, game.num_actions - 1),
            early_share=play.early_share,
            early_most=min(play.early_most, game.num_actions - 1),
            play_on=play.play_on,
            batch=play.batch,
            most_leaves=search.leaves,
            cache_bits=search.cache_bits,
            reuse=True,
            side_rows=play.side_rows,
            aside_rows=play.aside_rows,
        ),
        settings.run.seed,
        iteration * play.games,
        play.games,
        play.slots,
        threads,
    )
    asked = 0
    while (planes := pool.pending()) is not None:
        pool.answer(*evaluate(planes))
        asked += len(planes)
        if stopping():
            return None
    told = pool.finished()
    if referee is not None:
        share = min((iteration + 1) / play.growth, 1.0) ** 2
        rows = (told["stones"], told["game"], told["policy"], told["value"], told["certain"])
        referee.correct(*rows, share)
    return _played(told, pool.simulations, asked, play.value_mix)


def _played(told: dict[str, Any], simulations: int, asked: int, value_mix: float) -> Played:
    results = np.array(told["results"], np.float32)
    black = np.asarray(told["black"], np.uint8)
    outcome = results[np.asarray(told["game"])] * np.where(black == 1, 1.0, -1.0).astype(np.float32)
    searched = np.asarray(told["value"], np.float32)
    policy = np.asarray(told["policy"], np.float32)
    certain = np.asarray(told["certain"]) == 1
    value = np.where(certain, searched, (1 - value_mix) * outcome + value_mix * searched).astype(np.float32)
    taught = certain | policy.any(axis=1)  # the rest was left to a referee who did not find out
    positions = Positions(np.asarray(told["stones"], np.int8)[taught], black[taught], policy[taught], value[taught])
    games = [tuple(moves) for moves in told["moves"]]
    return Played(positions, games, list(told["openings"]), list(told["results"]), simulations, asked)
