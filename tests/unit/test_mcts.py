"""Tree search: what must hold whatever the network says, and the same search in a page of Python."""

from __future__ import annotations

import time
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from answers import hashed
from zerosum import native
from zerosum.encoding.gomoku import planes_of
from zerosum.errors import RuleError, SettingsError
from zerosum.games.gomoku import Gomoku, GomokuState
from zerosum.games.gomoku_game import GomokuGame
from zerosum.games.protocol import TERMINAL
from zerosum.networks.gomoku import SwiftNet
from zerosum.networks.inference import TorchEvaluator
from zerosum.policy.board_network import load_board_network
from zerosum.search.mcts import Searcher, search_together
from zerosum.search.proof import ProofSolver
from zerosum.search.settings import SearchSettings
from zerosum.search.tutorial import MCTS, play_game

if TYPE_CHECKING:
    import numpy.typing as npt

    from zerosum.networks.inference import Answers, Evaluator

TIC_TAC_TOE = Gomoku(3, 3, 3)
FOUR = Gomoku(6, 6, 4)


def uniform(planes: npt.NDArray[np.float32]) -> Answers:
    cells = planes.shape[2] * planes.shape[3]
    return np.full((len(planes), cells), 1 / cells, np.float32), np.zeros(len(planes), np.float32)


def swift() -> Evaluator:
    import torch

    torch.manual_seed(3)
    network = SwiftNet(8, 2)
    for parameter in network.parameters():  # away from where it begins, which is nearly uniform
        torch.nn.init.normal_(parameter, 0, 0.3)
    return TorchEvaluator(network)


def searched(game: Gomoku, moves: tuple[int, ...], evaluate: Evaluator, **settings: Any) -> Searcher:
    search = Searcher(game, evaluate, SearchSettings(**{"leaves": 1, **settings}))
    search.go_to(moves)
    search.think()
    return search


def visits_of(search: Searcher) -> npt.NDArray[np.int64]:
    visits = np.zeros(search.game.num_actions, np.int64)
    for move in search.node().moves:
        visits[move.cell] = move.visits
    return visits


def some_positions(game: Gomoku, count: int, seed: int, stones: int) -> list[GomokuState]:
    luck = np.random.default_rng(seed)
    found: list[GomokuState] = []
    while len(found) < count:
        state = game.root()
        for cell in luck.permutation(game.num_actions)[: luck.integers(0, stones + 1)]:
            if state.actor != TERMINAL:
                state = state.child(int(cell))
        if state.actor != TERMINAL:
            found.append(state)
    return found


@pytest.mark.parametrize("root", ["puct", "gumbel"])
@pytest.mark.parametrize("leaves", [1, 7])
@pytest.mark.parametrize("prove", [False, True])
def test_visits_add_up_and_values_change_sign(root: str, leaves: int, prove: bool) -> None:
    for state in some_positions(FOUR, 12, 1, 20):
        search = searched(FOUR, state.moves, hashed, simulations=90, root=root, leaves=leaves, prove=prove)
        node = search.node()
        assert sum(move.visits for move in node.moves) == node.visits == 90
        assert search.search.flying == 0
        if node.certain is not None:
            continue  # visits were added where nothing was left to search
        for move in node.moves:
            below = search.node([move.cell])
            if move.visits == 0 or below.certain is not None:
                continue
            assert below.visits == move.visits - 1  # the first visit asked the network
            assert move.value == pytest.approx(-below.value, abs=1e-5)


@pytest.mark.parametrize("root", ["puct", "gumbel"])
@pytest.mark.parametrize("rule", ["freestyle", "standard"])
def test_a_win_in_one_and_a_block_are_always_found(root: str, rule: str) -> None:
    game, tried = Gomoku(7, 7, 5, rule), 0
    luck = np.random.default_rng(5)
    for state in some_positions(game, 3000, 2, 40):
        wins = [cell for cell in state.legal() if state.child(cell).board.winner >= 0]
        theirs = [cell for cell in state.legal() if _would_win(state, cell)]
        if not wins and len(theirs) != 1:
            continue
        tried += 1
        search = searched(game, state.moves, hashed, simulations=int(luck.integers(2, 30)), root=root)
        assert search.best() in (wins or theirs)
        if wins:
            assert search.node().certain == 1
    assert tried > 30


