"""Games against the perfect player, to learn from: rows tell the truth, and what was given away is told more often."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from zerosum.evaluate.perfect import Stones, alike, every_opening, perfect_replies
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
    assert 0 < found.given_away < found.moves == len(found.asked)
    assert all(TRUTH.value(GomokuState(SMALL, at)) >= 0 for at, _ in found.asked)


def told(found: Sparred, at: tuple[int, ...]) -> list[npt.NDArray[np.float32]]:
    """What rows say of the moves in a position."""
    row = np.zeros(16, np.int8)
    row[list(at[len(at) % 2 :: 2])], row[list(at[1 - len(at) % 2 :: 2])] = 1, -1
    return list(found.positions.policy[(found.positions.stones == row).all(axis=1)])


def test_what_was_given_away_is_told_more_often() -> None:
    once = sparred(untrained())
    thrice = sparred(untrained(), settings=SparringSettings(games=12, simulations=20, wrong_times=3))
    assert thrice.asked == once.asked
    for at, wrong in once.asked:
        assert len(told(once, at)) >= 1
        assert not wrong or len(told(thrice, at)) >= len(told(once, at)) + 2


def test_replies_that_led_it_astray_are_told() -> None:
    """Where it gave value away, the position after its move tells the replies that it had thought little of."""
    found, astray = sparred(untrained(), settings=SparringSettings(games=200, simulations=60)), 0
    for at, wrong in found.asked:
        for cell in GomokuState(SMALL, at).legal() if wrong else ():
            after = GomokuState(SMALL, (*at, cell))
            for policy in told(found, after.moves) if after.actor != TERMINAL else ():
                if policy.any():
                    astray += 1
                    assert set(np.flatnonzero(policy).tolist()) <= set(TRUTH.best_moves(after))
    assert astray > 0


def test_what_the_search_was_wrong_about_is_told_where_its_move_was_right_if_asked() -> None:
    """Values alone, of positions below: rows without a move."""
    few, more = (
        sparred(untrained(), settings=SparringSettings(games=12, simulations=20, looks_below=below))
        for below in (False, True)
    )
    assert few.asked == more.asked
    assert (more.positions.policy.any(axis=1).sum()) == few.positions.policy.any(axis=1).sum()
    assert len(more.positions) > len(few.positions)


def test_short_games_end_after_so_many_moves() -> None:
    """From none or two stones the side to move has its first turns with 0 and 2 on the board, or 2 and 4, the other
    with one more.
    """
    for most, stones in ((1, {0, 1, 2, 3}), (2, {0, 1, 2, 3, 4, 5})):
        short = sparred(untrained(), settings=SparringSettings(games=12, simulations=20, most_moves=most))
        assert {len(at) for at, _ in short.asked} <= stones
        assert short.moves <= 12 * most
    assert short.moves > 12


def test_every_reply_to_every_opening_is_met() -> None:
    for game in (SMALL, Gomoku(4, 4, 4)):
        solver, wanted = ProofSolver(game), set()
        for state in (game.root(), *every_opening(game)):
            for side in (0, 1):
                value = solver.value(state) * (1 if state.actor == side else -1)
                if value >= 0 and state.actor == side:
                    wanted.add(alike(state))
                elif value >= 0:
                    replies = solver.longest_defences(state) if value == 1 else solver.best_moves(state)
                    wanted |= {alike(state.child(cell)) for cell in replies}
        met = sparred(untrained(), game, settings=SparringSettings(games=10_000, simulations=4, most_moves=1))
        assert {alike(GomokuState(game, at)) for at, _ in met.asked} == wanted


def test_positions_that_are_met_more_often_are_drawn_more_often() -> None:
    """One position of each teacher's share at a time."""
    game = Gomoku(3, 3, 3)
    chances: list[dict[Stones, float]] = [{} for _ in range(TEACHERS)]
    solver = ProofSolver(game)
    for number, state in enumerate((game.root(), *every_opening(game))):
        for side in (0, 1):
            value = solver.value(state) * (1 if state.actor == side else -1)
            after = [state] if state.actor == side else [state.child(cell) for cell in perfect_replies(solver, state)]
            for met in after if value >= 0 else ():
                mine = chances[number % TEACHERS]
                mine[alike(met)] = mine.get(alike(met), 0.0) + 1 / len(after)
    drawn: list[dict[Stones, int]] = [{} for _ in range(TEACHERS)]
    times, one = 200, SparringSettings(games=TEACHERS, simulations=1, most_moves=1)
    pair = teachers(game)
    for key in range(times):
        found = spar(untrained(), pair, one, {}, (key,))
        assert found is not None
        for number, (at, _) in enumerate(found.asked):
            key_of = alike(GomokuState(game, at))
            drawn[number][key_of] = drawn[number].get(key_of, 0) + 1
    for chance, often in zip(chances, drawn, strict=True):
        assert set(often) <= set(chance)
        order = sorted(chance, key=lambda met: chance[met])
        rare, common = order[: len(order) // 3], order[-len(order) // 3 :]
        wanted = sum(chance[met] for met in common) / sum(chance[met] for met in rare)
        got = sum(often.get(met, 0) for met in common) / sum(often.get(met, 0) for met in rare)
        assert wanted > 2
        assert got > 1.5


def test_alone_it_may_play_more_games() -> None:
    settings = SparringSettings(games=4, simulations=4, most_moves=1, alone_games=12)
    few, many = (spar(untrained(), teachers(SMALL), settings, {}, (1,), alone=alone) for alone in (False, True))
    assert few is not None
    assert many is not None
    assert (few.moves, many.moves) == (4, 12)


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
    settings = SparringSettings(games=2 * TEACHERS, simulations=120)  # one position is the book's
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
    assert {(0, 5), (5,)} <= {at for at, _ in found.asked}


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
