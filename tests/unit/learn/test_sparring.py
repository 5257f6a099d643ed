"""Games against the perfect player, to learn from: rows tell the truth, and what was given away is told more often."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from zerosum.evaluate.perfect import every_opening
from zerosum.games.gomoku import Gomoku, GomokuState
from zerosum.games.protocol import TERMINAL
from zerosum.learn.alphazero.settings import SparringSettings
from zerosum.learn.alphazero.sparring import RIGHT, TEACHERS, Book, Sparred, spar, teachers
from zerosum.networks.gomoku import SwiftNet
from zerosum.networks.inference import TorchEvaluator
from zerosum.search.proof import ProofSolver

if TYPE_CHECKING:
    import numpy.typing as npt

    from zerosum.networks.inference import Answers, Evaluator

SMALL = Gomoku(4, 4, 3)  # the first player wins
SETTINGS = SparringSettings(games=12, simulations=20)
TRUTH = ProofSolver(SMALL)


def untrained() -> TorchEvaluator:
    torch.manual_seed(3)
    return TorchEvaluator(SwiftNet(8, 1))


def state_of(game: Gomoku, stones: npt.NDArray[np.int8], black: int) -> GomokuState:
    mine, theirs = np.flatnonzero(stones == 1).tolist(), np.flatnonzero(stones == -1).tolist()
    order = [0] * (len(mine) + len(theirs))
    order[0::2], order[1::2] = (mine, theirs) if black else (theirs, mine)
    return GomokuState(game, tuple(order))


def sparred(
    evaluate: Evaluator,
    game: Gomoku = SMALL,
    key: int = 1,
    settings: SparringSettings = SETTINGS,
    book: Book | None = None,
) -> Sparred:
    found = spar(evaluate, teachers(game), settings, {} if book is None else book, (key,))
    assert found is not None
    return found


def test_rows_tell_the_truth() -> None:
    for game in (SMALL, Gomoku(4, 4, 4)):  # won, and drawn
        solver, rows = ProofSolver(game), sparred(untrained(), game).positions
        taught = 0
        for stones, black, policy, value in zip(rows.stones, rows.black, rows.policy, rows.value, strict=True):
            state = state_of(game, stones, int(black))
            assert state.actor != TERMINAL
            assert state.actor == (0 if black else 1)
            assert solver.value(state) == value
            if policy.any():
                taught += 1
                assert set(np.flatnonzero(policy).tolist()) <= set(solver.best_moves(state))
                assert abs(policy.sum() - 1) < 1e-5
        assert taught > 12


def test_the_network_leads_and_never_loses_on() -> None:
    """An untrained network errs, and the game goes on as if it had not; each of its moves is counted."""
    found = sparred(untrained())
    assert 0 < found.given_away < found.moves
    led = found.positions.policy.any(axis=1)
    assert found.moves == led.sum()
    assert (found.positions.value[led] >= 0).all()


def test_what_was_given_away_is_told_more_often() -> None:
    once = sparred(untrained())
    thrice = sparred(untrained(), settings=SparringSettings(games=12, simulations=20, wrong_times=3))
    assert thrice.moves == once.moves
    more = thrice.positions.policy.any(axis=1).sum() - once.positions.policy.any(axis=1).sum()
    assert more == 2 * once.given_away


def knowing(planes: npt.NDArray[np.float32]) -> Answers:
    """Knows the true values of SMALL, and nothing of its moves."""
    cells = planes.shape[2] * planes.shape[3]
    states = [state_of(SMALL, (row[0] - row[1]).reshape(-1).astype(np.int8), int(row[2, 0, 0])) for row in planes]
    values = np.array([TRUTH.value(state) for state in states], np.float32)
    return np.full((len(planes), cells), 1 / cells, np.float32), values


def test_who_knows_the_truth_gives_nothing_away() -> None:
    assert sparred(knowing, settings=SparringSettings(games=12, simulations=120)).given_away == 0


def test_games_begin_with_what_went_wrong_until_it_goes_right() -> None:
    book: Book = {}
    first = sparred(untrained(), book=book)
    assert 0 < len(book) <= first.given_away
    assert all(right == 0 and ProofSolver(SMALL).value(GomokuState(SMALL, at)) >= 0 for at, right in book.items())
    once = next(iter(book))
    few: Book = {once: 0}
    settings = SparringSettings(games=2 * TEACHERS, simulations=120, opening_moves=0)  # one begins with the book
    for right in range(1, RIGHT):
        sparred(knowing, key=right, settings=settings, book=few)
        assert few == {once: right}
    sparred(knowing, key=RIGHT, settings=settings, book=few)
    assert few == {}


def test_in_a_draw_the_book_asks_who_erred() -> None:
    """Both sides hold a draw, and each game of the book is led by the one to move there."""
    drawn = Gomoku(4, 4, 4)
    book: Book = {(0, 5): 0, (5,): 0}
    found = sparred(untrained(), drawn, settings=SparringSettings(games=2 * TEACHERS, simulations=20), book=book)
    led = found.positions.stones[found.positions.policy.any(axis=1)]
    for at in ((0, 5), (5,)):
        first = [0] * 16
        for number, cell in enumerate(at):
            first[cell] = 1 if number % 2 == len(at) % 2 else -1
        assert (led == first).all(axis=1).any()


def test_the_same_key_gives_the_same_rows_and_another_others() -> None:
    evaluate = untrained()
    first, again, other = (sparred(evaluate, key=key).positions for key in (1, 1, 2))
    assert np.array_equal(first.stones, again.stones)
    assert np.array_equal(first.policy, again.policy)
    assert first.stones.shape != other.stones.shape or not np.array_equal(first.stones, other.stones)


def test_someone_wants_to_stop() -> None:
    book: Book = {(5,): 1}
    assert spar(untrained(), teachers(SMALL), SETTINGS, book, (1,), lambda: True) is None
    assert book == {(5,): 1}


def test_every_opening_once() -> None:
    """Burnside's lemma counts them: the board of 4 × 4 has 33 pairs of cells, one after the other, up to symmetry."""
    openings = every_opening(SMALL)
    assert len({state.moves for state in openings}) == len(openings) == (240 + 2 * 12) // 8 == 33
    assert all(len(state.moves) == 2 for state in openings)
