"""The newest positions of a run, kept on disk in a file for each iteration."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file
from safetensors.numpy import save as save_tensors

from zerosum.errors import RunError
from zerosum.learn.alphazero.selfplay import NAMES, Positions, joined
from zerosum.runs.files import make_directory, write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from zerosum.learn.alphazero.settings import ReplaySettings


class Replay:
    """A window that moves on: files that it has left behind are deleted."""

    def __init__(self, directory: Path, settings: ReplaySettings) -> None:
        self.directory, self.settings = directory, settings
        self.parts: dict[int, Positions] = {}

    @property
    def rows(self) -> int:
        return sum(map(len, self.parts.values()))

    def add(self, iteration: int, positions: Positions) -> None:
        make_directory(self.directory)
        tensors = {name: np.ascontiguousarray(getattr(positions, name)) for name in NAMES}
        write_atomically(self._file(iteration), save_tensors(tensors))
        self.parts[iteration] = positions
        while len(self.parts) > 1 and self.rows - len(self.parts[min(self.parts)]) >= self.settings.window_rows:
            del self.parts[min(self.parts)]

    def forget_files(self, kept: int) -> None:
        """Deletes what neither the window nor a checkpoint whose window began at `kept` needs."""
        oldest = min(kept, min(self.parts, default=kept))
        for file in self.directory.glob("*.safetensors"):
            if file.stem.isdecimal() and int(file.stem) < oldest:
                file.unlink(missing_ok=True)

    @property
    def first(self) -> int:
        return min(self.parts, default=0)

    def restore(self, first: int, last: int) -> None:
        """The window of a checkpoint, from its files."""
        self.parts = {iteration: self._read(iteration) for iteration in range(first, last + 1)} if first else {}

    def whole(self) -> Positions:
        return joined(list(self.parts.values()))

    def _file(self, iteration: int) -> Path:
        return self.directory / f"{iteration:09d}.safetensors"

    def _read(self, iteration: int) -> Positions:
        path = self._file(iteration)
        try:
            found = load_file(path)
            return Positions(*(found[name] for name in NAMES))
        except (OSError, SafetensorError, KeyError) as error:
            raise RunError(f"{path}: the run's replay window cannot be read ({error})") from None
