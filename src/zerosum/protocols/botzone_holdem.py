"""Hold'em on Botzone: a request tells everything about a hand, the answer is a whole number.

−1 fold, −2 all-in, 0 check or call, above that the chips to add now. The small blind sits after the dealer, heads-up
the dealer is the big blind, and the small blind acts first on every street. After an all-in only −1 and −2 are legal.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from zerosum import native
from zerosum.errors import RuleError, ZerosumError
from zerosum.games.holdem import CALL, FOLD, UNKNOWN
from zerosum.protocols.acpc_bot import sound_action
from zerosum.protocols.botzone import KEEP_RUNNING
from zerosum.protocols.lines import LONGEST_SHOWN, read_json, shown, shown_field, turns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from zerosum.games.holdem import Holdem
    from zerosum.native import HoldemHand
    from zerosum.policy.player import Player

SAYS_FOLD, SAYS_ALL_IN, SAYS_CALL = -1, -2, 0
DEAL = -1
MOST_CHIPS = 2**40  # that anyone may have
HUGE = 10**308  # for numbers beyond that
WHOLE_HAND = 2**20  # no history is so long: luck that is the same throughout a hand
SUITS = (3, 1, 0, 2)  # Botzone's number for c, d, h, s


def botzone_card(card: int) -> int:
    """Our number of a card -> Botzone's."""
    return card // 4 * 4 + SUITS[card % 4]


@dataclass(frozen=True)
class Request:
    """What a request tells, checked."""

    players: int
    dealer: int
    me: int
    hand: int
    chips: int | None
    hole: list[int]
    board: list[int]
    history: list[tuple[int, int]]  # player, chips as they were said
    notes: list[str]  # what was passed over

    def seat(self, player: int) -> int:
        return (player - self.dealer - 1) % self.players

    def player(self, seat: int) -> str:
        return f"player {(seat + self.dealer + 1) % self.players}"


def parse_request(told: Any) -> Request:
    """A request -> what it tells; fields that nobody knows are passed over."""
    if not isinstance(told, dict):
        raise RuleError(f"got {shown(told)}, wanted a request")
    players = _whole(told, "num_players", 2, 10) if "num_players" in told else 2
    dealer, me = (_whole(told, key, 0, players - 1) for key in ("dealer_id", "my_id"))
    notes: list[str] = []
    chips, hand = (_count(told, key, notes) for key in ("my_chips", "hand"))
    board, history = (_list(told, key, notes) for key in ("public_cards", "history"))
    if len(mine := _cards(_list(told, "my_cards", []))) != 2:
        raise RuleError(f"my_cards: got {shown_field(told, 'my_cards')}, wanted two cards from 0 to 51")
    if len(all_cards := _cards(board)) < len(board):
        raise RuleError(f"public_cards: got {shown(board)}, wanted up to five cards from 0 to 51")
    ids = mine + all_cards
    if twice := [card for k, card in enumerate(ids) if card in ids[:k]]:
        raise RuleError(f"my_cards, public_cards: got {twice[0]} twice")
    hole, seen = ([native.card_of_botzone(card) for card in cards] for cards in (mine, all_cards))
    actions = [_action(one, f"history[{k}]", players) for k, one in enumerate(history)]
    return Request(players, dealer, me, hand or 0, chips, hole, seen, actions, notes)


def _list(told: dict[str, Any], key: str, notes: list[str]) -> list[Any]:
    found = told.get(key)
    if isinstance(found, list):
        return found
    notes.append(f"{key}: got {shown_field(told, key)}, wanted a list; counts as an empty one")
    return []


def _count(told: dict[str, Any], key: str, notes: list[str]) -> int | None:
    found = _integer(told.get(key))
    if found is not None and 0 <= found <= MOST_CHIPS:
        return found
    if key in told:
        notes.append(f"{key}: got {shown(told[key])}, wanted 0 to {MOST_CHIPS}; passed over")
    return None


