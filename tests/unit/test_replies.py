"""Every reply of a perfect player to every opening: who knows the truth gives nothing away, and all is met."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from zerosum.evaluate.perfect import alike, every_opening, plain
from zerosum.evaluate.replies import errors_after_replies
from zerosum.games.gomoku import Gomoku, GomokuState
from zerosum.search.proof import ProofSolver

if TYPE_CHECKING:
    import numpy.typing as npt

    from zerosum.networks.inference import Answers

GAME = Gomoku(4, 4, 3)  # the first player wins
SOLVER = ProofSolver(GAME)
SEARCH = replace(plain(120), symmetry="none")
WON = [state for state in every_opening(GAME) if SOLVER.value(state) == 1]


def knowing(planes: npt.NDArray[np.float32]) -> Answers:
    """Knows the true values, and nothing of moves."""
    values = []
    for row in planes.reshape(len(planes), 3, -1):
        mine, theirs = (np.flatnonzero(row[side]).tolist() for side in (0, 1))
        order = [0] * (len(mine) + len(theirs))
        order[0::2], order[1::2] = (mine, theirs) if row[2, 0] else (theirs, mine)
        values.append(SOLVER.value(GomokuState(GAME, tuple(order))))
    return np.full((len(planes), 16), 1 / 16, np.float32), np.array(values, np.float32)


def mistaken(planes: npt.NDArray[np.float32]) -> Answers:
    """Thinks the opposite."""
    policy, values = knowing(planes)
    return policy, -values


def test_who_knows_the_truth_wins_every_game_to_its_end() -> None:
    met = list(errors_after_replies(knowing, SOLVER, SEARCH, WON, 0, 400))
    assert [move.errors for move in met] == [[]] * len(met)
    assert met[0].positions == len(WON)
    assert len(met) >= max(SOLVER.plies_to_win(state) + 1 for state in WON) // 2


def test_errors_are_positions_with_something_to_lose() -> None:
    met = list(errors_after_replies(mistaken, SOLVER, replace(SEARCH, simulations=8), WON, 0, 400))
    given_away = [GomokuState(GAME, at) for move in met for at in move.errors]
    assert given_away
    assert all(SOLVER.value(state) == 1 and state.actor == 0 for state in given_away)


def test_every_reply_is_met_once() -> None:
    for begun in (GAME.root().child(0).child(1).child(15), GAME.root().child(0).child(9).child(3)):
        value = SOLVER.value(begun)
        replies = SOLVER.longest_defences(begun) if value == -1 else SOLVER.best_moves(begun)
        wanted = {alike(begun.child(cell)) for cell in replies}
        (met,) = errors_after_replies(mistaken, SOLVER, SEARCH, [begun, begun], 0, 1)
        assert met.positions == len(wanted) > 1
        assert {alike(GomokuState(GAME, at)) for at in met.errors} <= wanted


def test_so_many_moves_and_no_more() -> None:
    assert len(list(errors_after_replies(knowing, SOLVER, SEARCH, WON, 0, 2))) == 2
