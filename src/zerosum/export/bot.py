"""A heads-up policy as a bot: one C++17 source file that speaks Botzone's and ACPC's protocols."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import TYPE_CHECKING

from zerosum.errors import PolicyError
from zerosum.export.packed import packed_policy
from zerosum.export.source import joined_source
from zerosum.games.holdem import Holdem, parse_menu

if TYPE_CHECKING:
    from zerosum.policy.heads_up import HeadsUpPolicy

MAIN, SETTINGS = "bots/holdem.cpp", "bots/settings.hpp"
KINDS = ("kPot", "kTimes", "kLeast")
LINE = 110  # letters of base 64


def bot_source(policy: HeadsUpPolicy, name: str, *, embed: bool = False) -> tuple[str, str]:
    """The source of a bot, and with `embed` how its weights are packed."""
    cards = network = about = ""
    if embed:
        packed_cards, packed_network, bits, moved = packed_policy(policy)
        cards, network = _base64(packed_cards), _base64(packed_network)
        about = f"CardModel in {bits[0]} bits, the network in {bits[1]}; no strategy moves by more than {moved:.4f}"
    return joined_source(MAIN, {SETTINGS: _settings(policy, name, cards, network)}), about


def _base64(data: bytes) -> str:
    text = base64.b64encode(data).decode().rstrip("=")
    return "".join(f'\n    "{text[k : k + LINE]}"' for k in range(0, len(text), LINE))


def _settings(policy: HeadsUpPolicy, name: str, cards: str, network: str) -> str:
    """What stands in `settings.hpp` for this policy."""
    game = policy.game
    plain = replace(game, stack="20000", blinds="50/100", order="standard", menu=Holdem.menu, menu_raises=2)
    if plain != Holdem():
        raise PolicyError(f"bot: got {game.spec()}, wanted holdem with at most stack, blinds, order and menu set")
    stacks, blinds, _, bets = game.amounts()
    menus, all_in = parse_menu(game.menu, game.streets, "menu")
    offered = [", ".join(f"{{holdem::BetSize::{KINDS[kind]}, {n}, {d}}}" for kind, n, d in menu) for menu in menus]
    sizes = "\n".join(f"  rules.menu.set({street}, {{{menu}}});" for street, menu in enumerate(offered))
    return f"""// What this bot plays.
#include "zerosum/games/holdem/rules.hpp"

namespace zerosum::bots {{

inline constexpr const char* kPolicy = {json.dumps(name)};
inline constexpr double kDenoiseBelow = {policy.denoise_below or 0.0!r};

inline holdem::Rules table_rules() {{
  holdem::Rules rules;
  rules.order = holdem::Order::{"kBotzone" if game.order == "botzone" else "kStandard"};
  rules.stacks = {{{stacks[0]}, {stacks[1]}}};
  rules.blinds = {{{blinds[0]}, {blinds[1]}}};
  rules.bets = {{{", ".join(map(str, bets))}}};
{sizes}
  rules.menu.all_in = {str(all_in).lower()};
  rules.menu.cap = {game.menu_raises};
  return rules;
}}

// Packed weights in base 64; none: they are read from files.
inline constexpr const char* kCardModel = {cards or '""'};
inline constexpr const char* kCFRNet = {network or '""'};

}}  // namespace zerosum::bots
"""
