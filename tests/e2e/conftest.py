"""What tests of the commands share."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Any

import pytest

from e2e.training import train

if TYPE_CHECKING:
    from pathlib import Path

# Where a shell started the tests in the background Ctrl-C is ignored, and would be by all that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A small run that nobody disturbed; tests must not change it."""
    run = tmp_path_factory.mktemp("runs") / "quiet"
    return run, train(run, "--set", "strategy.train=true", "--set", "strategy.every=20")


@pytest.fixture(scope="session")
def policies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Directories `standard` and `botzone` with a policy each."""
    from e2e.holdem_bots import decided
    from zerosum.policy.heads_up_storage import save_heads_up
    from zerosum.policy.table import Origin

    where = tmp_path_factory.mktemp("policies")
    for order in ("standard", "botzone"):
        save_heads_up(decided(order), where / order, Origin("untrained", 0, 0.0, 0))
    return where
