"""Hold'em bots as a user meets them: exported, compiled, under our dealer and our judge, and told nonsense."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from e2e.command import ZEROSUM, refusal, report, zerosum
from e2e.holdem_bots import decided, exchange, request, talk
from zerosum.export import export_weights_bin, load_weights
from zerosum.export.states import random_views
from zerosum.games.holdem import Holdem
from zerosum.policy.player import PolicyPlayer
from zerosum.policy.scripted import scripted_player
from zerosum.protocols.acpc_bot import AcpcBot
from zerosum.protocols.botzone_holdem import HoldemBot

if TYPE_CHECKING:
    from pathlib import Path


COMPILE = (os.environ.get("CXX", "c++"), "-std=c++17", "-Wall", "-Wextra", "-Werror")


@pytest.fixture(scope="module")
def bot(policies: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A compiled bot with its weights in data/."""
    where = tmp_path_factory.mktemp("bot")
    told = zerosum("export", policies / "botzone", "--to", "cpp", "--out", where).stdout
    assert [line.split(":")[0] for line in told.splitlines()] == [
        str(where / name) for name in ("bot.cpp", "data/card_model.bin", "data/cfr_net.bin")
    ]
    subprocess.run([*COMPILE, "-O2", "bot.cpp", "-o", "bot"], cwd=where, check=True)
    return where / "bot"


def test_it_answers_botzone_as_the_policy_in_python_does(bot: Path) -> None:
    policy = decided("botzone")
    lines = [json.dumps(request(view, k)) for k, view in enumerate(random_views(policy.game, 1500, seed=1))]
    warned: list[str] = []
    python = HoldemBot(PolicyPlayer("python", policy), policy.game, 9, warned.append)
    wanted = [python.answer(line) for line in lines]
    found, said = talk(bot, lines, "--seed", "9")
    assert found == wanted
    assert (said, warned) == ([], [])
    assert len(set(found)) > 20
    assert {-2, -1, 0} <= set(found)
    once = {"requests": [json.loads(line) for line in lines[:5]], "responses": [0] * 4, "data": "", "time_limit": 1}
    assert talk(bot, [json.dumps(once), lines[0]], "--seed", "9", "--one-shot") == ([wanted[4]], [])


