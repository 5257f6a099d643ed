"""A judge of Botzone's games, to try bots where they are made: hold'em for two, and Gomoku on 15 × 15.

What is illegal, late or no answer counts as a fold, and in Gomoku loses the game.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from zerosum.errors import RuleError
from zerosum.games.holdem import CALL
from zerosum.protocols.botzone import GOMOKU
from zerosum.protocols.botzone_holdem import SAYS_ALL_IN, SAYS_CALL, SAYS_FOLD, botzone_card
from zerosum.protocols.botzone_program import FaultError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zerosum.games.holdem import Holdem
    from zerosum.native import HoldemHand
    from zerosum.protocols.botzone_program import BotzoneProgram

KINDS = {SAYS_FOLD: "fold", SAYS_ALL_IN: "allin"}


@dataclass
class Score:
    """What two programs have won, and what went wrong."""

    played: int = 0
    won: list[float] = field(default_factory=lambda: [0.0, 0.0])  # chips, or games
    games: list[int] = field(default_factory=lambda: [0, 0])
    draws: int = 0
    faults: list[list[str]] = field(default_factory=lambda: [[], []])


def judge_holdem(programs: Sequence[BotzoneProgram], game: Holdem, hands: int, seed: int) -> Score:
    """Hands of one match, the dealer changing; `game` is in Botzone's order."""
    score = Score()
    for number in range(hands):
        _Hand(programs, game, score, number, hands, seed).play()
    return score


class _Hand:
    """One hand. Heads-up the dealer is seat 1, the big blind."""

    def __init__(
        self, programs: Sequence[BotzoneProgram], game: Holdem, score: Score, number: int, hands: int, seed: int
    ) -> None:
        self.programs, self.score, self.number, self.hands = programs, score, number, hands
        self.dealer = number % 2
        self.hand = game.deal(seed, number)
        self.history: list[dict[str, Any]] = []

    def player(self, seat: int) -> int:
        return (self.dealer + 1 + seat) % 2

    def play(self) -> None:
        won: list[float] | None = None
        while won is None and self.hand.actor >= 0:
            actor = self.hand.actor
            player = self.player(actor)
            said = self._ask(player)
            if said == SAYS_FOLD:  # also where a check is free
                lost = float(self.hand.invested[actor])
                won = [lost, lost]
                won[actor] = -lost
            self.history.append(
                {
                    "round": self.hand.street,
                    "player_id": player,
                    "action": said,
                    "action_type": KINDS.get(said) or _kind(self.hand, said),
                }
            )
            if won is None:
                self.hand = self.hand.act(_engine(self.hand, said))
        by_seat = self.hand.returns() if won is None else won
        self.score.played += 1
        for seat in range(2):
            self.score.won[self.player(seat)] += by_seat[seat]
            self.score.games[self.player(seat)] += by_seat[seat] > 0

    def _ask(self, player: int) -> int:
        """What the player says; a fold where that is nothing it may say."""
        hand, score = self.hand, self.score
        request = {
            "num_players": 2,
            "dealer_id": self.dealer,
            "my_id": player,
            "my_chips": hand.stacks[hand.actor],
            "my_cards": [botzone_card(card) for card in hand.hole(hand.actor)],
            "public_cards": [botzone_card(card) for card in hand.board],
            "history": list(self.history),
            "hand": self.number,
            "max_hand": self.hands,
            "total_win_chips": list(score.won),
            "total_win_games": list(score.games),
        }
        try:
            said = self.programs[player].ask(request)
            check_said(hand, said)
        except (FaultError, RuleError) as error:
            score.faults[player].append(f"hand {self.number}: {error}")
            return SAYS_FOLD
        return int(said)


def check_said(hand: HoldemHand, said: Any) -> None:
    """Refuses what the actor may not say."""
    if type(said) is not int:
        raise RuleError(f"got {str(said)[:40]!r}, wanted a whole number")
    if said in (SAYS_FOLD, SAYS_ALL_IN):
        return
    _, call, may_raise, low, high = hand.limits()
    stack, bet = hand.stacks[hand.actor], hand.bets[hand.actor]
    if hand.stacks[1 - hand.actor] == 0:
        raise RuleError(f"got {said} after an all-in, wanted -1 or -2")
    if said == SAYS_CALL and call >= stack:
        raise RuleError(f"got a call with {stack} chips of {call}, wanted -1 or -2")
    if said != SAYS_CALL and not (may_raise and low <= bet + said < high):
        raise RuleError(f"got {said}, wanted -1, -2, 0" + (f" or {low - bet} to {high - bet - 1}" if may_raise else ""))


def _engine(hand: HoldemHand, said: int) -> int:
    _, _, may_raise, _, high = hand.limits()
    if said == SAYS_ALL_IN:
        return high if may_raise else CALL
    return CALL if said == SAYS_CALL else hand.bets[hand.actor] + said


def _kind(hand: HoldemHand, said: int) -> str:
    if said > 0:
        return "raise"
    return "call" if hand.limits()[1] > 0 else "check"


def judge_gomoku(programs: Sequence[BotzoneProgram], games: int) -> Score:
    """Games with colours changing, each a match of its own."""
    score = Score()
    for number in range(games):
        for program in programs:
            program.begin()
        winner = _gomoku_game(programs, score, number)
        score.played += 1
        score.draws += winner is None
        if winner is not None:
            score.won[winner] += 1
            score.games[winner] += 1
    return score


def _gomoku_game(programs: Sequence[BotzoneProgram], score: Score, number: int) -> int | None:
    """Who wins; nobody where the board is full."""
    state, told = GOMOKU.root(), {"x": -1, "y": -1}
    while state.actor >= 0:
        player = (state.actor + number) % 2
        try:
            told = programs[player].ask(told)
            x, y = (told.get(key) if isinstance(told, dict) else None for key in ("x", "y"))
            if type(x) is not int or type(y) is not int or not (0 <= x < GOMOKU.height and 0 <= y < GOMOKU.width):
                raise RuleError(f"got {str(told)[:40]!r}, wanted a field of 15 x 15")
            state = state.child(x * GOMOKU.width + y)
        except (FaultError, RuleError) as error:
            score.faults[player].append(f"game {number}: {error}")
            return 1 - player
    first = state.returns()[0]
    return None if first == 0 else (number if first > 0 else number + 1) % 2
