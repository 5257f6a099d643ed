"""The 261 numbers again, slowly and from the text of a record alone: own parsing, own chips, own matrix products.

Nothing here uses the engine, the builders or PyTorch's layers; weights come in as plain arrays.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy.typing as npt

RANKS, SUITS = "23456789TJQKA", "cdhs"
KINDS = ["fold", "check", "call", "bet", "raise", "all-in"]
Pair = tuple[int, int]


def pairs(text: str) -> list[Pair]:
    """`AsKd` -> ranks and suits."""
    return [(RANKS.index(text[k]), SUITS.index(text[k + 1])) for k in range(0, len(text), 2)]


@dataclass
class SlowHand:
    """Chips and actions of a hand, kept by hand."""

    stacks: list[float]
    big: float
    holes: dict[int, list[Pair]] = field(default_factory=dict)
    board: list[Pair] = field(default_factory=list)
    put: list[float] = field(default_factory=list)
    bet: list[float] = field(default_factory=list)
    folded: set[int] = field(default_factory=set)
    raises: int = 0
    tokens: list[tuple[int, str, float, int]] = field(default_factory=list)

    @property
    def street(self) -> int:
        return {0: 0, 3: 1, 4: 2, 5: 3}[len(self.board)]

    def position(self, seat: int) -> int:
        """Counted back from the big blind, which sits second."""
        return 5 - (1 - seat) % len(self.stacks)

    def act(self, seat: int, word: str, amount: float) -> None:
        street, added = self.street, 0.0
        if word == "f":
            kind = "fold"
            self.folded.add(seat)
        elif word == "cc":
            added = min(self.stacks[seat], max(self.bet) - self.bet[seat])
            kind = "call" if added else "check"
        else:
            added = amount - self.bet[seat]
            kind = "raise" if street == 0 or self.raises else "bet"
            self.raises += 1
        if added and added == self.stacks[seat]:
            kind = "all-in"
        self.stacks[seat] -= added
        self.bet[seat] += added
        self.put[seat] += added
        self.tokens.append((self.position(seat), kind, added, street))

    def lay(self, cards: Sequence[Pair]) -> None:
        self.board.extend(cards)
        self.bet = [0.0] * len(self.bet)
        self.raises = 0

    def numbers(self, seat: int) -> dict[str, Any]:
        """What the seat sees: cards as pairs, and the numbers of each part."""
        big, players = self.big, len(self.stacks)
        own = [0.0] * 14
        own[self.position(seat)] = 1.0
        own[6] = self.stacks[seat] / big / 100
        own[7] = sum(self.put) / big / 100
        own[8] = min(self.stacks[seat], max(self.bet) - self.bet[seat]) / big / 100
        own[9] = self.raises / 4
        own[10 + self.street] = 1.0
        others: list[float] = []
        for k in range(1, 6):
            other = (seat + k) % players
            amounts = [self.stacks[other] / big / 100, self.put[other] / big / 100]
            others += [float(other not in self.folded), *amounts] if k < players else [0.0, 0.0, 0.0]
        tokens = []
        for position, kind, added, street in self.tokens[-24:]:
            token = [0.0] * 17
            token[position] = token[6 + KINDS.index(kind)] = token[13 + street] = 1.0
            token[12] = added / big / 100
            tokens.append(token)
        flop, later = sorted(self.board[:3], reverse=True), self.board[3:]
        return {
            "hole": sorted(self.holes[seat], reverse=True),
            "board": (flop + later + [(13, 4)] * 5)[:5],
            "own": own,
            "others": others,
            "tokens": tokens,
        }


def slow_states(fields: Mapping[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every decision of a recorded no-limit hand: the seat to act and what it sees."""
    players = len(fields["starting_stacks"])
    blinds = [float(blind) for blind in fields["blinds_or_straddles"]]
    hand = SlowHand([float(stack) for stack in fields["starting_stacks"]], max(blinds))
    hand.put, hand.bet = [0.0] * players, [0.0] * players
    for seat, blind in enumerate(blinds):
        posted = min(blind, hand.stacks[seat])
        hand.stacks[seat] -= posted
        hand.put[seat] += posted
        hand.bet[seat] += posted
    for action in fields["actions"]:
        words = action.split()
        if words[:2] == ["d", "dh"]:
            hand.holes[int(words[2][1:]) - 1] = pairs(words[3])
        elif words[:2] == ["d", "db"]:
            hand.lay(pairs(words[2]))
        elif words[1] != "sm":
            seat = int(words[0][1:]) - 1
            yield seat, hand.numbers(seat)
            hand.act(seat, words[1], float(words[2]) if len(words) > 2 else 0.0)


Weights = dict[str, "npt.NDArray[np.float64]"]


def slow_encoding(seen: Mapping[str, Any], weights: Weights) -> list[float]:
    """261 numbers, by the formulas of a transformer layer (norms first) in double precision."""
    answer: list[float] = []
    for rank, suit in [*seen["hole"], *seen["board"]]:
        answer += [*weights["rank_embed.weight"][rank], *weights["suit_embed.weight"][suit]]
    return [*answer, *seen["own"], *seen["others"], *_history(np.array(seen["tokens"]), weights)]


def _history(tokens: npt.NDArray[np.float64], weights: Weights) -> npt.NDArray[np.float64]:
    if len(tokens) == 0:
        return np.zeros(64)
    layer = "action_encoder.transformer.layers.0."
    told = _linear(tokens, weights, "action_encoder.proj") + weights["action_encoder.pos_embed"][0][: len(tokens)]
    asked = _norm(told, weights, layer + "norm1")
    asked = asked @ weights[layer + "self_attn.in_proj_weight"].T + weights[layer + "self_attn.in_proj_bias"]
    heads = []
    for head in range(4):
        query, key, value = (asked[:, part * 64 + 16 * head : part * 64 + 16 * head + 16] for part in range(3))
        score = np.exp(query @ key.T / sqrt(16))
        heads.append(score / score.sum(axis=1, keepdims=True) @ value)
    told = told + _linear(np.concatenate(heads, axis=1), weights, layer + "self_attn.out_proj")
    inner = np.maximum(_linear(_norm(told, weights, layer + "norm2"), weights, layer + "linear1"), 0.0)
    result: npt.NDArray[np.float64] = (told + _linear(inner, weights, layer + "linear2")).mean(axis=0)
    return result


def _linear(rows: npt.NDArray[np.float64], weights: Weights, name: str) -> npt.NDArray[np.float64]:
    answer: npt.NDArray[np.float64] = rows @ weights[name + ".weight"].T + weights[name + ".bias"]
    return answer


def _norm(rows: npt.NDArray[np.float64], weights: Weights, name: str) -> npt.NDArray[np.float64]:
    mean, spread = rows.mean(axis=1, keepdims=True), rows.var(axis=1, keepdims=True)
    answer: npt.NDArray[np.float64] = (rows - mean) / np.sqrt(spread + 1e-5)
    return answer * weights[name + ".weight"] + weights[name + ".bias"]
