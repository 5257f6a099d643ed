"""What a run of `zerosum train cardmodel` is made of, section by section, as its TOML file has it."""

from __future__ import annotations

from dataclasses import astuple, dataclass, field

from zerosum.errors import SettingsError
from zerosum.networks.settings import PRECISIONS
from zerosum.settings import checksum, within

LIMITS = ("iterations", "minutes", "evaluate_every", "checkpoint_seconds")  # of `run`
ALGORITHM = "cardmodel"


@dataclass(frozen=True)
class RunSettings:
    game: str = "holdem"
    algorithm: str = ALGORITHM
    seed: int = 0
    iterations: int | None = None
    minutes: float | None = None
    evaluate_every: int = 10  # iterations
    checkpoint_seconds: float = 30.0

    def __post_init__(self) -> None:
        if self.algorithm != ALGORITHM:
            raise SettingsError(f"run: algorithm: got {self.algorithm!r}, wanted {ALGORITHM}")
        if self.game != "holdem":
            raise SettingsError(f"run: game: got {self.game}, wanted holdem: CardModel knows cards and no betting")
        within("run: seed", self.seed, 0, 2**63 - 1)
        within("run: evaluate_every", self.evaluate_every, 1, 10**9)
        for name in ("iterations", "minutes"):
            if getattr(self, name) is not None and not getattr(self, name) > 0:
                raise SettingsError(f"run: {name}: got {getattr(self, name)}, wanted more than 0")


@dataclass(frozen=True)
class StreetSettings:
    """Shares of a batch by street; where it is 0 no tables of that street are needed."""

    preflop: float = 0.03
    flop: float = 0.22
    turn: float = 0.30
    river: float = 0.45

    def __post_init__(self) -> None:
        for name, share in zip(("preflop", "flop", "turn", "river"), astuple(self), strict=True):
            within(f"streets: {name}", share, 0.0, 1.0)
        if abs(sum(astuple(self)) - 1.0) > 1e-6:
            raise SettingsError(f"streets: got shares that add up to {sum(astuple(self)):g}, wanted 1")


@dataclass(frozen=True)
class FitSettings:
    """AdamW; the learning rate rises for a twentieth of the run and then falls on a cosine."""

    steps: int = 100  # an iteration
    batch_rows: int = 2048
    learning_rate: float = 2e-3
    weight_decay: float = 1e-4
    clip: float = 1.0
    average: float = 0.998  # of the weights that are kept, from step to step
    cross_entropy: float = 0.02  # its share in the loss, beside the distances that are scored
    precision: str = "float32"  # of the backbone while it is trained; `auto` as for networks
    score_rows: int = 4_000  # withheld ones of each street

    def __post_init__(self) -> None:
        within("fit: steps", self.steps, 1, 10**6)
        within("fit: batch_rows", self.batch_rows, 8, 10**6)
        within("fit: learning_rate", self.learning_rate, 1e-9, 10)
        within("fit: weight_decay", self.weight_decay, 0, 10)
        within("fit: clip", self.clip, 1e-6, 1e9)
        within("fit: average", self.average, 0, 1)
        within("fit: cross_entropy", self.cross_entropy, 0, 100)
        within("fit: score_rows", self.score_rows, 1, 10**6)
        if self.precision not in PRECISIONS:
            raise SettingsError(f"fit: precision: got {self.precision!r}, wanted {' or '.join(PRECISIONS)}")


@dataclass(frozen=True)
class CardModelSettings:
    """A whole run."""

    run: RunSettings = field(default_factory=RunSettings)
    streets: StreetSettings = field(default_factory=StreetSettings)
    fit: FitSettings = field(default_factory=FitSettings)


def what_shapes(settings: CardModelSettings) -> str:
    """A checksum of all that decides what a run comes to, but its limits."""
    return checksum(settings, LIMITS)
