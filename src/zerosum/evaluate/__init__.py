"""Judging any policy, whatever made it."""
