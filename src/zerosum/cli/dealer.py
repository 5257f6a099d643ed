"""`zerosum dealer`: an ACPC dealer, to try bots where they are made."""

from __future__ import annotations

import json
import re
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from zerosum.games.holdem import Holdem
    from zerosum.protocols.acpc_seat import AcpcSeat


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "dealer",
        help="deal hold'em to two programs that speak ACPC's protocol",
        description="Waits for a program on each port, deals the hands, the seats changing, and says who won. What is "
        "illegal or late counts as a check or a fold and is told at the end, with exit code 1; amounts are said as the "
        "protocol says them, all that a player has put in over the hand.",
    )
    parser.add_argument("--game", default="holdem", metavar="GAME", help="heads-up, in the standard order (holdem)")
    parser.add_argument("--hands", type=int, default=100, metavar="N", help="default 100")
    parser.add_argument("--ports", required=True, metavar="P1,P2", help="to listen on; 0: any, printed")
    parser.add_argument("--host", default="127.0.0.1", metavar="H", help="to listen at (default 127.0.0.1)")
    parser.add_argument("--names", default="one,two", metavar="A,B", help="of the programs, by port")
    parser.add_argument("--log", metavar="FILE", help="write the hands, as the competition's dealer does")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the cards (default 0)")
    parser.add_argument("--wait-seconds", type=float, default=60.0, metavar="T", help="for both to connect (60)")
    parser.add_argument("--action-seconds", type=float, default=10.0, metavar="T", help="for an action (10)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zerosum.errors import RunError
    from zerosum.protocols.dealer import match_lines, open_ports, seated

    game, ports, names = _checked(args)
    with ExitStack() as stack:
        try:
            log = None if args.log is None else stack.enter_context(open(args.log, "w", encoding="utf-8"))  # noqa: PTH123
        except OSError as error:
            raise RunError(f"{args.log}: cannot be written ({error.strerror})") from None
        servers = [stack.enter_context(server) for server in open_ports(args.host, ports)]
        told = " ".join(str(server.getsockname()[1]) for server in servers)
        print(f"ports: {told}", file=sys.stderr if args.json else sys.stdout, flush=True)
        seats = seated(servers, names, args.wait_seconds, args.action_seconds)
        for seat in seats:
            stack.callback(seat.close)

        def say(line: str) -> None:
            if log is not None:
                print(line, file=log)

        won = match_lines(game, seats, args.hands, args.seed, say)
    _print(args, game, won, seats)
    return 1 if any(seat.faults for seat in seats) else 0


def _checked(args: argparse.Namespace) -> tuple[Holdem, list[int], list[str]]:
    from zerosum.errors import SettingsError
    from zerosum.games.catalog import load_game
    from zerosum.games.holdem import Holdem
    from zerosum.settings import within

    game = load_game(args.game)
    if not isinstance(game, Holdem) or game.players != 2 or game.order != "standard":
        raise SettingsError(f"game: got {args.game}, wanted heads-up hold'em in the standard order")
    for key, low, high in (("hands", 1, 10**9), ("wait_seconds", 0.1, 10**6), ("action_seconds", 0.01, 10**6)):
        within(key, getattr(args, key), low, high)
    within("seed", args.seed, 0, 2**64 - 1)
    names = args.names.split(",")
    if len(set(names)) != 2 or len(names) != 2 or not all(re.fullmatch(r"[^:|\s]{1,60}", name) for name in names):
        raise SettingsError(f"names: got {args.names!r}, wanted two such as one,two")
    return game, _ports(args.ports), names


def _print(args: argparse.Namespace, game: Holdem, won: list[float], seats: list[AcpcSeat]) -> None:
    big = max(game.amounts()[1])
    result = {
        seat.name: {"chips": chips, "mbb_per_hand": 1000 * chips / big / args.hands, "faults": seat.faults}
        for chips, seat in zip(won, seats, strict=True)
    }
    if args.json:
        print(json.dumps({"game": game.spec(), "hands": args.hands, "players": result}))
        return
    for seat, chips in zip(seats, won, strict=True):
        mbb = 1000 * chips / big / args.hands
        print(f"{seat.name}: {chips:+,.0f} chips in {args.hands:,} hands, {mbb:+,.1f} mbb/hand")
        for fault in seat.faults[:5]:
            print(f"{seat.name}: {fault}", file=sys.stderr)
    print(f"faults: {sum(len(seat.faults) for seat in seats)}")


def _ports(text: str) -> list[int]:
    from zerosum.errors import SettingsError
    from zerosum.settings import within

    if not re.fullmatch(r"[0-9]{1,9},[0-9]{1,9}", text):
        raise SettingsError(f"ports: got {text!r}, wanted two such as 18791,18792")
    ports = [int(port) for port in text.split(",")]
    for port in ports:
        within("ports", port, 0, 65535)
    if ports[0] == ports[1] != 0:
        raise SettingsError(f"ports: got {ports[0]} twice, wanted two that differ, or 0,0 for any")
    return ports
