"""The tree compiler: a game written in Python becomes flat arrays once, and solvers only ever see those.

It checks what regret minimisation rests on: zero sum, perfect recall, probabilities that add up, and a size that fits
in memory.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from zerosum import native
from zerosum.errors import GameError, ZerosumError
from zerosum.games.protocol import CHANCE, TERMINAL, key_of
from zerosum.games.size import (
    DEEPEST,
    RESERVE_BYTES,
    bytes_available,
    bytes_for_tree,
    bytes_needed,
    estimate_nodes,
    too_large,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    import numpy.typing as npt

    from zerosum.games.protocol import Game, State, View

PROGRESS_EVERY = 50_000
KEPT = 8

Progress: TypeAlias = "Callable[[int, float], None]"


@dataclass(frozen=True, eq=False)
class Tree:
    """A compiled game. Information set i owns the sequences first[i] .. first[i + 1] − 1, one for each legal action."""

    game: Game
    native: native.Tree = field(repr=False)
    views: Sequence[View] = field(repr=False)  # [infosets]
    first: npt.NDArray[np.int32] = field(repr=False)  # [infosets + 1]
    actions: npt.NDArray[np.int32] = field(repr=False)  # [sequences] the game's number of each action
    owner: npt.NDArray[np.int32] = field(repr=False)  # [infosets] seats
    chance_nodes: int
    decision_nodes: int
    terminal_nodes: int

    @property
    def nodes(self) -> int:
        return self.chance_nodes + self.decision_nodes + self.terminal_nodes

    @property
    def infosets(self) -> int:
        return len(self.views)

    @property
    def sequences(self) -> int:
        return int(self.first[-1])

    @property
    def sequence_owner(self) -> npt.NDArray[np.int32]:
        """[sequences] seats."""
        return np.repeat(self.owner, np.diff(self.first))

    def uniform(self) -> npt.NDArray[np.float64]:
        """[sequences] the profile that picks any legal action alike."""
        counts = np.diff(self.first)
        return np.repeat(1.0 / counts, counts)


_compiled: OrderedDict[tuple[type[Game], Game], Tree] = OrderedDict()


def tree_of(game: Game | Tree, progress: Progress | None = None) -> Tree:
    """The game's compiled tree; the last few are kept."""
    if isinstance(game, Tree):
        return game
    if isinstance(game, str):
        raise GameError(f"got the text {game!r}, wanted a game: load_game({game!r})")
    if not hasattr(game, "spec"):
        raise GameError(f"got {game!r}, wanted a game")
    key = (type(game), game)  # tuples of different types may be equal
    try:
        tree = _compiled.get(key)
    except TypeError:
        raise GameError(f"{game.spec()}: cannot be hashed, wanted a game that is a value") from None
    if tree is None:
        tree = _compiled[key] = compile_tree(game, progress)
        if len(_compiled) > KEPT:
            _compiled.popitem(last=False)
    _compiled.move_to_end(key)
    return tree


def compile_tree(game: Game, progress: Progress | None = None) -> Tree:
    """Compiles a game; `progress(nodes, expected)` is called now and then."""
    try:
        return _compile(game, progress)
    except ZerosumError:
        raise
    except Exception as error:  # whatever the game's own code raised
        raise GameError(f"{game.spec()}: its rules failed with {type(error).__name__}: {error}") from error


def _compile(game: Game, progress: Progress | None) -> Tree:
    if game.players < 2:
        raise GameError(f"{game.spec()}: has {game.players} players, wanted at least 2")
    available = bytes_for_tree()
    expected = estimate_nodes(game, enough=1000 * available / bytes_needed(1))
    if bytes_needed(expected) > 2 * available:  # beyond the estimate's doubt
        raise too_large(game, expected, bytes_needed(expected), available)
    flat = _Flattener(game)
    while flat.stack:
        flat.visit(PROGRESS_EVERY)
        nodes = len(flat.actor)
        needed = bytes_needed(nodes, len(flat.views))
        if needed > available or bytes_available() < RESERVE_BYTES:
            raise too_large(game, max(expected, nodes), max(needed, bytes_needed(expected)), available)
        if progress is not None:
            progress(len(flat.actor), expected)
    return flat.finish()


