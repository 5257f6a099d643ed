"""The networks of heads-up hold'em on disk: saved, loaded, imported from .pt files, refused where they do not fit."""

from __future__ import annotations

import json
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch

from zerosum import native
from zerosum.errors import PolicyError
from zerosum.evaluate.roster import entrant
from zerosum.games.holdem import Holdem
from zerosum.networks.heads_up import CardModel, CFRNetwork, HistoryNetwork, network_for
from zerosum.networks.heads_up_settings import HeadsUpNetworkSettings
from zerosum.policy.headers import read_header, write_header
from zerosum.policy.heads_up import HeadsUpPolicy
from zerosum.policy.heads_up_storage import (
    import_heads_up,
    load_card_model,
    load_heads_up,
    save_card_model,
    save_heads_up,
    weights_digest,
)
from zerosum.policy.table import Origin

if TYPE_CHECKING:
    from pathlib import Path

CFR = {"kind": "cfr", "hidden": 256}
ORIGIN = Origin("deep-cfr", 3, None, 1)


def views_of(game: Holdem, count: int = 40) -> list[native.HoldemView]:
    found = []
    for number in range(count):
        hand = game.deal(9, number)
        for _ in range(number % 6):
            hand = hand.act(0) if hand.actor >= 0 else hand
        found.append(hand.view(max(hand.actor, 0)))
    return found


def test_saved_and_loaded_it_says_the_same(tmp_path: Path) -> None:
    game = Holdem(order="botzone")
    policy = HeadsUpPolicy.untrained(game, 4)
    save_heads_up(policy, tmp_path / "one", ORIGIN)
    found = load_heads_up(tmp_path / "one")
    assert found.game == game
    assert found.denoise_below == 0.03
    views = views_of(game)
    assert np.array_equal(policy(views), found(views))
    header = json.loads((tmp_path / "one" / "policy.json").read_text())
    assert (header["kind"], header["game"], header["network"]) == ("heads-up", "holdem:order=botzone", CFR)
    for name in (".network-0123.safetensors.abc", ".cards-0123.safetensors.x_y", ".policy.json.zzz"):  # by a kill
        (tmp_path / "one" / name).write_bytes(b"half")
    save_heads_up(HeadsUpPolicy.untrained(game, 5), tmp_path / "one", ORIGIN)  # replaces it, and leaves nothing behind
    assert len(list((tmp_path / "one").iterdir())) == 3
    assert entrant(str(tmp_path / "one"), game).policy is not None


def test_a_network_that_remembers(tmp_path: Path) -> None:
    network = HistoryNetwork(HeadsUpNetworkSettings("history", 32))
    policy = HeadsUpPolicy(Holdem(), CardModel(), network, None)
    save_heads_up(policy, tmp_path, ORIGIN)
    found = load_heads_up(tmp_path, Holdem())
    assert found.network.settings == network.settings
    assert found.denoise_below is None
    hand = Holdem().deal(2)
    raised = hand.act(300).act(0).act(0).act(0)  # the same pot by another way
    called = hand.act(0).act(300).act(0).act(0).act(0)
    views = [hand.view(hand.actor) for hand in (raised, called) if hand.actor >= 0]
    assert np.array_equal(policy(views), found(views))
    assert not np.allclose(found(views)[0], found(views)[1])


def test_another_game_and_other_kinds_are_refused(tmp_path: Path) -> None:
    save_heads_up(HeadsUpPolicy.untrained(Holdem(), 4), tmp_path / "one", ORIGIN)
    with pytest.raises(PolicyError, match="a policy for holdem, wanted one for holdem:order=botzone"):
        entrant(str(tmp_path / "one"), Holdem(order="botzone"))
    save_card_model(CardModel(), tmp_path / "cards", {})
    with pytest.raises(PolicyError, match=r"got a card-model, wanted networks .* zerosum train holdem-hu"):
        entrant(str(tmp_path / "cards"), Holdem())
    with pytest.raises(PolicyError, match="wanted a CardModel; make one with zerosum train cardmodel"):
        load_card_model("gomoku-6x6-4")
    with pytest.raises(PolicyError, match=r"no such directory.*zerosum train cardmodel"):
        load_card_model(tmp_path / "nowhere")


def test_changed_files_are_refused(tmp_path: Path) -> None:
    save_heads_up(HeadsUpPolicy.untrained(Holdem(), 4), tmp_path, ORIGIN)
    cards = next(tmp_path.glob("cards-*.safetensors"))
    cards.write_bytes(cards.read_bytes()[:-4] + b"\0\0\0\0")
    with pytest.raises(PolicyError, match=r"truncated or changed.*; make one with zerosum train cardmodel"):
        load_heads_up(tmp_path)
    cards.unlink()
    with pytest.raises(PolicyError, match=r"cards-.*: cannot be read .*; make one with zerosum train cardmodel"):
        load_card_model(tmp_path)


