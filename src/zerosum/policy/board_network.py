"""A network that plays a board game, on disk: a header, and its weights as safetensors.

A pattern network is read and plays without PyTorch; the others need it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from zerosum.errors import PolicyError, SettingsError
from zerosum.games.catalog import load_game
from zerosum.games.gomoku import Gomoku
from zerosum.networks.board_settings import BoardNetworkSettings
from zerosum.networks.pattern_table import PatternEvaluator, weight_shapes
from zerosum.policy.headers import HEADER, find_header, read_header, write_header
from zerosum.policy.tensors import check_weights, forget_others, read_tensors, write_tensors
from zerosum.runs.files import make_directory
from zerosum.settings import from_mapping

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from zerosum.networks.gomoku import BoardNet
    from zerosum.networks.inference import Evaluator

KIND = "board-network"
MAKE = "make one with zerosum train"


@dataclass(frozen=True, eq=False)
class BoardNetwork:
    """A network's weights, the game it was trained for, and where it comes from."""

    game: Gomoku
    settings: BoardNetworkSettings
    weights: dict[str, npt.NDArray[Any]]
    origin: dict[str, Any]
    where: str = "a network"

    @property
    def board(self) -> tuple[int, int]:
        return self.game.height, self.game.width

    @cached_property
    def network(self) -> BoardNet:
        """In PyTorch."""
        from zerosum.policy.state_dicts import put_weights

        network = self.settings.build(self.game)
        put_weights(network, self.weights, self.where, MAKE)
        return network.eval()

    def plays(self, game: Gomoku) -> bool:
        return can_play(self.settings, self.game, game)

    def check_plays(self, game: Gomoku, name: str) -> None:
        """Refuses a game that it was not made for: another line, or another board where it knows one size."""
        if not self.plays(game):
            raise PolicyError(f"{name}: a policy for {self.game.spec()}, wanted one for {game.spec()}")

    @property
    def knows_board(self) -> bool:
        """Whether what answers for it is made for a board; else it does for all."""
        return self.settings.kind != "pattern"

    def evaluator(self, game: Gomoku | None = None, threads: int = 1) -> Evaluator:
        """What answers for it fastest on this machine's processors, in its own game or another that it plays."""
        game = self.game if game is None else game
        if not self.knows_board:
            answers = PatternEvaluator(self.weights, threads)
            self.adapt(answers, game)
            return answers
        from zerosum.networks.inference import evaluator_for

        return evaluator_for(self.network, (game.height, game.width), threads=threads)

    def adapt(self, answers: Evaluator, game: Gomoku) -> None:
        """Lets what answers go by the rule of a game, where that can be told; others answer as ever."""
        if isinstance(answers, PatternEvaluator):
            exact, own = (one.rule == "standard" for one in (game, self.game))
            answers.plays_exactly(game.line if exact and not own else None)

    def check(self) -> None:
        """Refuses weights that such a network does not have."""
        if not self.knows_board:
            shapes = weight_shapes(self.settings.channels, self.settings.blocks, self.game.line)
            check_weights(self.weights, shapes, "PatternNet", self.where, MAKE)
        else:
            _ = self.network


def can_play(settings: BoardNetworkSettings, own: Gomoku, game: Gomoku) -> bool:
    """Whether a network that was trained for one game plays another: the same line, and the same board where it knows
    one size.
    """
    alike = settings.any_size or (own.height, own.width) == (game.height, game.width)
    return alike and own.line == game.line


def save_board_network(policy: BoardNetwork, directory: str | Path) -> None:
    """Writes the directory, or replaces the policy in it."""
    directory = make_directory(directory)
    name, digest = write_tensors(directory, "network", policy.weights)
    header = {
        "kind": KIND,
        "game": policy.game.spec(),
        "network": asdict(policy.settings),
        **policy.origin,
        "tensors": name,
        "tensors_sha256": digest,
    }
    write_header(directory, header)
    forget_others(directory, "network", name)


def load_board_network(directory: str | Path, game: Gomoku | None = None) -> BoardNetwork:
    """Reads a policy directory, or that of a run, and checks it (and that it is for this game)."""
    where = find_header(str(directory))
    header = read_header(where)
    if header["kind"] != KIND:
        raise PolicyError(f"{where}: a policy for {header['game']}, wanted a network for a board")
    if game is not None and header["game"] != game.spec():
        raise PolicyError(f"{where}: a policy for {header['game']}, wanted one for {game.spec()}")
    weights = read_tensors(where, header["tensors"], header["tensors_sha256"])
    try:
        own = load_game(header["game"])
        settings = from_mapping(BoardNetworkSettings, header["network"], str(where))
    except (SettingsError, KeyError, TypeError) as error:
        raise PolicyError(f"{where / HEADER}: {error}") from None
    if not isinstance(own, Gomoku):
        raise PolicyError(f"{where / HEADER}: a network for {header['game']}, wanted one for gomoku")
    known = {key: header.get(key) for key in ("algorithm", "iterations", "seed")}
    policy = BoardNetwork(own, settings, weights, known, str(where / header["tensors"]))
    policy.check()
    return policy
