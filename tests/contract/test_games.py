"""What every game in the catalog promises. A new game is found here by itself."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from zerosum import load_game, tree_of
from zerosum.games.catalog import GAMES, describe
from zerosum.games.protocol import CHANCE, TERMINAL, key_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from zerosum.games.protocol import Game, State

VARIANTS = {
    "kuhn": ["kuhn:cards=2", "kuhn:cards=13"],
    "leduc": ["leduc:ranks=2,suits=3,raises=1,ante=3", "leduc:raises=0", "leduc:ranks=13,suits=4"],
    "liars-dice": ["liars-dice:dice=2,faces=3", "liars-dice:faces=1"],
    "holdem": ["holdem:order=botzone", "holdem:players=3,stack=50bb", "holdem:menu=33%+2.5x/75%,players=9,stack=5bb"],
    "gomoku": ["gomoku:size=3,line=3", "gomoku:width=6,height=5,line=4,rule=standard"],
    "openspiel": ["openspiel:kuhn_poker(players=3)", "openspiel:tic_tac_toe", "openspiel:matrix_rps"],
}
SPECS = [spec for name in GAMES for spec in ([] if name == "openspiel" else [name]) + VARIANTS.get(name, [])]
LARGE = ("leduc:ranks=13,suits=4", "openspiel:tic_tac_toe", "liars-dice")
NO_TREE = ("holdem", "sixmax", "gomoku")
SMALL = [spec for spec in SPECS if spec not in LARGE and not any(name in spec for name in NO_TREE)]

OPEN = ("kuhn:cards=2", "liars-dice:faces=1")  # the own card or die tells the other's

every_game = pytest.mark.parametrize("spec", SPECS)
small_games = pytest.mark.parametrize("spec", SMALL)


def states(game: Game, games: int = 30) -> Iterator[State]:
    """Every state met in a few random games."""
    rng = random.Random(1)
    for _ in range(games):
        state = game.root()
        yield state
        while state.actor != TERMINAL:
            actions = [a for a, _ in state.chance()] if state.actor == CHANCE else state.legal()
            state = state.child(rng.choice(actions))
            yield state


@every_game
def test_spec_loads_the_same_game(spec: str) -> None:
    game = load_game(spec)
    assert load_game(game.spec()) == game
    assert hash(load_game(game.spec())) == hash(game)


@every_game
def test_states_keep_their_promises(spec: str) -> None:
    game = load_game(spec)
    for state in states(game):
        before = str(state)
        if state.actor == TERMINAL:
            assert len(state.returns()) == game.players
            assert sum(state.returns()) == pytest.approx(0.0, abs=1e-12)
        elif state.actor == CHANCE:
            outcomes = state.chance()
            assert len({action for action, _ in outcomes}) == len(outcomes)
            assert all(p > 0 for _, p in outcomes)
            assert sum(p for _, p in outcomes) == pytest.approx(1.0, abs=1e-12)
            state.child(outcomes[0][0])
        else:
            assert 0 <= state.actor < game.players
            legal = list(state.legal())
            assert legal == sorted(set(legal))
            assert legal
            assert 0 <= legal[0] <= legal[-1] < game.num_actions
            state.child(legal[0])
        assert str(state) == before  # a child is a new value


@every_game
def test_views_keep_their_promises(spec: str) -> None:
    game = load_game(spec)
    for state in states(game):
        if state.actor < 0:
            continue
        view = state.view(state.actor)
        assert view.seat == state.actor
        assert view == state.view(state.actor)
        assert hash(view) == hash(state.view(state.actor))
        assert list(view.legal()) == list(state.legal())
        assert view.words()
        assert len({view.action_words(a) for a in state.legal()}) == len(state.legal())


@small_games
def test_information_sets(spec: str) -> None:
    """Keys are unique, views know their actions, and hidden information makes fewer information sets than decisions."""
    tree = tree_of(load_game(spec))
    assert len({key_of(view) for view in tree.views}) == tree.infosets
    for number, view in enumerate(tree.views):
        own = tree.actions[tree.first[number] : tree.first[number + 1]]
        assert list(view.legal()) == own.tolist()
    if spec not in OPEN:
        assert tree.infosets < tree.decision_nodes


@pytest.mark.parametrize("name", list(GAMES))
def test_catalog_describes(name: str) -> None:
    entry = describe(name)
    assert entry["name"] == name
    assert entry["about"]
    if name != "openspiel":
        assert load_game(name).spec() == name
        everything = ",".join(f"{key}={value}" for key, value in entry["settings"].items())
        assert load_game(f"{name}:{everything}") == load_game(name)


@small_games
def test_enumeration_agrees_with_the_compiler(spec: str) -> None:
    """Node counts by plain recursion."""
    game = load_game(spec)
    tree = tree_of(game)
    counts = {CHANCE: 0, TERMINAL: 0, "decision": 0}
    stack = [game.root()]
    while stack:
        state = stack.pop()
        actor = state.actor
        counts[actor if actor < 0 else "decision"] += 1
        if actor != TERMINAL:
            actions = [a for a, _ in state.chance()] if actor == CHANCE else state.legal()
            stack.extend(state.child(a) for a in actions)
    assert (counts[CHANCE], counts["decision"], counts[TERMINAL]) == (
        tree.chance_nodes,
        tree.decision_nodes,
        tree.terminal_nodes,
    )


def test_every_game_of_the_catalog_is_tried() -> None:
    tried = {load_game(spec).spec().partition(":")[0] for spec in SPECS}
    assert tried == set(GAMES)
