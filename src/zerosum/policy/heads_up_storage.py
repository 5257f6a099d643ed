"""The networks of heads-up hold'em on disk: CardModel by itself, and a policy of it and the network beside it."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerosum.errors import PolicyError, SettingsError
from zerosum.games.catalog import load_game
from zerosum.games.holdem import Holdem
from zerosum.networks.heads_up import CardModel, network_for
from zerosum.networks.heads_up_settings import HeadsUpNetworkSettings
from zerosum.policy.headers import HEADER, SHIPPED, find_header, read_header, shipped_names, write_header
from zerosum.policy.heads_up import HeadsUpPolicy
from zerosum.policy.state_dicts import import_weights, read_weights, write_weights
from zerosum.policy.tensors import forget_others
from zerosum.runs.files import make_directory
from zerosum.settings import from_mapping

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zerosum.policy.table import Origin

POLICY, CARDS = "heads-up", "card-model"
MAKE_POLICY = "make one with zerosum train holdem-hu"  # and what follows for other kinds and orders
MAKE_CARDS = "make one with zerosum train cardmodel"


def save_heads_up(policy: HeadsUpPolicy, directory: str | Path, origin: Origin) -> None:
    """Writes the directory, or replaces the policy in it."""
    directory = make_directory(directory)
    cards, cards_digest = write_weights(directory, "cards", policy.cards)
    name, digest = write_weights(directory, "network", policy.network)
    header = {
        "kind": POLICY,
        "game": policy.game.spec(),
        **asdict(origin),
        "denoise_below": policy.denoise_below,
        "cards": cards,
        "cards_sha256": cards_digest,
        "network": asdict(policy.network.settings),
        "tensors": name,
        "tensors_sha256": digest,
    }
    write_header(directory, header)
    forget_others(directory, "cards", cards)
    forget_others(directory, "network", name)


def load_heads_up(name: str | Path, game: Holdem | None = None) -> HeadsUpPolicy:
    """The policy in that directory or run, or the one of that name that comes along; checked, and for `game`."""
    where = _found(str(name), MAKE_POLICY, (POLICY,))
    header = read_header(where)
    if header["kind"] != POLICY:
        raise PolicyError(f"{where}: got a {header['kind']}, wanted networks of heads-up hold'em; {MAKE_POLICY}")
    if game is not None and header["game"] != game.spec():
        raise PolicyError(f"{where}: a policy for {header['game']}, wanted one for {game.spec()}")
    try:
        own = game or load_game(header["game"])
        settings = from_mapping(HeadsUpNetworkSettings, header["network"], str(where))
    except (SettingsError, KeyError, TypeError) as error:
        raise PolicyError(f"{where / HEADER}: {error}") from None
    if not isinstance(own, Holdem):
        raise PolicyError(f"{where / HEADER}: networks for {header['game']}, wanted them for hold'em")
    cards, network = CardModel(), network_for(settings)
    read_weights(where, header["cards"], header["cards_sha256"], cards, MAKE_CARDS)
    suffix = "-history" if settings.kind == "history" else "-botzone" if own.order == "botzone" else ""
    read_weights(where, header["tensors"], header["tensors_sha256"], network, MAKE_POLICY + suffix)
    return HeadsUpPolicy(own, cards, network, _denoise(where, header))


def save_card_model(model: CardModel, directory: str | Path, about: dict[str, Any]) -> None:
    """Writes the directory, or replaces the model in it; `about` says how it was made and what it scored."""
    directory = make_directory(directory)
    name, digest = write_weights(directory, "cards", model)
    write_header(directory, {"kind": CARDS, "game": "holdem", **about, "cards": name, "cards_sha256": digest})
    forget_others(directory, "cards", name)


def load_card_model(name: str | Path) -> tuple[CardModel, str]:
    """CardModel of a run, of a policy, of a `.pt` file, or the one of that name that comes along; and its checksum."""
    model = CardModel()
    if str(name).endswith(".pt"):
        import_weights(Path(name), model, MAKE_CARDS)
        return model.eval(), weights_digest(model)
    where = _found(str(name), MAKE_CARDS)
    header = read_header(where)
    if header["kind"] not in (CARDS, POLICY):
        raise PolicyError(f"{where}: got a {header['kind']}, wanted a CardModel; {MAKE_CARDS}")
    read_weights(where, header["cards"], header["cards_sha256"], model, MAKE_CARDS)
    return model.eval(), weights_digest(model)


def import_heads_up(cards: str | Path, network: str | Path, game: Holdem) -> HeadsUpPolicy:
    """A policy from two `.pt` files: state dicts of CardModel and of CFRNetwork."""
    model, _ = load_card_model(cards)
    plays = network_for(HeadsUpNetworkSettings())
    import_weights(Path(network), plays, MAKE_POLICY)
    return HeadsUpPolicy(game, model, plays)


def weights_digest(model: CardModel) -> str:
    """A checksum of what a model says, wherever it was read from."""
    whole = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        whole.update(name.encode() + tensor.numpy().tobytes())
    return whole.hexdigest()


def _found(name: str, hint: str, kinds: Sequence[str] = (POLICY, CARDS)) -> Path:
    try:
        return find_header(name)
    except PolicyError as error:
        known = [one for one in shipped_names() if read_header(SHIPPED / one)["kind"] in kinds]
        along = f" (or one that comes along: {', '.join(known)})" if known else ""
        raise PolicyError(f"{error}; {hint}{along}") from None


def _denoise(where: Path, header: dict[str, Any]) -> float | None:
    below = header.get("denoise_below")
    if below is None or (isinstance(below, float) and 0.0 <= below < 1.0):
        return below
    raise PolicyError(f"{where / HEADER}: denoise_below: got {below!r}, wanted none or a share below 1")
