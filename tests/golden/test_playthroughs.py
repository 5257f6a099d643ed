"""Whole games as text, compared letter by letter, and the sizes of the trees."""

import pytest

from golden.regenerate import FOLDER, GOLDENS
from zerosum import load_game, tree_of
from zerosum.games.playthrough import playthrough


@pytest.mark.parametrize("name", sorted(GOLDENS))
def test_playthrough(name: str) -> None:
    spec, seed = GOLDENS[name]
    assert playthrough(load_game(spec), seed) == (FOLDER / f"{name}.txt").read_text()


def test_no_playthrough_is_left_over() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(GOLDENS)


@pytest.mark.parametrize(
    ("spec", "infosets", "chance", "decision", "terminal"),
    [
        ("kuhn", 12, 4, 24, 30),
        ("kuhn:cards=5", 20, 6, 80, 100),
        ("leduc", 936, 157, 3_780, 5_520),
        ("liars-dice", 24_576, 7, 147_456, 147_420),
        ("liars-dice:faces=2", 32, 3, 64, 60),
    ],
)
def test_sizes(spec: str, infosets: int, chance: int, decision: int, terminal: int) -> None:
    tree = tree_of(load_game(spec))
    assert tree.infosets == infosets
    assert (tree.chance_nodes, tree.decision_nodes, tree.terminal_nodes) == (chance, decision, terminal)