def _would_win(state: GomokuState, cell: int) -> bool:
    """Whether the side that is not to move would win there."""
    game, side = state.game, 1 - len(state.moves) % 2
    board = np.full((game.height, game.width), -1)
    for number, taken in enumerate((*state.moves,)):
        board.flat[taken] = number % 2
    board.flat[cell] = side
    row, column = divmod(cell, game.width)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        length = 1
        for sign in (1, -1):
            r, c = row + sign * down, column + sign * right
            while 0 <= r < game.height and 0 <= c < game.width and board[r, c] == side:
                length, r, c = length + 1, r + sign * down, c + sign * right
        if length == game.line or (length > game.line and game.rule == "freestyle"):
            return True
    return False


def exact_evaluator(solver: ProofSolver) -> Evaluator:
    """The truth about each position, and nothing about its moves."""

    @cache
    def value(stones: bytes) -> float:
        own = np.frombuffer(stones, np.int8)
        mine, theirs = np.flatnonzero(own == 1).tolist(), np.flatnonzero(own == -1).tolist()
        first = len(mine) == len(theirs)
        order: list[int] = [0] * (len(mine) + len(theirs))
        order[0::2], order[1::2] = (mine, theirs) if first else (theirs, mine)
        return float(solver.value(GomokuState(solver.game, tuple(order))))

    def exact(planes: npt.NDArray[np.float32]) -> Answers:
        stones = (planes[:, 0] - planes[:, 1]).astype(np.int8)
        return uniform(planes)[0], np.array([value(row.tobytes()) for row in stones], np.float32)

    return exact


def test_with_an_exact_evaluator_it_agrees_with_the_solver() -> None:
    solver = ProofSolver(TIC_TAC_TOE)
    exact = exact_evaluator(solver)
    for state in some_positions(TIC_TAC_TOE, 150, 3, 7):
        search = searched(TIC_TAC_TOE, state.moves, exact, simulations=120, prove=False)
        assert search.best() in solver.best_moves(state)
        best = next(move for move in search.node().moves if move.cell == search.best())
        assert round(best.value) == solver.value(state)


def test_with_an_exact_evaluator_it_agrees_with_the_solver_with_and_without_proofs() -> None:
    """Proofs must not make a threat, which leaves the other side one reply, look worse than a quiet move."""
    five = Gomoku(5, 5, 4)
    solver = ProofSolver(five)
    exact = exact_evaluator(solver)
    states = [state for state in some_positions(five, 700, 5, 16) if len(state.moves) >= 6]
    keeping = [solver.best_moves(state) for state in states]
    assert sum(len(moves) < len(state.legal()) for state, moves in zip(states, keeping, strict=True)) > 100
    for prove in (False, True):
        for leaves in (1, 4):
            settings = SearchSettings(simulations=200, prove=prove, leaves=leaves)
            trees = [native.GomokuSearch(five.rules, settings.native(), 0) for _ in states]
            for tree, state in zip(trees, states, strict=True):
                tree.reset(list(state.moves))
                tree.begin(settings.simulations, 0)
            search_together(trees, exact, leaves)
            chosen = [tree.chosen(True, 0.0) for tree in trees]
            assert [cell in moves for cell, moves in zip(chosen, keeping, strict=True)].count(False) == 0


@pytest.mark.parametrize("threat_nodes", [0, 20])
def test_proofs_are_right(threat_nodes: int) -> None:
    solver = ProofSolver(FOUR)
    certain = 0
    for state in some_positions(FOUR, 150, 4, 30):
        node = searched(FOUR, state.moves, uniform, simulations=150, forced_nodes=40, threat_nodes=threat_nodes).node()
        if node.certain is not None:
            certain += 1
            assert node.certain == solver.value(state)
        for move in node.moves:
            if move.certain is not None:
                assert move.certain == -solver.value(state.child(move.cell))
    assert certain > 50


def test_forced_wins_are_wins() -> None:
    solver, found = ProofSolver(FOUR), 0
    for state in some_positions(FOUR, 300, 5, 18):
        cell, nodes = native.gomoku_forced_win(FOUR.rules, list(state.moves), 500)
        assert nodes <= 500
        if cell is not None:
            found += 1
            after = state.child(cell)
            assert solver.value(after) == -1
    assert found > 30


