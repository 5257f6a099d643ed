"""Policies: what every game ends in, whatever made it."""
