"""HOST:PORT, as a user writes it."""

from __future__ import annotations

import socket

from zerosum.errors import ClusterError

REACH_SECONDS = 5.0


def parse_address(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isdecimal() or not 0 < int(port) < 65_536:
        raise ClusterError(f"cluster: got {text!r}, wanted ray or HOST:PORT, such as 127.0.0.1:6379")
    return ("127.0.0.1" if host == "localhost" else host), int(port)


def own_address(host: str, port: int) -> str:
    """Which address of this machine the one at that address sees."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect((host, port))
        return str(asking.getsockname()[0])


def check_own(host: str) -> None:
    """Refuses an address that is not this machine's; Ray would wait for it in vain."""
    try:
        family, *_, address = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, socket.SOCK_STREAM) as own:
            own.bind(address)
    except (OSError, UnicodeError):
        raise ClusterError(f"host: got {host}, wanted one address of this machine that others reach") from None


def check_reachable(host: str, port: int) -> None:
    """Refuses an address where nobody listens; Ray itself would wait for ever."""
    try:
        socket.create_connection((host, port), REACH_SECONDS).close()
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        hint = "check the address, or start a cluster with zerosum cluster up"
        raise ClusterError(f"{host}:{port}: nobody answers there ({reason}); {hint}") from None
