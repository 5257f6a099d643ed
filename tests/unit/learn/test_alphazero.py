"""AlphaZero's parts: what it learns from, how it learns, and whether it knows a better player."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch

from zerosum.encoding.symmetries import cell_maps
from zerosum.errors import SettingsError
from zerosum.evaluate.perfect import (
    judge_network,
    judge_search,
    labelled_positions,
    perfect_move,
    plain,
    play_perfect,
    random_opening,
)
from zerosum.games.gomoku import Gomoku
from zerosum.games.protocol import TERMINAL
from zerosum.learn.alphazero.arena import meet
from zerosum.learn.alphazero.fit import Mean, fit, optimiser_for
from zerosum.learn.alphazero.replay import Replay
from zerosum.learn.alphazero.selfplay import Positions, play_games, simulations_at
from zerosum.learn.alphazero.settings import (
    AlphaZeroSettings,
    ArenaSettings,
    FitSettings,
    ReplaySettings,
    RunSettings,
    SelfPlaySettings,
    SparringSettings,
)
from zerosum.networks.gomoku import SwiftNet
from zerosum.networks.inference import TorchEvaluator
from zerosum.search.proof import ProofSolver
from zerosum.search.settings import SearchSettings

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from zerosum.networks.inference import Answers

SMALL = Gomoku(4, 4, 3)
SETTINGS = AlphaZeroSettings(
    RunSettings(SMALL.spec()),
    search=SearchSettings(simulations=24),
    selfplay=SelfPlaySettings(games=20, slots=8, full_share=1.0, opening_share=0.5, opening_most=4),
)


def untrained(seed: int = 0) -> TorchEvaluator:
    torch.manual_seed(seed)
    return TorchEvaluator(SwiftNet(8, 1))


def uniform(planes: npt.NDArray[np.float32]) -> Answers:
    cells = planes.shape[2] * planes.shape[3]
    return np.full((len(planes), cells), 1 / cells, np.float32), np.zeros(len(planes), np.float32)


def test_self_play_gives_rows_that_make_sense() -> None:
    played = play_games(SMALL, untrained(), SETTINGS, 1, 2, None)
    assert played is not None
    rows = played.positions
    assert len(rows) == len(rows.stones) == len(rows.black) == len(rows.policy) == len(rows.value)
    assert len(played.games) == 20
    assert set(np.unique(rows.value)) <= {-1.0, 0.0, 1.0}
    counts = np.abs(rows.stones).sum(axis=1)
    assert ((counts % 2 == 0) == (rows.black == 1)).all()
    assert played.asked <= played.simulations + len(rows)


def test_results_change_sign_from_move_to_move() -> None:
    """Rows of a game come in order, and every position is learnt from here."""
    played = play_games(SMALL, untrained(), SETTINGS, 1, 1, None)
    assert played is not None
    at = 0
    for moves, opening, result in zip(played.games, played.openings, played.results, strict=True):
        count = len(moves) - opening
        part = slice(at, at + count)
        sides = np.where(played.positions.black[part] == 1, 1, -1)
        assert (played.positions.value[part] == result * sides).all()
        at += count
    assert at == len(played.positions)


def test_simulations_grow() -> None:
    growing = replace(SETTINGS, selfplay=replace(SETTINGS.selfplay, first_simulations=8, growth=5))
    assert [simulations_at(growing, iteration) for iteration in (1, 3, 5, 9)] == [8, 14, 24, 24]
    assert simulations_at(SETTINGS, 1) == 24
    fewer = replace(SETTINGS, selfplay=replace(SETTINGS.selfplay, first_simulations=32, growth=4))
    assert [simulations_at(fewer, iteration) for iteration in (1, 3)] == [24, 24]  # not more than the search's own


def test_symmetries() -> None:
    maps = cell_maps(4, 4)
    assert len({tuple(row) for row in maps.tolist()}) == 8
    assert len(cell_maps(4, 5)) == 4
    assert maps[0].tolist() == list(range(16))
    lines = [{0, 1, 2}, {0, 5, 10}]
    for row in maps:  # a line stays a line
        back = np.argsort(row)
        for line in lines:
            board = SMALL.root()
            own = [int(back[cell]) for cell in line]
            others = [cell for cell in range(16) if cell not in own][:2]
            for cell in (own[0], others[0], own[1], others[1], own[2]):
                board = board.child(cell)
            assert board.board.winner == 0


def test_a_fit_learns_and_is_repeatable() -> None:
    played = play_games(SMALL, untrained(), SETTINGS, 1, 1, None)
    assert played is not None
    settings = FitSettings(batch_rows=32, threads=1)
    ends = []
    for _ in range(2):
        torch.manual_seed(5)
        network = SwiftNet(8, 1)
        adam = optimiser_for(network, settings)
        first = fit(network, adam, played.positions, (4, 4), settings, 20, 5e-3, (1,))
        last = fit(network, adam, played.positions, (4, 4), settings, 20, 5e-3, (2,))
        assert last.policy_loss < first.policy_loss
        assert last.value_loss < first.value_loss
        assert set(last.norms) == {name for name, _ in network.named_parameters()}
        ends.append([p.detach().numpy().copy() for p in network.parameters()])
    assert all(np.array_equal(a, b) for a, b in zip(*ends, strict=True))


def test_the_mean_of_the_last_weights() -> None:
    """Over all steps while there are few, then older ones count for less and less; over one step, the newest itself."""
    torch.manual_seed(0)
    network, means = SwiftNet(8, 1), [SwiftNet(8, 1) for _ in range(2)]
    last, one = (Mean(network, mean, steps) for mean, steps in zip(means, (3, 1), strict=True))
    seen = []
    for _ in range(5):
        with torch.no_grad():
            for weight in network.parameters():
                weight.add_(torch.randn_like(weight))
        seen.append(network.conv_input.weight.detach().clone())
        last.follow()
        one.follow()
        assert torch.equal(means[1].conv_input.weight, seen[-1])
    wanted = (seen[4] + 2 / 3 * (seen[3] + 2 / 3 * (seen[0] + seen[1] + seen[2]))) / 3
    assert torch.allclose(means[0].conv_input.weight, wanted, atol=1e-5)


def test_a_step_that_is_not_finite_is_not_taken() -> None:
    rows = Positions(
        np.zeros((4, 16), np.int8), np.ones(4, np.uint8), np.full((4, 16), np.nan, np.float32), np.zeros(4, np.float32)
    )
    network = SwiftNet(8, 1)
    before = [p.detach().clone() for p in network.parameters()]
    settings = FitSettings(batch_rows=4)
    fitted = fit(network, optimiser_for(network, settings), rows, (4, 4), settings, 3, 1e-3, (0,))
    assert fitted.undone
    assert fitted.steps == 0
    assert all(torch.equal(a, b) for a, b in zip(before, network.parameters(), strict=True))


def test_the_replay_window_moves_on(tmp_path: Path) -> None:
    replay = Replay(tmp_path, ReplaySettings(window_rows=25))
    for iteration in range(1, 7):
        rows = np.full((10, 16), iteration % 2, np.int8)
        replay.add(
            iteration, Positions(rows, np.ones(10, np.uint8), np.zeros((10, 16), np.float32), np.ones(10, np.float32))
        )
    assert sorted(replay.parts) == [4, 5, 6]
    assert len(replay.whole()) == 30
    replay.forget_files(3)
    assert [int(file.stem) for file in sorted(tmp_path.glob("*"))] == [3, 4, 5, 6]
    again = Replay(tmp_path, ReplaySettings(window_rows=25))
    again.restore(4, 6)
    assert all(
        np.array_equal(getattr(again.whole(), name), getattr(replay.whole(), name)) for name in ("stones", "value")
    )


def test_the_arena_knows_the_better_one() -> None:
    """One side is told who wins by proof, the other nothing."""
    game = Gomoku(4, 4, 4)
    solver = ProofSolver(game)
    from zerosum.games.gomoku import GomokuState

    def knowing(planes: npt.NDArray[np.float32]) -> Answers:
        values = []
        for row in planes:
            mine, theirs = np.flatnonzero(row[0]).tolist(), np.flatnonzero(row[1]).tolist()
            order = [0] * (len(mine) + len(theirs))
            order[0::2], order[1::2] = (mine, theirs) if row[2, 0, 0] else (theirs, mine)
            values.append(solver.value(GomokuState(game, tuple(order))))
        return uniform(planes)[0], np.array(values, np.float32)

    def misled(planes: npt.NDArray[np.float32]) -> Answers:
        shares, values = knowing(planes)
        return shares, -values

    settings = ArenaSettings(games=48, simulations=20, opening_moves=4, elo0=0, elo1=50)
    met = meet(game, knowing, misled, SearchSettings(), settings, (1,))
    assert met.wins > met.losses
    assert met.games <= 48
    back = meet(game, misled, knowing, SearchSettings(), settings, (1,))
    assert back.wins < back.losses


def test_the_perfect_player_is_perfect() -> None:
    solver, luck = ProofSolver(SMALL), np.random.default_rng(3)  # the first player wins 4 × 4, three in a row
    state = SMALL.root()
    while state.actor != TERMINAL:
        before = solver.value(state)
        state = state.child(perfect_move(solver, state, luck))
        assert -solver.value(state) == before
    assert state.returns()[0] == 1.0


def test_fastest_wins() -> None:
    game = Gomoku(4, 4, 3)
    solver, luck, slower = ProofSolver(game), np.random.default_rng(2), 0
    for _ in range(40):
        state = random_opening(game, int(luck.integers(0, 5)), luck)
        if solver.value(state) != 1:
            continue
        wins = solver.best_moves(state)
        lengths = {move: solver.plies_to_win(state.child(move)) for move in wins}
        assert solver.fastest_wins(state, wins) == [m for m, n in lengths.items() if n == min(lengths.values())]
        late = [move for move, length in lengths.items() if length > min(lengths.values())]
        if late:  # of some moves, the fastest of those
            slower += 1
            assert solver.fastest_wins(state, late) == [
                m for m in late if lengths[m] == min(lengths[move] for move in late)
            ]
    assert slower > 5


def test_longest_defences() -> None:
    solver = ProofSolver(SMALL)
    state = SMALL.root().child(5)
    plies = solver.plies_to_win(state)
    lengths = {move: solver.plies_to_win(state.child(move)) for move in state.legal()}
    assert max(lengths.values()) == plies - 1
    assert sorted(solver.longest_defences(state)) == sorted(m for m, n in lengths.items() if n == plies - 1)


def test_positions_are_judged() -> None:
    solver, luck = ProofSolver(SMALL), np.random.default_rng(4)
    rows = [row for row in labelled_positions(solver, 60, 5, 10.0, luck) if row is not None]
    assert len(rows) == 60
    assert all(len(row.state.moves) >= 5 and row.keeping for row in rows)
    alone = judge_network(uniform, rows)
    searched = judge_search(uniform, rows, plain(200))
    assert searched.move_correct > alone.move_correct
    assert searched.value_correct > 0.8 > alone.value_correct  # uniform says draw


def test_games_against_the_perfect_player() -> None:
    solver, luck = ProofSolver(SMALL), np.random.default_rng(5)
    openings = [random_opening(SMALL, 2, luck) for _ in range(4)]
    score = play_perfect(uniform, solver, plain(60), openings, 1, luck)
    assert score.games == 4
    assert score.wins + score.draws + score.losses == 4


def test_settings_are_checked() -> None:
    for wrong in (
        lambda: RunSettings(algorithm="sd-cfr"),
        lambda: RunSettings(minutes=0),
        lambda: SelfPlaySettings(full_share=0),
        lambda: SelfPlaySettings(first_simulations=-2),
        lambda: ArenaSettings(games=1),
        lambda: ArenaSettings(elo0=30.0, elo1=20.0),
        lambda: FitSettings(learning_rate=-1.0),
        lambda: RunSettings(engine="tpu"),
        lambda: ReplaySettings(first_rows=0),
        lambda: SparringSettings(alone_after=0.5),
    ):
        with pytest.raises(SettingsError):
            wrong()


def test_a_fit_ends_when_time_is_over() -> None:
    played = play_games(SMALL, untrained(), SETTINGS, 1, 1, None)
    assert played is not None
    settings, reports, weights = FitSettings(batch_rows=16, threads=1), [], []
    for steps, late in ((4, [False] * 4), (9, [False, False, False, True])):
        torch.manual_seed(0)
        network, looks = SwiftNet(8, 1), iter(late)
        adam = optimiser_for(network, settings)
        reports.append(fit(network, adam, played.positions, (4, 4), settings, steps, 1e-3, (0,), partial(next, looks)))
        weights.append(network.state_dict())
    assert [report.steps for report in reports] == [4, 4]
    assert reports[0].norms == reports[1].norms != {}
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])
