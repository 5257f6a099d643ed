"""A network for a board and its search, as several verbs want them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from zerosum.errors import PolicyError, SettingsError

if TYPE_CHECKING:
    from zerosum.games.gomoku import Gomoku
    from zerosum.policy.board_network import BoardNetwork
    from zerosum.search.board_player import BoardPlayer
    from zerosum.search.classical import ClassicalPlayer
    from zerosum.search.mcts import Searcher
    from zerosum.search.settings import SearchSettings


def board_network(name: str | None, game: Gomoku | None = None) -> BoardNetwork:
    """The network of that name; without a name the one that comes along for the game."""
    from zerosum.policy.headers import SHIPPED, read_header, shipped_names

    try:
        from zerosum.policy.board_network import load_board_network
    except ImportError:
        raise SettingsError("PyTorch is not installed, wanted the extra 'train'") from None
    if name is not None:
        return load_board_network(name, game)
    assert game is not None
    for shipped in shipped_names():
        if read_header(SHIPPED / shipped)["game"] == game.spec():
            return load_board_network(SHIPPED / shipped, game)
    raise PolicyError(f"no policy for {game.spec()} comes along, wanted --against POLICY; train one: zerosum train")


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


def searcher(policy: BoardNetwork, settings: SearchSettings, threads: int | None = None) -> Searcher:
    from zerosum.networks.inference import evaluator_for
    from zerosum.search.mcts import Searcher

    count = threads or len(os.sched_getaffinity(0))
    return Searcher(policy.game, evaluator_for(policy.network, policy.board), settings, threads=count)
