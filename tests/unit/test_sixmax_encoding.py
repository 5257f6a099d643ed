"""Spec 4's encoding: names, shapes, counts, order; the same from native states and dictionaries; clear refusals."""

from __future__ import annotations

from copy import deepcopy
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from torch import nn

import zerosum.encoding as encoding
from zerosum import native
from zerosum.encoding import (
    ACTION_TOKEN_DIM,
    CARD_PADDING,
    MAX_ACTIONS,
    RANK_PADDING,
    SUIT_PADDING,
    ActionHistoryEncoder,
    CardEmbedding,
    StateBatchBuilder,
    StateEncoder,
    VectorizedEncoder,
    card_to_rank_suit,
    cards_to_tensors,
    create_empty_batch,
    encode_action_sequence,
    encode_opponents,
    encode_self_info,
    encode_single_action,
    normalize_hole_cards,
    pad_board,
)
from zerosum.encoding.sixmax_rows import ROW
from zerosum.errors import EncodingError, ZerosumError
from zerosum.games.holdem import Holdem, PokerGame, SixMax

if TYPE_CHECKING:
    from collections.abc import Callable

ACES = [48, 51]  # Ac, As


@pytest.fixture
def encoder() -> StateEncoder:
    torch.manual_seed(1)
    return StateEncoder().eval()


def played(seed: int = 3, *, steps: int = 9, game: Holdem | None = None) -> PokerGame:
    """A hand some way in: everyone calls but for a raise now and then."""
    table = PokerGame(game or SixMax(), seed=seed)
    for step in range(steps):
        if table.is_over:
            break
        legal = table.hand.legal()
        table.hand = table.hand.child(2 if step % 4 == 1 and 2 in legal else 1)
    return table


def test_every_public_name_is_there() -> None:
    for name in encoding.__all__:
        assert getattr(encoding, name) is not None
        assert name in dir(encoding)
    assert len(encoding.__all__) == 19
    with pytest.raises(AttributeError, match="nothing"):
        _ = encoding.nothing
    assert (CARD_PADDING, RANK_PADDING, SUIT_PADDING, ACTION_TOKEN_DIM, MAX_ACTIONS) == (52, 13, 4, 17, 24)


def test_parameters_and_output(encoder: StateEncoder) -> None:
    counts = {name: parameter.numel() for name, parameter in encoder.named_parameters()}
    assert sum(counts.values()) == 52_936
    assert counts["rank_embed.weight"] == 224
    assert counts["suit_embed.weight"] == 40
    assert counts["action_encoder.proj.weight"] + counts["action_encoder.proj.bias"] == 1_152
    assert encoder.action_encoder.pos_embed.shape == (1, 24, 64)
    assert sum(n for name, n in counts.items() if name.startswith("action_encoder.transformer.")) == 49_984
    assert encoder.output_dim == encoder.get_output_dim() == 261
    assert 0.018 < ActionHistoryEncoder().pos_embed.std() < 0.022
    assert sum(p.numel() for p in CardEmbedding().parameters()) == 264
    layer: Any = encoder.action_encoder.transformer.layers[0]
    assert (layer.norm_first, layer.dropout.p, layer.self_attn.num_heads, layer.self_attn.batch_first) == (
        True, 0.1, 4, True,
    )  # fmt: skip


def test_other_sizes_work_too() -> None:
    encoder = StateEncoder(rank_embed_dim=4, suit_embed_dim=2, action_hidden_dim=32, max_actions=8).eval()
    assert encoder.output_dim == 7 * 6 + 14 + 15 + 32
    batch = StateBatchBuilder().build_batch_from_games([played(steps=5)])
    batch["actions"], batch["action_mask"] = batch["actions"][:, :8], batch["action_mask"][:, :8]
    assert encoder(batch).shape == (1, encoder.output_dim)


