"""Games against oneself: the same with any number of threads, by the rules, and true where they claim to be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from answers import hashed
from zerosum import native
from zerosum.games.gomoku import Gomoku, GomokuState
from zerosum.games.protocol import TERMINAL
from zerosum.search.proof import ProofSolver
from zerosum.search.settings import SearchSettings

FOUR = Gomoku(6, 6, 4)
OPENINGS = {"proof_nodes": 1, "opening_share": 1.0, "early_share": 1.0, "early_most": 7, "early_nodes": 20_000}


def self_play(threads: int, seed: int = 1, root: str = "puct", **changes: Any) -> dict[str, Any]:
    settings = SearchSettings(simulations=40, root=root, forced_nodes=10)
    play: dict[str, Any] = {
        "simulations": 40,
        "fast_simulations": 8,
        "full_share": 0.5,
        "noise_alpha": 0.3,
        "noise_share": 0.25,
        "temperature_moves": 6,
        "opening_share": 0.5,
        "opening_most": 8,
        "play_on": 1.0,
        "batch": 64,
        "most_leaves": 4,
        "cache_bits": 10,
        "reuse": True,
        **changes,
    }
    proof_nodes = play.pop("proof_nodes", 0)
    early = {"early_stones": play.get("early_most", 0), "early_nodes": play.pop("early_nodes", 0)}
    referee = native.GomokuReferee(FOUR.rules, nodes=proof_nodes, threads=threads, **early) if proof_nodes else None
    pool = native.GomokuSelfPlay(
        FOUR.rules,
        settings.native(seed),
        native.SelfPlaySettings(**play),
        seed,
        0,
        60,
        24,
        threads,
    )
    while (planes := pool.pending()) is not None:
        pool.answer(*hashed(planes))
    told = pool.finished()
    if referee is not None:
        referee.correct(*(told[name] for name in ("stones", "game", "policy", "value", "certain")))
    return told


@pytest.mark.parametrize("root", ["puct", "gumbel"])
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"proof_nodes": 100},
        {"proof_nodes": 20, "early_most": 6, "early_nodes": 3000, "aside_rows": 1},
    ],
)
def test_self_play_is_the_same_with_any_number_of_threads(root: str, changes: dict[str, Any]) -> None:
    told = [self_play(threads, root=root, **changes) for threads in (1, 2, 5)]
    assert told[0]["moves"] == told[1]["moves"] == told[2]["moves"]
    assert all(np.array_equal(told[0][key], other[key]) for other in told[1:] for key in ("stones", "policy", "value"))
    assert self_play(1, seed=2)["moves"] != told[0]["moves"]


def test_self_play_games_are_games() -> None:
    told = self_play(2)
    games: list[list[int]] = told["moves"]
    assert sorted(told["numbers"]) == list(range(60))
    for moves, result in zip(games, told["results"], strict=True):
        state = FOUR.root()
        for cell in moves:
            state = state.child(cell)
        assert state.actor == TERMINAL
        assert round(state.returns()[0]) == result
    policy = np.asarray(told["policy"])
    taken = np.asarray(told["stones"]) != 0
    assert (policy[taken] == 0).all()
    sums = policy.sum(axis=1)
    assert ((np.abs(sums - 1) < 1e-5) | (sums == 0)).all()  # 0: a certain loss


ASIDE = {"proof_nodes": 8_000, "aside_rows": 2}


@pytest.mark.parametrize("changes", [{"side_rows": 3}, {"proof_nodes": 300}, OPENINGS, ASIDE])
def test_what_is_certain_is_true(changes: dict[str, Any]) -> None:
    told = self_play(2, full_share=1.0, **changes)
    certain = np.asarray(told["certain"]) == 1
    assert certain.sum() > 100
    assert np.isin(np.asarray(told["value"])[certain], (-1, 0, 1)).all()
    solver = ProofSolver(FOUR)
    rows = np.flatnonzero(certain)[:80]
    for stones, policy, value in zip(told["stones"][rows], told["policy"][rows], told["value"][rows], strict=True):
        mine, theirs = np.flatnonzero(stones == 1).tolist(), np.flatnonzero(stones == -1).tolist()
        order = [0] * (len(mine) + len(theirs))
        order[0::2], order[1::2] = (mine, theirs) if len(mine) == len(theirs) else (theirs, mine)
        state = GomokuState(FOUR, tuple(order))
        assert solver.value(state) == value
        if policy.any() and (value == 1 or changes == ASIDE):
            assert -solver.value(state.child(int(policy.argmax()))) == value
