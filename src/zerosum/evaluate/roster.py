"""A name -> a player for a game: a policy directory, or a player that needs no file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from zerosum.errors import PolicyError
from zerosum.games.gomoku import Gomoku
from zerosum.games.holdem import Holdem
from zerosum.policy.equity_script import EquityPolicy
from zerosum.policy.headers import SHIPPED, find_header, read_header, shipped_names
from zerosum.policy.player import PolicyPlayer
from zerosum.policy.scripted import SCRIPTS, Scripted
from zerosum.policy.simple import WISHES, SimplePolicy
from zerosum.policy.storage import load_policy
from zerosum.policy.uniform import UniformPolicy
from zerosum.protocols.program import AcpcProgram
from zerosum.settings import nearest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zerosum.games.protocol import Game
    from zerosum.policy.player import Player
    from zerosum.policy.protocol import Policy


@dataclass(frozen=True)
class Entrant:
    """Who takes part: a policy where a game can be listed; in hold'em a player, and its policy where it has one."""

    name: str
    policy: Policy | None = None
    player: Player | AcpcProgram | None = None


def entrant(name: str, game: Game) -> Entrant:
    """The player of that name, the policy in that directory, or the program that `acpc:COMMAND` starts."""
    if isinstance(game, Holdem):
        return _holdem_entrant(name, game)
    if isinstance(game, Gomoku):
        hint = "networks for boards meet in zerosum match, two at a time"
        raise PolicyError(f"{name}: got {game.spec()}, wanted a card game; {hint}")
    if name.startswith("acpc:"):
        raise PolicyError(f"{name}: speaks hold'em, wanted a player of {game.spec()}")
    if Path(name).is_dir():
        return Entrant(name, load_policy(name, game))
    if name in ("uniform", "random"):
        return Entrant(name, UniformPolicy(game))
    if name in WISHES:
        return Entrant(name, SimplePolicy(game, name))
    known = ("uniform", "random", *WISHES)
    raise PolicyError(f"unknown player or policy directory {name!r}; {nearest(name, known)}")


def _holdem_entrant(name: str, game: Holdem) -> Entrant:
    if name.startswith("acpc:"):
        if game.order != "standard":
            raise PolicyError(f"{name}: speaks hold'em in the standard order, wanted a player of {game.spec()}")
        return Entrant(name, player=AcpcProgram(name[len("acpc:") :]))
    if Path(name).is_dir() or name in shipped_names() or _is_early(name):
        return _networks(name, game)
    if name.startswith("untrained"):
        return _untrained(name, game)
    if name == "uniform":
        return Entrant(name, UniformPolicy(game), PolicyPlayer(name, UniformPolicy(game)))
    if name in SCRIPTS:
        return Entrant(name, _script_policy(name, game), Scripted(name))
    known = (*SCRIPTS, "uniform", "untrained", *_along(game))
    hint = "; a run or policy is a directory, made by zerosum train" if "/" in name else ""
    raise PolicyError(f"unknown player {name!r} of {game.name}; {nearest(name, known)}{hint}")


def _along(game: Holdem) -> list[str]:
    """The policies for that game that come along."""
    headers = {name: read_header(SHIPPED / name) for name in shipped_names()}
    return [name for name, told in headers.items() if told["kind"] != "card-model" and told["game"] == game.spec()]


def _is_early(name: str) -> bool:
    """`RUN@N`: a run as it was with its first N networks."""
    run, _, first = name.rpartition("@")
    if not run or Path(name).is_dir() or not Path(run).is_dir():
        return False
    if not re.fullmatch("[0-9]{1,9}", first):
        raise PolicyError(f"{name}: got {first!r} after @, wanted a whole number: how many of the run's first networks")
    return True


def _networks(name: str, game: Holdem) -> Entrant:
    """A directory with networks that were trained for the game, or those of that name that come along."""
    try:
        from zerosum.policy.heads_up_storage import load_heads_up
        from zerosum.policy.holdem_networks import StrategyNetworkPolicy, holdem_player, load_holdem_networks
    except ImportError:
        raise PolicyError(f"{name}: networks need PyTorch, wanted the extra 'train'") from None
    if not _is_early(name) and read_header(find_header(name))["kind"] in ("heads-up", "card-model"):
        policy = load_heads_up(name, game)
        return Entrant(name, policy, PolicyPlayer(name, policy))
    found = load_holdem_networks(name, game)
    return Entrant(name, found if isinstance(found, StrategyNetworkPolicy) else None, holdem_player(name, found))


def _untrained(name: str, game: Holdem) -> Entrant:
    """`untrained` or `untrained:SEED`: the networks of heads-up hold'em before any training."""
    found = re.fullmatch(r"untrained(?::([0-9]{1,9}))?", name)
    if not found:
        raise PolicyError(f"unknown player {name!r}; wanted untrained or untrained:SEED")
    try:
        from zerosum.policy.heads_up import HeadsUpPolicy
    except ImportError:
        raise PolicyError(f"{name}: networks need PyTorch, wanted the extra 'train'") from None
    policy = HeadsUpPolicy.untrained(game, int(found[1] or 0))
    return Entrant(name, policy, PolicyPlayer(name, policy))


def _script_policy(name: str, game: Game) -> Policy | None:
    """What a script does as probabilities over the menu, where the menu can say it or nearly so."""
    if name == "random":
        return UniformPolicy(game)
    if name == "equity" and isinstance(game, Holdem):
        return EquityPolicy(game)
    return SimplePolicy(game, name) if name in ("call", "fold") else None


def entrants(names: Sequence[str], game: Game) -> list[Entrant]:
    """One for each name; a name that comes twice is numbered."""
    found = [entrant(name, game) for name in names]
    counts = {name: names.count(name) for name in names}
    seen: dict[str, int] = {}
    told = []
    for one in found:
        seen[one.name] = seen.get(one.name, 0) + 1
        name = f"{one.name} ({seen[one.name]})" if counts[one.name] > 1 else one.name
        told.append(Entrant(name, one.policy, one.player))
    return told