def test_batch_shapes(encoder: StateEncoder) -> None:
    views = [played(seed).hand.view(2) for seed in range(5)]
    wanted = {
        "hole_ranks": (5, 2), "hole_suits": (5, 2), "board_ranks": (5, 5), "board_suits": (5, 5),
        "self_info": (5, 14), "opponent_info": (5, 15), "actions": (5, 24, 17), "action_mask": (5, 24),
    }  # fmt: skip
    for batch in (StateBatchBuilder().build_batch(views), create_empty_batch(5)):
        assert {name: tuple(part.shape) for name, part in batch.items()} == wanted
        assert batch["action_mask"].dtype == torch.bool
        assert encoder(batch).shape == (5, 261)
    empty = create_empty_batch(2)
    assert (empty["board_ranks"] == 13).all()
    assert (empty["hole_suits"] == 4).all()
    assert empty["action_mask"].all()
    assert {name: len(part) for name, part in StateBatchBuilder().build_batch_from_dicts([]).items()} == dict.fromkeys(
        wanted, 0
    )


def test_cards() -> None:
    assert [card_to_rank_suit(card) for card in (0, 51, 52)] == [(0, 0), (12, 3), (13, 4)]
    ranks, suits = cards_to_tensors([0, 51, 52])
    assert (ranks.tolist(), suits.tolist()) == ([0, 12, 13], [0, 3, 4])
    assert normalize_hole_cards([0, 51]) == normalize_hole_cards([51, 0]) == [51, 0]
    assert normalize_hole_cards(ACES) == normalize_hole_cards(ACES[::-1]) == [51, 48]
    assert pad_board([5, 1, 9]) == [5, 1, 9, 52, 52]
    embedding = CardEmbedding()
    assert embedding(ranks, suits).shape == (72,)
    assert not embedding(ranks, suits)[48:].any()


def test_a_token_is_position_type_amount_street() -> None:
    token = encode_single_action(3, "raise", 2.5, 1)
    assert token.nonzero().flatten().tolist() == [3, 6 + 4, 12, 13 + 1]
    assert token[12] == torch.tensor(0.025)
    assert torch.equal(encode_single_action(0, 5, 100, 3), encode_single_action(0, "all-in", 100, 3))


def test_the_latest_24_actions_are_kept() -> None:
    actions = [{"player": k % 6, "type": "check", "amount": 0, "street": 0} for k in range(30)]
    tokens, mask = encode_action_sequence(actions)
    assert tokens.shape == (24, 17)
    assert not mask.any()
    assert tokens[0].nonzero()[0] == 0  # the seventh action, of player 0
    tokens, mask = encode_action_sequence(actions[:3])
    assert mask.tolist() == [False] * 3 + [True] * 21


def test_a_long_hand_has_the_same_numbers_both_ways() -> None:
    table = PokerGame(Holdem(players=6, stack="10000bb"), seed=1)
    while not table.is_over and len(table.get_state_for_player(0)["actions"]) < 30:
        _, _, raises, low, _ = table.hand.limits()
        table.hand = table.hand.act(low if raises else 0)
    assert len(table.get_state_for_player(0)["actions"]) == 30
    same_both_ways([table], [0])


def same_both_ways(tables: list[PokerGame], seats: list[int]) -> None:
    builder = StateBatchBuilder()
    native = builder.build_batch_from_games(tables, seats)
    views = builder.build_batch([table.hand.view(seat) for table, seat in zip(tables, seats, strict=True)])
    told = [table.get_state_for_player(seat) for table, seat in zip(tables, seats, strict=True)]
    plain = builder.build_batch_from_dicts(told)
    for name in native:
        assert torch.equal(native[name], plain[name]), name
        assert torch.equal(native[name], views[name]), name
        assert native[name].dtype == plain[name].dtype


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_native_states_and_dictionaries_agree(players: int) -> None:
    game = SixMax(players=players, stack="/".join(str(1000 + 777 * k) for k in range(players)))
    tables = [played(seed, steps=seed % 14, game=game) for seed in range(40)]
    same_both_ways(tables, [seed % players for seed in range(40)])


def test_botzone_order_agrees_too() -> None:
    game = Holdem(order="botzone")
    same_both_ways([played(seed, steps=seed, game=game) for seed in range(8)], [seed % 2 for seed in range(8)])


def test_single_states_are_batches_of_one() -> None:
    table, builder = played(), StateBatchBuilder()
    for batch in (builder.build_single(table.hand.view(1)), builder.build_from_dict(table.get_state_for_player(1))):
        whole = builder.build_batch_from_games([table], [1])
        assert all(torch.equal(batch[name], whole[name]) for name in whole)


