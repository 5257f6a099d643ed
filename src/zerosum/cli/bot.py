"""`zerosum bot POLICY --protocol gomocup | botzone | acpc`: a policy that speaks a site's protocol."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from zerosum.games.holdem import Holdem
    from zerosum.policy.player import Player
    from zerosum.search.board_player import BoardPlayer
    from zerosum.search.classical import ClassicalPlayer

PROTOCOLS = ("gomocup", "botzone", "acpc")


def add_parser(verbs: Any) -> None:
    bot = verbs.add_parser(
        "bot",
        help="let a policy speak a site's protocol",
        description="Gomoku and hold'em on Botzone, Gomoku for Gomocup, hold'em for ACPC: the policy's game decides. "
        "On Botzone it asks to be kept running after its first answer, since Python with networks takes seconds to "
        "start and a turn has one; where the site does not grant that, every turn starts it anew. Whatever Botzone or "
        "ACPC says, the answer is a legal action, and stderr tells what was wrong. Exit code 0 when the conversation "
        "has ended, 2 where it could not begin.",
    )
    bot.add_argument(
        "policy",
        metavar="POLICY",
        help="a policy's or a run's directory, a name that comes along, or a player such as greedy or call",
    )
    bot.add_argument("--protocol", choices=PROTOCOLS, required=True, help="what the other side speaks")
    bot.add_argument("--threads", type=int, metavar="N", help="to think with (default: all processors)")
    turns = bot.add_mutually_exclusive_group()
    turns.add_argument(
        "--keep-running", action="store_true", help="botzone: ask to be kept running between turns (the default)"
    )
    turns.add_argument("--one-shot", action="store_true", help="botzone: answer one turn and end")
    bot.add_argument("--host", metavar="H", help="acpc: of the dealer")
    bot.add_argument("--port", type=int, metavar="P", help="acpc: of the dealer")
    bot.add_argument("--seed", type=int, metavar="S", help="hold'em: for its choices (default: drawn)")
    bot.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zerosum.cli.speaking import check_someone_speaks
    from zerosum.errors import SettingsError
    from zerosum.settings import within

    if args.threads is not None:
        within("threads", args.threads, 1, 256)
    if args.protocol != "botzone" and (args.keep_running or args.one_shot):
        raise SettingsError("got --keep-running or --one-shot, wanted --protocol botzone with it")
    if args.protocol == "acpc":
        if args.host is None or args.port is None:
            raise SettingsError("acpc: wanted --host and --port of a dealer")
        return _acpc(args)
    if args.host is not None or args.port is not None:
        raise SettingsError("got --host or --port, wanted --protocol acpc with it")
    check_someone_speaks()
    _check_known(args.policy)
    if args.protocol == "botzone" and _plays_holdem(args.policy):
        return _botzone_holdem(args)
    return _board(args)


def _check_known(name: str) -> None:
    """Refuses a name that is neither there nor anyone's, whatever the game, and says whose there are."""
    from zerosum.cli.heads_up_policies import UNTRAINED
    from zerosum.errors import PolicyError
    from zerosum.policy.headers import SHIPPED, read_header, shipped_names
    from zerosum.policy.scripted import SCRIPTS
    from zerosum.search.classical import is_classical
    from zerosum.settings import nearest

    along = [one for one in shipped_names() if read_header(SHIPPED / one)["kind"] != "card-model"]
    known = {*along, *SCRIPTS, "greedy", "mcts", "alphabeta", "untrained"}
    if not (os.path.lexists(name) or name in known or is_classical(name) or re.fullmatch(UNTRAINED, name)):
        raise PolicyError(f"unknown policy or player {name!r}; {nearest(name, known)}")


def _requests() -> Iterator[str]:
    from zerosum.protocols.lines import LineReader, requests

    return requests(LineReader(sys.stdin.fileno()).next)


def _board(args: argparse.Namespace) -> int:
    from zerosum.cli.board_players import board_player
    from zerosum.errors import SettingsError
    from zerosum.protocols.botzone import GomokuBot
    from zerosum.protocols.gomocup import Brain
    from zerosum.protocols.lines import LineReader

    if args.seed is not None:
        raise SettingsError(f"seed: got {args.seed}, wanted a policy for hold'em with it")
    player = board_player(args.policy, args.threads)
    if args.protocol == "gomocup":
        _check_five(player)
        reader = LineReader(sys.stdin.fileno())
        code = 0
        try:
            Brain(player, _say).converse(iter(lambda: reader.next(None), None))
        except KeyboardInterrupt:
            _warn("interrupted")
            code = 130
        sys.stdout.flush()
        os._exit(code)  # a manager waits for a second: a thought that does not heed it, and a large tree, stay behind
    else:
        GomokuBot(player, _say, _warn, _age).converse(_requests(), not args.one_shot)
    return 0