@pytest.mark.parametrize("game", [Gomoku(6, 6, 4), Gomoku(6, 6, 4, "standard"), Gomoku(7, 7, 5), Gomoku(8, 8, 5)])
def test_wins_by_threats_are_wins(game: Gomoku) -> None:
    solver, found, more = ProofSolver(game), 0, 0
    for state in some_positions(game, 400, 5, 20):
        cell, _ = native.gomoku_forced_win(game.rules, list(state.moves), 300, threats=True)
        fours, _ = native.gomoku_forced_win(game.rules, list(state.moves), 300)
        assert cell is not None or fours is None
        if cell is not None and fours is None:
            more += 1
            assert solver.value(state.child(cell)) == -1
        found += cell is not None
    assert found > 20
    assert more > 0


def test_two_open_threes_win_and_one_does_not() -> None:
    board = Gomoku(15, 15, 5)
    row, column = [7 * 15 + c for c in (6, 7)], [r * 15 + 8 for r in (5, 6)]
    far = [0, 14, 210]
    two = [cell for pair in zip(row + column, [*far, 224], strict=True) for cell in pair]
    assert native.gomoku_forced_win(board.rules, two, 500) == (None, 1)
    cell, _ = native.gomoku_forced_win(board.rules, two, 500, threats=True)
    assert cell is not None
    one = [cell for pair in zip(row, far[:2], strict=True) for cell in pair]
    assert native.gomoku_forced_win(board.rules, one, 500, threats=True)[0] is None


def test_the_eight_symmetries_give_equivalent_results() -> None:
    """A network that sees every position in all of them answers alike, and so the searches are the same."""
    evaluate = swift()
    for state in some_positions(FOUR, 5, 6, 11):
        cells = np.arange(36).reshape(6, 6)
        turned = [np.rot90(board, turn).reshape(-1) for board in (cells, cells.T) for turn in range(4)]
        plain = visits_of(searched(FOUR, state.moves, evaluate, simulations=60, symmetry="all"))
        for to in turned:  # cell i goes where i stands in `to`
            where = np.argsort(to)
            moves = tuple(int(where[cell]) for cell in state.moves)
            found = visits_of(searched(FOUR, moves, evaluate, simulations=60, symmetry="all"))
            assert found[where].tolist() == plain.tolist()


@pytest.mark.parametrize("size", [(3, 3, 3), (5, 4, 4)])
def test_python_and_native_searches_visit_alike(size: tuple[int, int, int]) -> None:
    game = Gomoku(*size)

    class Network:
        def predict(self, board: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.float32], float]:
            shares, values = hashed(board[None])
            return shares[0], float(values[0])

    for state in some_positions(game, 10, 7, 5):
        played = GomokuGame((game.height, game.width), game.line)
        for cell in state.moves:
            played = played.get_next_state(cell)
        settings = SearchSettings(simulations=80, exploration=1.3, prove=False)
        shares = MCTS(Network(), played, settings).get_action_probs(played, 1.0)
        found = visits_of(searched(game, state.moves, hashed, simulations=80, exploration=1.3, prove=False))
        assert np.rint(shares * 80).astype(int).tolist() == found.tolist()
    for temperature in (-1.0, np.nan):
        with pytest.raises(SettingsError, match="temperature: got"):
            MCTS(Network(), played, settings).get_action_probs(played, temperature)


def test_the_tree_is_kept_from_move_to_move() -> None:
    search = searched(FOUR, (), hashed, simulations=200, prove=False)
    for wrong in (0, -3):
        with pytest.raises(SettingsError, match=f"simulations: got {wrong}"):
            search.think(wrong)
    best = search.best()
    kept = next(move.visits for move in search.node().moves if move.cell == best) - 1
    below = search.node([best])
    search.go_to((best,))
    assert search.search.visits == kept == below.visits
    assert search.node() == below
    search.think(200)
    assert search.search.visits == 200


