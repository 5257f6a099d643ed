"""What tests of the commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from e2e.training import train

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A small run that nobody disturbed; tests must not change it."""
    run = tmp_path_factory.mktemp("runs") / "quiet"
    return run, train(run, "--set", "strategy.train=true", "--set", "strategy.every=20")
