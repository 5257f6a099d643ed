"""Tree search: how fast beside mctx and OpenSpiel's AlphaZero, and how near to what the network alone could do.

All sides search 9 × 9, five in a row, with a residual network of 4 blocks and 64 channels and no cache. We and mctx
search many games at once, as in self-play; OpenSpiel's Python AlphaZero asks about one position at a time, as it does
in its own actors. A position that a network is asked about counts as a simulation, roots included on our side and on
mctx's. Both sides of a comparison alternate and medians are taken, because machines are noisy. `make bench` runs it.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
import warnings
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from zerosum import native
from zerosum.games.gomoku import Gomoku
from zerosum.learn.alphazero.fit import gradients_for
from zerosum.learn.alphazero.selfplay import play_games, referee_for
from zerosum.learn.alphazero.settings import AlphaZeroSettings
from zerosum.learn.presets import load_any_settings
from zerosum.networks.gomoku import AlphaZeroNet
from zerosum.networks.inference import evaluator_for
from zerosum.policy.board_network import load_board_network
from zerosum.search.settings import SearchSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from zerosum.networks.inference import Evaluator

NINE = Gomoku(9, 9, 5)
THREADS = len(os.sched_getaffinity(0))
ROUNDS = 3
SIMULATIONS = 64
TREES = 64  # searched at once by the tree alone
STONES = 1 / 6  # of the numbers of a searched position that are not 0
MCTX_BATCHES = (32, 128)


@dataclass(frozen=True)
class Row:
    """What was measured, and what was wanted at least."""

    what: str
    got: float
    wanted: float
    note: str


def pool(game: Gomoku, search: SearchSettings, games: int, slots: int) -> native.GomokuSelfPlay:
    play = native.SelfPlaySettings(
        simulations=search.simulations,
        fast_simulations=1,
        full_share=1.0,
        noise_alpha=0.3,
        noise_share=0.25,
        temperature_moves=30,
        opening_share=0.0,
        opening_most=0,
        play_on=0.0,
        batch=slots * search.leaves,
        most_leaves=search.leaves,
        cache_bits=search.cache_bits,
        reuse=False,
    )
    return native.GomokuSelfPlay(game.rules, search.native(), play, 0, 0, games, slots, THREADS)


def searching(search: SearchSettings, evaluate: Evaluator, seconds: float, slots: int) -> float:
    """Simulations a second of self-play that is under way."""
    games = pool(NINE, search, 1 << 40, slots)
    start, asked = time.perf_counter(), 0
    while (now := time.perf_counter()) - start < seconds:
        planes = games.pending()
        assert planes is not None
        games.answer(*evaluate(planes))
        asked += len(planes)
    return float(asked / (now - start))  # a simulation without a question is free and not counted


def tree_alone() -> Iterator[Row]:
    shares, values = np.full((1 << 14, 81), 1 / 81, np.float32), np.zeros(1 << 14, np.float32)
    rates = [
        searching(
            SearchSettings(simulations=200, cache_bits=0, leaves=8),
            lambda planes: (shares[: len(planes)], values[: len(planes)]),
            4.0,
            TREES,
        )
        for _ in range(ROUNDS)
    ]
    yield Row(
        "tree alone, million simulations/s",
        statistics.median(rates) / 1e6,
        1.0,
        f"a free evaluator through Python, 9 × 9, {TREES} games at once, 8 leaves of each",
    )


def bare(evaluate: Evaluator, rows: int, seconds: float) -> float:
    """Answers a second of the network to full batches, as empty as the search's own: what is 0 is quicker."""
    planes = (np.random.default_rng(0).random((rows, 3, 9, 9)) < STONES).astype(np.float32)
    start, done = time.perf_counter(), 0
    while (now := time.perf_counter()) - start < seconds:
        evaluate(planes)
        done += rows
    return float(done / (now - start))