def _whole(told: dict[str, Any], key: str, low: int, high: int) -> int:
    value = _integer(told.get(key))
    if value is None or not low <= value <= high:
        raise RuleError(f"{key}: got {shown_field(told, key)}, wanted {low} to {high}")
    return value


def _integer(told: Any) -> int | None:
    """A whole number, however it is written."""
    if type(told) is float and math.isinf(told):  # of so many digits
        return HUGE if told > 0 else -HUGE
    if type(told) is float and told.is_integer():
        return int(told)
    return told if type(told) is int else None


def _cards(told: list[Any]) -> list[int]:
    """Botzone's numbers of cards, up to five; none where one is no card."""
    cards = [card for one in told[:6] if (card := _integer(one)) is not None and 0 <= card < 52]
    return cards if len(cards) == len(told) <= 5 else []


def _action(told: Any, where: str, players: int) -> tuple[int, int]:
    if not isinstance(told, dict):
        raise RuleError(f"{where}: got {shown(told)}, wanted a player and an action")
    player, chips = (_integer(told.get(key)) for key in ("player_id", "action"))
    if player is None or not 0 <= player < players:
        raise RuleError(f"{where}.player_id: got {shown_field(told, 'player_id')}, wanted 0 to {players - 1}")
    if chips is None or chips < SAYS_ALL_IN:
        raise RuleError(f"{where}.action: got {shown_field(told, 'action')}, wanted -2, -1, 0 or chips")
    return player, SAYS_CALL if told.get("action_type") in ("call", "check") else chips


@dataclass(frozen=True)
class BotzoneHand:
    """A hand as a request tells it, and the most that anyone added at once on this street."""

    hand: HoldemHand
    largest: int
    odd: str | None = None  # the first action that our rules do not have

    def said(self, action: int) -> int:
        """How the actor says an action of the engine; a raise adds at least twice what anyone added at once."""
        hand = self.hand
        stack, bet = hand.stacks[hand.actor], hand.bets[hand.actor]
        if action == FOLD:
            return SAYS_FOLD
        if action == CALL:
            left = [chips for chips, folded in zip(hand.stacks, hand.folded, strict=True) if not folded]
            return SAYS_ALL_IN if 0 in left or max(hand.bets) - bet >= stack else SAYS_CALL
        added = max(action - bet, 2 * self.largest)
        return SAYS_ALL_IN if added >= stack else added


def replay_request(told: Request, game: Holdem, *, check_chips: bool) -> BotzoneHand:
    """The hand in a game's order; refuses a request that does not fit its rules."""
    game = replace(game, players=told.players)
    mine = told.seat(told.me)
    holes = [told.hole if seat == mine else [UNKNOWN, UNKNOWN] for seat in range(told.players)]
    hand = game.root().deal(b"".join(map(bytes, holes)))
    largest, odd = max(game.amounts()[1]), None
    for player, chips in told.history:
        hand, largest = _dealt(hand, told.board, largest)
        if hand.actor != told.seat(player):
            raise RuleError(f"history: got an action of player {player}, {told.player(hand.actor)} is to act")
        action, known = _engine_action(hand, chips)
        odd = odd or (None if known else _oddity(hand, player, chips))
        after = hand.act(action)
        largest = max(largest, after.invested[hand.actor] - hand.invested[hand.actor])
        hand = after
    hand, largest = _dealt(hand, told.board, largest)
    if hand.actor != mine:
        raise RuleError(f"{told.player(hand.actor)} is to act, and my_id is {told.me}")
    if len(hand.board) != len(told.board):
        raise RuleError(f"public_cards: got {len(told.board)}, the history wants {len(hand.board)}")
    if check_chips and told.chips not in (None, hand.stacks[mine]):
        raise RuleError(f"my_chips: got {told.chips}, the history gives {hand.stacks[mine]}")
    return BotzoneHand(hand, largest, odd)


