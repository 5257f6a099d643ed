"""Hands of OpenSpiel's `universal_poker` as hands of our engine, so that policies of ours can be asked about them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from zerosum.errors import RuleError
from zerosum.games.holdem.engine import CALL, FOLD

if TYPE_CHECKING:
    from zerosum.games.holdem import Holdem
    from zerosum.native import HoldemHand

DEAL = -1


def universal_poker(game: Holdem) -> str:
    """What OpenSpiel calls a heads-up game of ours in the standard order."""
    stacks, blinds, _, _ = game.amounts()
    if game.players != 2 or game.order != "standard" or game.streets != 4:
        raise RuleError(f"{game.spec()}: wanted heads-up, four streets and the standard order")
    return (
        "universal_poker(betting=nolimit,numPlayers=2,numRounds=4,numSuits=4,numRanks=13,numHoleCards=2,"
        f"blind={' '.join(map(str, blinds))},firstPlayer=2 1 1 1,numBoardCards=0 3 1 1,"
        f"stack={' '.join(map(str, stacks))},bettingAbstraction=fullgame)"
    )


def hand_of(state: Any, game: Holdem) -> HoldemHand:
    """The hand that a state of `universal_poker` tells: its cards have our numbers, its raises count the whole hand."""
    got, wanted = state.get_game().get_parameters(), _parameters(universal_poker(game))
    for name, value in wanted.items():
        if got.get(name) != value:
            raise RuleError(f"{state.get_game()}: {name}: got {got.get(name)!r}, wanted {value!r} for {game.spec()}")
    hand = game.root()
    for action in state.history():
        if hand.actor == DEAL:
            hand = hand.child(action)
        elif action <= 1:
            hand = hand.act(CALL if action == 1 else FOLD)
        else:
            hand = hand.act(action - hand.invested[hand.actor] + hand.bets[hand.actor])
    return hand


@cache
def _parameters(name: str) -> dict[str, Any]:
    """All that OpenSpiel knows of a game, also what its name does not say."""
    import pyspiel

    told: dict[str, Any] = pyspiel.load_game(name).get_parameters()
    return told
