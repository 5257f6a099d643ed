"""A dealer of ACPC's match protocol: two seats that connect, hands dealt from a seed, seats that change every hand.

The log has the form of the competition's: a line `STATE:hand:betting:cards:won:names` for each hand, and a last one
`SCORE:won:names`.
"""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zerosum.errors import PolicyError, SettingsError
from zerosum.protocols.acpc import match_state
from zerosum.protocols.acpc_seat import AcpcSeat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from zerosum.games.holdem import Holdem
    from zerosum.native import HoldemHand

CONNECT_SECONDS = 60.0


@dataclass(frozen=True)
class Dealt:
    """A hand that is over: chips won by player, and its line of the log."""

    won: tuple[float, float]
    line: str


def open_ports(host: str, ports: Sequence[int]) -> list[socket.socket]:
    """A server on each port, 0 being any that is free."""
    servers: list[socket.socket] = []
    for port in ports:
        try:
            servers.append(socket.create_server((host, port)))
        except (OSError, OverflowError) as error:
            for server in servers:
                server.close()
            reason = error.strerror if isinstance(error, OSError) else error
            raise SettingsError(f"ports: {host}:{port} cannot be opened ({reason})") from None
    return servers


def seated(servers: Sequence[socket.socket], names: Sequence[str], seconds: float, action: float) -> list[AcpcSeat]:
    """Waits until someone has connected to each port and said the version."""
    end = time.monotonic() + seconds
    seats = [AcpcSeat(name, action) for name in names]
    for server, seat in zip(servers, seats, strict=True):
        server.settimeout(max(0.01, end - time.monotonic()))
        try:
            seat.connection, _ = server.accept()
        except TimeoutError:
            port = server.getsockname()[1]
            raise PolicyError(f"{seat.name}: nobody connected to port {port} in {seconds:g} s") from None
        seat.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        seat.greet(max(0.01, end - time.monotonic()))
    return seats


def deal_hands(game: Holdem, seats: Sequence[AcpcSeat], hands: int, seed: int) -> Iterator[Dealt]:
    """Plays the hands; player p sits at (p + hand) % 2."""
    for number in range(hands):
        position = [(player + number) % 2 for player in range(2)]
        hand = _played(game.deal(seed, number), [seats[position.index(seat)] for seat in range(2)], number)
        won = hand.returns()
        shown = match_state(hand, 0, number, everyone=True).split(":", 3)[3]
        names = "|".join(seats[position.index(seat)].name for seat in range(2))
        told = "|".join(f"{chips:g}" for chips in won)
        yield Dealt((won[position[0]], won[position[1]]), f"STATE:{number}:{shown}:{told}:{names}")


def _played(hand: HoldemHand, at: Sequence[AcpcSeat], number: int) -> HoldemHand:
    while hand.actor >= 0:
        actor = hand.actor
        at[1 - actor].tell(match_state(hand, 1 - actor, number))
        hand = hand.act(at[actor].act(hand, actor, number))
    for seat, one in enumerate(at):
        one.finish(hand, seat, number)
    return hand


def match_lines(
    game: Holdem, seats: Sequence[AcpcSeat], hands: int, seed: int, log: Callable[[str], None]
) -> list[float]:
    """Plays a match, says every line of its log, and returns what each player won."""
    log(f"# zerosum dealer, {game.spec()}, {hands} hands, seed {seed}")
    won = [0.0, 0.0]
    for dealt in deal_hands(game, seats, hands, seed):
        won = [total + chips for total, chips in zip(won, dealt.won, strict=True)]
        log(dealt.line)
    log(f"SCORE:{'|'.join(f'{chips:.10g}' for chips in won)}:{'|'.join(seat.name for seat in seats)}")
    return won
