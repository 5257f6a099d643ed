"""Gomoku from the command line: train, go on after a kill, look, play, and measure by the truth."""

from __future__ import annotations

import json
import re
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest
from safetensors.numpy import load_file

from e2e.command import refusal, report, started, zerosum
from zerosum.runs.directory import RunDirectory

TINY = """
[run]
game = "gomoku:size=4,line=3"
algorithm = "alphazero"
iterations = 6
checkpoint_seconds = 0.0
[network]
channels = 8
blocks = 1
[search]
simulations = 16
[selfplay]
games = 40
slots = 16
fast_simulations = 6
full_share = 0.5
growth = 4
aside_rows = 1
proof_nodes = 30
early_stones = 3
early_proof_nodes = 200
opening_share = 0.7
opening_most = 4
[sparring]
games = 3
after = 1
simulations = 12
wrong_times = 2
alone_after = 0.7
alone_steps = 7
[replay]
first_rows = 20
window_rows = 300
[fit]
batch_rows = 32
passes = 2
mean_steps = 5
[arena]
every = 2
games = 8
simulations = 8
"""


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("settings") / "tiny.toml"
    file.write_text(TINY)
    return file


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory, tiny: Path) -> dict[str, Any]:
    return report("train", tiny, "--out", tmp_path_factory.mktemp("runs") / "run", "--workers", "1")


def test_a_run_and_its_record(trained: dict[str, Any]) -> None:
    assert trained["iterations"] == 6
    assert trained["games"] == 200  # the last iteration had none, but games against a player who never errs
    assert trained["finished"]
    rows = RunDirectory(Path(trained["run"])).metrics()
    assert [row["iteration"] for row in rows] == list(range(1, 7))
    assert set(rows[-1]["losses"]) == {"policy", "value"}
    assert rows[-1]["gradient_norms"]["conv_input.weight"] > 0
    assert {"wins", "draws", "losses", "verdict"} <= set(rows[-1]["arena"])
    assert "elo" in rows[-1]
    assert [row.get("results") is None for row in rows] == [False] * 5 + [True]
    assert rows[-1]["sparring"]["moves"] > 0
    assert rows[-1]["fit_seconds"] * rows[-1]["batches_per_second"] == pytest.approx(7)


def test_the_same_bits_with_any_number_of_threads(tmp_path: Path, tiny: Path, trained: dict[str, Any]) -> None:
    done = report("train", tiny, "--out", tmp_path / "run", "--workers", "3")
    assert done["weights_sha256"] == trained["weights_sha256"]


def test_killed_and_gone_on_with(tmp_path: Path, tiny: Path, trained: dict[str, Any]) -> None:
    run = tmp_path / "run"
    kills = 0
    while kills < 3:
        what = ("--resume", run) if (run / "settings.toml").exists() else (tiny, "--out", run)
        process = started("train", *what, until=run / "checkpoints" / f"{kills + 1:015d}.safetensors")
        process.kill()
        process.communicate()
        kills += 1
    done = report("train", "--resume", run)
    assert done["weights_sha256"] == trained["weights_sha256"]
    rows = RunDirectory(run).metrics()
    assert [row["iteration"] for row in rows] == list(range(1, 7))


def test_ctrl_c_saves_and_leaves(tmp_path: Path, tiny: Path, trained: dict[str, Any]) -> None:
    run = tmp_path / "run"
    process = started("train", tiny, "--out", run, until=run / "checkpoints" / f"{1:015d}.safetensors")
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode in (0, 130), errors
    assert report("train", "--resume", run)["weights_sha256"] == trained["weights_sha256"]


def test_a_damaged_replay_window_is_named(tmp_path: Path, tiny: Path) -> None:
    run = tmp_path / "run"
    report("train", tiny, "--out", run, "--set", "run.iterations=2")
    for file in (run / "replay").glob("*.safetensors"):
        file.write_bytes(file.read_bytes()[:100])
    told = zerosum("train", "--resume", run, "--set", "run.iterations=3", code=2).stderr
    assert "replay window cannot be read" in told


