"""One game from deal to result as text that people read and tests compare."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from zerosum.games.protocol import CHANCE, TERMINAL

if TYPE_CHECKING:
    from zerosum.games.protocol import Game


def playthrough(game: Game, seed: int) -> str:
    """Plays random actions and writes down every state, what the actor sees and may do, and the payoffs."""
    rng = random.Random(seed)
    state, lines = game.root(), [f"game: {game.spec()}", f"players: {game.players}", f"actions: {game.num_actions}"]
    while (actor := state.actor) != TERMINAL:
        lines += ["", f"state: {state}"]
        if actor == CHANCE:
            outcomes = state.chance()
            lines.append("chance: " + ", ".join(f"{action} ({p:.6f})" for action, p in outcomes))
            action = rng.choices([a for a, _ in outcomes], [p for _, p in outcomes])[0]
            lines.append(f"dealt: {action}")
        else:
            view = state.view(actor)
            lines += [f"player {actor} sees: {view.words()}", f"key: {view.key}"]
            lines.append("may: " + ", ".join(f"{a} {view.action_words(a)}" for a in state.legal()))
            action = rng.choice(state.legal())
            lines.append(f"does: {view.action_words(action)}")
        state = state.child(action)
    lines += ["", f"state: {state}", "payoffs: " + ", ".join(f"{payoff:+g}" for payoff in state.returns())]
    return "\n".join(lines) + "\n"