def test_it_answers_acpc_as_the_policy_in_python_does(policies: Path, tmp_path: Path) -> None:
    """A bot whose weights stand in its source, in whole numbers; compiled without optimisation, it is the same bot."""
    told = zerosum("export", policies / "standard", "--to", "cpp", "--embed", "--out", tmp_path).stdout
    assert "no strategy moves by more than 0.0" in told
    assert not (tmp_path / "data").exists()
    subprocess.run([*COMPILE, "-O1", "bot.cpp", "-o", "bot"], cwd=tmp_path, check=True)
    policy = decided("standard")
    lines = []
    for number, view in enumerate(random_views(policy.game, 600, seed=2)):
        holes = ["", ""]
        holes[view.seat] = "".join("23456789TJQKA"[card // 4] + "cdhs"[card % 4] for card in view.hole)
        board = "".join("23456789TJQKA"[card // 4] + "cdhs"[card % 4] for card in view.board)
        streets = "".join(f"/{board[a:b]}" for a, b in ((0, 6), (6, 8), (8, 10)) if len(board) >= b)
        lines.append(f"MATCHSTATE:{view.seat}:{number}:{view.betting}:{'|'.join(holes)}{streets}")
    python = AcpcBot(PolicyPlayer("python", policy), policy.game, 9, lambda _line: None)
    wanted = [python.answer(line) for line in lines]
    found, _ = exchange(tmp_path / "bot", ["# hello", *lines, "; bye", "nonsense"], "--seed", "9")
    assert len(found) == len(wanted)
    assert sum(a != b for a, b in zip(found, wanted, strict=True)) <= 12  # strategies moved by up to 0.01
    _, said = exchange(tmp_path / "bot", lines[:1], "--weights", str(tmp_path))  # told where to look, it looks there
    assert said[0].endswith(".bin: no such file; checks and folds")


def test_hands_under_our_dealer(bot: Path, policies: Path, tmp_path: Path) -> None:
    """The compiled bot meets the same policy in Python, and both play by the rules."""
    log = tmp_path / "log.txt"
    dealer = [*ZEROSUM, "dealer", "--hands", "300", "--ports", "0,0", "--names", "cpp,python", "--log", str(log)]
    with subprocess.Popen(
        [*dealer, "--seed", "5", "--wait-seconds", "200"], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        first, second = process.stdout.readline().removeprefix("ports: ").split()
        python = [*ZEROSUM, "bot", str(policies / "standard"), "--protocol", "acpc", "--host", "127.0.0.1"]
        others = [
            subprocess.Popen([str(bot), "acpc", "localhost", first], cwd=bot.parent, stderr=subprocess.DEVNULL),
            subprocess.Popen([*python, "--port", second]),
        ]
        told = process.stdout.read()
        assert [other.wait(timeout=30) for other in others] == [0, 0]
    assert process.returncode == 0
    assert "faults: 0" in told
    lines = log.read_text().splitlines()
    states = [line.split(":") for line in lines if line.startswith("STATE:")]
    assert len(states) == 300
    assert all(len(state[3].split("/")[0].replace("|", "")) == 8 for state in states)
    assert [state[5] for state in states[:2]] == ["cpp|python", "python|cpp"]
    won = sum(float(state[4].split("|")[state[5].split("|").index("cpp")]) for state in states)
    assert lines[-1] == f"SCORE:{won:.10g}|{-won:.10g}:cpp|python"


@pytest.mark.slow
def test_a_hundred_thousand_hands(bot: Path) -> None:
    command = f"acpc:{bot} acpc --weights {bot.parent / 'data'}"
    told = report("match", command, "equity", "--game", "holdem", "--hands", "100000")
    assert list(told["faults"].values()) == [[]]


def test_matches_under_our_judge(bot: Path) -> None:
    command = f"{bot} --weights {bot.parent / 'data'}"
    kept = report("judge", "botzone", "--game", "holdem", command, command, "--hands", "60", "--turn-seconds", "20")
    assert kept["played"] == 60
    assert [player["starts"] for player in kept["players"]] == [1, 1]
    anew = report(
        "judge", "botzone", "--game", "holdem", command, command, "--hands", "8", "--one-shot", "--turn-seconds", "20"
    )
    assert all(player["starts"] >= 4 for player in anew["players"])
    for told in (kept, anew):
        assert [player["faults"] for player in told["players"]] == [[], []]
        assert sum(player["won"] for player in told["players"]) == 0


def test_gomoku_and_bots_in_python_under_our_judge(policies: Path) -> None:
    python = f"{sys.executable} -m zerosum bot"
    commands = [f"{python} greedy --protocol botzone", f"{python} random --protocol botzone --keep-running"]
    told = report("judge", "botzone", "--game", "gomoku", *commands, "--games", "1", "--turn-seconds", "60")
    assert told["players"][0]["games"] == 1
    assert [player["faults"] for player in told["players"]] == [[], []]
    commands = [
        f"{python} {policies / 'botzone'} --protocol botzone",
        f"{python} call --protocol botzone --one-shot",
    ]
    told = report("judge", "botzone", "--game", "holdem", *commands, "--hands", "2", "--turn-seconds", "60")
    assert [player["faults"] for player in told["players"]] == [[], []]
    assert told["players"][0]["starts"] == 1 < told["players"][1]["starts"]


def test_a_program_that_misbehaves_folds_and_the_match_goes_on(bot: Path) -> None:
    good = f"{bot} --weights {bot.parent / 'data'}"
    for code, words in (
        ("print('{\"response\": 77}')", "got 77"),
        ("import sys; sys.exit(3)", "wanted a response"),
        ("print('hello')", "wanted a response"),
        ("import time; time.sleep(60)", "did not answer in time"),
    ):
        bad = f"{sys.executable} -c {json.dumps(code)}"
        command = ("judge", "botzone", "--game", "holdem", good, bad, "--hands", "1", "--turn-seconds", "1")
        told = report(*command, code=1)
        assert told["players"][0]["won"] == 50
        assert words in told["players"][1]["faults"][0]


NONSENSE = ("{", "", "[[[[", '{"requests":[]}', '{"requests":[{"my_id":0}]}', "\x01\x02", '{"response":1}', "9" * 5000)


def test_nonsense_gets_a_legal_action_and_a_word(bot: Path, tmp_path: Path) -> None:
    view = next(random_views(Holdem(order="botzone"), 1, seed=0))
    good = json.dumps(request(view, 0))
    found, said = talk(bot, [*NONSENSE, good], "--seed", "1")
    assert found[:-1] == [-1] * len(NONSENSE)  # an empty line is a turn like any other
    assert found[-1] in (-2, -1, 0) or found[-1] >= 200
    assert len(said) == len(NONSENSE)
    assert all(line.isprintable() for line in said)
    found, said = talk(bot, [good, good], "--deadline-ms", "0")
    assert found[0] == -1
    assert "no time" in said[0]
    assert talk(bot, [good], "--seed", "1", cwd=tmp_path) == talk(
        bot, [good], "--seed", "1"
    )  # data/ beside the program
    found, said = talk(bot, [good], "--weights", str(tmp_path))
    assert found == [-1]
    assert "checks and folds" in said[0]
    cut = (bot.parent / "data" / "cfr_net.bin").read_bytes()[:-100]
    (tmp_path / "cfr_net.bin").write_bytes(cut)
    (tmp_path / "card_model.bin").write_bytes((bot.parent / "data" / "card_model.bin").read_bytes())
    found, said = talk(bot, [good], "--weights", str(tmp_path))
    assert found == [-1]
    assert "cfr_net.bin: values: got" in said[0]
    (tmp_path / "cfr_net.bin").write_bytes((bot.parent / "data" / "card_model.bin").read_bytes())
    found, said = talk(bot, [good], "--weights", str(tmp_path))
    assert found == [-1]
    assert said[0].startswith("bot: cfr_net.bin: ")
    (tmp_path / "card_model.bin").write_bytes((bot.parent / "data" / "cfr_net.bin").read_bytes())
    assert talk(bot, [good], "--weights", str(tmp_path))[1][0].startswith("bot: card_model.bin: ")


def test_lines_that_are_no_turns(bot: Path) -> None:
    view = next(random_views(Holdem(order="botzone"), 1, seed=0))
    good = json.dumps(request(view, 0))
    answer = talk(bot, [good], "--seed", "1")
    assert talk(bot, [f"\ufeff{good}"], "--seed", "1") == answer
    assert talk(bot, json.dumps({"request": json.loads(good)}, indent=2).splitlines(), "--seed", "1") == answer
    assert talk(bot, ["", good], "--seed", "1", "--one-shot") == answer
    found, said = talk(bot, ["", ""], "--one-shot")
    assert (found, len(said)) == ([-1], 1)
    done = subprocess.run([str(bot)], input="", capture_output=True, text=True, cwd=bot.parent, check=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_a_line_that_is_cut_off_gets_its_answer_while_the_judge_waits(bot: Path) -> None:
    python = [*ZEROSUM, "bot", "call", "--protocol", "botzone"]
    for command in ([str(bot)], python):
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=bot.parent
        ) as process:
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write('{"requests":[\n')
            process.stdin.flush()
            assert json.loads(process.stdout.readline()) == {"response": -1}
            process.stdin.close()


def test_bets_that_our_rules_do_not_have(bot: Path) -> None:
    """A legal answer, and a line that names the bet; Python says the same."""
    told = {"dealer_id": 0, "my_id": 0, "my_cards": [0, 4], "public_cards": [], "hand": 0}
    bets = (1, 51, 10**22, 30, 100, -2, 0, 50)
    lines = [json.dumps({**told, "history": [{"player_id": 1, "action": bet}]}) for bet in bets]
    lines += [json.dumps({**told, "my_id": 1, "history": None}), json.dumps({**told, "my_id": 1, "history": []})]
    found, said = talk(bot, lines, "--seed", "9")
    assert all(-2 <= answer < 20000 for answer in found)
    assert [line.split(" of ")[0] for line in said[:5]] == [f"bot: history: got {bet}" for bet in bets[:5]]
    assert "wanted a list" in said[5]
    assert len(said) == 6
    policy = decided("botzone")
    warned: list[str] = []
    python = HoldemBot(PolicyPlayer("python", policy), policy.game, 9, warned.append)
    assert [python.answer(line) for line in lines] == found
    assert [f"bot: {line}" for line in warned[:5]] == said[:5]
    assert len(warned) == 6


def test_requests_that_cannot_be_read_are_told_alike(bot: Path) -> None:
    """Field, what was got as JSON, and what was wanted; Python says the same."""
    told = {"dealer_id": 0, "my_id": 0, "my_cards": [0, 4], "public_cards": [], "hand": 0}
    lines = [
        json.dumps({**told, "history": [{"player_id": 1, "action": bet}]}, ensure_ascii=False)
        for bet in (-7, 200.5, True, None, "0", [1], -(10**22), "ö")
    ]
    lines += [
        json.dumps({**told, "history": [], **fields})
        for fields in (
            *({"my_id": None}, {"my_id": "0"}, {"dealer_id": True}, {"num_players": 11}, {"my_id": 1, "history": [7]}),
            *({"my_cards": [0, 52]}, {"public_cards": [1, 2, -1]}, {"public_cards": [1, 0, 2]}, {"my_cards": "x" * 90}),
            {"history": [{"player_id": 1, "action": 0}], "my_id": 1},
            {"history": [{"player_id": 1, "action": 0}, {"player_id": 0, "action": 0}]},
            {"history": [{"player_id": 1, "action": 0}, {"player_id": 1, "action": 0}]},
            {"history": [{"player_id": 1, "action": -1}]},
            {"history": [{"player_id": 1, "action": 0}], "public_cards": [8, 9, 10]},
        )
    ]
    lines += ["7", "null", '{"dealer_id": Infinity}']
    found, said = talk(bot, lines)
    warned: list[str] = []
    HoldemBot(scripted_player("call"), Holdem(order="botzone"), 9, warned.append).converse(
        lines, lambda _line: None, True
    )
    assert found == [-1] * len(lines)
    assert [f"bot: {line}" for line in warned] == said
    assert said[0] == "bot: history[0].action: got -7, wanted -2, -1, 0 or chips; folds"
    assert said[9] == 'bot: my_id: got "0", wanted 0 to 1; folds'
    assert said[17] == "bot: player 0 is to act, and my_id is 1; folds"


def test_bytes_that_are_no_text_are_told_alike(bot: Path) -> None:
    """As \\xNN, whatever they would be in a terminal."""
    heard = b"\xff\xfe{\x1b\n" + b'{"my_id": "\xff"}\n'
    for command in ([str(bot)], [*ZEROSUM, "bot", "call", "--protocol", "botzone"]):
        done = subprocess.run(command, input=heard, capture_output=True, cwd=bot.parent, check=True)
        assert b": got '\\xff\\xfe{\\x1b', wanted a line of JSON; folds\n" in done.stderr
        assert b": dealer_id: got nothing, wanted 0 to 1; folds\n" in done.stderr


def test_codes_with_which_it_ends(bot: Path) -> None:
    """The same for the same failure as those of `zerosum bot`."""
    for words, says in (
        (("acpc", "127.0.0.1", "1"), "cannot be reached"),
        (("acpc", "127.0.0.1", "70000"), "port: got 70000, wanted 1 to 65535"),
        (("acpc",), "wanted no words"),
        (("--seed", "x"), "--seed: got x, wanted 0 to 18446744073709551615"),
        (("--seed", "-1"), "--seed: got -1, wanted 0 to 18446744073709551615"),
        (("--seed", "18446744073709551616"), "--seed: got 18446744073709551616, wanted"),
        (("--seed",), "--seed: got nothing after it, wanted 0 to"),
        (("--deadline-ms", "1e3"), "--deadline-ms: got 1e3, wanted 0 to 1000000"),
        (("--weights",), "--weights: got nothing after it, wanted a directory"),
        (("--nonsense",), "got '--nonsense'"),
    ):
        done = subprocess.run([str(bot), *words], capture_output=True, text=True, cwd=bot.parent, check=False)
        assert done.returncode == 2
        assert says in done.stderr
    acpc = ("bot", "call", "--protocol", "acpc", "--host", "127.0.0.1")
    assert "port: got 70000, wanted 1 to 65535" in refusal(*acpc, "--port", "70000")
    done = subprocess.run([str(bot), "--help"], capture_output=True, text=True, check=True)
    assert "--deadline-ms" in done.stdout


def test_the_dealer_tells_faults_in_the_units_of_the_protocol(bot: Path) -> None:
    """r is all that was put in over the hand, and a fault ends the dealer with 1."""
    folds = [str(bot), "acpc", "127.0.0.1"]
    with subprocess.Popen(
        [*ZEROSUM, "dealer", "--hands", "1", "--ports", "0,0", "--wait-seconds", "100"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        first, second = process.stdout.readline().removeprefix("ports: ").split()
        with (
            subprocess.Popen([*folds, first], cwd=bot.parent, stderr=subprocess.DEVNULL),
            socket.create_connection(("127.0.0.1", int(second))) as connection,
            connection.makefile("rw", newline="") as stream,
        ):
            stream.write("VERSION:2.0.0\r\n")
            stream.flush()
            stream.write(f"{stream.readline().rstrip()}:r1\r\n")
            stream.flush()
            stream.read()
        _, told = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "got r1, wanted f or c, or r200 to r20000: all that it has put in over the hand" in told


def test_weights_that_are_no_numbers(bot: Path, tmp_path: Path) -> None:
    for name in ("card_model.bin", "cfr_net.bin"):
        tensors = {key: array.copy() for key, array in load_weights(bot.parent / "data" / name).items()}
        for array in tensors.values():
            array.fill(np.nan)
        export_weights_bin(tensors, tmp_path / name)
    view = next(random_views(Holdem(order="botzone"), 1, seed=0))
    found, said = talk(bot, [json.dumps(request(view, 0))], "--weights", str(tmp_path))
    assert found == [-1]
    assert "give no numbers" in said[0]
    assert exchange(bot, ["MATCHSTATE:0:0:c:2hAc|"], "--weights", str(tmp_path))[0] == ["MATCHSTATE:0:0:c:2hAc|:c"]


def test_acpc_with_cards_that_cannot_be_read(bot: Path) -> None:
    """Whose turn it is stands in the betting; Python says the same."""
    lines = [
        *("MATCHSTATE:0:0:c:|", "MATCHSTATE:0:0:r300:XxYy|", "MATCHSTATE:1:0::|AsAs", "MATCHSTATE:0:0:r150:2hAc|"),
        *("MATCHSTATE:1:0:r150:|2hAc", "", "\x1b[2J", "# fine", "MATCHSTATE:1:0:ffff:|AcAd"),
        *("MATCHSTATE:0:0:r20000cc:AcAd|", "MATCHSTATE:1:0:c/:|AcAd/2c3c4c"),
    ]
    warned: list[str] = []
    policy = decided("standard")
    python = AcpcBot(PolicyPlayer("python", policy), policy.game, 9, warned.append)
    wanted = [f"{lines[k]}:{action}" for k, action in enumerate("cffc")]
    assert [answer for line in lines if (answer := python.answer(line)) is not None] == wanted
    found, said = exchange(bot, lines, "--weights", str(bot.parent / "data"))
    assert found == wanted
    ends = ["checks", "folds", "folds", "calls", "turn", "answer", "answer", "over", "over", "turn"]
    assert [line.split()[-1] for line in warned] == ends
    assert said[1:] == [f"bot: {line}" for line in warned]  # after a word on the order of acting
    assert "got r150, wanted f or c, or r200 to r20000: all that it has put in over the hand; calls" in said[4]
    assert not any(letter in line for line in said for letter in "\x1b\r")
