"""A recorded hand played again on our engine, and a hand of ours recorded."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from zerosum import native
from zerosum.cards.names import parse_cards
from zerosum.errors import CardError, RuleError
from zerosum.games.holdem.engine import CALL, FOLD, UNKNOWN
from zerosum.games.holdem.phh import NUMBERS, PhhError, Record
from zerosum.games.holdem.telling import cards_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zerosum.games.holdem.game import Holdem

PARTS = 2520  # the engine's parts of a chip
UNLIMITED = 2**40  # chips that nobody gets to the end of, for a stack of `inf`
ODD_CHIPS = ("exact", "seats", "first")
_MENU: list[list[tuple[int, int, int]]] = [[(0, 1, 1)]] * 4
_AMOUNT = re.compile(r"[0-9]{1,20}(\.[0-9]{1,20})?")


@dataclass(frozen=True)
class Replay:
    """A record and the hand it led to; amounts of the hand are in `1 / scale` of the record's unit."""

    record: Record
    hand: native.HoldemHand
    scale: int

    def finishing_stacks(self, odd_chips: str = "exact") -> list[Fraction]:
        """What each seat ends with, in the record's unit."""
        won = self.hand.payoff_parts(odd_chips)
        starting = [_finite(stack, self.scale) for stack in self.record.fields["starting_stacks"]]
        return [stack + Fraction(parts, PARTS * self.scale) for stack, parts in zip(starting, won, strict=True)]

    def difference(self) -> str:
        """Empty where the recorded finishing stacks are reached, by any rule for odd chips; else what differs."""
        if "finishing_stacks" not in self.record.fields:
            return ""
        wanted = _numbers(self.record, "finishing_stacks", unlimited=True)
        found = [self.finishing_stacks(odd) for odd in ODD_CHIPS]
        if len(wanted) != len(found[0]):
            return f"got finishing stacks of {len(wanted)} players, wanted {len(found[0])}"
        # Who began with chips without end ends with them.
        stacks = [
            ends if Decimal(stack).is_infinite() and Decimal(began).is_infinite() else _finite(stack, self.scale)
            for stack, began, ends in zip(wanted, self.record.fields["starting_stacks"], found[0], strict=True)
        ]
        if stacks in found:
            return ""
        wrong = [seat for seat in range(len(stacks)) if stacks[seat] != found[0][seat]]
        told = (f"p{seat + 1} ends with {shown(found[0][seat])}, recorded {shown(stacks[seat])}" for seat in wrong)
        return "; ".join(told)


def _finite(stack: Decimal | int, scale: int) -> Fraction:
    return Fraction(UNLIMITED, scale) if Decimal(stack).is_infinite() else Fraction(stack)


def shown(amount: Fraction) -> str:
    """Chips for people: whole where they are."""
    return str(amount.numerator) if amount.denominator == 1 else f"{float(amount):g}"


def replay(record: Record) -> Replay:
    """Plays a record to its end; refuses what the rules or the format forbid, with file and line."""
    rules, scale = _rules(record)
    if "finishing_stacks" in record.fields:
        _numbers(record, "finishing_stacks", unlimited=True)
    hand = native.HoldemHand(rules)
    for action in _actions(record):
        try:
            hand = _step(hand, action, scale)
        except (CardError, RuleError) as error:
            raise PhhError(f"{record.at('actions')}: {action!r}: {error}") from None
    if hand.actor != -2:
        state = f"seat p{hand.actor + 1} is to act" if hand.actor >= 0 else "cards are to be dealt"
        raise PhhError(f"{record.at('actions')}: the actions end too early: {state}")
    try:
        hand.payoff_parts()
    except RuleError as error:
        told = re.sub(r"seat (\d+)", lambda seat: f"p{int(seat[1]) + 1}", str(error))
        raise PhhError(f"{record.at('actions')}: {told}") from None
    return Replay(record, hand, scale)


