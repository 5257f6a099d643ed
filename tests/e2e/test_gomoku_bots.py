"""Gomoku programs as a user meets them: bots over their pipes, matches with programs that behave and that do not."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from e2e.command import ZEROSUM, refusal, report, started, zerosum
from zerosum.games.gomoku import Gomoku
from zerosum.games.gomoku_records import read_records
from zerosum.networks.board_settings import BoardNetworkSettings
from zerosum.policy.board_network import BoardNetwork, save_board_network

NINE = "gomoku:size=9"


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Knows nothing, but plays on every board."""
    game, settings = Gomoku(9, 9, 5), BoardNetworkSettings("swift", 8, 1)
    where = tmp_path_factory.mktemp("network")
    save_board_network(BoardNetwork(game, settings, settings.build(game).weights(), {"algorithm": "alphazero"}), where)
    return where


def talk(*command: str, lines: list[str]) -> list[str]:
    return zerosum(*command, stdin="\n".join(lines) + "\n").stdout.splitlines()


def test_a_network_speaks_gomocup_on_any_board(network: Path) -> None:
    lines = ["START 15", "INFO timeout_turn 100", "BEGIN", "RESTART", "TURN 7,7", "START 20", "INFO rule 1", "BEGIN"]
    told = talk("bot", str(network), "--protocol", "gomocup", lines=[*lines, "RECTSTART 12,9", "TURN 11,8"])
    assert [line for line in told if line == "OK"] == ["OK"] * 4
    moves = [line for line in told if line != "OK"]
    assert len(moves) == 4
    assert all(len(line.split(",")) == 2 for line in moves)


def test_what_was_asked_before_end_is_answered() -> None:
    start, move = talk("bot", "gomoku-15x15", "--protocol", "gomocup", lines=["START 15", "BEGIN", "END"])
    assert (start, len(move.split(","))) == ("OK", 2)


