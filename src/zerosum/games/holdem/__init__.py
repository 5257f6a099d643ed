"""Hold'em for two to ten players."""

from zerosum.games.holdem.engine import CALL, FOLD, STREETS, UNKNOWN
from zerosum.games.holdem.game import FlopHoldem, Holdem, SixMax
from zerosum.games.holdem.menu import BetTranslator, parse_menu
from zerosum.games.holdem.phh import parse_phh, read_phh, write_phh
from zerosum.games.holdem.poker_game import PokerGame
from zerosum.games.holdem.replay import record_of, replay

__all__ = [
    "CALL",
    "FOLD",
    "STREETS",
    "UNKNOWN",
    "BetTranslator",
    "FlopHoldem",
    "Holdem",
    "PokerGame",
    "SixMax",
    "parse_menu",
    "parse_phh",
    "read_phh",
    "record_of",
    "replay",
    "write_phh",
]
