"""A player that speaks ACPC's match protocol: a line that tells a hand in, the same line and an action out."""

from __future__ import annotations

import re
import socket
from typing import TYPE_CHECKING, NamedTuple

from zerosum import native
from zerosum.errors import PolicyError, RuleError
from zerosum.games.holdem import CALL, FOLD, UNKNOWN
from zerosum.protocols.acpc import VERSION, parse_action

if TYPE_CHECKING:
    from collections.abc import Callable

    from zerosum.games.holdem import Holdem
    from zerosum.native import HoldemHand, HoldemView
    from zerosum.policy.player import Player

STATE = re.compile(r"MATCHSTATE:([01]):([0-9]{1,12}):([^:]*):([^:|/]*)\|([^:|/]*)((?:/[^/]*)*)")
DEAL, OVER = -1, -2  # instead of a seat
ACTIONS = re.compile(r"f|c|r[0-9]{1,12}|/")


class MatchState(NamedTuple):
    """A line taken apart."""

    position: int
    number: int
    betting: str
    hole: list[int]
    board: list[list[int]]  # by street
    shown: bool  # the other's cards


def parse_state(line: str) -> MatchState:
    """`MATCHSTATE:position:hand:betting:hole|hole/flop/turn/river`."""
    found = STATE.fullmatch(line)
    if found is None:
        raise RuleError(f"got {line[:80]!r}, wanted MATCHSTATE:position:hand:betting:cards")
    position = int(found[1])
    holes = (found[4], found[5])
    board = [_cards(part, 3 if k == 0 else 1) for k, part in enumerate(found[6].split("/")[1:4])]
    other = holes[1 - position]
    if found[6].count("/") > 3 or (other and len(_cards(other, 2)) != 2):
        raise RuleError(f"got cards {found[6][:40]!r}, wanted a flop, a turn and a river at most")
    return MatchState(position, int(found[2]), found[3], _cards(holes[position], 2), board, bool(other))


def _cards(text: str, count: int) -> list[int]:
    cards = [native.card_named(text[k : k + 2]) for k in range(0, len(text), 2)]
    if len(cards) != count or UNKNOWN in cards:
        raise RuleError(f"got cards {text[:20]!r}, wanted {count}")
    return cards


def replay_state(told: MatchState, game: Holdem) -> HoldemHand:
    """The hand as far as the line tells it; refuses what is against the rules."""
    unknown = [UNKNOWN, UNKNOWN]
    hand = game.root().deal(bytes([*told.hole, *unknown] if told.position == 0 else [*unknown, *told.hole]))
    if "".join(ACTIONS.findall(told.betting)) != told.betting:
        raise RuleError(f"got betting {told.betting[:40]!r}, wanted f, c, r and chips, and slashes")
    board = iter(told.board)
    for word in ACTIONS.findall(told.betting):
        if hand.actor == OVER or (hand.actor == DEAL and 0 in hand.stacks):  # nobody can bet any more
            break
        hand = hand.deal(bytes(next(board, []))) if word == "/" else hand.act(parse_action(word, hand))
    return hand


class AcpcBot:
    """Answers lines; `warn` hears of those that are not as they should be."""

    def __init__(self, player: Player, game: Holdem, seed: int, warn: Callable[[str], None]) -> None:
        self.player, self.game, self.seed, self.warn = player, game, seed, warn

    def answer(self, line: str) -> str | None:
        """What to say to a line without its end; nothing where it is not our turn."""
        if not line or line[0] in "#;":
            return None
        try:
            told = parse_state(line)
        except RuleError as error:
            self.warn(str(error))
            return None
        try:
            hand = replay_state(told, self.game)
        except RuleError as error:
            self.warn(f"{error}; calls")
            return f"{line}:c" if _seems_mine(told) else None
        if hand.actor != told.position or told.shown:
            return None
        before = sum(told.betting.count(letter) for letter in "cr")
        view = hand.view(told.position)
        action = sound_action(self.player, view, native.decision_luck(self.seed, told.number, before), self.warn)
        if action <= CALL:
            return f"{line}:{'f' if action == FOLD else 'c'}"
        return f"{line}:r{hand.invested[told.position] - hand.bets[told.position] + action}"

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
                    answer = self.answer(raw.decode("utf-8", "replace").rstrip("\r\n"))
                    if answer is not None:
                        stream.write(f"{answer}\r\n".encode())
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


def _seems_mine(told: MatchState) -> bool:
    """Whose turn a betting that the rules do not know seems to leave: heads-up, seats take turns."""
    streets = told.betting.split("/")
    actions = sum(streets[-1].count(letter) for letter in "cr")
    return not told.shown and "f" not in told.betting and (actions + (len(streets) == 1)) % 2 == told.position