def test_vectorized_encoder(encoder: StateEncoder) -> None:
    vectorized = VectorizedEncoder("cpu", encoder)
    tables = [played(seed) for seed in range(7)]
    by_games = vectorized.encode_games(tables)
    states = [table.get_state_for_player(table.current_player) for table in tables]
    assert by_games.shape == (7, 261)
    torch.testing.assert_close(by_games, vectorized.encode_states(states), atol=0, rtol=0)
    assert VectorizedEncoder().encode_games(tables, [0] * 7).shape == (7, 261)
    with pytest.raises(EncodingError, match="players: got 2, wanted one for each of 7"):
        vectorized.encode_games(tables, [0, 1])


def test_helpers_are_parts_of_the_batch() -> None:
    table = played()
    state = table.get_state_for_player(4)
    batch = StateBatchBuilder().build_from_dict(state)
    assert torch.equal(encode_self_info(state), batch["self_info"][0])
    assert torch.equal(encode_opponents(state["opponents"]), batch["opponent_info"][0])
    tokens, mask = encode_action_sequence(state["actions"])
    assert torch.equal(tokens, batch["actions"][0])
    assert torch.equal(mask, batch["action_mask"][0])


def test_folded_all_in_and_absent_opponents() -> None:
    table = PokerGame(SixMax(players=3, stack="100/1000/1000"), seed=1)
    table.step("fold")  # the button, seat 2
    table.step("call")  # the small blind: all it has
    told = encode_opponents(table.get_state_for_player(1)["opponents"]).tolist()
    assert told[0:3] == [0.0, pytest.approx(0.1), 0.0]  # the button: folded, nothing put in
    assert told[3:6] == [1.0, 0.0, pytest.approx(0.01)]  # the small blind: all in for a big blind
    assert told[6:] == [0.0] * 9


def test_empty_histories_are_zeros_row_by_row(encoder: StateEncoder) -> None:
    tables = [played(1, steps=0), played(1, steps=6), played(2, steps=0)]
    batch = StateBatchBuilder().build_batch_from_games(tables)
    for mode in (encoder.eval, encoder.train):
        mode()
        history = encoder.action_encoder(batch["actions"], batch["action_mask"])
        assert torch.isfinite(history).all()
        assert not history[0].any()
        assert not history[2].any()
        assert history[1].any()


def test_a_mask_may_be_missing(encoder: StateEncoder) -> None:
    tokens = encode_action_sequence([{"player": 0, "type": "bet", "amount": 1, "street": 2}] * 24)[0][None]
    whole = encoder.action_encoder(tokens, torch.zeros(1, 24, dtype=torch.bool))
    torch.testing.assert_close(encoder.action_encoder(tokens), whole)
    torch.testing.assert_close(encoder.action_encoder(tokens[:, :5]), encoder.action_encoder(tokens[:, :5], None))


def test_padding_never_matters(encoder: StateEncoder) -> None:
    batch = StateBatchBuilder().build_batch_from_games([played(seed, steps=seed) for seed in range(12)])
    whole = encoder(batch)
    noisy = deepcopy(batch)
    noisy["actions"][noisy["action_mask"]] = 1e3
    torch.testing.assert_close(encoder(noisy), whole, atol=0, rtol=0)
    short = encoder.action_encoder(batch["actions"][:, :12], batch["action_mask"][:, :12])
    torch.testing.assert_close(short, whole[:, -64:], atol=1e-6, rtol=0)


def test_a_batch_is_its_rows(encoder: StateEncoder) -> None:
    batch = StateBatchBuilder().build_batch_from_games([played(seed, steps=seed % 15) for seed in range(64)])
    with torch.inference_mode():
        whole = encoder(batch)
        rows = torch.cat([encoder({name: part[k : k + 1] for name, part in batch.items()}) for k in range(64)])
    torch.testing.assert_close(whole, rows, atol=1e-6, rtol=0)


def test_large_batches_go_in_parts(encoder: StateEncoder) -> None:
    batch = StateBatchBuilder().build_batch_from_games([played(seed, steps=seed % 15) for seed in range(600)])
    with torch.inference_mode():
        torch.testing.assert_close(
            encoder(batch)[::7], encoder({k: v[::7] for k, v in batch.items()}), atol=1e-6, rtol=0
        )