def test_pytorch_gives_the_same_bits_after_a_stop(tmp_path: Path, tiny: Path) -> None:
    torch = ("--set", "run.engine=torch")
    whole = report("train", tiny, "--out", tmp_path / "whole", *torch)
    part = tmp_path / "part"
    process = started("train", tiny, "--out", part, *torch, until=part / "checkpoints" / f"{4:015d}.safetensors")
    process.kill()
    process.communicate()
    assert report("train", "--resume", part)["weights_sha256"] == whole["weights_sha256"]


def test_gumbel_and_the_other_network(tmp_path: Path, tiny: Path) -> None:
    changes = ("--set", "search.root=gumbel", "--set", "network.kind=alphazero", "--set", "run.iterations=2")
    assert report("train", tiny, "--out", tmp_path / "run", *changes)["iterations"] == 2


def test_games_end_with_the_minutes(tmp_path: Path) -> None:
    """The fourth iteration spars for most of a minute where nobody looks at the clock."""
    run, few = tmp_path / "run", ("--set", "selfplay.games=16", "--set", "search.simulations=4")
    assert report("train", "gomoku-5x5-4", "--minutes", "0.02", *few, "--out", run)["finished"]
    rows = RunDirectory(run).metrics()
    assert all("sparring" not in row for row in rows)
    assert rows[-1]["seconds"] >= 1.2
    assert report("runs", tmp_path)["runs"][0]["state"] == "finished"
    assert "nothing to do" in zerosum("train", "--resume", run).stderr


def test_figures_of_another_kind_are_passed_over(tmp_path: Path, trained: dict[str, Any]) -> None:
    run = tmp_path / "run"
    shutil.copytree(trained["run"], run)
    odd = ({"losses": {"policy": None}}, {"losses": {"policy": "x"}}, {"losses": 5}, {"buffers": 1}, {"events": 1})
    with (run / "metrics.jsonl").open("a") as file:
        for more in (*odd, {"policies": 1}, {"nodes": "x"}, {"elo": "x"}, {"scores": 3}, {"seconds": None}):
            file.write(json.dumps({"iteration": 7, "seconds": 1.0, **more}) + "\n")
            file.flush()
            assert report("runs", tmp_path)["runs"][0]["state"] == "finished"
            zerosum("report", run, "--out", tmp_path / "page.html")
    assert "Losses" in (tmp_path / "page.html").read_text()


