"""What networks would do in one's place: the equity that CardModel gives, and the policy's mix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zerosum.errors import PolicyError

if TYPE_CHECKING:
    from zerosum.games.holdem import Holdem
    from zerosum.native import HoldemView
    from zerosum.policy.heads_up import HeadsUpPolicy


def adviser(against: str | None, game: Holdem) -> HeadsUpPolicy:
    """The networks that are played against, or those for the game that come along."""
    from pathlib import Path

    from zerosum.networks.heads_up import ACTIONS
    from zerosum.policy.headers import SHIPPED, read_header, shipped_names
    from zerosum.policy.heads_up_storage import MAKE_POLICY, load_heads_up

    if against is not None and (Path(against).is_dir() or against in shipped_names()):
        return load_heads_up(against, game)
    for name in shipped_names():
        header = read_header(SHIPPED / name)
        if header["kind"] == "heads-up" and header["game"] == game.spec():
            return load_heads_up(name, game)
    told = f"advice: no networks for {game.spec()} come along"
    if game.players != 2 or game.num_actions != ACTIONS:
        raise PolicyError(f"{told}, wanted heads-up hold'em with five actions")
    raise PolicyError(f"{told}, wanted --against with some; {MAKE_POLICY} --set run.game={game.spec()}")


def advice_text(policy: HeadsUpPolicy, view: HoldemView) -> str:
    """One line: how good the hand is against a random one, and what the policy would do how often."""
    (mix,) = policy([view])
    shares = [f"{view.action_words(number)} {share:.0%}" for number, share in enumerate(mix) if share > 0]
    return f"advice: equity {policy.equity(view):.1%} against any hand; {', '.join(shares)}"