def _rules(record: Record) -> tuple[native.HoldemRules, int]:
    fields = record.fields
    variant = fields.get("variant")
    if variant not in ("NT", "FT"):
        raise PhhError(f"{record.at('variant')}: got variant {variant!r}, wanted NT or FT (hold'em)")
    sizes = ("min_bet",) if variant == "NT" else ("small_bet", "big_bet")
    lists = {key: _numbers(record, key, unlimited=key == "starting_stacks") for key in NUMBERS}
    bets = [_number(record, key, record.fields.get(key)) for key in sizes]
    for key, bet in zip(sizes, bets, strict=True):
        if bet <= 0:
            raise PhhError(f"{record.at(key)}: {key}: got {bet}, wanted more than 0 chips")
    count = len(lists["starting_stacks"])
    if not 2 <= count <= 10:
        raise PhhError(f"{record.at('starting_stacks')}: got {count} players, wanted 2 to 10")
    for key in ("antes", "blinds_or_straddles"):
        if len(lists[key]) != count:
            raise PhhError(f"{record.at(key)}: got {len(lists[key])} {key}, wanted {count}")
    amounts = [*bets, *(number for numbers in lists.values() for number in numbers)]
    words = (action.partition("#")[0].split() for action in _actions(record) if " cbr " in action and "." in action)
    amounts += [Decimal(word[2]) for word in words if len(word) == 3 and _AMOUNT.fullmatch(word[2])]
    places = max(-_places(amount) for amount in amounts)
    if places > 6:
        raise PhhError(f"{record.where}: got more than six decimals, wanted chips")
    scale = 10**places
    turn = -1 if count == 2 else 1  # heads-up the format lists the blinds from the button
    by_street = [*bets[:1], *bets[:1], *bets[-1:], *bets[-1:]]
    try:
        rules = _make_rules(
            tuple(int(_finite(stack, scale) * scale) for stack in lists["starting_stacks"]),
            tuple(int(blind * scale) for blind in lists["blinds_or_straddles"][::turn]),
            tuple(int(ante * scale) for ante in lists["antes"][::turn]),
            tuple(int(bet * scale) for bet in by_street),
            variant == "FT",
            bool(fields.get("ante_trimming_status", False)),
        )
    except RuleError as error:
        raise PhhError(f"{record.at('starting_stacks')}: {error}") from None
    return rules, scale


@lru_cache(maxsize=256)
def _make_rules(
    stacks: tuple[int, ...],
    blinds: tuple[int, ...],
    antes: tuple[int, ...],
    bets: tuple[int, ...],
    limit: bool,
    trim_antes: bool,
) -> native.HoldemRules:
    return native.holdem_rules(
        list(stacks), list(blinds), list(antes), list(bets), [4 if limit else 0] * 4, limit, False, "exact",
        trim_antes, _MENU, True, 0,
    )  # fmt: skip


def _places(amount: Decimal | int) -> int:
    """The exponent of the last digit that is not 0, at most 0."""
    if isinstance(amount, int) or amount.is_infinite() or amount == 0:
        return 0
    if amount.adjusted() < -9:
        return -99
    return min(0, cast("int", amount.normalize().as_tuple().exponent))


def _numbers(record: Record, key: str, *, unlimited: bool = False) -> list[Decimal | int]:
    values = record.fields.get(key)
    if not isinstance(values, list):
        raise PhhError(f"{record.at(key)}: {key}: got {values!r}, wanted a list of numbers")
    return [_number(record, key, value, unlimited=unlimited) for value in values]


def _number(record: Record, key: str, value: Any, *, unlimited: bool = False) -> Decimal | int:
    if isinstance(value, Decimal | int) and not isinstance(value, bool):
        number = Decimal(value)
        if (number.is_finite() and -(2**40) <= number <= 2**40) or (unlimited and number == Decimal("inf")):
            return value
    raise PhhError(f"{record.at(key)}: {key}: got {str(value)[:40]}, wanted a number of chips")


def _actions(record: Record) -> list[str]:
    actions = record.fields.get("actions")
    if not isinstance(actions, list) or not all(isinstance(action, str) for action in actions):
        raise PhhError(f"{record.at('actions')}: actions: got {actions!r}"[:120] + ", wanted a list of texts")
    return actions


def _step(hand: native.HoldemHand, action: str, scale: int) -> native.HoldemHand:
    words = action.partition("#")[0].split()
    match words:
        case ["d", "dh", player, cards]:
            return _deal_hole(hand, _seat(hand, player), cards)
        case ["d", "db", cards]:
            return _deal_board(hand, cards)
        case [player, "f"]:
            return _turn(hand, player).act(FOLD)
        case [player, "cc"]:
            return _turn(hand, player).act(CALL)
        case [player, "cbr", amount]:
            if not _AMOUNT.fullmatch(amount) or not 0 < Decimal(amount) <= UNLIMITED:
                raise RuleError(f"got {amount[:40]!r}, wanted an amount of chips")
            return _turn(hand, player).act(int(Decimal(amount) * scale))
        case [player, "sm", cards] if cards != "-":
            return _show(hand, _seat(hand, player), cards)
        case [player, "sm"] | [player, "sm", "-"]:
            return hand.muck(_seat(hand, player))
        case []:
            return hand
        case _:
            raise RuleError("wanted d dh, d db, f, cc, cbr or sm")