def mctx_search(network: AlphaZeroNet, batch: int) -> Callable[[], int]:  # noqa: C901
    """A jitted search by mctx over a batch of games; returns how many simulations it made.

    Channels come last: in a loop, as here, XLA for CPUs convolves them 50 times as fast so.
    """
    import jax
    import jax.numpy as jnp
    import mctx
    from jax import lax

    weights = {name: jnp.asarray(value.numpy()) for name, value in network.state_dict().items()}

    def normal(x: Any, name: str) -> Any:
        scale = weights[f"{name}.weight"] / jnp.sqrt(weights[f"{name}.running_var"] + 1e-5)
        return x * scale + (weights[f"{name}.bias"] - weights[f"{name}.running_mean"] * scale)

    def convolve(x: Any, kernel: Any) -> Any:
        return lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def convolved(x: Any, name: str) -> Any:
        return convolve(x, weights[f"{name}.weight"].transpose(2, 3, 1, 0))

    def flat(x: Any) -> Any:
        return x.transpose(0, 3, 1, 2).reshape(len(x), -1)

    def answer(planes: Any) -> tuple[Any, Any]:
        x = jax.nn.relu(normal(convolved(planes, "conv_input"), "bn_input"))
        for block in (f"res_blocks.{number}" for number in range(4)):
            inner = jax.nn.relu(normal(convolved(x, f"{block}.conv1"), f"{block}.bn1"))
            x = jax.nn.relu(x + normal(convolved(inner, f"{block}.conv2"), f"{block}.bn2"))
        policy = flat(jax.nn.relu(normal(convolved(x, "policy_conv"), "policy_bn")))
        value = flat(jax.nn.relu(normal(convolved(x, "value_conv"), "value_bn")))
        value = jax.nn.relu(value @ weights["value_fc1.weight"].T + weights["value_fc1.bias"])
        value = jnp.tanh(value @ weights["value_fc2.weight"].T + weights["value_fc2.bias"])[:, 0]
        return policy @ weights["policy_fc.weight"].T + weights["policy_fc.bias"], value

    lines = np.zeros((5, 5, 1, 4), np.float32)
    for i in range(5):
        lines[2, i, 0, 0] = lines[i, 2, 0, 1] = lines[i, i, 0, 2] = lines[i, 4 - i, 0, 3] = 1

    def planes_of(board: Any, black: Any) -> Any:
        turn = jnp.broadcast_to(black[:, None, None], board.shape)
        return jnp.stack([board == 1, board == -1, turn], axis=-1).astype(jnp.float32)

    def root_of(board: Any, black: Any) -> Any:
        logits, value = answer(planes_of(board, black))
        logits = jnp.where(board.reshape(len(board), -1) == 0, logits, -1e9)
        return mctx.RootFnOutput(
            prior_logits=logits, value=value, embedding=(board, black, jnp.zeros(len(board), bool))
        )

    def step(_: Any, __: Any, action: Any, state: Any) -> Any:
        board, black, over = state
        placed = board.reshape(len(board), -1).at[jnp.arange(len(board)), action].set(1).reshape(board.shape)
        counts = convolve((placed == 1).astype(jnp.float32)[..., None], jnp.asarray(lines))
        won = (counts >= 5).any(axis=(1, 2, 3))
        ended = over | won | (placed != 0).all(axis=(1, 2))
        after = -placed
        logits, value = answer(planes_of(after, ~black))
        logits = jnp.where(after.reshape(len(board), -1) == 0, logits, -1e9)
        out = mctx.RecurrentFnOutput(
            reward=jnp.where(won & ~over, 1.0, 0.0),
            discount=jnp.where(ended, 0.0, -1.0),
            prior_logits=logits,
            value=jnp.where(ended, 0.0, value),
        )
        return out, (after, ~black, ended)

    def search_plainly(key: Any, board: Any, black: Any) -> Any:
        return mctx.muzero_policy(
            params=(), rng_key=key, root=root_of(board, black), recurrent_fn=step, num_simulations=SIMULATIONS
        ).action

    search = jax.jit(search_plainly)
    board, black = jnp.zeros((batch, 9, 9), jnp.int32), jnp.ones(batch, bool)
    key = jax.random.PRNGKey(0)
    jax.block_until_ready(search(key, board, black))  # compiled here

    def run() -> int:
        jax.block_until_ready(search(key, board, black))
        return batch * (SIMULATIONS + 1)  # and its root

    return run


def openspiel_search(cache_size: int) -> Callable[[], int]:
    """OpenSpiel's Python AlphaZero: its search, evaluator and residual network of the same size. It asks twice about a
    node, for its value and for its moves; a cache of one answer is as good as none.
    """
    warnings.simplefilter("ignore")
    import pyspiel
    from open_spiel.python.algorithms import mcts
    from open_spiel.python.algorithms.alpha_zero import evaluator, model_nnx

    game = pyspiel.load_game("mnk(m=9,n=9,k=5)")
    model = model_nnx.Model.build_model("resnet", game.observation_tensor_shape(), 81, 64, 4, 1e-4, 1e-3, None)
    bot = mcts.MCTSBot(
        game,
        1.0,
        20,
        evaluator.AlphaZeroEvaluator(game, model, cache_size=cache_size),
        solve=False,
        child_selection_fn=mcts.SearchNode.puct_value,
    )
    bot.step(game.new_initial_state())

    def run() -> int:
        bot.step(game.new_initial_state())
        return 20

    return run


def rate(run: Callable[[], int], seconds: float) -> float:
    start, done = time.perf_counter(), 0
    while (now := time.perf_counter()) - start < seconds:
        done += run()
    return done / (now - start)


