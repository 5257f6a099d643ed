"""Hold'em for two to ten players."""

from zerosum.games.holdem.game import CALL, FOLD, STREETS, UNKNOWN, Deal, FlopHoldem, Holdem, SixMax
from zerosum.games.holdem.menu import BetTranslator, parse_menu

__all__ = [
    "CALL",
    "FOLD",
    "STREETS",
    "UNKNOWN",
    "BetTranslator",
    "Deal",
    "FlopHoldem",
    "Holdem",
    "SixMax",
    "parse_menu",
]
