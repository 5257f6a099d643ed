"""Hold'em as games of the catalog: settings -> native rules.

Seats are numbered in the order of acting after the flop: seat 0 is the small blind and the last seat the button.
Heads-up the button posts the small blind, so seat 0 is the big blind; in Botzone's order the small blind acts first on
every street and is seat 0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING

from zerosum import native
from zerosum.errors import RuleError, SettingsError
from zerosum.games.holdem.menu import parse_menu
from zerosum.settings import spec_of, within

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Holdem:
    """No-limit hold'em, heads-up with 200 big blinds unless set otherwise"""

    players: int = 2
    stack: str = "20000"  # chips, or big blinds as 50bb; by seat with slashes: 200/150/80bb
    blinds: str = "50/100"  # small and big, and straddles after them
    ante: str = "0"  # each, or by seat with slashes
    order: str = "standard"  # or botzone
    betting: str = "no-limit"  # or limit
    bets: str = "bb"  # the smallest bet of no-limit, the bet of limit; by street with slashes
    raises: str = "none"  # the most raises on a street; by street with slashes
    streets: int = 4
    odd_chips: str = "exact"  # or seats, or first
    menu: str = "50%+100%+a"
    menu_raises: int = 2  # bets of a size only while fewer raises were made on the street; 0: always

    name = "holdem"

    def __post_init__(self) -> None:
        for setting in fields(self):
            if setting.type == "str" and not isinstance(getattr(self, setting.name), str):
                raise SettingsError(f"{self.name}: {setting.name}: got {getattr(self, setting.name)!r}, wanted text")
        within(f"{self.name}: players", self.players, 2, 10)
        within(f"{self.name}: streets", self.streets, 2, 4)
        within(f"{self.name}: menu_raises", self.menu_raises, 0, 255)
        self._one_of("order", "standard", "botzone")
        self._one_of("betting", "no-limit", "limit")
        self._one_of("odd_chips", "exact", "seats", "first")
        _ = self.rules  # refuses what cannot be

    @cached_property
    def rules(self) -> native.HoldemRules:
        """What the native engine plays."""
        stacks, blinds, antes, bets = self.amounts()
        caps = [0 if cap == "none" else self._count("raises", cap) for cap in self._by_street("raises", self.raises)]
        limit = self.betting == "limit"
        menu = "raise" if limit and self.menu == Holdem.menu else self.menu
        sizes, all_in = parse_menu(menu, self.streets, f"{self.name}: menu", limit=limit)
        return native.holdem_rules(
            stacks=stacks,
            blinds=blinds,
            antes=antes,
            bets=bets,
            caps=caps,
            limit=limit,
            botzone=self.order == "botzone",
            odd=self.odd_chips,
            trim_antes=self.trims_antes,
            sizes=sizes,
            all_in=all_in,
            menu_cap=self.menu_raises,
        )

    def amounts(self) -> tuple[list[int], list[int], list[int], list[int]]:
        """Stacks, blinds and antes by seat, and the bet of each street, in chips."""
        posted = self._posted()
        big = max(posted)
        within(f"{self.name}: big blind", big, 1, 2**40)
        stacks = [self._chips("stack", text, big, least=1) for text in self._by_seat("stack", self.stack)]
        antes = [self._chips("ante", text, big) for text in self._by_seat("ante", self.ante)]
        bets = [big if bet == "bb" else self._chips("bets", bet, big) for bet in self._by_street("bets", self.bets)]
        return stacks, posted, antes, bets

    @property
    def trims_antes(self) -> bool:
        """Whether an ante that others cannot match is given back; one that only some seats post is not."""
        return len(set(self.amounts()[2])) == 1

    @property
    def num_actions(self) -> int:
        return self.rules.actions

    def spec(self) -> str:
        return spec_of(self.name, self)

    def root(self) -> native.HoldemHand:
        """Blinds are posted; every card is a chance event."""
        return native.HoldemHand(self.rules)

    def deal(self, seed: int, number: int = 0) -> native.HoldemHand:
        """A hand dealt from a seed; its board comes by itself, so that each step leads to the next decision."""
        try:
            return native.HoldemHand.seeded(self.rules, seed, number)
        except TypeError:
            raise SettingsError(f"deal: got {seed!r}, {number!r}, wanted whole numbers from 0 to 2**64 - 1") from None

    def deal_cards(self, cards: Sequence[int]) -> native.HoldemHand:
        """The same from given cards: two for each seat in turn, then the board."""
        return native.HoldemHand(self.rules, bytes(cards))

    def restore(self, events: Sequence[Sequence[int]]) -> native.HoldemHand:
        """The hand in which this happened: what `hand.events()` gave, or its first three columns."""
        hand = self.root()
        for event in events:
            if len(event) < 3 or event[0] != hand.actor:
                raise RuleError(f"restore: got {event!r}, wanted what comes for seat {hand.actor} (-1 is a card)")
            hand = hand.child(event[2]) if event[0] < 0 else hand.act(event[2])
        return hand

    def _posted(self) -> list[int]:
        blinds = [self._chips("blinds", text, 0) for text in self.blinds.split("/")]
        if not 2 <= len(blinds) <= self.players:
            raise SettingsError(f"{self.name}: blinds: got {self.blinds!r}, wanted 2 to {self.players} such as 50/100")
        posted = blinds + [0] * (self.players - len(blinds))
        return posted[::-1] if self.players == 2 and self.order == "standard" else posted

    def _by_seat(self, key: str, text: str) -> list[str]:
        parts = text.split("/")
        if len(parts) == 1:
            return parts * self.players
        if len(parts) != self.players:
            raise SettingsError(f"{self.name}: {key}: got {len(parts)} in {text!r}, wanted 1 or {self.players}")
        unit = "bb" if parts[-1].endswith("bb") else ""
        return [part if part.endswith("bb") else part + unit for part in parts]

    def _by_street(self, key: str, text: str) -> list[str]:
        parts = text.split("/")
        if len(parts) > self.streets:
            raise SettingsError(f"{self.name}: {key}: got {len(parts)} in {text!r}, wanted at most {self.streets}")
        return parts + parts[-1:] * (self.streets - len(parts))

    def _chips(self, key: str, text: str, big: int, least: int = 0) -> int:
        number, unit = (text[:-2], big) if text.endswith("bb") and big else (text, 1)
        if not re.fullmatch(r"[0-9]{1,13}", number):
            raise SettingsError(f"{self.name}: {key}: got {text!r}, wanted chips such as 100{' or 50bb' * bool(big)}")
        within(f"{self.name}: {key}", int(number) * unit, least, 2**40)
        return int(number) * unit

    def _count(self, key: str, text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,2}", text) or int(text) == 0:
            raise SettingsError(f"{self.name}: {key}: got {text!r}, wanted none or 1 to 99")
        return int(text)

    def _one_of(self, key: str, *known: str) -> None:
        if getattr(self, key) not in known:
            raise SettingsError(f"{self.name}: {key}: got {getattr(self, key)!r}, wanted {' or '.join(known)}")


@dataclass(frozen=True)
class SixMax(Holdem):
    """Six-player no-limit hold'em with 100 big blinds"""

    players: int = 6
    stack: str = "100bb"

    name = "sixmax"


@dataclass(frozen=True)
class FlopHoldem(Holdem):
    """Fixed-limit hold'em that ends after the flop, as in the Deep CFR paper (Brown et al. 2019)"""

    betting: str = "limit"
    raises: str = "3/4"
    streets: int = 2
    menu: str = "raise"
    menu_raises: int = 0

    name = "flop-holdem"