@pytest.mark.parametrize("last", ["END\n", ""])
def test_end_while_it_thinks(network: Path, last: str) -> None:
    command = [*ZEROSUM, "bot", str(network), "--protocol", "gomocup"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as brain:
        assert brain.stdin is not None and brain.stdout is not None
        brain.stdin.write("START 15\n")
        brain.stdin.flush()
        assert brain.stdout.readline() == "OK\n"
        brain.communicate(f"INFO timeout_turn 100000\nBEGIN\n{last}", timeout=60)  # long before its time is up
        assert brain.returncode == 0


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell how much a program took")
@pytest.mark.parametrize(("player", "most"), [("gomoku-15x15", 130_000_000), ("mcts:10000000", 110_000_000)])
def test_memory_is_kept(player: str, most: int) -> None:
    """By all of the program, on one board after the other: seconds of thought alone would take more than is left."""
    command = [*ZEROSUM, "bot", player, "--protocol", "gomocup"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as brain:
        assert brain.stdin is not None and brain.stdout is not None
        limits = f"INFO max_memory {most}\nINFO timeout_turn 2000\nBEGIN"
        for line in ("START 9", limits, "TURN 0,0", "START 15", "BEGIN", "TURN 0,0", "START 20", "BEGIN"):
            brain.stdin.write(f"{line}\n")
            brain.stdin.flush()
            assert brain.stdout.readline().strip()
        found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{brain.pid}/status").read_text())
        brain.communicate("END\n", timeout=60)
    assert found is not None
    assert int(found[1]) * 1024 < most


def test_botzone(network: Path) -> None:
    first = {"requests": [{"x": -1, "y": -1}], "responses": []}
    (only,) = talk("bot", str(network), "--protocol", "botzone", "--one-shot", lines=[json.dumps(first)])
    assert set(json.loads(only)["response"]) == {"x", "y"}


def test_botzone_never_answers_with_a_field_that_is_taken(network: Path) -> None:
    """Whatever cannot be read: the fields that can are known to be taken."""
    mine, theirs = [(7, 7), (7, 8), (8, 8), (6, 7)], [(7, 6), (8, 7), (6, 8), (6, 9)]
    told = {"requests": [{"x": -1, "y": -1}], "responses": [{"x": x, "y": y} for x, y in mine]}
    told["requests"] += [{"x": x, "y": y} for x, y in theirs]
    for broken in range(1, 5):
        requests = [{"x": "bad", "y": 3} if turn == broken else one for turn, one in enumerate(told["requests"])]
        line = json.dumps({**told, "requests": requests})
        (only,) = talk("bot", str(network), "--protocol", "botzone", "--one-shot", lines=[line])
        answer = json.loads(only)["response"]
        assert (answer["x"], answer["y"]) not in {*mine, *theirs} - {theirs[broken - 1]}


def test_botzone_that_is_kept_running() -> None:
    later = {"requests": [{"x": 7, "y": 7}, {"x": 0, "y": 14}], "responses": [{"x": 7, "y": 8}]}
    lines = [json.dumps(later), '{"x": 14, "y": 0}', '{"request": {"x": 0, "y": 0}}', "{broken", '{"x": 99, "y": 0}']
    told = talk("bot", "greedy", "--protocol", "botzone", lines=lines)
    answers = [json.loads(line)["response"] for line in told[::2]]
    assert told[1::2] == [">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"] * 5
    cells = [(answer["x"], answer["y"]) for answer in answers]
    assert len(set(cells)) == len(cells)
    assert not {(7, 7), (7, 8), (0, 14), (14, 0), (0, 0)} & set(cells)


@pytest.mark.parametrize("first", [True, False])
def test_botzone_knows_its_own_stones_after_a_request_it_could_not_read(first: bool) -> None:
    """Both have an open four and it is the bot's turn: it makes its own five, wherever the bad request was."""
    mine, theirs = [{"x": 7, "y": y} for y in range(5, 9)], [{"x": 2, "y": y} for y in range(5, 9)]
    requests = [{"x": -1, "y": -1}, *theirs] if first else [*theirs, {"x": 12, "y": 3}]
    for bad in range(1 if first else 0, 5):
        asked = [{"x": 99, "y": 2} if number == bad else one for number, one in enumerate(requests)]
        line = json.dumps({"requests": asked, "responses": mine})
        (only,) = talk("bot", "gomoku-15x15", "--protocol", "botzone", "--one-shot", lines=[line])
        assert json.loads(only)["response"] in ({"x": 7, "y": 4}, {"x": 7, "y": 9})
    stolen = [mine[1] if number == 2 else one for number, one in enumerate(requests)]
    line = json.dumps({"requests": stolen, "responses": mine})
    (only,) = talk("bot", "gomoku-15x15", "--protocol", "botzone", "--one-shot", lines=[line])
    assert json.loads(only)["response"] in ({"x": 7, "y": 4}, {"x": 7, "y": 9})
    history = {"requests": requests[:-1], "responses": mine[:-1]}
    lines = [json.dumps(history), "{broken"] if first else [json.dumps({"requests": ["what"], "responses": mine})]
    told = talk("bot", "gomoku-15x15", "--protocol", "botzone", lines=lines)
    assert json.loads(told[-2])["response"]["x"] == 7


def test_botzone_puts_stones_for_those_it_could_not_read_out_of_the_way() -> None:
    mine = [{"x": 0, "y": y} for y in (1, 2, 3, 5)]
    for bad in (3, 4):
        requests = [{"x": -1, "y": -1}, *({"x": 0, "y": 3 * n + 7} for n in range(4 - bad)), *["what"] * bad]
        line = json.dumps({"requests": requests, "responses": mine})
        (only,) = talk("bot", "gomoku-15x15", "--protocol", "botzone", "--one-shot", lines=[line])
        assert json.loads(only)["response"] == {"x": 0, "y": 4}


def test_a_match_with_an_outside_program(tmp_path: Path) -> None:
    out = tmp_path / "games.sgf"
    told = report(
        *("match", "alphabeta:2", f"gomocup:{sys.executable} -m zerosum bot greedy --protocol gomocup", "--game", NINE),
        *("--games", "4", "--think-ms", "2000", "--out", str(out)),
    )
    assert told["games"] == 4
    assert told["faults"] == []
    records = read_records(out)
    assert len(records) == 4
    assert records[0].moves[:3] == records[1].moves[:3]
    assert records[0].players == tuple(reversed(records[1].players))
    short = ("match", "greedy", "random", "--game", NINE, "--games", "4", "--think-ms", "50", "--openings", str(out))
    assert "games.sgf, game 1: got a game that is over" in refusal(*short)
    again = report(*short, "--opening-moves", "3", "--out", str(tmp_path / "again.psq"))
    assert again["games"] == 4
    names = [f"again-000{number}.psq" for number in (1, 2, 3, 4)]
    assert sorted(file.name for file in tmp_path.iterdir()) == [*names, "games.sgf"]
    openings = [read_records(tmp_path / name)[0].moves[:3] for name in names]
    assert openings == [record.moves[:3] for record in records]


def test_a_program_that_suggests_is_told_to_play(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\ntaken, free = set(), iter([(x, y) for y in range(9) for x in range(9)])\n"
        "for line in sys.stdin:\n"
        "  word, _, rest = line.strip().partition(' ')\n"
        "  if word in ('START', 'RESTART'): print('OK', flush=True)\n"
        "  elif word == 'PLAY': print(rest, flush=True)\n"
        "  elif word[:1].isdigit() or word == 'TURN':\n"
        "    x, y = (rest or word).split(',')[:2]; taken.add((int(x), int(y)))\n"
        "  if word in ('BEGIN', 'TURN', 'DONE'):\n"
        "    x, y = next(cell for cell in free if cell not in taken); print(f'SUGGEST {x},{y}', flush=True)\n"
    )
    told = report(
        *("match", "greedy", f"gomocup:{sys.executable} {program}", "--game", NINE),
        *("--games", "2", "--think-ms", "500"),
    )
    assert told["faults"] == []
    assert told["wins"] == 2


def test_what_a_program_says_unasked_is_no_answer(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\ntaken = set()\n"
        "for line in sys.stdin:\n"
        "  word, _, rest = line.strip().partition(' ')\n"
        "  if word == 'START': taken = set(); print('OK', flush=True)\n"
        "  elif word[:1].isdigit() or word == 'TURN':\n"
        "    x, y = (rest or word).split(',')[:2]; taken.add((int(x), int(y)))\n"
        "  if word in ('BEGIN', 'TURN', 'DONE'):\n"
        "    move = next((x, y) for y in range(9) for x in range(9) if (x, y) not in taken); taken.add(move)\n"
        "    sys.stdout.write('%d,%d\\nhow was that?\\n' % move); sys.stdout.flush()\n"
    )
    told = report("match", "greedy", f"gomocup:{sys.executable} {program}", "--game", NINE, "--games", "2")
    assert told["faults"] == []


def test_what_is_left_of_a_match_is_told_before_each_move(tmp_path: Path) -> None:
    """As managers do; a program may go by nothing else."""
    program, heard = tmp_path / "program.sh", tmp_path / "heard"
    program.write_text(f"tee -a {heard} | {sys.executable} -m zerosum bot greedy --protocol gomocup\n")
    told = report("match", "random", f"gomocup:sh {program}", "--game", NINE, "--games", "2", "--think-ms", "500")
    assert told["faults"] == []
    lines = heard.read_text().splitlines()
    before = [lines[at - 1] for at, line in enumerate(lines) if line.startswith(("BEGIN", "TURN", "BOARD"))]
    assert len(before) > 4
    assert set(before) == {"INFO time_left 2147483647"}


@pytest.mark.parametrize("name", ["alphabeta:60", "gomoku-15x15"])
def test_ctrl_c_ends_a_brain_that_thinks(name: str) -> None:
    command = [*ZEROSUM, "bot", name, "--protocol", "gomocup"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as brain:
        assert brain.stdin is not None and brain.stdout is not None and brain.stderr is not None
        brain.stdin.write("START 15\nINFO timeout_turn 60000\nBEGIN\n")
        brain.stdin.flush()
        assert brain.stdout.readline() == "OK\n"
        time.sleep(0.5)
        brain.send_signal(signal.SIGINT)
        assert brain.wait(timeout=10) == 130
        assert brain.stderr.read() == "zerosum bot: interrupted\n"


WRONG = {
    "crashes": (
        "import sys\nprint('OK', flush=True)\nfor line in sys.stdin:\n  if line[0] in 'BT': sys.exit(3)\n",
        "ended",
    ),
    "late": (
        "import sys, time\nfor line in sys.stdin:\n  if 'START' in line: print('OK', flush=True)\n"
        "  elif line[0] in 'BTD': time.sleep(30)\n",
        "did not answer in time",
    ),
    "taken": (
        "import sys\nfor line in sys.stdin:\n  if 'START' in line: print('OK', flush=True)\n"
        "  elif line[0] in 'D': print('4,4', flush=True)\n  elif line[0] == 'T': print(line[5:], flush=True)\n",
        "which is taken",
    ),
    "unknown": (
        "import sys\nfor line in sys.stdin:\n  print('OK' if 'START' in line else 'UNKNOWN ' + line[:4], flush=True)\n",
        "did not answer in time, said 'UNKNOWN",
    ),
    "nonsense": (
        "import sys\nfor line in sys.stdin:\n  print('OK' if 'START' in line else 'nonsense', flush=True)\n",
        "wanted x,y",
    ),
}


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system does not tell which programs run")
@pytest.mark.parametrize("leaves", ["late", "at END"])
def test_what_a_wrapper_has_started_ends_with_it(tmp_path: Path, leaves: str) -> None:
    """A shell script that waits for a program that is late, or that leaves one behind."""
    wrapper, child = tmp_path / "wrapper.sh", tmp_path / "child"
    talks = f"{sys.executable} -m zerosum bot greedy --protocol gomocup"
    wrapper.write_text(
        f"sleep 600 </dev/null >/dev/null &\necho $! >> {child}\n"
        + ("read line; echo OK; wait\n" if leaves == "late" else f"{talks}\n")
    )
    report(*("match", "greedy", f"gomocup:sh {wrapper}", "--game", NINE, "--games", "2", "--think-ms", "300"))
    numbers = child.read_text().split()
    assert len(numbers) == (2 if leaves == "late" else 1)
    for number in numbers:  # gone, or nobody's to wait for any more
        stat = Path(f"/proc/{number}/stat")
        assert not stat.exists() or stat.read_text().rsplit(")", 1)[1].split()[0] == "Z"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system does not tell which programs run")
def test_a_match_that_is_terminated_ends_what_it_started(tmp_path: Path) -> None:
    program, mark = tmp_path / "program.py", tmp_path / "number"
    program.write_text(
        "import os, pathlib, time\n"
        f"pathlib.Path({str(mark)!r} + 'new').write_text(str(os.getpid()))\n"
        f"os.rename({str(mark)!r} + 'new', {str(mark)!r})\n"
        "time.sleep(600)\n"
    )
    match = started(
        *("match", "greedy", f"gomocup:{sys.executable} {program}", "--game", NINE, "--games", "2"), until=mark
    )
    match.terminate()
    match.communicate(timeout=60)
    assert match.returncode == 143
    stat = Path(f"/proc/{mark.read_text()}/stat")
    assert not stat.exists() or stat.read_text().rsplit(")", 1)[1].split()[0] == "Z"


def test_a_program_that_does_not_start_again_loses(tmp_path: Path) -> None:
    program, mark = tmp_path / "program.py", tmp_path / "started"
    program.write_text(
        f"import os, sys\nif os.path.exists({str(mark)!r}): sys.exit(1)\nopen({str(mark)!r}, 'w').close()\n"
        "for line in sys.stdin:\n  if 'START' in line: print('OK', flush=True)\n"
    )
    told = report(*("match", "greedy", f"gomocup:{sys.executable} {program}", "--game", NINE), *("--games", "4"))
    assert told["wins"] == 4
    assert "did not answer in time" in told["faults"][0]
    assert ["at the start: ended" in fault for fault in told["faults"][1:]] == [True] * 3


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (f"{sys.executable} -c pass", "ended"),
        ("sh -c no-such-program", "ended"),
        ("sh -c 'read line; echo ERROR no such board; cat > /dev/null'", "said 'ERROR no such board'"),
        ("sh -c 'read line; echo UNKNOWN command; cat > /dev/null'", "answered 'UNKNOWN command' to START, wanted OK"),
        ("sh -c 'read line; echo 7,7; cat > /dev/null'", "answered '7,7' to START, wanted OK"),
    ],
)
def test_a_program_that_fails_at_the_start_loses_and_the_match_goes_on(command: str, words: str) -> None:
    told = report("match", "greedy", f"gomocup:{command}", "--game", NINE, "--games", "4")
    assert told["wins"] == 4
    assert [f"at the start: {words}" in fault for fault in told["faults"]] == [True] * 4


def test_a_program_without_an_interpreter_loses(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text("#!/no/such/interpreter\n")
    program.chmod(0o755)
    told = report("match", f"gomocup:{program}", "greedy", "--game", NINE, "--games", "2")
    assert told["losses"] == 2
    assert ["cannot be started" in fault for fault in told["faults"]] == [True] * 2


@pytest.mark.parametrize("how", WRONG)
def test_programs_that_misbehave_lose_and_the_match_goes_on(tmp_path: Path, how: str) -> None:
    code, words = WRONG[how]
    program = tmp_path / "program.py"
    program.write_text(code)
    told = report(
        *("match", "greedy", f"gomocup:{sys.executable} {program}", "--game", NINE),
        *("--games", "2", "--think-ms", "300"),
    )
    assert told["wins"] == 2
    assert len(told["faults"]) == 2
    assert all(words in fault for fault in told["faults"])


def test_refusals(tmp_path: Path) -> None:
    assert "wanted one of random, greedy" in refusal("match", "greedy", "mcts", "--game", NINE)
    assert "wanted gomocup:COMMAND" in refusal("match", "greedy", "gomocup:", "--game", NINE)
    assert "cannot be started" in refusal("match", "greedy", "gomocup:/no/such", "--game", NINE)
    assert "wanted .sgf or .psq" in refusal("match", "greedy", "random", "--game", NINE, "--out", "x.txt")
    assert "wanted a file in" in refusal("match", "greedy", "random", "--game", NINE, "--out", "/no/such/x.psq")
    assert "wanted --openings" in refusal("match", "greedy", "random", "--game", NINE, "--opening-moves", "3")
    assert "think-ms" in refusal("match", "greedy", "random", "--game", NINE, "--think-ms", "0")
    assert "wanted one for gomoku:size=9" in refusal("match", "gomoku-6x6-4", "greedy", "--game", NINE)
    cut = tmp_path / "cut.sgf"
    cut.write_text("(;GM[4]SZ[9];B[ee]")
    assert "cut.sgf, line 1: got the end" in refusal(
        "match", "greedy", "random", "--game", NINE, "--openings", str(cut)
    )
    assert "unknown policy or player 'nosuch'; known: alphabeta:DEPTH, gomocup:COMMAND, gomoku-15x15" in refusal(
        *("match", "greedy", "nosuch", "--game", NINE)
    )
    assert "did you mean gomoku-9x9?" in refusal("match", "gomoku-9x8", "greedy", "--game", NINE)
    assert "threads: got 0" in refusal("match", "greedy", "random", "--game", NINE, "--threads", "0")
    for protocol in ("gomocup", "botzone"):
        assert "seed: got 0, wanted a policy for hold'em" in refusal(
            *("bot", "greedy", "--protocol", protocol, "--seed", "0")
        )
    six = ("match", "greedy", "gomocup:cat", "--game", "gomoku:size=6,line=4")
    assert "gomocup:cat: got gomoku:size=6,line=4, wanted five in a row" in refusal(*six)
    assert "wanted one for five in a row" in refusal("bot", "gomoku-5x5-4", "--protocol", "gomocup")
    assert "/no/such" in refusal("bot", "/no/such", "--protocol", "gomocup")
    assert "wanted a game of gomoku" in refusal("match", "call", "fold", "--game", "leduc", "--think-ms", "3")


def test_bytes_that_are_no_text(network: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "zerosum", "bot", str(network), "--protocol", "gomocup"],
        input=b"START 15\n\xff\xfe\x00 hello\n",
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout.decode().splitlines()[0] == "OK"
    assert b"UNKNOWN" in done.stdout
