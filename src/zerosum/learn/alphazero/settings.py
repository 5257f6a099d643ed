"""What an AlphaZero run is made of, section by section, as its TOML file has it."""

from __future__ import annotations

from dataclasses import dataclass, field

from zerosum.errors import SettingsError
from zerosum.networks.board_settings import BoardNetworkSettings
from zerosum.search.settings import SearchSettings
from zerosum.settings import checksum, within

LIMITS = ("iterations", "minutes", "checkpoint_seconds", "device", "engine")  # of `run`; engines differ by rounding
ALGORITHM = "alphazero"
ENGINES = ("auto", "onnx", "torch")


@dataclass(frozen=True)
class RunSettings:
    game: str = "gomoku:size=6,line=4"
    algorithm: str = ALGORITHM
    seed: int = 0
    iterations: int | None = None
    minutes: float | None = None
    checkpoint_seconds: float = 20.0
    device: str = "auto"
    engine: str = "auto"  # what answers and learns: what is fastest; or onnx (answers) with PyTorch, or torch
    begin_with: str | None = None  # a policy whose weights a new run begins with, of a smaller board for instance

    def __post_init__(self) -> None:
        if self.algorithm != ALGORITHM:
            raise SettingsError(f"run: algorithm: got {self.algorithm!r}, wanted {ALGORITHM}")
        if self.engine not in ENGINES:
            raise SettingsError(f"run: engine: got {self.engine!r}, wanted one of {', '.join(ENGINES)}")
        within("run: seed", self.seed, 0, 2**63 - 1)
        for name in ("iterations", "minutes"):
            if getattr(self, name) is not None and not getattr(self, name) > 0:
                raise SettingsError(f"run: {name}: got {getattr(self, name)}, wanted more than 0")


@dataclass(frozen=True)
class SelfPlaySettings:
    """Simulations grow from `first_simulations`, where those are fewer, to the search's own over `growth` iterations;
    proofs, too.
    """

    games: int = 256  # an iteration
    slots: int = 128  # games at once
    first_simulations: int | None = None
    growth: int = 1
    fast_simulations: int = 20  # of moves that nothing is learnt from
    full_share: float = 0.25  # of moves that something is learnt from
    noise_alpha: float = 0.3
    noise_share: float = 0.25
    temperature_moves: int = 30
    opening_share: float = 0.0  # of games that begin with random stones ...
    opening_most: int = 0  # ... up to so many, each number as likely ...
    early_share: float = 0.0  # ... or, this share of them, ...
    early_most: int = 0  # ... up to so few
    play_on: float = 0.0  # how likely a game goes on, at each position whose value is certain
    batch: int = 128  # leaves a round
    side_rows: int = 0  # positions off a game's path whose value the search proved, for each that is learnt from
    proof_nodes: int = 0  # of proof searches that correct what is learnt from positions the tree has not settled
    aside_rows: int = 0  # positions after other moves, judged by the same proofs, for each that is learnt from
    early_stones: int = 0  # up to so many stones a position is an opening, ...
    early_proof_nodes: int = 0  # ... worth a proof of so many nodes, which is remembered
    value_mix: float = 0.0  # of the search's own value in what the value head learns

    def __post_init__(self) -> None:
        for name, low, high in (
            ("games", 1, 10**6),
            ("slots", 1, 4096),
            ("growth", 1, 10**6),
            ("fast_simulations", 1, 10**6),
            ("full_share", 0, 1),
            ("noise_alpha", 1e-3, 1e3),
            ("noise_share", 0, 1),
            ("temperature_moves", 0, 400),
            ("opening_share", 0, 1),
            ("opening_most", 0, 400),
            ("early_share", 0, 1),
            ("early_most", 0, 400),
            ("play_on", 0, 1),
            ("batch", 1, 65536),
            ("value_mix", 0, 1),
            ("side_rows", 0, 64),
            ("aside_rows", 0, 64),
            ("proof_nodes", 0, 10**7),
            ("early_stones", 0, 400),
            ("early_proof_nodes", 0, 10**7),
        ):
            within(f"selfplay: {name}", getattr(self, name), low, high)
        if self.first_simulations is not None:
            within("selfplay: first_simulations", self.first_simulations, 1, 10**6)
        if self.full_share == 0:
            raise SettingsError("selfplay: full_share: got 0, wanted more: nothing would be learnt")
        if self.aside_rows > 0 and self.proof_nodes == 0:
            raise SettingsError(
                f"selfplay: aside_rows: got {self.aside_rows}, wanted 0 without proof_nodes: they judge them"
            )


