"""What the tree compiler refuses, and how it says so."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import pytest

import zerosum as zs
from zerosum.errors import GameError
from zerosum.games import size
from zerosum.games.protocol import CHANCE, TERMINAL
from zerosum.games.tree import compile_tree


class ToyView(NamedTuple):
    seat: int
    seen: str

    @property
    def key(self) -> str:
        return self.seen

    def legal(self) -> tuple[int, ...]:
        return (0, 1)

    def words(self) -> str:
        return f"seeing {self.seen}"

    def action_words(self, action: int) -> str:
        return f"action {action}"


@dataclass(frozen=True)
class Toy:
    """Player 0 moves twice, then player 1: settings break one rule at a time."""

    payoff_sum: float = 0.0
    forgets: bool = False
    chances: tuple[float, ...] = (0.5, 0.5)
    uneven: bool = False
    one_key: bool = False
    payoffs: int = 2
    twice: bool = False

    players = 2
    num_actions = 2

    def spec(self) -> str:
        return "toy"

    def root(self) -> ToyState:
        return ToyState(self, ())


@dataclass(frozen=True)
class ToyState:
    game: Toy
    moves: tuple[int, ...] = field(default=())

    @property
    def actor(self) -> int:
        return (CHANCE, 0, 0, 1, TERMINAL)[len(self.moves)]

    def legal(self) -> tuple[int, ...]:
        if self.game.twice:
            return (0, 0)
        return (0,) if self.game.uneven and self.moves == (1, 0, 0) else (0, 1)

    def chance(self) -> list[tuple[int, float]]:
        return list(enumerate(self.game.chances))

    def child(self, action: int) -> ToyState:
        return ToyState(self.game, (*self.moves, action))

    def view(self, seat: int) -> ToyView:
        if seat == 1:
            return ToyView(1, "nothing")
        seen = self.moves[1:] if not self.game.forgets else self.moves[2:] + ("?",) * len(self.moves)
        return OneKey(0, str(seen)) if self.game.one_key else ToyView(0, str(seen))

    def returns(self) -> tuple[float, ...]:
        won = float(sum(self.moves) - 2)
        return (won, self.game.payoff_sum - won, 0.0)[: self.game.payoffs]

    def __str__(self) -> str:
        return f"moves {self.moves}"


class OneKey(ToyView):
    @property
    def key(self) -> str:
        return "always the same"


def test_the_toy_itself_is_fine() -> None:
    tree = compile_tree(Toy())
    assert (tree.chance_nodes, tree.decision_nodes, tree.terminal_nodes, tree.infosets) == (1, 14, 16, 4)


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (Toy(payoff_sum=0.5), r"toy: not zero-sum: the payoffs at moves \(.*\) add up to 0.5, wanted 0"),
        (Toy(payoff_sum=float("nan")), r"toy: not zero-sum: .* add up to nan"),
        (Toy(payoff_sum=float("inf")), r"toy: not zero-sum: .* add up to inf"),
        (Toy(payoff_sum=1e-6), r"toy: not zero-sum: .* add up to 1e-06"),
        (Toy(forgets=True), r"toy: no perfect recall: player 0 comes to 'seeing .*' by different actions"),
        (Toy(chances=(0.5, 0.6)), r"toy: the chances at moves \(\) add up to 1.1, wanted 1 and"),
        (Toy(chances=(1.5, -0.5)), r"toy: the chances at moves \(\) add up to 1, wanted 1 and none below 0"),
        (Toy(chances=()), r"toy: no outcome at moves \(\), wanted at least one"),
        (Toy(uneven=True), r"toy: at 'seeing nothing' player 1 may \[0\] in one state and \[0, 1\] in another"),
        (Toy(one_key=True), r"toy: two different views of one seat have the same key"),
        (Toy(twice=True), r"toy: at 'seeing .*' the actions are \[0, 0\], wanted ascending numbers below 2"),
        (Toy(payoffs=3), r"toy: 3 payoffs at moves .*, wanted 2"),
    ],
)
def test_refuses(game: Toy, message: str) -> None:
    with pytest.raises(GameError, match=message):
        compile_tree(game)


def test_refuses_a_tree_that_does_not_fit_at_once() -> None:
    """Five dice each: about 10^18 nodes; the estimate alone refuses it."""
    with pytest.raises(
        GameError, match=r"liars-dice:dice=5: the tree has about .* nodes and needs at least .* of memory; there is"
    ):
        compile_tree(zs.load_game("liars-dice:dice=5"))


def test_refuses_a_tree_that_turns_out_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("bytes_available", "bytes_for_tree"):
        monkeypatch.setattr(f"zerosum.games.tree.{name}", lambda: 20e6)
    with pytest.raises(
        GameError, match=r"liars-dice: the tree has .* nodes and needs at least .* MB of memory; there is 20 MB"
    ):
        compile_tree(zs.load_game("liars-dice"))


def test_the_estimate_is_near() -> None:
    for spec, nodes in (("leduc", 9_457), ("liars-dice:faces=4", 16 * 511 + 5)):
        assert size.estimate_nodes(zs.load_game(spec), probes=3_000) == pytest.approx(nodes, rel=0.15)


def test_endless_games_are_refused() -> None:
    class Endless(Toy):
        def root(self) -> ToyState:
            return EndlessState(self)

    class EndlessState(ToyState):
        @property
        def actor(self) -> int:
            return 0

        def child(self, action: int) -> ToyState:  # noqa: ARG002
            return self

    with pytest.raises(GameError, match="more than 10000 moves"):
        compile_tree(Endless())


@dataclass(frozen=True)
class Chain:
    """Two players in turn go on or stop, for many moves; who stops pays one."""

    length: int

    players = 2
    num_actions = 2

    def spec(self) -> str:
        return "chain"

    def root(self) -> ChainState:
        return ChainState(self.length, 0, stopped=False)


class ChainState(NamedTuple):
    length: int
    moves: int
    stopped: bool

    @property
    def actor(self) -> int:
        return TERMINAL if self.stopped or self.moves == self.length else self.moves % 2

    def legal(self) -> tuple[int, ...]:
        return (0, 1)

    def chance(self) -> list[tuple[int, float]]:
        raise AssertionError

    def child(self, action: int) -> ChainState:
        return ChainState(self.length, self.moves + 1, stopped=action == 1)

    def view(self, seat: int) -> ToyView:
        return ToyView(seat, str(self.moves))

    def returns(self) -> tuple[float, ...]:
        payer = (self.moves - 1) % 2
        won = (1.0 if payer else -1.0) if self.stopped else 0.0
        return won, -won


@pytest.mark.parametrize("algorithm", ["cfr", "cfr+", "dcfr", "pcfr+"])
def test_deep_games_do_not_underflow(algorithm: str) -> None:
    """Reaches of 2^-2500 are zero for a computer; regrets there must not become nonsense."""
    result = zs.solve(compile_tree(Chain(2_500)), algorithm, iterations=2_000)
    assert result.exploitability < 0.05


def test_games_too_deep_are_refused() -> None:
    with pytest.raises(GameError, match="chain: a game of more than 10000 moves cannot be listed as a tree"):
        compile_tree(Chain(10_500))


def test_single_player_games_are_refused() -> None:
    class Alone(Toy):
        players = 1

    with pytest.raises(GameError, match="has 1 players, wanted at least 2"):
        compile_tree(Alone())


def test_rules_that_raise_are_named() -> None:
    class Broken(Toy):
        def root(self) -> ToyState:
            raise KeyError("no deck")

    with pytest.raises(GameError, match="toy: its rules failed with KeyError: 'no deck'"):
        compile_tree(Broken())


def test_the_same_game_is_compiled_once() -> None:
    assert zs.tree_of(zs.load_game("kuhn")) is zs.tree_of(zs.load_game("kuhn:cards=3"))
