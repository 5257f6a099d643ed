"""A player that speaks ACPC's match protocol: a line that tells a hand in, the same line and an action out."""

from __future__ import annotations

import re
import socket
from typing import TYPE_CHECKING, NamedTuple

from zerosum import native
from zerosum.errors import PolicyError, RuleError
from zerosum.games.holdem import CALL, FOLD, UNKNOWN
from zerosum.protocols.acpc import VERSION, act_said, parse_action
from zerosum.protocols.lines import raw_text, read_text, readable

if TYPE_CHECKING:
    from collections.abc import Callable

    from zerosum.games.holdem import Holdem
    from zerosum.native import HoldemHand, HoldemView
    from zerosum.policy.player import Player

STATE = re.compile(r"MATCHSTATE:0*([01]):([^:]*):([^:]*):(.*)", re.DOTALL)
CARDS = re.compile(r"([^:|/]*)\|([^:|/]*)((?:/[^/]*){0,3})")
DEAL, OVER = -1, -2  # instead of a seat
ACTIONS = re.compile(r"f|c|r[0-9]{1,12}|/")


class HandOverError(RuleError):
    """The betting goes on where nobody is to act any more."""


class MatchState(NamedTuple):
    """A line taken apart."""

    position: int
    number: int
    betting: str
    hole: list[int]
    board: list[int]
    shown: bool  # the other's cards
    wrong: str | None  # what of it cannot be read


def parse_state(line: str) -> MatchState:
    """`MATCHSTATE:position:hand:betting:hole|hole/flop/turn/river`; refuses one that does not tell whose turn it is."""
    found = STATE.fullmatch(line)
    if found is None:
        raise RuleError("wanted MATCHSTATE:position:hand:betting:cards")
    position, wrong = int(found[1]), None
    hole, shown = [UNKNOWN, UNKNOWN], False
    board: list[int] = []
    try:
        hole, board, shown = _all_cards(found[4], position)
    except RuleError as error:
        wrong = str(error)
    number = int(found[2]) if re.fullmatch(r"[0-9]{1,12}", found[2]) else None
    if number is None:
        wrong = wrong or "the number of the hand cannot be read"
    return MatchState(position, number or 0, found[3], hole, board, shown, wrong)


def _all_cards(text: str, position: int) -> tuple[list[int], list[int], bool]:
    """Own cards, the board, and whether the other's are shown."""
    found = CARDS.fullmatch(text)
    if found is None:
        raise RuleError("the cards cannot be read")
    hole, other = _cards(found[1 + position], 2), found[2 - position]
    board = [card for k, part in enumerate(found[3].split("/")[1:]) for card in _cards(part, 3 if k == 0 else 1)]
    if other:
        _cards(other, 2)
    if len({*hole, *board}) < len(hole) + len(board):
        raise RuleError("a card is given twice")
    return hole, board, bool(other)


def _cards(text: str, count: int) -> list[int]:
    cards = [native.card_named(text[k : k + 2]) for k in range(0, min(len(text), 20), 2)]
    if len(cards) != count or UNKNOWN in cards:
        raise RuleError("the cards cannot be read")
    return cards


def replay_state(told: MatchState, game: Holdem) -> HoldemHand:
    """The hand as far as the line tells it, other cards being unknown; refuses betting that is against the rules."""
    hole = told.hole if told.wrong is None else [UNKNOWN, UNKNOWN]
    board = told.board if told.wrong is None else []
    hand = game.root().deal(bytes([*hole, UNKNOWN, UNKNOWN] if told.position == 0 else [UNKNOWN, UNKNOWN, *hole]))
    if "".join(ACTIONS.findall(told.betting)) != told.betting:
        raise RuleError("the betting is not f, c, r and chips, and slashes")
    for word in ACTIONS.findall(told.betting):
        if hand.actor == OVER or (hand.actor == DEAL and 0 in hand.stacks):  # nobody can bet any more
            if word != "/":
                raise HandOverError("it goes on after the end of the hand")
        elif word == "/":
            if hand.actor != DEAL:
                raise RuleError("got / where no street ends")
            count = 1 if hand.board else 3
            there = board[len(hand.board) :][:count]
            hand = hand.deal(bytes([*there, *[UNKNOWN] * (count - len(there))]))
        elif hand.actor < 0:
            raise RuleError(f"got {word} where a street ends")
        else:
            hand = act_said(hand, parse_action(word, hand))
    if hand.actor == DEAL and 0 not in hand.stacks:
        raise RuleError("the betting ends where a street does")
    return hand