def test_runs_and_report(tmp_path: Path, trained: dict[str, Any]) -> None:
    assert "alphazero" in zerosum("runs", Path(trained["run"]).parent).stdout
    zerosum("report", trained["run"], "--out", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "Elo" in page
    assert "Losses" in page


def test_show(tmp_path: Path, trained: dict[str, Any]) -> None:
    words = zerosum("show", trained["run"], "--moves", "1,1 2,2", "--simulations", "50").stdout
    assert "(O)" in words
    assert "visits" in words
    told = report("show", trained["run"], "--moves", "1,1 2,2", "--simulations", "50", "--tree", tmp_path / "t.svg")
    assert told["visits"] == 50
    assert sum(child["visits"] for child in told["children"]) <= 50
    assert (tmp_path / "t.svg").read_text().startswith("<svg")
    won = ("--moves", "1,1 3,3 1,2 3,0", "--simulations", "50", "--tree", tmp_path / "won.svg")
    words = zerosum("show", trained["run"], *won).stdout
    assert "certain: X wins" in words
    assert re.search(r"^with proofs it plays 1,[03]$", words, re.MULTILINE)
    assert "root wins</text>" in (tmp_path / "won.svg").read_text()


def test_play(trained: dict[str, Any]) -> None:
    stdin = "hint\n1,1\nundo\n9,9\nhello\n1,1\n0,0\n0,1\n0,2\n0,3\n1,0\n1,2\n1,3\n2,0\n2,1\nq\n"
    game = ("play", "gomoku:size=4,line=3", "--against", trained["run"], "--simulations", "30")
    told = zerosum(*game, stdin=stdin).stdout
    assert "visits, prior" in told
    assert "wanted a cell of 4 rows and 4 columns" in told
    assert "wanted a cell such as" in told
    assert told.count("it plays") == len(re.findall(r"it plays (\d,\d): .*\n  \1: ", told)) > 0
    assert not re.search(r"win rate.*(wins|draws|loses)|\b1 visits", told)
    first = zerosum(*game[:4], "--think-ms", "50", "--second", stdin="q\n").stdout
    assert "it plays" in first
    assert first.count("visits, prior") == 3  # its best moves, beside the one it makes


def test_play_against_players_without_a_network_and_on_other_boards(trained: dict[str, Any]) -> None:
    told = zerosum("play", "gomoku:size=7", "--against", "alphabeta:2", stdin="3,3\nhint\nq\n").stdout
    assert "alphabeta:2 plays" in told
    assert "visits, prior" in told  # a network for lines of five comes along, and plays on every board
    told = zerosum("play", "gomoku:size=4,line=3", "--against", "greedy", stdin="1,1\nhint\nq\n").stdout
    assert "greedy plays" in told
    assert "no network that comes along plays on this board" in told
    game = ("play", "gomoku:size=5,line=3", "--against", trained["run"], "--simulations", "20")
    told = zerosum(*game, stdin="2,2\nq\n").stdout
    assert "it plays" in told
    assert "The network learnt gomoku:size=4,line=3; elsewhere it is weaker." in told
    assert "learnt" not in zerosum("play", "gomoku:size=4,line=3", *game[2:], stdin="q\n").stdout
    assert "wanted one of random, greedy, mcts:N" in refusal("play", "gomoku:size=7", "--against", "alphabeta")


def test_evaluate_exact(trained: dict[str, Any]) -> None:
    told = report("evaluate", trained["run"], "--exact", "--positions", "50", "--games", "8", "--simulations", "30")
    assert sum(told["positions"]["labels"].values()) == 50
    assert 0 <= told["positions"]["network"]["value"] <= 1
    assert 0.5 < told["positions"]["search"]["move"] <= 1
    assert all(row["wins"] + row["draws"] + row["losses"] == row["games"] for row in told["perfect"].values())


def test_evaluate_every_reply(trained: dict[str, Any]) -> None:
    asked = ("evaluate", trained["run"], "--exact", "--positions", "2", "--simulations", "30", "--every-reply", "2")
    told = report(*asked)
    assert "perfect" not in told
    assert [len(told["replies"][side]) for side in ("first", "second")] == [2, 0]  # who has nothing to lose is not led
    assert all(0 <= move["given_away"] <= move["positions"] for move in told["replies"]["first"])
    assert f"of {told['replies']['first'][1]['positions']:,}" in zerosum(*asked).stdout
    assert "every-reply: got 0, wanted 1 to 400" in refusal(*asked[:-1], "0")


def test_match(trained: dict[str, Any]) -> None:
    run, game = trained["run"], ("--game", "gomoku:size=4,line=3", "--simulations", "20")
    told = report("match", run, run, *game, "--games", "10")
    assert told["wins"] + told["draws"] + told["losses"] == told["games"] == 10
    assert told["score"] == 0.5  # against itself, with both colours
    assert told["ci95"] == pytest.approx(1 - 0.05 ** (1 / 5))  # five openings that all came to the same
    assert "games: got 9, wanted an even number" in refusal("match", run, run, *game, "--games", "9")
    larger = ("--game", "gomoku:size=5,line=3", "--simulations", "20")
    assert report("match", run, run, *larger, "--games", "2")["games"] == 2  # SwiftNet plays on every board ...
    assert "a policy for gomoku:size=4,line=3, wanted one for gomoku:size=5,line=4" in refusal(
        *("match", run, run, "--game", "gomoku:size=5,line=4", "--games", "2")  # ... with its own line
    )
    told_in_words = zerosum("match", run, run, *game, "--games", "10").stdout
    assert f"{told['wins']} won, {told['draws']} drawn, {told['losses']} lost: 50.0%" in told_in_words


def test_a_run_begins_with_another_networks_weights(tmp_path: Path, tiny: Path, trained: dict[str, Any]) -> None:
    larger = (tiny, "--set", "run.game=gomoku:size=5,line=3", "--set", f"run.begin_with={trained['run']}")
    none = ("--set", "run.iterations=1", "--set", "replay.first_rows=299")  # nothing is learnt yet
    run = tmp_path / "run"
    report("train", *larger, *none, "--out", run)
    given, taken = (load_file(next(Path(path, "policy").glob("*.safetensors"))) for path in (trained["run"], run))
    assert given.keys() == taken.keys()
    assert all((given[name] == taken[name]).all() for name in given)
    shutil.copytree(run, again := tmp_path / "again")
    elsewhere = Path(trained["run"]).rename(tmp_path / "elsewhere")  # a run that goes on needs it no more
    report("train", "--resume", again, "--set", "run.iterations=2")
    elsewhere.rename(trained["run"])
    told = refusal("train", *larger, "--set", "network.channels=9", "--out", tmp_path / "x")
    assert "begin_with" in told
    assert "of 8 channels and 1 blocks for gomoku:size=4,line=3, wanted a swift network of 9 channels" in told
    assert "wanted a policy directory" in refusal(
        "train", tiny, "--set", f"run.begin_with={tmp_path / 'nothing'}", "--out", tmp_path / "x"
    )
    assert not (tmp_path / "x").exists()


def test_proof_search_is_for_small_boards(tmp_path: Path, tiny: Path) -> None:
    large = ("--set", "run.game=gomoku:size=9", "--set", "selfplay.proof_nodes=10")
    told = refusal("train", str(tiny), "--out", str(tmp_path / "run"), *large)
    assert "proof_nodes: got 10 on a board of 81 cells, wanted 0 on more than 64" in told
    no_proofs = ("--set", "selfplay.proof_nodes=0", "--set", "selfplay.aside_rows=0")
    told = refusal("train", str(tiny), "--out", str(tmp_path / "run"), *large[:2], *no_proofs)
    assert "sparring: games: got 3 on a board of 81 cells, wanted 0 on more than 64" in told
    told = refusal("train", str(tiny), "--out", str(tmp_path / "run"), "--set", "selfplay.proof_nodes=0")
    assert "aside_rows: got 1, wanted 0 without proof_nodes" in told


def test_refusals(tmp_path: Path, trained: dict[str, Any], tiny: Path) -> None:
    run = trained["run"]
    assert "a policy for gomoku:size=4,line=3, wanted one for gomoku:size=5,line=4" in refusal(
        "play", "gomoku:size=5,line=4", "--against", run
    )
    assert "no policy for gomoku:size=4,line=3 comes along" in refusal("play", "gomoku:size=4,line=3")
    assert "simulations: got 0" in refusal("play", "gomoku:size=4,line=3", "--against", run, "--simulations", "0")
    assert "wanted a game of gomoku" in refusal("play", "holdem", "--think-ms", "5")
    assert "got a taken cell" in refusal("show", run, "--moves", "1,1 1,1")
    assert "got '-1,0', wanted a cell of 4 rows and 4 columns" in refusal("show", run, "--moves", "-1,0")
    assert "the game is over" in refusal("show", run, "--moves", "0,0 1,0 0,1 1,1 0,2")
    assert "wanted .svg" in refusal("show", run, "--tree", tmp_path / "t.png")
    assert "wanted --exact" in refusal("evaluate", run)
    assert "got no policy of gomoku" in refusal("evaluate", "uniform", "--game", "kuhn", "--exact")
    assert "got no policy of gomoku" in refusal("evaluate", "holdem-hu", "--exact")
    assert "nope: no such directory" in refusal("evaluate", "nope", "--exact")
    assert "plays without a network" in refusal("evaluate", "greedy", "--game", "gomoku:size=5,line=4", "--exact")
    assert "hands: got 5, wanted a game of hold'em" in refusal("evaluate", run, "--exact", "--hands", "5")
    lbr = ("evaluate", "call", "--game", "holdem", "--lbr")
    assert "every-reply: got 2, wanted a policy of gomoku" in refusal(*lbr, "--every-reply", "2")
    assert "positions: got 0, wanted a policy of gomoku" in refusal(*lbr, "--positions", "0")
    assert "hands: got no game of hold'em" in refusal("evaluate", "uniform", "--game", "kuhn", "--hands", "9")
    assert "got an empty name" in refusal("play", "holdem", "--against", "")
    hands = ("match", "call", "fold", "--game", "holdem", "--hands", "2", "--out")
    assert "wanted one such as hands.phhs" in refusal(*hands, tmp_path / "x.sgf")
    both = ("--minutes", "1", "--set", "run.minutes=abc")
    assert "wanted one of them" in refusal("train", tiny, *both, "--out", tmp_path / "x")
    assert "unknown setting" in refusal("train", tiny, "--set", "search.depth=3", "--out", tmp_path / "x")
    assert "wanted gomoku" in refusal("train", tiny, "--set", "run.game=kuhn", "--out", tmp_path / "x")
    assert "wanted sd-cfr or deep-cfr" in refusal("train", tiny, "--out", tmp_path / "x", "--cluster", "ray")
    assert "a run with search.simulations = 16" in refusal("train", "--resume", run, "--set", "search.simulations=9")
    assert "got 1 players, wanted 2" in refusal("match", run, "--game", "gomoku:size=4,line=3")
    assert "wanted a card game" in refusal("tournament", run, run, "--game", "gomoku:size=4,line=3")
    assert not (tmp_path / "x").exists()


def test_a_policy_with_changed_weights_is_refused(tmp_path: Path, trained: dict[str, Any]) -> None:
    run = tmp_path / "run"
    shutil.copytree(Path(trained["run"]) / "policy", run / "policy")
    file = next((run / "policy").glob("network-*.safetensors"))
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(bytes(data))
    assert "checksum does not match" in refusal("show", run)
    header = json.loads((run / "policy" / "policy.json").read_text())
    header["network"]["channels"] = 9
    (run / "policy" / "policy.json").write_text(json.dumps(header))
    assert "was changed after it was written" in refusal("show", run)


def test_perft() -> None:
    games = [9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872]
    assert report("perft", "gomoku:size=3,line=3") == {
        "game": "gomoku:size=3,line=3",
        "games": games,
        "total": sum(games),
    }
    assert f"{225 * 224:,}" in zerosum("perft", "gomoku").stdout
    assert "plies: got 10, wanted 1 to 9" in refusal("perft", "gomoku:size=3,line=3", "--plies", "10")
    assert "counted by streets" in refusal("perft", "holdem:stack=10,blinds=1/2", "--plies", "3")
    assert "wanted holdem, sixmax, flop-holdem or gomoku" in refusal("perft", "kuhn")


def test_ctrl_c_before_the_first_iteration(tmp_path: Path, tiny: Path) -> None:
    """The object at the end is AlphaZero's all the same."""
    long = ("--set", "selfplay.games=4000", "--set", "search.simulations=400", "--set", "selfplay.full_share=1.0")
    process = started("train", tiny, "--out", tmp_path / "run", *long, "--json", until=tmp_path / "run/settings.toml")
    process.send_signal(signal.SIGINT)
    told, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    done = json.loads(told)
    assert (done["iterations"], done["games"], done["simulations"], done["elo"]) == (0, 0, 0, 0)
    assert not {"nodes", "exploitability", "nash_conv", "policies"} & set(done)


def test_show_draws_a_tree_where_the_value_is_certain(tmp_path: Path) -> None:
    told = report("show", "gomoku-6x6-4", "--moves", "2,2 3,3", "--simulations", "400", "--tree", tmp_path / "t.svg")
    assert told["certain"] == 1
    assert told["visits"] == 400
    assert any(child["certain_to_mover"] == 1 for child in told["children"])
    below = [grandchild for child in told["children"] for grandchild in child["children"]]
    assert all(child["children"] for child in told["children"] if child["visits"] > 1)
    assert any(grandchild["children"] for grandchild in below)
    assert all(child["visits"] >= sum(after["visits"] for after in child["children"]) for child in told["children"])
    assert (tmp_path / "t.svg").read_text().count("<rect") > 8
    words = zerosum("show", "gomoku-6x6-4", "--moves", "2,2 3,3", "--simulations", "400").stdout
    assert "certain: X wins" in words
    assert words.count("prior") > 8