def _age() -> float:
    """How many seconds ago this program was started."""
    import time

    import psutil

    return max(time.time() - float(psutil.Process().create_time()), 0.0)


def _check_five(player: BoardPlayer | ClassicalPlayer) -> None:
    """Refuses a network that can play no board of Gomocup's."""
    from zerosum.errors import PolicyError
    from zerosum.protocols.gomocup import SMALLEST
    from zerosum.protocols.gomocup_limits import LINE
    from zerosum.search.board_player import BoardPlayer

    if not isinstance(player, BoardPlayer):
        return
    game = player.policy.game
    fits = player.policy.settings.any_size or min(game.width, game.height) >= SMALLEST
    if game.line != LINE or not fits:
        raise PolicyError(f"{player.name}: a policy for {game.spec()}, wanted one for five in a row, as Gomocup plays")


def _acpc(args: argparse.Namespace) -> int:
    from zerosum.protocols.acpc_bot import AcpcBot
    from zerosum.settings import within

    within("port", args.port, 1, 65535)
    player, game = _holdem_player(args, "standard")
    AcpcBot(player, game, _seed(args), _warn).converse(args.host, args.port)
    return 0


def _botzone_holdem(args: argparse.Namespace) -> int:
    from zerosum.protocols.botzone_holdem import HoldemBot

    player, game = _holdem_player(args, "botzone")
    HoldemBot(player, game, _seed(args), _warn, game.players).converse(_requests(), _say, not args.one_shot)
    return 0


def _plays_holdem(name: str) -> bool:
    """Whether a name stands for a player of hold'em; `random` is one of Gomoku's."""
    from zerosum.cli.heads_up_policies import UNTRAINED
    from zerosum.errors import PolicyError
    from zerosum.policy.headers import find_header, read_header
    from zerosum.policy.scripted import SCRIPTS

    if re.fullmatch(UNTRAINED, name) or (name in SCRIPTS and name != "random"):
        return True
    try:
        return str(read_header(find_header(name))["game"]).split(":")[0] in ("holdem", "sixmax")
    except PolicyError:
        return False


def _holdem_player(args: argparse.Namespace, order: str) -> tuple[Player, Holdem]:
    """The player of that name and the game it was made for, or the one in this order for who plays any."""
    from dataclasses import replace

    from zerosum.errors import PolicyError
    from zerosum.evaluate.roster import entrant
    from zerosum.games.catalog import load_game
    from zerosum.games.holdem import Holdem
    from zerosum.policy.headers import find_header, read_header, shipped_names
    from zerosum.protocols.program import AcpcProgram

    game = replace(Holdem(), order=order)
    if os.path.isdir(args.policy) or args.policy in shipped_names():  # noqa: PTH112  (Path.is_dir may raise)
        found = load_game(read_header(find_header(args.policy))["game"])
        if not isinstance(found, Holdem) or (found.players != 2 and order != "botzone"):
            raise PolicyError(f"{args.policy}: a policy for {found.spec()}, wanted one for heads-up hold'em")
        game = found
    player = entrant(args.policy, game).player
    if player is None or isinstance(player, AcpcProgram):
        raise PolicyError(f"{args.policy}: wanted a policy or a player of hold'em")
    if game.order != order:
        _warn(f"a policy for {game.spec()}, made for another order of acting; plays this one as well as it can")
    if game.players > 2:  # the site's stacks, whatever the policy was made for
        return player, replace(
            Holdem(), players=game.players, order=order, menu=game.menu, menu_raises=game.menu_raises
        )
    return player, replace(game, order=order)


def _seed(args: argparse.Namespace) -> int:
    from zerosum.settings import within

    if args.seed is None:
        return int.from_bytes(os.urandom(8), "little")
    within("seed", args.seed, 0, 2**64 - 1)
    return int(args.seed)


def _say(line: str) -> None:
    print(line, flush=True)


def _warn(line: str) -> None:
    from zerosum.protocols.lines import readable

    print(f"zerosum bot: {readable(line)}", file=sys.stderr, flush=True)
