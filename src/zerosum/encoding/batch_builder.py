"""States -> the batch dictionary: from native hands and views in one native call, from dictionaries in Python.

Both give the same numbers. A state dictionary is what `PokerGame.get_state_for_player` gives: amounts in big blinds.
"""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import torch

from zerosum import native
from zerosum.encoding.action_tokens import ACTION_TOKEN_DIM, MAX_ACTIONS, list_of, token_rows, want_dictionary
from zerosum.encoding.card_embedding import (
    card_to_rank_suit,
    normalize_board,
    normalize_hole_cards,
    want_board_of,
    want_different,
)
from zerosum.encoding.checks import want_rows
from zerosum.encoding.state_encoder import FIELDS, StateEncoder, opponent_row, self_row
from zerosum.errors import EncodingError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from torch import Tensor

    from zerosum.games.holdem import PokerGame
    from zerosum.native import HoldemHand, HoldemView

Batch = dict[str, "Tensor"]


class StateBatchBuilder:
    """Builds batch dictionaries on a device."""

    def __init__(self, device: str | torch.device = "cpu") -> None:
        self.device = torch.device(device)

    def build_single(self, view: HoldemView) -> Batch:
        """One native view -> a batch of one."""
        return self.build_batch([view])

    def build_from_dict(self, state: Mapping[str, Any]) -> Batch:
        """One state dictionary -> a batch of one."""
        return self._build([_row(state, "")])

    def build_batch(self, views: Sequence[HoldemView]) -> Batch:
        """B native views -> a batch of B, in one native call."""
        views = list_of("views", views, "a list of views")
        for number, view in enumerate(views):
            if not isinstance(view, native.HoldemView):
                raise EncodingError(f"views[{number}]: got {type(view).__name__}, wanted a view of a hold'em hand")
        return self._from_rows(native.sixmax_rows(views))

    def build_batch_from_games(self, games: Sequence[PokerGame], players: Sequence[int] | None = None) -> Batch:
        """B games -> a batch of B, in one native call: what the seats in `players` see, or those to act."""
        hands = _hands(list_of("games", games, "a list of games"))
        seats = _actors(hands) if players is None else _seats(list_of("players", players, "a list of seats"))
        if len(seats) != len(hands):
            raise EncodingError(f"players: got {len(seats)}, wanted one for each of {len(hands)} games")
        return self._from_rows(native.sixmax_rows_of_hands(hands, np.array(seats, dtype=np.int64)))

    def build_batch_from_dicts(self, states: Sequence[Mapping[str, Any]]) -> Batch:
        """B state dictionaries -> a batch of B."""
        told = list_of("states", states, "a list of states")
        return self._build([_row(state, f"states[{number}].") for number, state in enumerate(told)])

    def build_rows(self, rows: np.ndarray[Any, np.dtype[np.uint8]]) -> Batch:
        """B native rows of 184 bytes -> a batch of B."""
        want_rows(rows)
        return self._from_rows(rows)

    def _from_rows(self, rows: np.ndarray[Any, np.dtype[np.uint8]]) -> Batch:
        arrays = native.sixmax_batch(rows)
        return {name: torch.from_numpy(array).to(self.device) for name, array in zip(FIELDS, arrays, strict=True)}

    def _build(self, rows: Sequence[Sequence[Any]]) -> Batch:
        columns = list(zip(*rows, strict=True)) or [()] * len(FIELDS)
        return {
            name: torch.tensor(column, dtype=kind).reshape(len(rows), *shape).to(self.device)
            for (name, (shape, kind)), column in zip(FIELDS.items(), columns, strict=True)
        }


def _hands(games: Sequence[Any]) -> list[HoldemHand]:
    hands = [getattr(game, "hand", None) for game in games]
    if not {native.HoldemHand}.issuperset(map(type, hands)):
        number = next(k for k, hand in enumerate(hands) if type(hand) is not native.HoldemHand)
        raise EncodingError(f"games[{number}]: got {type(games[number]).__name__}, wanted a game of hold'em")
    return cast("list[HoldemHand]", hands)


def _actors(hands: Sequence[HoldemHand]) -> list[int]:
    actors = [hand.actor for hand in hands]
    if actors and min(actors) < 0:
        number = next(k for k, actor in enumerate(actors) if actor < 0)
        raise EncodingError(f"games[{number}]: nobody is to act, wanted `players`: whose sight to encode")
    return actors


def _seats(players: Sequence[Any]) -> list[int]:
    seats = []
    for number, seat in enumerate(players):
        try:
            seats.append(index(seat))  # of NumPy and PyTorch too
        except TypeError:
            raise EncodingError(f"players[{number}]: got {seat!r}, wanted a seat") from None
    return seats


def _row(state: Mapping[str, Any], where: str) -> list[list[Any]]:
    """One state -> its part of each field, in the order of `FIELDS`."""
    want_dictionary(where[:-1] or "state", state)
    for name in ("hole_cards", "board", "opponents", "actions"):
        if name not in state:
            raise EncodingError(f"{where}{name}: got none, wanted it in the state")
    hole, board = normalize_hole_cards(state["hole_cards"], where), normalize_board(state["board"], where)
    want_different([*hole, *board], f"{where}hole_cards and board")
    own = self_row(state, where)
    want_board_of(state["street"], board, where)
    tokens = token_rows(state["actions"], MAX_ACTIONS, where)
    missing = MAX_ACTIONS - len(tokens)
    held, lying = [card_to_rank_suit(card) for card in hole], [card_to_rank_suit(card) for card in board]
    return [
        [rank for rank, _ in held],
        [suit for _, suit in held],
        [rank for rank, _ in lying],
        [suit for _, suit in lying],
        own,
        opponent_row(state["opponents"], where),
        tokens + [[0.0] * ACTION_TOKEN_DIM] * missing,
        [False] * len(tokens) + [True] * missing,
    ]


class VectorizedEncoder:
    """Games or states in, (B, 261) out: a builder and an encoder on one device, without dropout or gradients."""

    def __init__(self, device: str | torch.device = "cpu", encoder: StateEncoder | None = None) -> None:
        self.builder = StateBatchBuilder(device)
        self.encoder = (StateEncoder() if encoder is None else encoder).to(self.builder.device).eval()

    def encode_games(self, games: Sequence[PokerGame], players: Sequence[int] | None = None) -> Tensor:
        """B games -> (B, 261): what the seats in `players` see, or those to act."""
        return self._encode(self.builder.build_batch_from_games(games, players))

    def encode_states(self, states: Sequence[Mapping[str, Any]]) -> Tensor:
        """B state dictionaries -> (B, 261)."""
        return self._encode(self.builder.build_batch_from_dicts(states))

    def _encode(self, batch: Batch) -> Tensor:
        with torch.inference_mode():
            return cast("Tensor", self.encoder(batch))
