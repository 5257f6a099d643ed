"""Gomoku: rules by slow reference, perft, and proofs against known values and plain minimax."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING

import pytest

from zerosum import load_game, native
from zerosum.errors import GameError, RuleError, SettingsError
from zerosum.games.gomoku import Gomoku, GomokuState
from zerosum.games.protocol import TERMINAL
from zerosum.search.proof import ProofSolver

if TYPE_CHECKING:
    from collections.abc import Iterator


def gomoku(settings: str) -> Gomoku:
    game = load_game(f"gomoku:{settings}")
    assert isinstance(game, Gomoku)
    return game


def longest_rows(game: Gomoku, stones: set[int]) -> Iterator[int]:
    """The length of every maximal row, cell by cell."""
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for cell in stones:
            row, column = divmod(cell, game.width)
            before = (row - down, column - right)
            if _has(game, stones, *before):
                continue
            length = 0
            while _has(game, stones, row, column):
                length, row, column = length + 1, row + down, column + right
            yield length


def _has(game: Gomoku, stones: set[int], row: int, column: int) -> bool:
    return 0 <= row < game.height and 0 <= column < game.width and row * game.width + column in stones


@pytest.mark.parametrize(
    "settings", ["size=3,line=3", "width=7,height=4,line=4", "size=8,rule=standard,line=4", "size=20", "size=9,line=6"]
)
def test_winners_by_slow_reference(settings: str) -> None:
    game, luck = gomoku(settings), random.Random(1)
    ends = {0: 0, 1: 0, -1: 0}
    for _ in range(30):
        state = game.root()
        while state.actor != TERMINAL:
            near = [cell for cell in state.legal() if cell % game.width < 6]  # crowded, so that rows come about
            state = state.child(luck.choice(near or list(state.legal())))
            mover = (len(state.moves) - 1) % 2
            rows = list(longest_rows(game, set(state.moves[mover::2])))
            won = game.line in rows if game.rule == "standard" else max(rows) >= game.line
            assert (state.board.winner == mover) == won
        ends[state.board.winner] += 1
        assert state.returns() == {0: (1.0, -1.0), 1: (-1.0, 1.0), -1: (0.0, 0.0)}[state.board.winner]
    assert ends[0] > 0
    assert ends[1] > 0


def test_perft_of_tic_tac_toe() -> None:
    rules = gomoku("size=3,line=3").rules
    counts = [native.gomoku_perft(rules, depth) for depth in range(1, 10)]
    assert counts == [9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872]


@pytest.mark.parametrize(
    ("settings", "value"),
    [
        *((f"width={w},height={h},line={k}", 0) for w, h, k in [(3, 3, 3), (4, 4, 4), (5, 4, 4), (6, 4, 4)]),
        *((f"width={w},height={h},line={k}", 0) for w, h, k in [(5, 5, 4), (5, 5, 5)]),
        *((f"width={w},height={h},line={k}", 1) for w, h, k in [(4, 3, 3), (4, 4, 3), (5, 5, 3), (6, 5, 4), (6, 6, 4)]),
    ],
)
def test_known_values(settings: str, value: int) -> None:
    game = gomoku(settings)
    assert ProofSolver(game).value(game.root()) == value


@cache
def minimax(state: GomokuState) -> int:
    """To the side to move."""
    if state.actor == TERMINAL:
        return 0 if state.board.winner < 0 else -1
    return max(-minimax(state.child(move)) for move in state.legal())


@pytest.mark.parametrize(
    "settings",
    [
        "size=3,line=3",
        "width=4,height=3,line=3,rule=standard",
        "width=6,height=3,line=3,rule=standard",
        "size=4,line=4",
    ],
)
def test_proofs_agree_with_plain_minimax(settings: str) -> None:
    game, luck = gomoku(settings), random.Random(2)
    solver = ProofSolver(game)
    for _ in range(40):
        state = game.root()
        for _ in range(luck.randint(game.num_actions - 8, game.num_actions)):
            if state.actor != TERMINAL:
                state = state.child(luck.choice(state.legal()))
        assert solver.value(state) == minimax(state)
        if state.actor != TERMINAL:
            wanted = [move for move in state.legal() if -minimax(state.child(move)) == minimax(state)]
            assert solver.best_moves(state) == wanted
            assert len(state.moves) + len(solver.principal_line(state)) <= game.num_actions


def test_symmetries_and_perfect_play() -> None:
    game = gomoku("size=4,line=3")
    solver = ProofSolver(game)
    best = solver.best_moves(game.root())
    turned = sorted((cell % 4) * 4 + 3 - cell // 4 for cell in best)
    assert turned == best
    state, value = game.root(), 1
    for move in solver.principal_line(state):
        assert solver.value(state) == value
        state, value = state.child(move), -value
    assert state.board.winner == 0


@pytest.mark.parametrize(
    ("settings", "plies"),
    [("size=6,line=4", 11), ("width=20,height=3,line=3", 7), ("width=4,height=3,line=3", 7), ("size=3,line=3", 9)],
)
def test_perfect_players_hurry_or_hold_out(settings: str, plies: int) -> None:
    game = gomoku(settings)
    line = ProofSolver(game).principal_line(game.root())
    assert len(line) == plies


def test_each_move_of_a_line_is_the_best_of_all() -> None:
    """By how many plies plain recursion says that a game takes."""
    game, luck, decided = gomoku("width=4,height=3,line=3,rule=standard"), random.Random(4), 0
    solver = ProofSolver(game)
    for _ in range(30):
        state = game.root()
        for _ in range(luck.randint(3, 7)):
            if state.actor != TERMINAL:
                state = state.child(luck.choice(state.legal()))
        if state.actor != TERMINAL and minimax(state) != 0:
            decided += 1
            assert len(solver.principal_line(state)) == plies_left(state)
    assert decided > 5


@cache
def plies_left(state: GomokuState) -> int:
    if state.actor == TERMINAL:
        return 0
    value = minimax(state)
    lengths = [1 + plies_left(after) for after in map(state.child, state.legal()) if -minimax(after) == value]
    return min(lengths) if value == 1 else max(lengths)


def test_a_line_takes_wins_and_blocks_where_nobody_can_tell_how_long_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    game = gomoku("width=8,height=4,line=3")
    solver = ProofSolver(game)

    def too_long(state: GomokuState) -> int:
        if len(state.moves) < 6:
            raise TimeoutError
        return ProofSolver.plies_to_win(solver, state)

    monkeypatch.setattr(solver, "plies_to_win", too_long)
    state = game.root()
    for cell in (9, 8, 10):  # two of the first player's, one of whose ends is open
        state = state.child(cell)
    line = solver.principal_line(state)
    assert line[0] == 11
    assert len(line) == 3 + solver.plies_to_win(GomokuState(game, (*state.moves, *line[:3])))


def test_a_game_that_is_over_has_no_moves() -> None:
    state = gomoku("size=3,line=3").root()
    for cell in (0, 3, 1, 4, 2):
        assert len(state.legal()) == 9 - len(state.moves)
        state = state.child(cell)
    assert state.legal() == ()
    assert state.view(0).legal() == ()


def test_refusals() -> None:
    game = gomoku("size=6,line=4")
    for cell in (36, -1, 7.5, "x", None):
        with pytest.raises(RuleError, match=r"wanted a cell of gomoku:size=6,line=4: 0 to 35"):
            game.root().child(cell)  # type: ignore[arg-type]
    with pytest.raises(RuleError, match="wanted a cell of 6 rows"):
        game.cell_named("-1,0")
    with pytest.raises(SettingsError, match="unknown setting sise; did you mean size"):
        load_game("gomoku:sise=5")
    with pytest.raises(SettingsError, match="known: height, line, rule, size, width"):
        load_game("gomoku:komi=5")
    for text, words in (("6,0", "wanted a cell of 6 rows"), ("a,b", "wanted a cell such as"), ("3", "wanted a cell")):
        with pytest.raises(RuleError, match=words):
            game.cell_named(text)
    with pytest.raises(RuleError, match="got a taken cell"):
        game.root().child(3).child(3)
    with pytest.raises(GameError, match="wanted one or the other"):
        load_game("gomoku:size=5,width=4")
    with pytest.raises(GameError, match="line: got 5, wanted at most 4"):
        load_game("gomoku:size=4")
    for size, words in (("21", "size: got 21, wanted 3 to 20"), ("abc", "size: got 'abc', wanted int")):
        with pytest.raises(SettingsError, match=words):
            load_game(f"gomoku:size={size}")
    with pytest.raises(GameError, match="got 225 cells, wanted at most 64"):
        ProofSolver(gomoku("size=15"))
