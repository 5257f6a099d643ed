"""The engine's numbers, by name."""

STREETS = ("pre-flop", "flop", "turn", "river")
FOLD, CALL = -1, 0  # actions; above: bet or raise to so many chips on this street
UNKNOWN = 52  # a card that is not known