def sides() -> Iterator[Row]:
    torch.manual_seed(0)
    network = AlphaZeroNet(9).eval()
    evaluate = evaluator_for(network, (9, 9), threads=THREADS)
    search = SearchSettings(simulations=SIMULATIONS, cache_bits=0, leaves=1)
    others = {f"mctx, {batch} games": mctx_search(network, batch) for batch in MCTX_BATCHES}
    others["OpenSpiel"] = openspiel_search(cache_size=1)
    others["OpenSpiel, cached"] = openspiel_search(cache_size=1000)
    seen: dict[str, list[float]] = {name: [] for name in ("ours", "bare", *others)}
    for _ in range(ROUNDS):
        seen["ours"].append(searching(search, evaluate, 6.0, 128))
        seen["bare"].append(bare(evaluate, 128, 4.0))
        for name, run in others.items():
            seen[name].append(rate(run, 5.0))
    told = {name: statistics.median(rates) for name, rates in seen.items()}
    best = max((name for name in others if name.startswith("mctx")), key=lambda name: told[name])
    ours = f"{told['ours']:,.0f} simulations/s"

    def ratio(name: str) -> float:
        return statistics.median(a / b for a, b in zip(seen["ours"], seen[name], strict=True))

    yield Row("x mctx", ratio(best), 2.0, f"{ours}, {best} {told[best]:,.0f}")
    cached = f"with its cache {told['OpenSpiel, cached']:,.1f}, {ratio('OpenSpiel, cached'):,.0f} x"
    note = f"{ours}, OpenSpiel {told['OpenSpiel']:,.1f}; {cached}"
    yield Row("x OpenSpiel's Python AlphaZero", ratio("OpenSpiel"), 120.0, note)
    yield Row("of the bare network's rate", ratio("bare"), 0.85, f"{ours}, the network alone {told['bare']:,.0f}")


def small_network() -> Iterator[Row]:
    """The preset's network in native code beside ONNX Runtime, where it plays, and PyTorch, where it learns."""
    network = load_board_network("gomoku-6x6-4").network
    luck = np.random.default_rng(0)
    planes = np.zeros((256, 3, 6, 6), np.float32)
    stones = luck.integers(-1, 2, (256, 6, 6))
    planes[:, 0], planes[:, 1] = stones == 1, stones == -1
    policy, value = luck.dirichlet(np.ones(36), 256).astype(np.float32), luck.integers(-1, 2, 256).astype(np.float32)
    rows = (torch.from_numpy(planes), torch.from_numpy(policy), torch.from_numpy(value))
    answers = {engine: evaluator_for(network, (6, 6), threads=THREADS, engine=engine) for engine in ("auto", "onnx")}
    steps = {engine: gradients_for(network, (6, 6), THREADS, engine) for engine in ("auto", "torch")}
    torch.set_num_threads(THREADS)

    def answer(engine: str) -> int:
        answers[engine](planes)
        return len(planes)

    def step(engine: str) -> int:
        steps[engine](*rows, 1.0)
        return 1

    for what, ask, other, unit in (
        ("x ONNX Runtime, answers of the preset's network on 6 × 6", answer, "onnx", "answers/s"),
        ("x PyTorch, gradients of 256 rows there", step, "torch", "steps/s"),
    ):
        seen = [[rate(partial(ask, engine), 2.0) for engine in ("auto", other)] for _ in range(ROUNDS)]
        ours, theirs = (statistics.median(side) for side in zip(*seen, strict=True))
        note = f"{ours:,.0f} {unit}, the other {theirs:,.0f}"
        yield Row(what, statistics.median(a / b for a, b in seen), 1.0, note)


def games_an_hour() -> Iterator[Row]:
    settings = load_any_settings("gomoku-6x6-4")
    assert isinstance(settings, AlphaZeroSettings)
    policy = load_board_network("gomoku-6x6-4")
    play = replace(settings.selfplay, games=256, full_share=1.0, first_simulations=None, opening_share=0.0)
    whole = replace(settings, search=replace(settings.search, simulations=400), selfplay=play)
    evaluate = policy.evaluator(threads=THREADS)
    rates = []
    for number in range(ROUNDS):
        referee = referee_for(policy.game, play, THREADS)
        start = time.perf_counter()
        played = play_games(policy.game, evaluate, whole, number, THREADS, referee)
        assert played is not None
        rates.append(3600 * len(played.games) / (time.perf_counter() - start))
    note = "400 simulations a move, the preset's network, from the empty board; a game ends where its result is proved"
    yield Row("self-play games an hour, 6 × 6", statistics.median(rates), 10_000, note)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", help="also write the figures here")
    args = parser.parse_args()
    rows: list[Row] = []
    for part in (tree_alone, small_network, sides, games_an_hour):
        for row in part():
            rows.append(row)
            verdict = f"(wanted {row.wanted:,g}) {'ok' if row.got >= row.wanted else 'MISSED'}"
            print(f"{row.what}: {row.got:,.4g} {verdict}; {row.note}", flush=True)
    if args.json:
        Path(args.json).write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n")
    return 0 if all(row.got >= row.wanted for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
