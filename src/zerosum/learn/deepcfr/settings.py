"""What a training run is: sections of a TOML file, resolved and saved with the run."""

from __future__ import annotations

from dataclasses import dataclass, field

from zerosum.errors import SettingsError
from zerosum.learn.buffer import BufferSettings
from zerosum.networks.settings import SIXMAX, NetworkSettings
from zerosum.settings import checksum, nearest, within

ALGORITHMS = ("sd-cfr", "deep-cfr", "nfsp")
BASELINES = ("none", "table", "network")
MOST = 10**15
LIMITS = ("iterations", "nodes", "minutes", "target", "evaluate_every", "checkpoint_seconds", "device")  # of `run`


@dataclass(frozen=True)
class RunSettings:
    """What is trained, and until when: whichever limit comes first."""

    game: str
    algorithm: str = "sd-cfr"
    seed: int = 0
    iterations: int | None = None
    nodes: int | None = None  # states visited by walks: it stops where another iteration might pass them
    minutes: float | None = None
    target: float | None = None  # an exploitability
    evaluate_every: int = 100  # iterations
    checkpoint_seconds: float = 30.0
    device: str = "auto"

    def __post_init__(self) -> None:
        if self.algorithm not in ALGORITHMS:
            raise SettingsError(f"run: unknown algorithm {self.algorithm!r}; {nearest(self.algorithm, ALGORITHMS)}")
        within("run: seed", self.seed, 0, 2**63 - 1)
        within("run: evaluate_every", self.evaluate_every, 1, MOST)
        within("run: checkpoint_seconds", self.checkpoint_seconds, 0, 10**6)
        for name, low in (("iterations", 1), ("nodes", 1), ("minutes", 0.0), ("target", 0.0)):
            value = getattr(self, name)
            if value is not None:
                within(f"run: {name}", value, low, MOST)


@dataclass(frozen=True)
class WalkSettings:
    """External-sampling walks of each player in an iteration."""

    per_player: int = 120
    warm_up: int = 0  # iterations of uniform play before the first network is trained
    stratified: bool = False  # each block of walks covers all deals once
    baseline: str = "none"
    baseline_rate: float = 0.5
    hands: int = 1  # of each seat in a walk (heads-up hold'em with CardModel): regrets are means over the other's
    lease: int = 1_000  # walks that ask a network together, where a game cannot be listed
    ahead: bool = False  # the next player walks while the last one's network is fitted, with what it played before
    explore: float = 1.0  # the chance to try an action that the walker's strategy never takes (six-max's encoding)
    tremble: float = 0.0  # the chance that another player does anything that is legal (the same)

    def __post_init__(self) -> None:
        within("walks: per_player", self.per_player, 1, 10**9)
        within("walks: warm_up", self.warm_up, 0, MOST)
        within("walks: baseline_rate", self.baseline_rate, 0.0, 1.0)
        within("walks: hands", self.hands, 1, 1024)
        within("walks: lease", self.lease, 1, 10**6)
        within("walks: explore", self.explore, 0.01, 1.0)
        within("walks: tremble", self.tremble, 0.0, 1.0)
        if self.baseline not in BASELINES:
            raise SettingsError(f"walks: unknown baseline {self.baseline!r}; {nearest(self.baseline, BASELINES)}")


@dataclass(frozen=True)
class FitSettings:
    """How a network is fitted to its buffer. Without `batch_rows` every step sees all rows."""

    every: int = 1  # iterations
    steps: int = 30
    batch_rows: int | None = None
    learning_rate: float = 1e-3
    decay: float = 1.0  # of the learning rate ...
    decay_every: int = 1_000  # ... after so many iterations
    l2: float = 0.0
    clip: float | None = None  # the gradient's norm
    warm: bool = True  # go on from the last weights with the optimiser's state, or begin anew
    scale: bool = True  # divide targets by their root mean square
    visits: float = 1.0  # a merged row counts weight^visits: 1 is exact, 0 makes all alike

    def __post_init__(self) -> None:
        within("every", self.every, 1, MOST)
        within("steps", self.steps, 1, 10**6)
        within("batch_rows", 1 if self.batch_rows is None else self.batch_rows, 1, 10**8)
        within("learning_rate", self.learning_rate, 1e-12, 10.0)
        within("decay", self.decay, 1e-6, 1.0)
        within("decay_every", self.decay_every, 1, MOST)
        within("l2", self.l2, 0.0, 10.0)
        within("clip", 1.0 if self.clip is None else self.clip, 1e-9, 1e9)
        within("visits", self.visits, 0.0, 1.0)


