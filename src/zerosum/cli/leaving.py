"""How a player says that they have had enough."""

from __future__ import annotations


class LeaveError(Exception):
    """The user leaves a table or a board."""
