"""The compiled core and its stubs."""

from zerosum.native._core import SampledSolver, Solver, Tree

__all__ = ["SampledSolver", "Solver", "Tree"]
