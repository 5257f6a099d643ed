"""The header of a policy directory, `policy.json`: written last, it names the files that belong to the policy.

A reader finds either the old policy or the new one, never a mixture, whenever the writer is stopped.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from zerosum.errors import PolicyError
from zerosum.runs.files import write_atomically

HEADER = "policy.json"
FORMAT = 1
KINDS = {
    "table": ("game", "tensors", "tensors_sha256"),
    "mixture": ("game", "encoder"),
    "strategy-network": ("game", "encoder"),
    "board-network": ("game", "tensors", "tensors_sha256"),
    "heads-up": ("game", "cards", "cards_sha256", "tensors", "tensors_sha256"),
    "card-model": ("game", "cards", "cards_sha256"),
}


SHIPPED = Path(__file__).parents[1] / "weights"


def shipped_names() -> list[str]:
    """The policies that come with the package."""
    return sorted(path.parent.name for path in SHIPPED.glob(f"*/{HEADER}"))


def write_header(directory: Path, header: dict[str, Any]) -> None:
    """Writes the header with its checksum."""
    whole = {"format": FORMAT, **header}
    whole["header_sha256"] = _digest(whole)
    write_atomically(directory / HEADER, json.dumps(whole, indent=2).encode() + b"\n")


def find_header(name: str) -> Path:
    """The policy directory of that name, or that of the run there, or the policy of that name that comes along."""
    if not name:
        raise PolicyError("got an empty name, wanted a policy directory")
    directory = Path(name)
    if name in shipped_names() and not os.path.lexists(directory):
        directory = SHIPPED / name
    for place in (directory, *(directory / part for part in ("policy", "mixture", "strategy"))):
        if os.access(place / HEADER, os.R_OK):
            return place
    if not os.path.lexists(directory):
        raise PolicyError(f"{directory}: no such directory, wanted a policy directory")
    raise PolicyError(f"{directory}: holds no policy ({HEADER} is missing)")


def read_header(where: Path) -> dict[str, Any]:
    """The header, checked."""
    path = where / HEADER
    try:
        header = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise PolicyError(f"{path}: not a readable header ({error})") from None
    if not isinstance(header, dict):
        header = {}
    texts = KINDS.get(str(header.get("kind")))
    if header.get("format") != FORMAT or texts is None or not all(isinstance(header.get(key), str) for key in texts):
        raise PolicyError(f"{path}: not the header of a policy, format {FORMAT}")
    if header.pop("header_sha256", None) != _digest(header):
        raise PolicyError(f"{path}: was changed after it was written (its checksum does not match)")
    return header


def _digest(header: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(header, sort_keys=True).encode()).hexdigest()