@dataclass(frozen=True)
class StrategySettings(FitSettings):
    """The average-strategy network of Deep CFR; single Deep CFR can train one beside its mixture, to compare."""

    train: bool = False


@dataclass(frozen=True)
class AverageSettings:
    """Iteration t weighs t^exponent in the average policy, and its samples t^regret in the advantages."""

    exponent: float = 1.0
    regret: float = 1.0
    keep_networks: bool = True  # all of them, for play: the mixture of single Deep CFR

    def __post_init__(self) -> None:
        within("average: exponent", self.exponent, 0.0, 10.0)
        within("average: regret", self.regret, 0.0, 10.0)


@dataclass(frozen=True)
class NfspSettings:
    """Neural fictitious self-play (Heinrich & Silver 2016): games an iteration, and how they are played."""

    games: int = 256
    anticipation: float = 0.1  # how often a player plays its best response
    exploration: float = 0.06  # of the best response, at the start
    replay_rows: int = 100_000
    target_every: int = 20  # iterations between copies of the action-value network

    def __post_init__(self) -> None:
        within("nfsp: games", self.games, 1, 10**7)
        within("nfsp: anticipation", self.anticipation, 0.0, 1.0)
        within("nfsp: exploration", self.exploration, 0.0, 1.0)
        within("nfsp: replay_rows", self.replay_rows, 1, 10**8)
        within("nfsp: target_every", self.target_every, 1, MOST)


@dataclass(frozen=True)
class LessonSettings:
    """What six-max's network learns of cards before its first fit: chances to win, drawn for rows of simple play."""

    steps: int = 0
    rows: int = 300_000
    batch_rows: int = 1024
    learning_rate: float = 2e-3

    def __post_init__(self) -> None:
        within("lessons: steps", self.steps, 0, 10**7)
        within("lessons: rows", self.rows, 1, 10**8)
        within("lessons: batch_rows", self.batch_rows, 1, 10**7)
        within("lessons: learning_rate", self.learning_rate, 1e-12, 10.0)


@dataclass(frozen=True)
class TrainSettings:
    """A whole run."""

    run: RunSettings
    walks: WalkSettings = field(default_factory=WalkSettings)
    buffer: BufferSettings = field(default_factory=BufferSettings)
    network: NetworkSettings = field(default_factory=NetworkSettings)
    advantage: FitSettings = field(default_factory=FitSettings)
    strategy: StrategySettings = field(default_factory=StrategySettings)
    average: AverageSettings = field(default_factory=AverageSettings)
    nfsp: NfspSettings = field(default_factory=NfspSettings)
    lessons: LessonSettings = field(default_factory=LessonSettings)

    def __post_init__(self) -> None:
        if self.network.features != SIXMAX:
            if self.walks.explore != 1.0 or self.walks.tremble != 0.0:
                got = f"explore: got {self.walks.explore:g}, tremble {self.walks.tremble:g}"
                raise SettingsError(f"walks: {got}, wanted 1 and 0 without features {SIXMAX}")
            if self.lessons.steps:
                raise SettingsError(f"lessons: steps: got {self.lessons.steps}, wanted 0 without features {SIXMAX}")
        if self.network.kind == "perceptron" and self.walks.hands != 1:
            raise SettingsError(f"walks: hands: got {self.walks.hands}, wanted 1 for network: kind perceptron")
        if self.run.algorithm == "deep-cfr" and not self.strategy.train:
            raise SettingsError("strategy: train: got false, wanted true: the strategy network is what deep-cfr plays")
        for name in ("advantage", "strategy"):
            visits = getattr(self, name).visits
            if visits != 1.0 and not self.buffer.merge:
                raise SettingsError(f"{name}: visits: got {visits:g}, wanted 1 where rows are not merged")


def what_shapes(settings: TrainSettings) -> str:
    """A checksum of all that a run's result depends on but how long it goes on."""
    return checksum(settings, LIMITS)