def test_a_cache_changes_nothing_but_how_often_the_network_is_asked() -> None:
    asked = [0]

    def counting(planes: npt.NDArray[np.float32]) -> Answers:
        asked[0] += len(planes)
        return hashed(planes)

    counts, visits = [], []
    for bits in (0, 12):
        asked[0] = 0
        visits.append(visits_of(searched(TIC_TAC_TOE, (), counting, simulations=400, cache_bits=bits)).tolist())
        counts.append(asked[0])
    assert visits[0] == visits[1]
    assert counts[1] < counts[0]


def test_a_network_without_mass_on_legal_moves_is_uniform() -> None:
    def nothing(planes: npt.NDArray[np.float32]) -> Answers:
        shares = np.zeros((len(planes), 9), np.float32)
        shares[:, 4] = np.nan
        return shares, np.zeros(len(planes), np.float32)

    node = searched(TIC_TAC_TOE, (0,), nothing, simulations=8, prove=False).node()
    assert [move.prior for move in node.moves] == pytest.approx([1 / 8] * 8)


def test_against_the_clock() -> None:
    search = Searcher(FOUR, hashed, SearchSettings(leaves=4), threads=2)
    start = time.monotonic()
    node = search.think(seconds=0.3)
    assert 0.13 < time.monotonic() - start < 10
    assert node.visits > 10
    assert sum(move.visits for move in node.moves) == node.visits


def test_time_is_up_sooner_where_answers_have_to_be_waited_for() -> None:
    asked = []

    def slow(planes: npt.NDArray[np.float32]) -> Answers:
        asked.append(len(planes))
        time.sleep(0.1)
        return uniform(planes)

    Searcher(FOUR, slow, SearchSettings(prove=False, leaves=1)).think(seconds=1.0)
    assert 2 <= len(asked) <= 8  # of the ten there is time for, two are kept back


def test_a_search_ends_when_someone_wants_or_its_tree_is_large() -> None:
    search = Searcher(FOUR, hashed, SearchSettings(prove=False, leaves=1))
    assert search.think(simulations=500, stopping=lambda: search.search.visits >= 20).visits == 20
    search = Searcher(FOUR, hashed, SearchSettings(prove=False, leaves=1), most_bytes=100_000)
    assert 20 < search.think(simulations=5000).visits < 500
    assert search.search.is_full(3)
    assert not search.search.is_full(0)  # it stopped before it had to grow
    for moves in ([7], [7, 14], [7, 14, 8], []):  # and grows again for the next move, and the next game
        search.go_to(moves)
        assert search.think(simulations=5000).visits > 20
    search = Searcher(FOUR, hashed, SearchSettings(prove=False, cache_bits=16), most_bytes=2_000_000)
    seen = []
    for _ in range(4):  # the same again, with answers that are known and need no leaf
        search.forget()
        seen.append(search.think(simulations=50_000).visits)
    assert max(seen) < 1.5 * seen[0]


def test_whoever_looks_at_the_clock_gets_to_look_where_no_simulation_needs_the_network() -> None:
    """Four cells are left, so that soon every simulation ends in a position whose end is known."""
    search = native.GomokuSearch(Gomoku(3, 3, 3).rules, SearchSettings(prove=False).native(0), 0)
    search.reset([0, 1, 3, 4, 2])
    search.begin(10**6, 0)
    while (found := search.gather(8)) is not None:
        search.answer(found[0], *hashed(found[1]))
    assert not search.done
    assert search.visits < 10_000


def test_many_searches_together_are_the_same_as_alone() -> None:
    states = some_positions(FOUR, 6, 8, 10)
    trees = []
    for state in states:
        tree = native.GomokuSearch(FOUR.rules, SearchSettings().native(), 0)
        tree.reset(list(state.moves))
        tree.begin(50, 0)
        trees.append(tree)
    search_together(trees, hashed, 1)
    for state, tree in zip(states, trees, strict=True):
        assert tree.chosen(True, 0.0) == searched(FOUR, state.moves, hashed, simulations=50).best()


def test_a_tutorial_game_alternates_its_results() -> None:
    network = SwiftNet(4, 1)
    rows = play_game(network, GomokuGame(4, 3), SearchSettings(simulations=20), seed=1)
    assert all(a[2] == -b[2] for a, b in pairwise(rows))
    assert all(
        abs(shares.sum() - 1) < 1e-9 and shares[(planes[0] + planes[1]).reshape(-1) > 0].sum() == 0
        for planes, shares, _ in rows
    )