class _Flattener:
    """Arrays under construction: a node's children get contiguous numbers when the node is visited, depth first."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.stack: list[tuple[State, int]] = [(game.root(), 0)]
        self.actor = array("i", [0])
        self.index = array("i", [0])
        self.first_child = array("i", [0])
        self.children = array("i", [0])
        self.action = array("i", [-1])
        self.probability = array("d", [1.0])
        self.returns = array("d")
        self.numbers: dict[Hashable, int] = {}
        self.views: list[View] = []
        self.legal: list[tuple[int, ...]] = []
        self.counts = {CHANCE: 0, TERMINAL: 0}

    def visit(self, count: int) -> None:
        """Visits up to `count` nodes."""
        stack, zeros = self.stack, array("i", [0])
        for _ in range(count):
            if not stack:
                return
            state, node = stack.pop()
            actor = state.actor
            self.actor[node] = actor
            if actor == TERMINAL:
                self._terminal(state, node)
                continue
            if actor == CHANCE:
                self.counts[CHANCE] += 1
                outcomes = state.chance()
                labels: Sequence[int] = [label for label, _ in outcomes]
                self.probability.extend(p for _, p in outcomes)
            else:
                labels = state.legal()
                if not labels:
                    raise GameError(f"{self.game.spec()}: no action at {state}, wanted at least one")
                self.index[node] = self._infoset(state, actor, labels)
                self.probability.extend([1.0] * len(labels))
            if not labels:
                raise GameError(f"{self.game.spec()}: no outcome at {state}, wanted at least one")
            start, width = len(self.actor), len(labels)
            self.first_child[node] = start
            self.children[node] = width
            self.action.extend(labels)
            for column in (self.actor, self.index, self.first_child, self.children):
                column.extend(zeros * width)
            for k in range(width - 1, -1, -1):
                stack.append((state.child(labels[k]), start + k))

    def _terminal(self, state: State, node: int) -> None:
        payoffs = state.returns()
        if len(payoffs) != self.game.players:
            raise GameError(f"{self.game.spec()}: {len(payoffs)} payoffs at {state}, wanted {self.game.players}")
        if not abs(sum(payoffs)) <= 1e-9 * sum(map(abs, payoffs)):  # the core checks it too; here it is seen early
            raise self._fault("sum", node, sum(payoffs))
        self.index[node] = self.counts[TERMINAL]
        self.counts[TERMINAL] += 1
        self.returns.extend(payoffs)

    def _infoset(self, state: State, actor: int, labels: Sequence[int]) -> int:
        view = state.view(actor)
        number = self.numbers.get(view)
        if number is None:
            if not 0 <= actor < self.game.players or view.seat != actor:
                raise GameError(f"{self.game.spec()}: player {actor} to act at {state}, with a view of {view.seat}")
            if list(labels) != sorted(set(labels)) or labels[0] < 0 or labels[-1] >= self.game.num_actions:
                wanted = f"ascending numbers below {self.game.num_actions}"
                raise GameError(
                    f"{self.game.spec()}: at '{view.words()}' the actions are {list(labels)}, wanted {wanted}"
                )
            number = len(self.views)
            self.numbers[view] = number
            self.views.append(view)
            self.legal.append(tuple(labels))
        elif self.legal[number] != tuple(labels):
            raise GameError(
                f"{self.game.spec()}: at '{view.words()}' player {actor} may {list(labels)} in one state and "
                f"{list(self.legal[number])} in another, wanted the same actions"
            )
        return number

    def finish(self) -> Tree:
        """Numbers information sets player by player, builds the native tree and reports its fault, if any."""
        seats = np.array([view.seat for view in self.views], dtype=np.int32)
        order = np.argsort(seats, kind="stable")
        place = np.empty(len(order), dtype=np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        actor = np.frombuffer(self.actor, dtype=np.int32)
        index = np.frombuffer(self.index, dtype=np.int32).copy()
        decisions = actor >= 0
        index[decisions] = place[index[decisions]]
        views = [self.views[i] for i in order]
        legal = [self.legal[i] for i in order]
        if len({key_of(view) for view in views}) != len(views):
            raise GameError(f"{self.game.spec()}: two different views of one seat have the same key")
        first = np.zeros(len(views) + 1, dtype=np.int32)
        np.cumsum([len(actions) for actions in legal], out=first[1:])
        built = native.Tree(
            self.game.players,
            actor,
            index,
            np.frombuffer(self.first_child, dtype=np.int32),
            np.frombuffer(self.children, dtype=np.int32),
            np.frombuffer(self.action, dtype=np.int32),
            np.frombuffer(self.probability, dtype=np.float64),
            np.frombuffer(self.returns, dtype=np.float64),
            seats[order],
            first,
        )
        kind, node, got = built.fault
        if kind:
            raise self._fault(kind, node, got)
        return Tree(
            game=self.game,
            native=built,
            views=views,
            first=first,
            actions=np.array([action for actions in legal for action in actions], dtype=np.int32),
            owner=seats[order],
            chance_nodes=self.counts[CHANCE],
            decision_nodes=int(np.count_nonzero(decisions)),
            terminal_nodes=self.counts[TERMINAL],
        )

    def _fault(self, kind: str, node: int, got: float) -> GameError:
        state, spec = self._state_at(node), self.game.spec()
        if kind == "sum":
            return GameError(f"{spec}: not zero-sum: the payoffs at {state} add up to {got:g}, wanted 0")
        if kind == "depth":
            return GameError(f"{spec}: a game of more than {DEEPEST} moves cannot be listed as a tree")
        if kind == "chance":
            return GameError(f"{spec}: the chances at {state} add up to {got:g}, wanted 1 and none below 0")
        words = state.view(state.actor).words()
        return GameError(
            f"{spec}: no perfect recall: player {state.actor} comes to '{words}' by different actions of its own, "
            "wanted views that tell them apart"
        )

    def _state_at(self, node: int) -> State:
        """Walks down to a node again, for a message."""
        first, children = np.frombuffer(self.first_child, np.int32), np.frombuffer(self.children, np.int32)
        path = []
        while node:
            path.append(self.action[node])
            node = int(np.flatnonzero((first <= node) & (node < first + children))[0])
        state = self.game.root()
        for action in reversed(path):
            state = state.child(action)
        return state
