"""The compiled core and its stubs."""

from zerosum.native._core import (
    WHOLE_POT,
    HandIndexer,
    SampledSolver,
    Solver,
    Tree,
    all_hands,
    board_values,
    count_classes,
    evaluate_cards,
    fill_tables,
    hand_category,
    hands_equity,
    monte_carlo,
    tally_range,
    versus_random,
)

__all__ = [
    "WHOLE_POT",
    "HandIndexer",
    "SampledSolver",
    "Solver",
    "Tree",
    "all_hands",
    "board_values",
    "count_classes",
    "evaluate_cards",
    "fill_tables",
    "hand_category",
    "hands_equity",
    "monte_carlo",
    "tally_range",
    "versus_random",
]
