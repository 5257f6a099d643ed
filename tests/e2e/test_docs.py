"""The pages that tell a user what to type are run as they stand."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text(), flags=re.DOTALL)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the sources, with the native module that is installed."""
    from zerosum.native import _core

    copy = tmp_path / "checkout"
    shutil.copytree(ROOT / "src" / "zerosum", copy / "zerosum", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(str(_core.__file__), copy / "zerosum" / "native")
    return copy


# The copy first, before the finder of an editable install.
IN_CHECKOUT = """
import sys
sys.path.insert(0, sys.argv.pop(1))
sys.meta_path[:] = [finder for finder in sys.meta_path if "Redirecting" not in type(finder).__name__]
"""


def run(checkout: Path, *command: str) -> str:
    code = IN_CHECKOUT + "from zerosum.cli.main import main; main()"
    full = [sys.executable, "-c", code, str(checkout), *command]
    done = subprocess.run(full, capture_output=True, text=True, cwd=checkout, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_add_a_game(checkout: Path) -> None:
    """One file and one catalog line, as docs/add-a-game.md says, then its commands."""
    page = "docs/add-a-game.md"
    file, line = blocks(page, "python")
    (checkout / "zerosum" / "games" / "matching_cards.py").write_text(file)
    catalog = checkout / "zerosum" / "games" / "catalog.py"
    catalog.write_text(catalog.read_text().replace("GAMES = {\n", "GAMES = {\n" + line))
    (commands,) = blocks(page, "sh")
    outputs = [run(checkout, *command.split()[1:]) for command in commands.strip().splitlines()]
    assert "holding black: say black" in outputs[1]
    assert "+0.333333" in outputs[2]
    contract = ROOT / "tests" / "contract" / "test_games.py"
    code = IN_CHECKOUT + "import pytest; sys.exit(pytest.main(sys.argv[1:]))"
    options = ("-q", "-p", "no:cacheprovider", "-k", "matching", "--rootdir", str(checkout), str(contract))
    done = subprocess.run(
        [sys.executable, "-c", code, str(checkout), *options], capture_output=True, text=True, cwd=checkout, check=False
    )
    assert done.returncode == 0, done.stdout
    assert re.search(r"(\d+) passed", done.stdout)


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        ("README.md", "-0.08"),
        ("docs/cards.md", "two pair, kings and sevens"),
        ("docs/holdem.md", "(True, 100, True, 200, 5000)"),
        ("docs/heads-up.md", "equity 0."),
    ],
)
def test_the_python_of_a_page(page: str, wanted: str, tmp_path: Path) -> None:
    code = "\n".join(blocks(page, "python"))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert wanted in done.stdout


@pytest.mark.parametrize(
    ("page", "least"),
    [
        ("README.md", 9),
        ("docs/cards.md", 4),
        ("docs/tabular.md", 1),
        ("docs/holdem.md", 3),
        ("docs/heads-up.md", 3),
        ("docs/evaluate.md", 7),
        ("docs/gomoku.md", 3),
        ("docs/deepcfr.md", 6),
        ("docs/cluster.md", 1),
        ("docs/sixmax.md", 5),
    ],
)
def test_the_commands_of_a_page(page: str, least: int, tmp_path: Path) -> None:
    """Every `zerosum` line of a page runs, in order; building all tables is left to `make test-slow`."""
    lines = [line for block in blocks(page, "sh") for line in block.splitlines() if line.startswith("zerosum ")]
    lines = [line for line in lines if "build-tables" not in line]
    assert len(lines) >= least
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for line in lines:
        command = line.replace("zerosum", f"{sys.executable} -m zerosum", 1)
        done = subprocess.run(
            ["bash", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=tmp_path, check=False
        )
        assert done.returncode == 0, f"{line}\n{done.stderr}"


def test_deploying(tmp_path: Path) -> None:
    """The first block of docs/deploy.md runs as it stands, compiler and all."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    script = "\n".join(["set -e", *blocks("docs/deploy.md", "sh")[0].splitlines()])
    path = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=tmp_path, env=path, check=False)
    assert done.returncode == 0, done.stderr
    assert "mbb/hand against tight-aggressive" in done.stdout
    assert done.stderr == ""


def test_the_worked_hand_of_the_encoding(tmp_path: Path) -> None:
    """docs/encoding.md: what its Python prints is what stands below it."""
    (code,), (wanted,) = blocks("docs/encoding.md", "python"), blocks("docs/encoding.md", "text")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stdout == wanted


def test_the_walkthrough_computes_what_it_says() -> None:
    """Worked numbers in docs/alphazero-walkthrough.md, as doctests."""
    import doctest

    done = doctest.testfile(str(ROOT / "docs" / "alphazero-walkthrough.md"), module_relative=False)
    assert done.attempted > 30
    assert done.failed == 0


def test_the_features_are_what_the_page_says() -> None:
    """Worked examples in docs/holdem-features.md, as doctests."""
    import doctest

    done = doctest.testfile(str(ROOT / "docs" / "holdem-features.md"), module_relative=False)
    assert done.attempted > 15
    assert done.failed == 0
