"""How large a tree will be, before it is built: random probes weighted by their branching (Knuth 1975)."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import psutil

from zerosum.errors import GameError
from zerosum.games.protocol import CHANCE, TERMINAL

if TYPE_CHECKING:
    from zerosum.games.protocol import Game

BYTES_PER_NODE = 200  # the compiler's peak, measured on games with many information sets a node
DEEPEST = 10_000


def estimate_nodes(game: Game, probes: int = 100) -> float:
    """An unbiased estimate of the number of nodes; the same each time."""
    rng = random.Random(0)
    total = 0.0
    for _ in range(probes):
        state, weight = game.root(), 1.0
        for _ in range(DEEPEST):
            total += weight
            actor = state.actor
            if actor == TERMINAL:
                break
            actions = [action for action, _ in state.chance()] if actor == CHANCE else state.legal()
            weight *= len(actions)
            state = state.child(rng.choice(actions))
        else:
            raise GameError(f"{game.spec()}: a game of more than {DEEPEST} moves cannot be listed as a tree")
    return total / probes


def available_nodes() -> int:
    """How many nodes this machine's free memory can hold."""
    return int(psutil.virtual_memory().available // BYTES_PER_NODE)


def too_large(game: Game, nodes: float, limit: int, estimated: bool) -> GameError:
    """What is said of a tree that does not fit."""
    about = "about" if estimated else "more than"
    return GameError(
        f"{game.spec()}: the tree has {about} {nodes:.2g} nodes and needs {about} {_bytes(nodes * BYTES_PER_NODE)}; "
        f"there is memory for {limit:.2g} nodes ({_bytes(limit * BYTES_PER_NODE)})"
    )


def _bytes(count: float) -> str:
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} PB"