def _dealt(hand: HoldemHand, board: Sequence[int], largest: int) -> tuple[HoldemHand, int]:
    """With the cards that are due, and the street's largest addition."""
    while hand.actor == DEAL:
        if len(hand.board) >= len(board):
            raise RuleError(f"public_cards: got {len(board)}, the history wants {max(3, len(board) + 1)}")
        hand, largest = hand.deal(bytes([board[len(hand.board)]])), 0
    if hand.actor < 0:
        raise RuleError("history: the hand is over")
    return hand, largest


def _engine_action(hand: HoldemHand, chips: int) -> tuple[int, bool]:
    """What was said -> the engine's action, and whether it is that; a size that our rules do not have becomes the
    nearest that they do.
    """
    fold, call, may_raise, low, high = hand.limits()
    if chips == SAYS_FOLD:
        return (FOLD if fold else CALL), fold
    if chips != SAYS_ALL_IN and chips <= call:
        return CALL, chips in (SAYS_CALL, call)
    to = high if chips == SAYS_ALL_IN else hand.bets[hand.actor] + chips
    action = min(max(to, low), high) if may_raise else CALL
    return action, chips == SAYS_ALL_IN or action == to


def _oddity(hand: HoldemHand, player: int, chips: int) -> str:
    fold, _, may_raise, low, high = hand.limits()
    bet = hand.bets[hand.actor]
    wanted = ("-2, -1, 0" if fold else "-2, 0") + (f", {low - bet} to {high - bet}" if may_raise else "")
    got = str(chips)[:LONGEST_SHOWN]
    return f"history: got {got} of player {player}, wanted {wanted}; counts as the nearest of these"


class HoldemBot:
    """Answers lines of JSON with a player's actions; to fold is legal whatever was heard."""

    def __init__(
        self, player: Player, game: Holdem, seed: int, warn: Callable[[str], None], most_players: int = 2
    ) -> None:
        self.player, self.seed, self.warn, self.most_players = player, seed, warn, most_players
        self.games = [replace(game, order=order) for order in ("botzone", "standard")]

    def converse(self, lines: Iterable[str], say: Callable[[str], None], keep_running: bool) -> None:
        """Answers the first line, and the others if it is kept running."""
        for line in turns(lines, keep_running):
            try:
                said = self.answer(line)
            except ZerosumError as error:
                self.warn(f"{error}; folds")
                said = SAYS_FOLD
            say(json.dumps({"response": said}))
            if keep_running:
                say(KEEP_RUNNING)

    def answer(self, line: str) -> int:
        """The answer to all requests so far, or to one of them, bare or as {"request": ...}."""
        told = read_json(line)
        if isinstance(told, dict):
            requests = told.get("requests")
            told = (requests or [None])[-1] if isinstance(requests, list) else told.get("request", told)
        request = parse_request(read_json(told) if isinstance(told, str) else told)
        for note in request.notes:
            self.warn(note)
        table = self._replayed(request)
        if table.odd is not None:
            self.warn(table.odd)
        if request.players > self.most_players:
            wanted = "2" if self.most_players == 2 else f"2 to {self.most_players}"
            self.warn(f"got {request.players} players, wanted {wanted}; checks or folds")
            return table.said(FOLD if table.hand.limits()[0] else CALL)
        luck = native.decision_luck(self.seed, request.hand, len(request.history))
        once = native.decision_luck(self.seed, request.hand, WHOLE_HAND)
        return table.said(sound_action(self.player, table.hand.view(table.hand.actor), luck, self.warn, once))

    def _replayed(self, request: Request) -> BotzoneHand:
        """In Botzone's order; in the other where only that one fits. Where none does, it is told what is wrong in the
        first: another count of chips alone would do.
        """
        first: RuleError | None = None
        for check_chips in (True, False):
            for game in self.games if request.players == 2 else self.games[:1]:
                try:
                    found = replay_request(request, game, check_chips=check_chips)
                except RuleError as error:
                    first = first or error
                    continue
                if not check_chips:
                    self.warn(f"my_chips: got {request.chips}, which the history does not give")
                if game.order == "standard":
                    self.warn("the dealer has the small blind here, not Botzone's order")
                return found
        raise first or RuleError("the history does not fit the rules")
