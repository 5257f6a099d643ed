"""How a tree search goes about it; native/include/zerosum/mcts does the work."""

from __future__ import annotations

from dataclasses import dataclass

from zerosum import native
from zerosum.errors import SettingsError
from zerosum.settings import within

ROOTS = ("puct", "gumbel")
SYMMETRIES = ("none", "random", "all")


@dataclass(frozen=True)
class SearchSettings:
    """`exploration` is PUCT's c. A move that was not tried counts as 0, or as its parent less `unvisited_less`."""

    simulations: int = 200
    exploration: float = 1.0
    unvisited_less: float | None = None
    prove: bool = True  # certain wins and losses are backed up as such
    forced_nodes: int = 0  # of a search for continuous fours at each new position
    threat_nodes: int = 0  # of a search for wins by threats, at the root and after each of its moves
    root: str = "puct"
    considered: int = 16  # moves that Gumbel's root looks at
    visit_offset: float = 50.0
    value_scale: float = 1.0
    symmetry: str = "none"  # in which of the board's symmetries a network sees a position
    leaves: int = 8  # of one tree that wait for the network at a time
    cache_bits: int = 16  # 2^bits answers of the network are remembered; 0: none

    def __post_init__(self) -> None:
        for name, low, high in (
            ("simulations", 1, 10**8),
            ("exploration", 0, 100),
            ("forced_nodes", 0, 10**5),
            ("threat_nodes", 0, 10**5),
            ("considered", 1, 400),
            ("leaves", 1, 1024),
            ("cache_bits", 0, 24),
        ):
            within(f"search: {name}", getattr(self, name), low, high)
        if self.unvisited_less is not None:
            within("search: unvisited_less", self.unvisited_less, -2, 2)
        if self.root not in ROOTS:
            raise SettingsError(f"search: root: got {self.root!r}, wanted one of {', '.join(ROOTS)}")
        if self.symmetry not in SYMMETRIES:
            raise SettingsError(f"search: symmetry: got {self.symmetry!r}, wanted one of {', '.join(SYMMETRIES)}")

    def native(self, seed: int = 0) -> native.SearchSettings:
        return native.SearchSettings(
            exploration=self.exploration,
            unvisited_less=self.unvisited_less,
            prove=self.prove,
            forced_nodes=self.forced_nodes,
            threat_nodes=self.threat_nodes,
            gumbel=self.root == "gumbel",
            considered=self.considered,
            visit_offset=self.visit_offset,
            value_scale=self.value_scale,
            symmetry=SYMMETRIES.index(self.symmetry),
            seed=seed,
        )
