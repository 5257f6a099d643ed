"""zerosum: learn to play zero-sum games, and prove how well.

>>> import zerosum as zs
>>> game = zs.load_game("leduc")
>>> result = zs.solve(game, "cfr+", iterations=1000)
>>> zs.exploitability(game, result.policy)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

# A room and a function share the name `solve`; imported here, it is the function that `zerosum.solve` means.
from zerosum.solve import solve

if TYPE_CHECKING:
    from zerosum.errors import ZerosumError
    from zerosum.evaluate.exact import best_response, expected_value, exploitability, nash_conv
    from zerosum.games.catalog import load_game
    from zerosum.games.tree import tree_of
    from zerosum.policy.storage import load_policy, save_policy
    from zerosum.policy.table import TablePolicy
    from zerosum.policy.uniform import UniformPolicy
    from zerosum.solve.iterates import iterates

__version__ = "0.1.0"

_HOMES = {
    "TablePolicy": "zerosum.policy.table",
    "UniformPolicy": "zerosum.policy.uniform",
    "ZerosumError": "zerosum.errors",
    "best_response": "zerosum.evaluate.exact",
    "expected_value": "zerosum.evaluate.exact",
    "exploitability": "zerosum.evaluate.exact",
    "iterates": "zerosum.solve.iterates",
    "load_game": "zerosum.games.catalog",
    "load_policy": "zerosum.policy.storage",
    "nash_conv": "zerosum.evaluate.exact",
    "save_policy": "zerosum.policy.storage",
    "tree_of": "zerosum.games.tree",
}

__all__ = [
    "TablePolicy",
    "UniformPolicy",
    "ZerosumError",
    "__version__",
    "best_response",
    "expected_value",
    "exploitability",
    "iterates",
    "load_game",
    "load_policy",
    "nash_conv",
    "save_policy",
    "solve",
    "tree_of",
]


def __getattr__(name: str) -> Any:
    """Imports what is asked for, when it is asked for: `import zerosum` alone costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'zerosum' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value
