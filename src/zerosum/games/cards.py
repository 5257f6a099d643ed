"""Names of cards in the small poker games: ranks end at the king, as in Kuhn's J, Q, K."""

RANKS = "A23456789TJQK"
SUITS = "cdhs"


def rank_name(rank: int, ranks: int) -> str:
    """Rank 0 is the lowest of `ranks` ranks."""
    return RANKS[len(RANKS) - ranks + rank]