def _seat(hand: native.HoldemHand, player: str) -> int:
    if not re.fullmatch(r"p[0-9]{1,2}", player) or not 1 <= int(player[1:]) <= hand.players:
        raise RuleError(f"got player {player!r}, wanted p1 to p{hand.players}")
    return int(player[1:]) - 1


def _turn(hand: native.HoldemHand, player: str) -> native.HoldemHand:
    if _seat(hand, player) != hand.actor:
        turn = f"p{hand.actor + 1} is to act" if hand.actor >= 0 else "nobody is to act"
        raise RuleError(f"out of turn: {turn}")
    return hand


def _deal_hole(hand: native.HoldemHand, seat: int, cards: str) -> native.HoldemHand:
    due = sum(event[0] < 0 for event in hand.events())
    if hand.actor != -1 or due != 2 * seat:
        raise RuleError(f"wanted p{due // 2 + 1}'s cards next")
    if len(cards) != 4:
        raise RuleError(f"got {cards!r}, wanted two cards")
    halves = (cards[:2], cards[2:])
    return hand.deal(bytes(UNKNOWN if card == "??" else parse_cards(card, "hole cards")[0] for card in halves))


def _deal_board(hand: native.HoldemHand, cards: str) -> native.HoldemHand:
    due = 1 if hand.board else 3
    numbers = parse_cards(cards, "board")
    if len(numbers) != due:
        raise RuleError(f"got {len(numbers)} cards, wanted {due}")
    return hand.deal(bytes(numbers))


def _show(hand: native.HoldemHand, seat: int, cards: str) -> native.HoldemHand:
    if "?" in cards:
        return hand
    numbers = parse_cards(cards, "shown cards")
    if len(numbers) != 2:
        raise RuleError(f"got {len(numbers)} cards, wanted two")
    if UNKNOWN not in hand.hole(seat) and set(hand.hole(seat)) != set(numbers):
        raise RuleError(f"p{seat + 1} was dealt {cards_text(hand.hole(seat))}")
    return hand.show(seat, *numbers)


def record_of(game: Holdem, hand: native.HoldemHand, players: Sequence[str] = ()) -> dict[str, Any]:
    """A hand that is over -> the fields of its record."""
    if game.streets != 4 or game.order != "standard":
        raise RuleError(
            f"record: got {game.spec()}, wanted four streets in the standard order: the format knows no other"
        )
    events = hand.events()
    holes = 2 * game.players
    dealt = [event[2] for event in events if event[0] < 0][:holes]
    actions = [f"d dh p{seat + 1} {cards_text(dealt[2 * seat : 2 * seat + 2])}" for seat in range(game.players)]
    board: list[int] = []
    for seat, _, action, _, _ in events[holes:]:
        if seat < 0:
            board.append(action)
            if len(board) >= 3:
                actions.append(f"d db {cards_text(board if len(board) == 3 else board[-1:])}")
        else:
            actions.append(f"p{seat + 1} " + {FOLD: "f", CALL: "cc"}.get(action, f"cbr {action}"))
    turn = -1 if game.players == 2 else 1
    stacks, blinds, antes, bets = game.amounts()
    fields: dict[str, Any] = {
        "variant": "FT" if game.betting == "limit" else "NT",
        "ante_trimming_status": game.trims_antes,
        "antes": antes[::turn],
        "blinds_or_straddles": blinds[::turn],
    }
    if game.betting == "limit":
        fields |= {"small_bet": bets[0], "big_bet": bets[-1]}
    else:
        fields["min_bet"] = bets[0]
    fields |= {"starting_stacks": stacks, "actions": actions}
    if players:
        fields["players"] = list(players)
    won = hand.payoff_parts()
    ends = [Fraction(stack) + Fraction(parts, PARTS) for stack, parts in zip(stacks, won, strict=True)]
    if all(10**6 % end.denominator == 0 for end in ends):  # a third of a chip cannot be written
        fields["finishing_stacks"] = [end.numerator if end.denominator == 1 else float(end) for end in ends]
    return fields
