"""AlphaZero (Silver et al. 2017): a network that guides a search, and learns from what the search finds."""