def test_moves_against_the_rules_are_refused() -> None:
    search = Searcher(TIC_TAC_TOE, uniform, SearchSettings())
    for moves in ((0, 0), (9,), (-1,), (0, 3, 1, 4, 2)):
        with pytest.raises(RuleError):
            search.go_to(moves)
        with pytest.raises(
            ValueError, match="wanted an empty cell" if moves != (0, 3, 1, 4, 2) else "the game is over"
        ):
            search.search.reset(list(moves))
            search.search.begin(10, 0)
    search.search.reset([])
    search.search.begin(10, 0)
    asked = search.search.gather(4)
    assert asked is not None
    ticket, planes = asked
    with pytest.raises(ValueError, match="wanted a probability for each cell"):
        search.search.answer(ticket, np.zeros((1, 4), np.float32), np.zeros(1, np.float32))
    with pytest.raises(ValueError, match="nothing was asked"):
        search.search.answer(ticket + 1, *uniform(planes))


def test_a_search_that_was_left_in_the_middle_goes_on() -> None:
    search = native.GomokuSearch(TIC_TAC_TOE.rules, SearchSettings(prove=False).native(), 0)
    search.reset([])
    search.begin(200, 0)
    for _ in range(31):
        found = search.gather(3)
        assert found is not None
        search.answer(found[0], *uniform(found[1]))
    assert search.gather(5) is not None  # and nobody answers
    search.advance(4)
    search.begin(200, 0)
    search_together([search], uniform, 4)
    assert search.visits == 200


def test_an_interrupted_search_goes_on_later() -> None:
    calls = [0]

    def interrupted(planes: npt.NDArray[np.float32]) -> Answers:
        calls[0] += 1
        if calls[0] == 3:
            raise KeyboardInterrupt
        return hashed(planes)

    search = Searcher(FOUR, interrupted, SearchSettings(simulations=60, leaves=8, prove=False))
    search.go_to(())
    with pytest.raises(KeyboardInterrupt):
        search.think()
    node = search.think()
    assert sum(move.visits for move in node.moves) == node.visits == 60


def test_a_certain_win_needs_no_time_and_no_invented_visits() -> None:
    search = Searcher(TIC_TAC_TOE, uniform, SearchSettings())
    search.go_to((0, 3, 1, 4))
    node = search.think(seconds=5.0)
    assert node.visits < 10
    assert search.best() == 2
    with pytest.raises(SettingsError):
        Searcher(TIC_TAC_TOE, uniform, SearchSettings(root="gumbel")).think(seconds=0.1)


def test_settings_are_checked() -> None:
    refused: tuple[dict[str, Any], ...] = (
        {"simulations": 0},
        {"root": "best"},
        {"symmetry": "some"},
        {"cache_bits": 40},
    )
    for wrong in refused:
        with pytest.raises(SettingsError):
            SearchSettings(**wrong)


def test_planes() -> None:
    state = TIC_TAC_TOE.root().child(0).child(4)
    game = GomokuGame(3, 3).get_next_state(0).get_next_state(4)
    assert np.array_equal(planes_of([state])[0], game.get_canonical_board())
    assert planes_of([state])[0, :, 0, 0].tolist() == [1, 0, 1]


def test_a_search_of_both_sides_comes_to_its_end_in_every_position() -> None:
    """The other side's win by threats is seen from above; standing there, the search needs a move that begins it."""
    policy = load_board_network("gomoku-9x9")
    settings = SearchSettings(exploration=1.5, unvisited_less=0.2, forced_nodes=200, threat_nodes=60)
    searcher = Searcher(policy.game, policy.evaluator(), settings)
    luck = np.random.default_rng(0)
    for _ in range(6):
        searcher.forget()
        state = policy.game.root().child(int(luck.integers(policy.game.num_actions)))
        while state.actor != TERMINAL and len(state.moves) < 40:
            searcher.go_to(state.moves)
            assert searcher.think(simulations=32).visits >= 32
            state = state.child(searcher.best())