@pytest.mark.parametrize(
    ("game", "settings", "made_by"),
    [
        (Holdem(), HeadsUpNetworkSettings(), "holdem-hu"),
        (Holdem(order="botzone"), HeadsUpNetworkSettings(), "holdem-hu-botzone"),
        (Holdem(), HeadsUpNetworkSettings("history", 32), "holdem-hu-history"),
    ],
)
def test_lost_weights_are_made_by_their_own_command(
    tmp_path: Path, game: Holdem, settings: HeadsUpNetworkSettings, made_by: str
) -> None:
    save_heads_up(HeadsUpPolicy(game, CardModel(), network_for(settings), None), tmp_path, ORIGIN)
    next(tmp_path.glob("network-*.safetensors")).unlink()
    with pytest.raises(PolicyError, match=rf"make one with zerosum train {made_by}$"):
        load_heads_up(tmp_path)


def test_a_header_without_settings_is_refused(tmp_path: Path) -> None:
    save_heads_up(HeadsUpPolicy.untrained(Holdem(), 4), tmp_path, ORIGIN)
    header = {key: value for key, value in read_header(tmp_path).items() if key != "header_sha256"}
    write_header(tmp_path, header | {"network": "cfr"})
    with pytest.raises(PolicyError, match="got 'cfr', wanted settings by name"):
        load_heads_up(tmp_path)


@pytest.mark.parametrize("wrapped", [False, True])
def test_import_of_state_dicts(tmp_path: Path, wrapped: bool) -> None:
    torch.manual_seed(2)
    cards, network = CardModel(), CFRNetwork()
    for name, model in (("cards.pt", cards), ("network.pt", network)):
        weights = model.state_dict()
        torch.save({"model_state_dict": weights, "epoch": 3} if wrapped else weights, tmp_path / name)
    found = import_heads_up(tmp_path / "cards.pt", tmp_path / "network.pt", Holdem())
    views = views_of(Holdem())
    assert np.array_equal(HeadsUpPolicy(Holdem(), cards, network)(views), found(views))
    with pytest.raises(PolicyError, match=r"backbone.0.bias is \[512\], wanted \[256\]; make one with"):
        import_heads_up(tmp_path / "cards.pt", tmp_path / "cards.pt", Holdem())
    with pytest.raises(PolicyError, match=r"backbone.0.bias is \[256\].*train cardmodel"):
        load_card_model(tmp_path / "network.pt")


def test_parameters_can_be_imported_and_what_is_no_plain_array_cannot(tmp_path: Path) -> None:
    torch.manual_seed(2)
    cards = CardModel()
    torch.save(dict(cards.named_parameters()), tmp_path / "cards.pt")  # they want gradients
    assert weights_digest(load_card_model(tmp_path / "cards.pt")[0]) == weights_digest(cards)
    ones = torch.ones(53, 64)
    for odd in (ones.to_sparse(), ones.to(torch.complex64) + 3j, ones.to(torch.bool)):
        torch.save(cards.state_dict() | {"embedding.weight": odd}, tmp_path / "odd.pt")
        with pytest.raises(PolicyError, match=r"no plain arrays of numbers.*zerosum train cardmodel"):
            load_card_model(tmp_path / "odd.pt")


def test_a_pt_file_that_is_a_program_is_not_run(tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self) -> tuple[object, ...]:
            return (print, ("run",))

    torch.save({"model_state_dict": Evil()}, tmp_path / "evil.pt")
    with pytest.raises(PolicyError, match=r"wanted a state dict; make one with zerosum train cardmodel$"):
        load_card_model(tmp_path / "evil.pt")
    for junk in (b"hello", b"", b"a", b".", b"e", b"R", b"t", b"\x85"):  # each stops PyTorch in a way of its own
        (tmp_path / "junk.pt").write_bytes(junk)
        with pytest.raises(PolicyError, match="not a file of weights alone"):
            load_card_model(tmp_path / "junk.pt")
    with pytest.raises(PolicyError, match=r"cannot be read .*; make one with zerosum train cardmodel"):
        load_card_model(tmp_path / "none.pt")


def test_a_renaming_of_suits_changes_nothing() -> None:
    luck = np.random.default_rng(1)
    for cards in (2, 5, 6, 7):
        dealt = np.array([luck.permutation(52)[:7] for _ in range(200)], np.int64)
        dealt[:, cards:] = 52
        first = native.canonical_suits(dealt)
        assert np.array_equal(np.where(first < 52, first // 4, 13), np.where(dealt < 52, dealt // 4, 13))
        for names in permutations(range(4)):
            renamed = np.where(dealt < 52, dealt // 4 * 4 + np.array(names)[dealt % 4], 52)
            assert np.array_equal(np.sort(native.canonical_suits(renamed)[:, :2]), np.sort(first[:, :2]))
            assert np.array_equal(np.sort(native.canonical_suits(renamed)[:, 2:]), np.sort(first[:, 2:]))
    with pytest.raises(ValueError, match="wanted cards from 0 to 52"):
        native.canonical_suits(np.full((1, 7), 53, np.int64))
