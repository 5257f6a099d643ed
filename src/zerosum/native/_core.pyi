"""
zerosum's native core: arrays in, arrays out, the interpreter lock released.
"""

from typing import Annotated

import numpy
import numpy.typing
from numpy.typing import NDArray


class Tree:
    """
    A game tree as flat arrays, with its sequence form. A sequence is one action of one information set; a profile is [sequences] probabilities.
    """

    def __init__(self, players: int, actor: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], index: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], first_child: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], children: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], action: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], probability: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], returns: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], owner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], first: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def fault(self) -> tuple[str, int, float]:
        """
        (kind, node, got) of the first fault: 'chance', 'sum', 'recall', or '' for none.
        """

    @property
    def sequences(self) -> int: ...

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

    def current_profile(self) -> Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')]: ...

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
        """Rewinds to the last whole batch and returns it."""

    def restore(self, iteration: int, table: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...
