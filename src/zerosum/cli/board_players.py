"""A network for a board and its search, as several verbs want them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from zerosum.errors import PolicyError, SettingsError

if TYPE_CHECKING:
    from zerosum.games.gomoku import Gomoku
    from zerosum.policy.board_network import BoardNetwork
    from zerosum.search.board_player import BoardPlayer
    from zerosum.search.classical import ClassicalPlayer
    from zerosum.search.mcts import Searcher
    from zerosum.search.settings import SearchSettings


def board_network(name: str, game: Gomoku | None = None) -> BoardNetwork:
    """The network of that name, which was made for this game."""
    from zerosum.policy.board_network import load_board_network

    try:
        return load_board_network(name, game)
    except ImportError:
        raise SettingsError("PyTorch is not installed, wanted the extra 'train'") from None


def check_known(name: str) -> None:
    """Refuses a name that is neither there nor anyone's, and says who plays Gomoku."""
    from zerosum.policy.headers import SHIPPED, read_header, shipped_names
    from zerosum.search.classical import is_classical
    from zerosum.settings import nearest

    if os.path.lexists(name) or name in shipped_names() or is_classical(name):
        return
    along = [one for one in shipped_names() if read_header(SHIPPED / one)["kind"] == "board-network"]
    known = [*along, "random", "greedy", "mcts:N", "alphabeta:DEPTH", "gomocup:COMMAND"]
    raise PolicyError(f"unknown policy or player {name!r}; {nearest(name, known)}")


def network_along(game: Gomoku) -> BoardNetwork | None:
    """The network that comes along and was made for this game, or for the board that is most like it."""
    from zerosum.games.catalog import load_game
    from zerosum.games.gomoku import Gomoku
    from zerosum.networks.board_settings import BoardNetworkSettings
    from zerosum.policy.board_network import can_play
    from zerosum.policy.headers import SHIPPED, read_header, shipped_names

    def own(header: dict[str, Any]) -> Gomoku:
        game = load_game(header["game"])
        assert isinstance(game, Gomoku)
        return game

    headers = [(name, read_header(SHIPPED / name)) for name in shipped_names()]
    boards = [(name, header) for name, header in headers if header["kind"] == "board-network"]
    fits = [
        (header["game"] != game.spec(), abs(own(header).num_actions - game.num_actions), name)
        for name, header in boards
        if can_play(BoardNetworkSettings(**header["network"]), own(header), game)
    ]
    return board_network(str(SHIPPED / min(fits)[-1])) if fits else None


def play_settings(simulations: int | None = None) -> SearchSettings:
    """How a network searches when it plays for real: with proofs, continuous fours and threats."""
    from zerosum.search.settings import SearchSettings

    return SearchSettings(
        simulations=400 if simulations is None else simulations,
        exploration=1.5,
        unvisited_less=0.2,
        prove=True,
        forced_nodes=200,
        threat_nodes=60,
    )


def board_player(name: str, threads: int | None = None, seed: int = 0) -> BoardPlayer | ClassicalPlayer:
    """Who plays against the clock under that name: a network, or one of the players without."""
    from zerosum.search.classical import ClassicalPlayer, is_classical

    if is_classical(name):
        return ClassicalPlayer(name, seed)
    policy = board_network(name)
    from zerosum.search.board_player import BoardPlayer

    return BoardPlayer(policy, name, play_settings(), threads)


def searcher(
    policy: BoardNetwork, settings: SearchSettings, threads: int | None = None, game: Gomoku | None = None
) -> Searcher:
    """Of the network's own game, or of another that it plays."""
    from zerosum.search.mcts import Searcher

    game = game or policy.game
    count = threads or len(os.sched_getaffinity(0))
    return Searcher(game, policy.evaluator(game), settings, threads=count)