class AcpcBot:
    """Answers lines; `warn` hears of those that are not as they should be."""

    def __init__(self, player: Player, game: Holdem, seed: int, warn: Callable[[str], None]) -> None:
        self.player, self.game, self.seed, self.warn = player, game, seed, warn

    def answer(self, line: str) -> str | None:
        """What to say to a line without its end; nothing where it is not our turn, or nobody can tell whose it is."""
        if line[:1] in ("#", ";"):
            return None
        try:
            told = parse_state(line)
        except RuleError as error:
            self._tell(line, f"{error}; gives no answer")
            return None
        try:
            hand = replay_state(told, self.game)
        except RuleError as error:
            over = isinstance(error, HandOverError)
            mine = not over and _seems_mine(told)
            why = "the hand is over" if over else "it seems to be the other's turn"
            does = "calls" if mine else f"gives no answer, {why}"
            self._tell(line, f"the betting is against the rules: {error}; {does}")
            return f"{line}:c" if mine else None
        wrong = _what_is_wrong(told, hand)
        if hand.actor != told.position:
            if wrong is not None:
                self._tell(line, f"{wrong}; gives no answer, it is not our turn")
            return None
        return f"{line}:{self._chosen(line, told, hand, wrong)}"

    def _chosen(self, line: str, told: MatchState, hand: HoldemHand, wrong: str | None) -> str:
        """The action in letters; a check or a fold where the cards are not known."""
        if wrong is not None:
            fold = hand.limits()[0]
            self._tell(line, f"{wrong}; {'folds' if fold else 'checks'}")
            return "f" if fold else "c"
        before = sum(told.betting.count(letter) for letter in "cr")
        luck = native.decision_luck(self.seed, told.number, before)
        action = sound_action(self.player, hand.view(told.position), luck, self.warn)
        if action <= CALL:
            return "f" if action == FOLD else "c"
        return f"r{hand.invested[told.position] - hand.bets[told.position] + action}"

    def _tell(self, line: str, what: str) -> None:
        self.warn(f"got '{readable(line[:80])}': {what}")

    def converse(self, host: str, port: int) -> None:
        """Connects, and answers until the dealer has had enough."""
        try:
            connection = socket.create_connection((host, port))
        except (OSError, OverflowError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise PolicyError(f"{host}, port {port}: cannot be reached ({reason})") from None
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with connection, connection.makefile("rwb") as stream:
            try:
                stream.write(f"{VERSION}\r\n".encode())
                stream.flush()
                for raw in stream:
                    answer = self.answer(read_text(raw).rstrip("\r\n"))
                    if answer is not None:
                        stream.write(raw_text(f"{answer}\r\n"))
                        stream.flush()
            except OSError as error:
                self.warn(f"the connection ended ({error.strerror})")


def sound_action(
    player: Player, view: HoldemView, luck: float, warn: Callable[[str], None], once: float | None = None
) -> int:
    """The player's action where it is a legal one; else a check, or a fold. `once` is its luck throughout a hand."""
    fold, _, may_raise, low, high = view.limits()
    try:
        action = player.act([view], [luck], [luck if once is None else once])[0]
    except (PolicyError, RuleError, ValueError, FloatingPointError) as error:
        warn(f"{error}; checks or folds")
        return FOLD if fold else CALL
    if action == CALL or (action == FOLD and fold) or (may_raise and low <= action <= high):
        return action
    warn(f"got action {action}, which is not legal; checks or folds")
    return FOLD if fold else CALL


def _what_is_wrong(told: MatchState, hand: HoldemHand) -> str | None:
    """What of the cards keeps a player from playing them."""
    if told.wrong is not None or hand.actor != told.position:
        return told.wrong
    if len(told.board) != len(hand.board):
        return "the board does not fit the betting"
    return "the other's cards are shown before the end" if told.shown else None


def _seems_mine(told: MatchState) -> bool:
    """Whose turn a betting that the rules do not know seems to leave: heads-up, seats take turns."""
    streets = told.betting.split("/")
    actions = sum(streets[-1].count(letter) for letter in "cr")
    return not told.shown and "f" not in told.betting and (actions + (len(streets) == 1)) % 2 == told.position
