"""The demo's hold'em: a policy against simple players, and the same policy as a compiled C++ bot."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from zerosum.evaluate.match import PlayerResult
    from zerosum.games.holdem import Holdem

OPPONENTS = ("random", "call", "loose-passive", "tight-aggressive")
HANDS, BOT_HANDS = 4000, 200
COLUMNS = ("player", "against", "mbb/hand", "hands")


def demo_policy() -> str:
    """The first heads-up policy for `holdem` that comes along; `untrained` where there is none."""
    from zerosum.policy.headers import SHIPPED, read_header, shipped_names

    for name in shipped_names():
        header = read_header(SHIPPED / name)
        if header["kind"] == "heads-up" and header["game"] == "holdem":
            return name
    return "untrained"


def play_holdem(out: Path) -> list[list[str]]:
    """Plays, exports, compiles and plays again; returns the table of what was won."""
    from zerosum.cli.console import print_table
    from zerosum.games.holdem import Holdem

    game, name = Holdem(), demo_policy()
    print(f"\nheads-up no-limit hold'em, 200 big blinds: {name} against simple players", flush=True)
    rows = [_row(name, other, HANDS, _match(game, (name, other), HANDS)) for other in OPPONENTS]
    bot = _compiled(name, out / "bot")
    if bot is not None:
        played = _match(game, (f"acpc:{bot} acpc --seed 1 --weights {bot.parent / 'data'}", "call"), BOT_HANDS)
        rows.append(_row("its C++ bot", "call", BOT_HANDS, played))
    print_table(COLUMNS, rows)
    if bot is not None:
        _tell_hand(game, name, bot)
    return [list(COLUMNS), *rows]


def _row(name: str, other: str, hands: int, won: PlayerResult) -> list[str]:
    return [name, other, f"{won.mbb_per_hand:+,.0f} ± {won.ci95:,.0f}", f"{hands:,}"]


def _match(game: Holdem, names: Sequence[str], hands: int) -> PlayerResult:
    from zerosum.errors import PolicyError
    from zerosum.evaluate.match import play_match
    from zerosum.evaluate.roster import entrants

    result = play_match(game, entrants(names, game), hands=hands, threads=1)
    for player, faults in result.faults.items():
        if faults:
            raise PolicyError(f"{player}: {faults[0]}")
    return result.players[0]


def _compiled(name: str, folder: Path) -> Path | None:
    """The policy as a program; nothing where there is no compiler."""
    from zerosum.cli.export import export_policy
    from zerosum.cli.heads_up_policies import heads_up_policy
    from zerosum.errors import RunError

    export_policy(heads_up_policy(name), name, "cpp", folder)
    compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        print("no C++ compiler: the bot stays a source file")
        return None
    bot = folder.absolute() / "bot"
    command = [compiler, "-O2", "-std=c++17", str(folder / "bot.cpp"), "-o", str(bot)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RunError(f"{folder / 'bot.cpp'}: does not compile ({(done.stderr.splitlines() or ['?'])[0]})")
    print(f"compiled: {bot}")
    return bot


def _tell_hand(game: Holdem, name: str, bot: Path) -> None:
    """One hand of the bot against the policy it was made from, in words."""
    from zerosum.evaluate.roster import entrant
    from zerosum.games.holdem.telling import tell, tell_end
    from zerosum.policy.player import PolicyPlayer
    from zerosum.protocols.program import AcpcProgram

    policy = entrant(name, game).player
    assert isinstance(policy, PolicyPlayer)
    program = AcpcProgram(f"{bot} acpc --seed 1 --weights {bot.parent / 'data'}")
    program.start()
    try:
        hand = game.deal(7)
        while hand.actor >= 0:
            view = hand.view(hand.actor)
            hand = hand.act(program.act(hand, 0, 0) if hand.actor == 0 else policy.act([view], [0.5])[0])
        program.finish(hand, 0, 0)
    finally:
        program.close()
    print("\na hand of the C++ bot against the policy it was made from:")
    for line in (*tell(hand, ("the bot", "the policy")), *tell_end(hand, ("the bot", "the policy"))):
        print(f"  {line}")