def test_it_is_pytorchs_own_layer(encoder: StateEncoder) -> None:
    """Native attention and pooling give what nn.TransformerEncoderLayer gives, and the same gradients."""
    batch = StateBatchBuilder().build_batch_from_games([played(seed, steps=seed) for seed in range(16)])
    history = encoder.action_encoder
    aim = torch.randn(16, 64)
    gradients = []
    for way in (history.forward, history._padded):
        history.zero_grad()
        said = way(batch["actions"], batch["action_mask"])
        (said * aim).sum().backward()  # type: ignore[no-untyped-call]
        gradients.append([said.detach(), *(p.grad for p in history.parameters() if p.grad is not None)])
    assert len(gradients[0]) == 1 + len(list(history.parameters()))
    for ours, theirs in zip(*gradients, strict=True):
        torch.testing.assert_close(ours, theirs, atol=2e-5, rtol=1e-5)


def test_without_gradients_it_is_the_same_layer(encoder: StateEncoder) -> None:
    """What is native between the products, for weights that training has moved."""
    with torch.no_grad():
        for parameter in encoder.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
        batch = StateBatchBuilder().build_batch_from_games([played(seed, steps=seed) for seed in range(20)])
        given = batch["actions"], batch["action_mask"]
        torch.testing.assert_close(
            encoder.action_encoder(*given), encoder.action_encoder._padded(*given), atol=5e-5, rtol=1e-5
        )
        small = ActionHistoryEncoder(input_dim=5, hidden_dim=32, num_heads=2, max_len=9).eval()
        tokens, mask = torch.randn(7, 9, 5), torch.arange(9) >= torch.arange(3, 10)[:, None]
        torch.testing.assert_close(small(tokens, mask), small._padded(tokens, mask), atol=1e-5, rtol=1e-5)


def test_dropout_is_there_in_training(encoder: StateEncoder) -> None:
    batch = StateBatchBuilder().build_batch_from_games([played()])
    encoder.train()
    assert not torch.equal(encoder(batch), encoder(batch))


State = dict[str, Any]


def change(state: State, path: str, value: Any) -> State:
    found = deepcopy(state)
    changed: Any = found
    keys = [int(step) if step.isdigit() else step for step in path.split(".")]
    for key in keys[:-1]:
        changed = changed[key]
    changed[keys[-1]] = value
    return found


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("my_position", 6, "my_position: got 6, wanted a whole number from 0 to 5"),
        ("my_stack", -1.0, "my_stack: got -1.0, wanted a number of big blinds from 0"),
        ("pot", nan, "pot: got nan"),
        ("to_call", "x", "to_call: got 'x'"),
        ("raise_count", -1, "raise_count: got -1"),
        ("street", 4, "street: got 4, wanted a whole number from 0 to 3"),
        ("hole_cards", [5, 5], "hole_cards: got card 5 twice"),
        ("hole_cards", [5], "hole_cards: got 1 cards, wanted 2"),
        ("hole_cards", [5, 53], "hole_cards: got 53, wanted a card"),
        ("board", [1, 2, 3, 4, 6, 7], "board: got 6 cards, wanted at most 5"),
        ("board", [1, 2], "board: got 2 cards, wanted"),
        ("board", [52, 1, 2, 3, 4], "board: got 4 cards, wanted"),
        ("hole_cards", None, "hole_cards: got None, wanted a list of cards"),
        ("hole_cards", [[1, 2], 3], "hole_cards: got [1, 2], wanted a card"),
        ("board", None, "board: got None, wanted a list of cards"),
        ("actions", None, "actions: got None, wanted a list of actions"),
        ("actions", {}, "actions: got {}, wanted a list of actions"),
        ("actions", [5], "actions[0]: got 5, wanted a dictionary with player, type, amount and street"),
        ("opponents", None, "opponents: got None, wanted a list of opponents"),
        ("opponents.1", None, "opponents[1]: got None, wanted a dictionary with is_active, stack and invested"),
        ("opponents.2.stack", -5, "opponents[2].stack: got -5"),
        ("opponents.0.invested", nan, "opponents[0].invested: got nan"),
        ("opponents.1.is_active", 2, "opponents[1].is_active: got 2, wanted true or false"),
        ("opponents", [{"is_active": True, "stack": 1, "invested": 1}] * 6, "opponents: got 6, wanted 1 to 5"),
        ("actions.3.type", "shove", "actions[3].type: got 'shove', wanted fold, check, call, bet, raise or all-in"),
        ("actions.1.amount", -2.0, "actions[1].amount: got -2.0"),
        ("actions.0.amount", nan, "actions[0].amount: got nan"),
        ("actions.0.player", 6, "actions[0].player: got 6"),
        ("actions.0.street", -1, "actions[0].street: got -1"),
    ],
)
def test_bad_states_are_refused_by_field(path: str, value: Any, says: str) -> None:
    state = played().get_state_for_player(0)
    with pytest.raises(EncodingError) as refused:
        StateBatchBuilder().build_from_dict(change(state, path, value))
    assert says in str(refused.value)
    with pytest.raises(EncodingError) as refused:
        StateBatchBuilder().build_batch_from_dicts([state, change(state, path, value)])
    assert str(refused.value).startswith(f"states[1].{says.partition(':')[0]}: ")