@dataclass(frozen=True)
class SparringSettings:
    """Games against a player who never errs, in every iteration after so many; on boards small enough for proofs.

    Near the end of a run there may be nothing else: errors that are left are looked for and mended, a few at a time.
    """

    games: int = 0  # at most, at once
    after: int = 0
    simulations: int = 100
    most_moves: int | None = None  # of the network in a game; none: to its end
    looks_below: bool = False  # rows of what the search was wrong about also where its move was right
    times: int = 1  # how often a row counts ...
    wrong_times: int = 1  # ... and those of a position where the network gave value away
    alone_after: float = 1.0  # the share of a run after which there is no self-play, ...
    alone_games: int | None = None  # ... so many games at once, if not as many as before, ...
    alone_steps: int = 400  # ... and a fit of so many steps

    def __post_init__(self) -> None:
        within("sparring: games", self.games, 0, 10**6)
        within("sparring: after", self.after, 0, 10**6)
        within("sparring: simulations", self.simulations, 1, 10**6)
        if self.most_moves is not None:
            within("sparring: most_moves", self.most_moves, 1, 400)
        within("sparring: times", self.times, 1, 1000)
        within("sparring: wrong_times", self.wrong_times, 1, 1000)
        within("sparring: alone_after", self.alone_after, 0, 1)
        if self.alone_games is not None:
            within("sparring: alone_games", self.alone_games, 1, 10**6)
        within("sparring: alone_steps", self.alone_steps, 1, 10**6)
        if self.alone_after < 1 and self.games == 0:
            raise SettingsError(f"sparring: alone_after: got {self.alone_after}, wanted 1 without sparring games")


@dataclass(frozen=True)
class ReplaySettings:
    window_rows: int = 100_000  # positions to learn from, the newest ones
    first_rows: int = 2_000  # before anything is learnt

    def __post_init__(self) -> None:
        within("replay: window_rows", self.window_rows, 1, 10**9)
        within("replay: first_rows", self.first_rows, 1, 10**9)


@dataclass(frozen=True)
class FitSettings:
    """An iteration takes so many steps that every new row is seen `passes` times. The network that plays and is saved
    can be a mean of the weights over the last steps, which forgets its older ones as fast as that.
    """

    batch_rows: int = 256
    passes: float = 4.0
    learning_rate: float = 2e-3
    last_learning_rate: float = 2e-4  # reached, on a cosine, when the run's time or iterations are over
    weight_decay: float = 1e-4
    value_weight: float = 1.0
    clip: float = 5.0
    mean_steps: int = 1  # that the mean goes over; 1: the newest weights themselves
    threads: int = 2  # the bits depend on it, so it is a setting and not what the machine has

    def __post_init__(self) -> None:
        within("fit: batch_rows", self.batch_rows, 1, 10**6)
        within("fit: passes", self.passes, 0.01, 1000)
        within("fit: mean_steps", self.mean_steps, 1, 10**6)
        within("fit: threads", self.threads, 1, 64)
        within("fit: learning_rate", self.learning_rate, 1e-9, 10)
        within("fit: last_learning_rate", self.last_learning_rate, 0, 10)
        within("fit: weight_decay", self.weight_decay, 0, 10)
        within("fit: value_weight", self.value_weight, 0, 1000)
        within("fit: clip", self.clip, 1e-6, 1e9)

    def steps(self, new_rows: int) -> int:
        return max(1, round(self.passes * new_rows / self.batch_rows))


@dataclass(frozen=True)
class ArenaSettings:
    """Every so many iterations the newest network meets the best one. A sequential test decides whether it takes over;
    where that has no answer, its share of the points does.
    """

    every: int = 4
    games: int = 64  # at most
    simulations: int = 32
    opening_moves: int = 2  # random ones, each played with both colours
    elo0: float = -20.0
    elo1: float = 20.0
    least_score: float = 0.5
    gate: bool = True  # false: the newest network always takes over

    def __post_init__(self) -> None:
        within("arena: every", self.every, 1, 10**6)
        within("arena: games", self.games, 2, 10**6)
        within("arena: simulations", self.simulations, 1, 10**6)
        within("arena: least_score", self.least_score, 0, 1)
        within("arena: opening_moves", self.opening_moves, 0, 400)
        within("arena: elo1", self.elo1, -4000, 4000)
        if not self.elo0 < self.elo1:
            raise SettingsError(f"arena: elo0: got {self.elo0}, wanted less than elo1, {self.elo1}")


@dataclass(frozen=True)
class AlphaZeroSettings:
    run: RunSettings = field(default_factory=RunSettings)
    network: BoardNetworkSettings = field(default_factory=BoardNetworkSettings)
    search: SearchSettings = field(default_factory=SearchSettings)
    selfplay: SelfPlaySettings = field(default_factory=SelfPlaySettings)
    sparring: SparringSettings = field(default_factory=SparringSettings)
    replay: ReplaySettings = field(default_factory=ReplaySettings)
    fit: FitSettings = field(default_factory=FitSettings)
    arena: ArenaSettings = field(default_factory=ArenaSettings)


def what_shapes(settings: AlphaZeroSettings) -> str:
    """A checksum of all that decides what a run comes to, but its limits."""
    return checksum(settings, LIMITS)
