"""A table that plays on, for people who think in one game object: `PokerGame` and `get_state_for_player`.

Amounts in a player's state are in big blinds. Positions are numbered UTG 0, HJ 1, CO 2, BTN 3, SB 4, BB 5 and count
back from the big blind, so that with fewer players the earliest are missing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from zerosum.errors import RuleError
from zerosum.games.holdem.game import SixMax

if TYPE_CHECKING:
    from zerosum.games.holdem.game import Holdem
    from zerosum.native import HoldemView

ActionName = Literal["fold", "check", "call", "bet", "raise", "all-in"]


def position_of(seat: int, players: int, *, botzone: bool = False) -> int:
    """0 UTG .. 5 BB; with more than six players the first ones are all UTG."""
    if players == 2:
        return 5 - seat if not botzone else 4 + seat
    return 4 + seat if seat < 2 else max(0, seat - players + 4)


class PokerGame:
    """Hand after hand on one table; the cards follow from the seed."""

    def __init__(self, game: Holdem | None = None, seed: int = 0, players: int | None = None) -> None:
        chosen = SixMax() if game is None else game
        self.game = chosen if players is None else replace(chosen, players=players)
        self.seed = seed
        self.hands = 0
        self.hand = self.game.deal(seed, 0)

    @property
    def big_blind(self) -> int:
        return max(self.game.amounts()[1])

    @property
    def current_player(self) -> int:
        """The seat to act, or -2 when the hand is over."""
        return self.hand.actor

    @property
    def is_over(self) -> bool:
        return self.hand.actor == -2

    def legal_actions(self) -> dict[str, Any]:
        """What may be done: names, and for bets and raises the chips to bet or raise to."""
        fold, call, raises, low, high = self.hand.limits()
        names: dict[str, Any] = {"fold": None} if fold else {}
        names["call" if call else "check"] = call
        if raises:
            names["raise" if max(self.hand.bets) else "bet"] = (low, high)
            names["all-in"] = high
        return names

    def step(self, action: ActionName, amount: int | None = None) -> None:
        """Acts for the seat to act; `amount` is the chips to bet or raise to on this street."""
        legal = self.legal_actions()
        if action not in legal:
            raise RuleError(f"{action}: not legal here, wanted {', '.join(legal)}")
        if action in ("bet", "raise") and amount is None:
            raise RuleError(f"{action}: got no amount, wanted {legal[action][0]} to {legal[action][1]} chips")
        if action in ("bet", "raise") and not legal[action][0] <= (amount or 0) <= legal[action][1]:
            raise RuleError(f"{action} to {amount}: wanted {legal[action][0]} to {legal[action][1]} chips")
        chips = {"fold": -1, "check": 0, "call": 0, "all-in": legal.get("all-in", 0)}.get(action, amount or 0)
        self.hand = self.hand.act(chips)

    def returns(self) -> list[float]:
        """What each seat has won or lost, the hand being over."""
        return self.hand.returns()

    def next_hand(self) -> None:
        """Deals the next hand."""
        if not self.is_over:
            raise RuleError("next hand: this one is not over")
        self.hands += 1
        self.hand = self.game.deal(self.seed, self.hands)

    def get_state_for_player(self, player_id: int) -> dict[str, Any]:
        """What a seat sees, in big blinds; nothing else is in it."""
        return player_state(self.hand.view(player_id), self.big_blind, botzone=self.game.order == "botzone")


def player_state(view: HoldemView, big_blind: int, *, botzone: bool = False) -> dict[str, Any]:
    """A view as a dictionary: the state of spec 4's encoding."""
    me, players = view.seat, view.players
    stacks, invested, folded = view.stacks, view.invested, view.folded
    others = [(me + k) % players for k in range(1, players)]
    return {
        "my_position": position_of(me, players, botzone=botzone),
        "my_stack": stacks[me] / big_blind,
        "pot": view.pot / big_blind,
        "to_call": min(stacks[me], max(view.bets) - view.bets[me]) / big_blind,
        "raise_count": view.raises,
        "street": view.street,
        "hole_cards": list(view.hole),
        "board": view.board,
        "opponents": [
            {"is_active": not folded[k], "stack": stacks[k] / big_blind, "invested": invested[k] / big_blind}
            for k in others
        ],
        "actions": _actions(view, big_blind, botzone=botzone),
    }


def _actions(view: HoldemView, big_blind: int, *, botzone: bool) -> list[dict[str, Any]]:
    """Every action so far; the blinds are none."""
    told: list[dict[str, Any]] = []
    raised = {0}  # streets with a bet; the blinds are one
    for seat, street, action, added, all_in in view.events():
        if seat < 0:
            continue
        kind = "fold" if action < 0 else "call" if added else "check"
        if action > 0:
            kind = "raise" if street in raised else "bet"
            raised.add(street)
        told.append(
            {
                "player": position_of(seat, view.players, botzone=botzone),
                "type": "all-in" if all_in else kind,
                "amount": added / big_blind,
                "street": street,
            }
        )
    return told