@pytest.mark.parametrize(("street", "cards"), [(0, 3), (1, 0), (1, 4), (2, 3), (3, 4), (3, 0)])
def test_a_board_of_another_street_is_refused(street: int, cards: int) -> None:
    """However it is told: with what is missing left out, or as 52."""
    state = {**played().get_state_for_player(0), "hole_cards": [50, 51], "street": street}
    wanted = rf"^states\[0\].board: got {cards} cards, wanted {(0, 3, 4, 5)[street]} on street {street}$"
    for board in (list(range(cards)), pad_board(range(cards))):
        with pytest.raises(EncodingError, match=wanted):
            VectorizedEncoder().encode_states([{**state, "board": board}])
    with pytest.raises(EncodingError, match="board: got 52 before a card"):
        StateBatchBuilder().build_from_dict({**state, "street": 2, "board": [1, 2, 3, 52, 4]})


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: StateBatchBuilder().build_from_dict(None), "state: got None, wanted a dictionary"),  # type: ignore[arg-type]
        (lambda: VectorizedEncoder().encode_states([None]), "states[0]: got None, wanted a dictionary"),  # type: ignore[list-item]
        (lambda: VectorizedEncoder().encode_states(None), "states: got None, wanted a list of states"),  # type: ignore[arg-type]
        (lambda: VectorizedEncoder().encode_games([None]), "games[0]: got NoneType, wanted a game of hold'em"),  # type: ignore[list-item]
        (lambda: VectorizedEncoder().encode_games(None), "games: got None, wanted a list of games"),  # type: ignore[arg-type]
        (lambda: VectorizedEncoder().encode_games([played()], [None]), "players[0]: got None, wanted a seat"),  # type: ignore[list-item]
        (lambda: StateBatchBuilder().build_batch(None), "views: got None, wanted a list of views"),  # type: ignore[arg-type]
        (lambda: encode_self_info(None), "state: got None, wanted a dictionary"),  # type: ignore[arg-type]
        (lambda: encode_opponents(None), "opponents: got None, wanted a list of opponents"),  # type: ignore[arg-type]
        (lambda: encode_action_sequence(None), "actions: got None, wanted a list of actions"),  # type: ignore[arg-type]
        (lambda: cards_to_tensors(None), "cards: got None, wanted a list of cards"),  # type: ignore[arg-type]
        (lambda: StateEncoder()(None), "batch: got None, wanted a dictionary"),
        (lambda: StateEncoder()({**create_empty_batch(1), "actions": None}), "actions: got None, wanted a tensor"),
        (lambda: card_embedding([99], [0]), "ranks: got 99, wanted 0 to 13"),
        (lambda: card_embedding([-1], [0]), "ranks: got -1, wanted 0 to 13"),
        (lambda: card_embedding([1], [5]), "suits: got 5, wanted 0 to 4"),
        (lambda: card_embedding([1, 13], [0, 0]), "suits[1]: got 0 with rank 13, wanted 4"),
        (lambda: card_embedding([1, 2], [0]), "suits: got shape (1,), wanted that of the ranks, (2,)"),
        (lambda: CardEmbedding()(torch.zeros(2), torch.zeros(2)), "ranks: got torch.float32, wanted torch.int64"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(call: Callable[[], Any], says: str) -> None:
    with pytest.raises(EncodingError) as refused:
        call()
    assert str(refused.value).startswith(says)


def card_embedding(ranks: list[int], suits: list[int]) -> torch.Tensor:
    told: torch.Tensor = CardEmbedding()(torch.tensor(ranks), torch.tensor(suits))
    return told


@pytest.mark.parametrize("name", ["my_stack", "board", "opponents", "actions"])
def test_what_is_missing_is_named(name: str) -> None:
    state = played().get_state_for_player(0)
    del state[name]
    with pytest.raises(EncodingError, match=f"{name}: got none"):
        StateBatchBuilder().build_from_dict(state)


SEVEN = PokerGame(Holdem(players=7), seed=1)


@pytest.mark.parametrize(
    "build",
    [
        lambda: StateBatchBuilder().build_batch([SEVEN.hand.view(0)]),
        lambda: StateBatchBuilder().build_batch_from_games([SEVEN]),
        lambda: StateBatchBuilder().build_from_dict(SEVEN.get_state_for_player(0)),
    ],
)
def test_seven_players_are_refused(build: Callable[[], Any]) -> None:
    with pytest.raises(ZerosumError, match=r"players: got 7, wanted 2 to 6|opponents: got 6, wanted 1 to 5"):
        build()


def test_bad_batches_are_refused(encoder: StateEncoder) -> None:
    batch = create_empty_batch(2)
    with pytest.raises(EncodingError, match=r"actions: got shape \(2, 25, 17\)"):
        encoder({**batch, "actions": torch.zeros(2, 25, 17)})
    with pytest.raises(EncodingError, match=r"action_mask: got shape \(2, 3\)"):
        encoder({**batch, "action_mask": torch.zeros(2, 3, dtype=torch.bool)})
    del batch["self_info"]
    with pytest.raises(EncodingError, match="self_info: got none"):
        encoder(batch)


def sound() -> dict[str, torch.Tensor]:
    return StateBatchBuilder().build_batch_from_games([played(seed) for seed in range(3)])


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize(
    ("field", "at", "value", "says"),
    [
        ("hole_ranks", (1, 0), 14, "hole_ranks: got 14, wanted 0 to 13"),
        ("board_suits", (2, 4), -1, "board_suits: got -1, wanted 0 to 4"),
        ("hole_ranks", (1, 0), 13, "with rank 13, wanted 4: a card that is not there has neither"),
        ("hole_suits", (2, 1), 4, "hole_suits[2][1]: got 4 with rank"),
        ("self_info", (1, slice(0, 6)), 0.5, "self_info[1].my_position: wanted one 1 and else 0: a position"),
        ("self_info", (0, slice(0, 2)), 1.0, "self_info[0].my_position: wanted one 1 and else 0"),
        ("self_info", (2, slice(10, 14)), 0.25, "self_info[2].street: wanted one 1 and else 0: a street"),
        ("opponent_info", (1, 6), 0.5, "opponent_info[1].opponents[2].is_active: got 0.5, wanted 0 or 1"),
        ("opponent_info", (0, 0), 2.0, "opponent_info[0].opponents[0].is_active: got 2, wanted 0 or 1"),
        ("self_info", (1, 6), nan, "self_info[1].my_stack: got nan, wanted a number from 0"),
        ("self_info", (0, 7), -0.5, "self_info[0].pot: got -0.5"),
        ("self_info", (0, 9), float("inf"), "self_info[0].raise_count: got inf"),
        ("opponent_info", (1, 3), -1.0, "opponent_info[1].opponents[1].is_active: got -1"),
        ("opponent_info", (2, 1), -1.0, "opponent_info[2].opponents[0].stack: got -1"),
        ("opponent_info", (0, 14), nan, "opponent_info[0].opponents[4].invested: got nan"),
        (
            "actions",
            (1, 2, slice(6, 12)),
            0.0,
            "actions[1][2].type: wanted one 1 and else 0: fold, check, call, bet, raise or all-in",
        ),
        ("actions", (1, 0, slice(0, 6)), 1.0, "actions[1][0].player: wanted one 1"),
        ("actions", (0, 1, 12), -0.1, "actions[0][1].amount: got -0.1, wanted a number from 0"),
        ("actions", (0, 1, 12), nan, "actions[0][1].amount: got nan"),
        ("actions", (0, 3, 16), nan, "actions[0][3].street: got nan"),
    ],
)
def test_bad_numbers_in_a_batch_are_refused_by_field(
    encoder: StateEncoder, field: str, at: Any, value: float, says: str, training: bool
) -> None:
    batch = sound()
    batch[field][at] = value
    encoder.train(training)
    with pytest.raises(EncodingError) as refused:
        encoder(batch)
    assert says in str(refused.value)
    if field == "actions":
        with pytest.raises(EncodingError, match=r"^actions\["):
            encoder.action_encoder(batch["actions"], batch["action_mask"])


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("opponent_info", torch.zeros(3, 18), "opponent_info: got shape (3, 18), wanted (3, 15)"),
        ("self_info", torch.zeros(2, 14), "self_info: got shape (2, 14), wanted (3, 14)"),
        ("hole_ranks", torch.zeros(3, 2), "hole_ranks: got torch.float32, wanted torch.int64"),
        ("action_mask", torch.zeros(3, 24), "action_mask: got torch.float32, wanted torch.bool"),
    ],
)
def test_bad_shapes_and_types_are_refused_by_field(
    encoder: StateEncoder, field: str, value: torch.Tensor, says: str
) -> None:
    with pytest.raises(EncodingError) as refused:
        encoder({**sound(), field: value})
    assert says in str(refused.value)


