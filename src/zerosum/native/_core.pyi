"""
zerosum's native core: arrays in, arrays out, the interpreter lock released.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy
import numpy.typing
from numpy.typing import NDArray


def evaluate_cards(cards: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint16], dict(order='C', device='cpu')]:
    """[B, 5..7] cards -> [B] values; higher is better, equal means split."""

def hand_category(value: int) -> int:
    """0 high card .. 8 straight flush."""

def count_classes(threads: int) -> Annotated[NDArray[numpy.uint64], dict(order='C', device='cpu')]:
    """[values] how many of all 133,784,560 seven-card hands have each value."""

def board_values(board: bytes) -> Annotated[NDArray[numpy.uint16], dict(order='C', device='cpu')]:
    """
    [1326] the value of every pair of hole cards on a river board; 0 where a card is on the board.
    """

WHOLE_POT: int = 2520

def hands_equity(hands: Sequence[bytes], board: bytes) -> tuple[int, list[tuple[int, int, int]]]:
    """
    Known hands on every board: (boards, a (share of the pot in 1/WHOLE_POT, wins, ties) for each).
    """

def versus_random(hand: bytes, board: bytes) -> tuple[int, int, int]:
    """
    A hand against a random one: (wins, ties, all) over boards and opponents.
    """

def tally_range(mine: numpy.typing.NDArray[numpy.uint32], theirs: numpy.typing.NDArray[numpy.uint32], board: bytes, canonical: bool, threads: int) -> tuple[numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.uint64]]:
    """
    [1326] for each of my hands, the summed weight of theirs that it beats, ties with and meets, over all rivers; `canonical` takes one board of each kind, for ranges that are the same in every suit.
    """

def monte_carlo(seats: Sequence[Sequence[tuple[int, int]]], board: bytes, samples: int, seed: int, threads: int, by_hand: bool) -> tuple[bool, list[tuple[int, int, int, int, numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.uint64]]]]:
    """
    Weighted (combo, weight) lists, an empty one for any two cards: (whether hands could be dealt, a (share, wins, ties, sum of squared shares, [1326] shares and samples by hand) for each).
    """

def all_hands(board: bytes) -> tuple[numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.uint16]]:
    """
    ([1326] points, [1326] rivers, [1326, 50] histogram): a hand's equity is points / (1980 rivers).
    """

def fill_tables(board_cards: int, first: int, last: int, threads: int, points: numpy.typing.NDArray[numpy.uint32], histogram: numpy.typing.NDArray[numpy.uint16] | numpy.typing.NDArray[numpy.uint8]) -> None:
    """
    Fills the rows of canonical flops (uint16 bins) or turns (uint8 bins) first .. last - 1.
    """

class HandIndexer:
    """Numbers hands dealt in rounds, one number for all renamings of suits."""

    def __init__(self, rounds: Sequence[int]) -> None: ...

    def __len__(self) -> int: ...

    @property
    def cards(self) -> int: ...

    def index(self, cards: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint64], dict(order='C', device='cpu')]:
        """[B, cards] hands, round by round -> [B] numbers."""

    def hands(self, indices: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')]:
        """[B] numbers -> [B, cards] canonical hands."""

class Tree:
    """
    A game tree as flat arrays, with its sequence form. A sequence is one action of one information set; a profile is [sequences] probabilities.
    """

    def __init__(self, players: int, actor: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], index: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], first_child: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], children: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], action: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], probability: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], returns: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], owner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], first: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def fault(self) -> tuple[str, int, float]:
        """
        (kind, node, got) of the first fault: 'chance', 'sum', 'recall', 'depth', or '' for none.
        """

    def counterfactual_values(self, profile: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')]:
        """
        [sequences] probabilities -> [sequences] counterfactual values for the actor.
        """

    def expected_values(self, profile: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')]:
        """[sequences] probabilities -> [players] expected payoffs."""

    def best_responses(self, profile: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], Annotated[NDArray[numpy.int32], dict(order='C', device='cpu')]]:
        """
        [sequences] probabilities -> ([players] best response values, [infosets] best sequences), each player alone against the rest of the profile.
        """

class Solver:
    """The CFR family with full passes over the sequence form."""

    def __init__(self, tree: Tree, positive: float, negative: float, average: float, predictive: bool) -> None: ...

    def run(self, iterations: int) -> None: ...

    @property
    def iteration(self) -> int: ...

    def average_profile(self) -> Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')]: ...

    def state(self) -> tuple[int, dict[str, numpy.typing.NDArray[numpy.float64]]]: ...

    def restore(self, iteration: int, regret: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], average: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], strategy: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class SampledSolver:
    """Monte-Carlo CFR; the result does not depend on `threads`."""

    def __init__(self, tree: Tree, sampling: str, seed: int, threads: int) -> None: ...

    def run(self, iterations: int) -> None: ...

    @property
    def iteration(self) -> int: ...

    @property
    def batch(self) -> int: ...

    def average_profile(self) -> Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')]: ...

    def state(self) -> tuple[int, dict[str, numpy.typing.NDArray[numpy.float64]]]:
        """The last whole batch: its iteration and the table there."""

    def restore(self, iteration: int, table: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...
