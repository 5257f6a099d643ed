"""Monte Carlo tree search in a page of Python, to read and to change.

It is the search of Silver et al. (2017) as `native/include/zerosum/mcts` does it, one position at a time; a test holds
their visits against each other. Override `score` for another rule of selection; any object with `predict` is a network.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Protocol

import numpy as np

from zerosum.errors import RuleError, SettingsError
from zerosum.search.settings import SearchSettings

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from zerosum.games.gomoku_game import GomokuGame


class Predicts(Protocol):
    def predict(self, board: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.float32], float]:
        """Planes [3, h, w] -> a probability for each cell, and the value to the side to move."""
        ...


@dataclass
class Node:
    """A position. `total_value` is summed over its visits, to the side that is to move in it."""

    prior_prob: float = 1.0
    visit_count: int = 0
    total_value: float = 0.0
    children: dict[int, Node] = field(default_factory=dict)

    @property
    def value(self) -> float:
        return self.total_value / self.visit_count if self.visit_count else 0.0


class MCTS:
    """A search that goes along with a game."""

    def __init__(self, network: Predicts, game: GomokuGame, settings: SearchSettings | None = None) -> None:
        self.network, self.game = network, game.clone()
        self.settings = settings or SearchSettings()
        self.root = Node()

    def get_action_probs(self, game: GomokuGame, temperature: float = 1.0) -> npt.NDArray[np.float64]:
        """[h·w] shares of the visits of a search of this position; temperature 0: the most visited move alone."""
        if game.get_game_ended() is not None:
            raise RuleError("the game is over, wanted a position with a move to make")
        if not temperature >= 0:
            raise SettingsError(f"temperature: got {temperature}, wanted 0 or more")
        if game.move_history != self.game.move_history or game.rules != self.game.rules:
            self.game, self.root = game.clone(), Node()
        if not self.root.children:
            self.expand(self.root, game)
        while sum(child.visit_count for child in self.root.children.values()) < self.settings.simulations:
            self.simulate()
        visits = np.zeros(game.action_size)
        for action, child in self.root.children.items():
            visits[action] = child.visit_count
        if temperature == 0:
            visits = (np.arange(len(visits)) == visits.argmax()).astype(np.float64)
        else:
            visits = (visits / visits.max()) ** (1 / temperature)
        return np.asarray(visits / visits.sum())

    def update_root(self, action: int) -> None:
        """The move was played: its subtree is the tree now."""
        self.game = self.game.get_next_state(action)
        self.root = self.root.children.get(action, Node())

    def simulate(self) -> None:
        """Down to a leaf, and its value up again: what is good for one side is bad for the other."""
        node, game, path = self.root, self.game, [self.root]
        while node.children:
            action, node = self.select(node)
            game = game.get_next_state(action)
            path.append(node)
        ended = game.get_game_ended()
        value = self.expand(node, game) if ended is None else ended
        for step in reversed(path):
            step.visit_count += 1
            step.total_value += value
            value = -value

    def select(self, node: Node) -> tuple[int, Node]:
        """The child with the highest score."""
        return max(node.children.items(), key=lambda pair: self.score(node, pair[1]))

    def score(self, parent: Node, child: Node) -> float:
        """PUCT: Q + c·P·√N/(1+n). A child's value is its own side's, so the parent's is the negative."""
        tries = max(sum(other.visit_count for other in parent.children.values()), 1)
        return -child.value + self.settings.exploration * child.prior_prob * sqrt(tries) / (1 + child.visit_count)

    def expand(self, node: Node, game: GomokuGame) -> float:
        """Gives a node its legal moves, with the network's probabilities, and returns its value."""
        probabilities, value = self.network.predict(game.get_canonical_board())
        legal = np.flatnonzero(game.get_valid_moves())
        mass = np.maximum(np.nan_to_num(np.asarray(probabilities, np.float64)[legal]), 0.0)
        shares = mass / mass.sum() if mass.sum() > 0 else np.full(len(legal), 1 / len(legal))
        node.children = {int(action): Node(float(p)) for action, p in zip(legal, shares, strict=True)}
        return float(value)

    def print_tree(self, depth: int = 2, width: int = 4, node: Node | None = None, indent: str = "") -> None:
        """The most visited moves, a few plies deep; values are to the one who makes the move."""
        node = node or self.root
        best = sorted(node.children.items(), key=lambda pair: -pair[1].visit_count)[:width]
        for action, child in best if depth > 0 else []:
            figures = f"visits {child.visit_count}, prior {child.prior_prob:.3f}, value {-child.value:+.3f}"
            print(f"{indent}{self.game.rules.cell_name(action)}: {figures}")
            self.print_tree(depth - 1, width, child, indent + "  ")


def play_game(
    network: Predicts,
    game: GomokuGame,
    settings: SearchSettings | None = None,
    temperature_schedule: Callable[[int], float] = lambda move: 1.0 if move < 30 else 0.0,
    seed: int = 0,
) -> list[tuple[npt.NDArray[np.float32], npt.NDArray[np.float64], float]]:
    """A game of a network against itself: (planes, what the search says, how it ended for the side to move)."""
    luck, game = np.random.default_rng(seed), game.clone()
    search, rows = MCTS(network, game, settings), []
    while (ended := game.get_game_ended()) is None:
        probabilities = search.get_action_probs(game, temperature_schedule(len(game.move_history)))
        rows.append((game.get_canonical_board(), probabilities))
        action = int(luck.choice(len(probabilities), p=probabilities))
        game = game.get_next_state(action)
        search.update_root(action)
    told = []
    for planes, probabilities in reversed(rows):
        ended = -ended  # whoever moved here is the other side than the one after
        told.append((planes, probabilities, ended))
    return told[::-1]
