"""`zerosum bot POLICY --protocol gomocup | botzone`: a policy that speaks a site's protocol."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse

PROTOCOLS = ("gomocup", "botzone")


def add_parser(verbs: Any) -> None:
    bot = verbs.add_parser("bot", help="let a policy speak a site's protocol", description=__doc__)
    bot.add_argument(
        "policy",
        metavar="POLICY",
        help="a policy's or a run's directory, a name that comes along, or a player such as greedy",
    )
    bot.add_argument("--protocol", choices=PROTOCOLS, required=True, help="what the other side speaks")
    bot.add_argument("--threads", type=int, metavar="N", help="to think with (default: all processors)")
    bot.add_argument("--keep-running", action="store_true", help="botzone: ask to be kept running between turns")
    bot.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zerosum.cli.board_players import board_player
    from zerosum.errors import SettingsError
    from zerosum.protocols.botzone import GomokuBot
    from zerosum.protocols.gomocup import Brain
    from zerosum.settings import within

    if sys.stdin is None:
        raise SettingsError("got a standard input that is closed, wanted someone who speaks")
    if args.threads is not None:
        within("threads", args.threads, 1, 256)
    player = board_player(args.policy, args.threads)
    lines = io.TextIOWrapper(sys.stdin.buffer, "utf-8", errors="replace")
    if args.protocol == "gomocup":
        if not Brain(player, _say).converse(lines):
            sys.stdout.flush()
            os._exit(0)  # a manager waits for a second, a thought that does not heed it is left behind
    else:
        GomokuBot(player, _say, _warn).converse(lines, args.keep_running)
    return 0


def _say(line: str) -> None:
    print(line, flush=True)


def _warn(line: str) -> None:
    print(f"zerosum bot: {line}", file=sys.stderr, flush=True)
