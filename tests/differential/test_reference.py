"""Every variant against an independent slow reference, to 1e-12.

The dynamics are chaotic: a last-digit difference grows tenfold every few iterations, so both are compared early on.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from differential.generic import Generic
from differential.reference import Reference
from zerosum import iterates, load_game, tree_of

VARIANTS = ("cfr", "cfr+", "lcfr", "dcfr", "dcfr+", "pcfr+", "pdcfr+")


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    ("spec", "marks"),
    [
        ("kuhn", (1, 2, 3, 10, 20)),
        ("kuhn:cards=5", (1, 7, 15)),
        ("leduc:suits=1,ranks=4", (1, 10)),
        ("liars-dice:faces=3", (1, 10)),
    ],
)
def test_variant_matches_the_reference(variant: str, spec: str, marks: tuple[int, ...]) -> None:
    game = Generic(load_game(spec))
    tree = tree_of(game)
    reference = Reference(game, variant)
    for (before, _), iterate in zip(pairwise((0, *marks)), iterates(game, variant, at=marks), strict=True):
        reference.run(iterate.iteration - before)
        for number, view in enumerate(tree.views):
            wanted = reference.average_strategy(view)
            own = slice(tree.first[number], tree.first[number + 1])
            got = iterate.probabilities[own]
            np.testing.assert_allclose(got, [wanted[int(a)] for a in tree.actions[own]], atol=1e-12, rtol=0)