def test_great_amounts_are_no_wrong_choices(encoder: StateEncoder) -> None:
    batch = sound()
    batch["self_info"][:, 6], batch["opponent_info"][:, 1] = 1e30, 1e30
    assert encoder(batch).shape == (3, 261)


def test_padding_may_hold_anything(encoder: StateEncoder) -> None:
    batch = sound()
    whole = encoder(batch)
    batch["actions"][batch["action_mask"]] = nan
    torch.testing.assert_close(encoder(batch), whole, atol=0, rtol=0)
    padded = encoder.action_encoder._padded(batch["actions"], batch["action_mask"])
    torch.testing.assert_close(padded, whole[:, -64:], atol=1e-5, rtol=0)


def test_what_is_no_state_is_refused() -> None:
    builder, table = StateBatchBuilder(), played()
    with pytest.raises(EncodingError, match=r"views\[1\]: got dict, wanted a view"):
        builder.build_batch([table.hand.view(0), {}])  # type: ignore[list-item]
    with pytest.raises(EncodingError, match=r"views\[0\]: got NoneType"):
        builder.build_single(None)  # type: ignore[arg-type]
    over = PokerGame(seed=1)
    while not over.is_over:
        over.hand = over.hand.act(0)
    with pytest.raises(EncodingError, match=r"games\[1\]: nobody is to act"):
        VectorizedEncoder().encode_games([table, over])
    for seats in ([2], np.array([2]), torch.tensor([2])):
        assert VectorizedEncoder().encode_games([over], seats).shape == (1, 261)  # type: ignore[arg-type]
    with pytest.raises(ZerosumError, match="seat: got 6, wanted 0 to 5"):
        VectorizedEncoder().encode_games([table], [6])


