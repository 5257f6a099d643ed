"""How large a tree will be, before it is built: random probes weighted by their branching (Knuth 1975)."""

from __future__ import annotations

import random
from math import inf
from typing import TYPE_CHECKING

import psutil

from zerosum.errors import GameError
from zerosum.games.protocol import CHANCE, TERMINAL

if TYPE_CHECKING:
    from zerosum.games.protocol import Game

# The compiler's peak, measured on liar's dice (few information sets a node) and on tic-tac-toe (one a decision).
BYTES_PER_NODE = 170
BYTES_PER_INFOSET = 700
MOST_NODES = 2**30 - 1  # they, and the tables' entries, are numbered with 32 bits
DEEPEST = 10_000
RESERVE_BYTES = 300e6  # a compile that would leave less than this is stopped, whatever was estimated


def estimate_nodes(game: Game, probes: int = 300, enough: float = inf) -> float:
    """An unbiased estimate of the number of nodes, the same each time; probing ends early when it is `enough`."""
    rng = random.Random(0)
    total = 0.0
    for probe in range(probes):
        if probe >= 10 and total / probe > enough:
            return total / probe
        state, weight = game.root(), 1.0
        for _ in range(DEEPEST):
            total += weight
            actor = state.actor
            if actor == TERMINAL:
                break
            actions = [action for action, _ in state.chance()] if actor == CHANCE else state.legal()
            if not actions:
                break  # the compiler will say so
            weight = min(weight * len(actions), 1e300)
            state = state.child(rng.choice(actions))
        else:
            raise GameError(f"{game.spec()}: a game of more than {DEEPEST} moves cannot be listed as a tree")
    return total / probes


def bytes_needed(nodes: float, infosets: float = 0) -> float:
    """What compiling takes; without the information sets, which cannot be foretold, at least."""
    return BYTES_PER_NODE * nodes + BYTES_PER_INFOSET * infosets


def bytes_available() -> float:
    """What this machine has left."""
    return float(psutil.virtual_memory().available)


def bytes_for_tree() -> float:
    """What this machine has left, and our numbers can reach."""
    return min(bytes_available(), bytes_needed(MOST_NODES))


def too_large(game: Game, nodes: float, needed: float, available: float) -> GameError:
    """What is said of a tree that does not fit."""
    return GameError(
        f"{game.spec()}: the tree has about {nodes:.2g} nodes and needs at least {_bytes(needed)} of memory; "
        f"there is {_bytes(available)}"
    )


def _bytes(count: float) -> str:
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} PB" if count < 1e6 else "more than a million PB"
