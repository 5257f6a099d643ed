"""The secret that lets a process into a cluster: Ray's token authentication, always on."""

from __future__ import annotations

import ipaddress
import os
import secrets
from pathlib import Path

from zerosum.errors import ClusterError

LOOPBACK_ONLY = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"  # at 0 Ray listens on the loopback address alone, on Linux too
FEWEST_CHARACTERS = 16


def new_token(path: Path, token: str | None) -> Path:
    """Writes a token, one that nobody knows yet unless it is given, where nobody else may read it."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(token or secrets.token_hex(32))
    return path


def read_token(path: str | Path) -> str:
    """The word in a file."""
    try:
        token = Path(path).expanduser().read_text()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not text"
        raise ClusterError(f"{path}: cannot be read ({reason}), wanted a file that holds a token") from None
    return _checked(token, str(path))


def _checked(token: str, where: str) -> str:
    if len(token.strip()) < FEWEST_CHARACTERS or not token.isascii() or len(token.split()) != 1:
        raise ClusterError(f"{where}: got no token, wanted one word of at least {FEWEST_CHARACTERS} characters")
    return token.strip()


def known_token(given: str | None) -> str | None:
    """The token a user gave: a file by option, or what Ray itself would look at."""
    if given is not None:
        return read_token(given)
    if word := os.environ.get("RAY_AUTH_TOKEN", "").strip():
        return _checked(word, "RAY_AUTH_TOKEN")
    if path := os.environ.get("RAY_AUTH_TOKEN_PATH"):
        return read_token(path)
    usual = Path.home() / ".ray" / "auth_token"
    return read_token(usual) if usual.is_file() else None


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def environment(token: str, host: str) -> dict[str, str]:
    """What Ray must find around it: the token, and nothing that talks to anybody else."""
    return {
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": token,
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_enable_metrics_collection": "false",  # nobody looks at them, and they take processor time from walks
        "RAY_task_events_report_interval_ms": "0",
        "RAY_event_stats": "false",
        "RAY_ENABLE_AUTO_CONNECT": "0",  # it never starts a Ray that nobody asked for
        "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
        LOOPBACK_ONLY: "0" if is_loopback(host) else "1",
    }