def test_numbers_of_numpy_are_numbers() -> None:
    state = played().get_state_for_player(0)
    other = change(state, "pot", np.float32(state["pot"]))
    other = change(other, "my_position", np.int64(state["my_position"]))
    plain, given = (StateBatchBuilder().build_from_dict(one) for one in (state, other))
    torch.testing.assert_close(given["self_info"], plain["self_info"])


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("position", 6, "rows[1].position: got 6, wanted 0 to 5"),
        ("card", 53, "rows[1].card: got 53, wanted 0 to 52"),
        ("token", 144, "rows[1].token: got 144, wanted 0 to 143"),
        ("amount", nan, "rows[1].amount[0]: got nan, wanted a number from 0"),
        ("own", -1.0, "rows[1].own[0]: got -1"),
        ("stack", nan, "rows[1].stack[0]: got nan"),
        ("invested", -2.0, "rows[1].invested[0]: got -2"),
    ],
)
def test_bad_rows_are_refused_by_field(field: str, value: float, says: str) -> None:
    rows = native.sixmax_rows([played().hand.view(1), played().hand.view(2)])
    rows.view(ROW)[:, 0][field][1] = value
    with pytest.raises(EncodingError) as refused:
        StateBatchBuilder().build_rows(rows)
    assert says in str(refused.value)
    with pytest.raises(EncodingError, match=r"wanted uint8 \(B, 184\)"):
        StateBatchBuilder().build_rows(rows[:, :100].copy())
    assert isinstance(StateEncoder().rank_embed, nn.Embedding)
