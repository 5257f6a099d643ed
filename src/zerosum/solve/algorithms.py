"""Every solver by name, as data: exponents over one native solver, or a way of sampling."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TypeAlias

from zerosum.errors import SettingsError
from zerosum.settings import nearest


@dataclass(frozen=True)
class Discount:
    """After iteration t, positive regrets × t^positive/(t^positive + 1), negative ones likewise; weight t^average.

    An exponent of inf means factor 1, −inf factor 0. A predictive solver plays as if the last regrets came once more.
    `by_history` sums in the order of a plain recursion over the game instead of on the sequence form: slower, and to
    the digit what programs written that way find, which matters where discounting amplifies the last digit of a sum.
    """

    positive: float
    negative: float
    average: float
    predictive: bool = False
    by_history: bool = False


@dataclass(frozen=True)
class Sampled:
    """Walks that see a part of the game each: `external`, `outcome` or public chance (`pcs`)."""

    sampling: str


Algorithm: TypeAlias = Discount | Sampled

CFR = Discount(inf, inf, 0.0)  # Zinkevich et al. 2007
CFR_PLUS = Discount(inf, -inf, 1.0)  # Tammelin 2014
LCFR = Discount(1.0, 1.0, 1.0, by_history=True)  # Brown & Sandholm 2019, as are the discounts of DCFR
DCFR = Discount(1.5, 0.0, 2.0, by_history=True)
DCFR_PLUS = Discount(1.5, -inf, 4.0)  # Xu et al. 2024, as is PDCFR_PLUS
PCFR_PLUS = Discount(inf, -inf, 2.0, predictive=True)  # Farina, Kroer & Sandholm 2021
PDCFR_PLUS = Discount(2.3, -inf, 5.0, predictive=True)
EXTERNAL = Sampled("external")  # Lanctot et al. 2009, as is OUTCOME
OUTCOME = Sampled("outcome")
PCS = Sampled("pcs")  # Johanson et al. 2012

ALGORITHMS: dict[str, Algorithm] = {
    "cfr": CFR,
    "cfr+": CFR_PLUS,
    "lcfr": LCFR,
    "dcfr": DCFR,
    "dcfr+": DCFR_PLUS,
    "pcfr+": PCFR_PLUS,
    "pdcfr+": PDCFR_PLUS,
    "external": EXTERNAL,
    "outcome": OUTCOME,
    "pcs": PCS,
}


def algorithm_named(name: str) -> Algorithm:
    """The algorithm of that name."""
    if not isinstance(name, str):
        raise SettingsError(f"algorithm: got {name!r}, wanted a name such as cfr+")
    if name not in ALGORITHMS:
        raise SettingsError(f"unknown algorithm {name!r}; {nearest(name, ALGORITHMS)}")
    return ALGORITHMS[name]
