"""What a run directory tells without being opened for work: its settings, its metrics, and whether it is over."""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from zerosum.errors import RunError
from zerosum.runs.directory import RunDirectory


@dataclass(frozen=True)
class Overview:
    """A run at a glance. `state` is `finished`, `unfinished` or `damaged`."""

    path: str
    name: str
    game: str
    algorithm: str
    state: str
    iteration: int
    exploitability: float | None
    iterations_per_second: float | None
    seconds: float
    settings: dict[str, Any] = field(repr=False)
    rows: list[dict[str, Any]] = field(repr=False)

    def to_json(self) -> dict[str, Any]:
        return {key: value for key, value in asdict(self).items() if key not in ("settings", "rows")}


def overviews(directory: str | Path) -> list[Overview]:
    """The runs in a directory, by name."""
    folder = Path(directory)
    if not folder.is_dir():
        if str(directory) == "runs":  # where runs are by default, and none was made
            return []
        raise RunError(f"{directory}: not a directory, wanted one with runs in it")
    if (folder / "settings.toml").exists():
        return [overview(folder)]
    return [overview(path.parent) for path in sorted(folder.glob("*/settings.toml"))]


def overview(path: str | Path) -> Overview:
    """One run."""
    path = Path(path)
    file = path / "settings.toml"
    try:
        settings = tomllib.loads(file.read_text())
        if "game" not in settings.get("run", settings):
            raise ValueError("no game is named")
    except FileNotFoundError:
        raise RunError(f"{path}: holds no run (settings.toml is missing)") from None
    except (OSError, ValueError, TypeError):
        return Overview(str(path), path.name, "?", "?", "damaged", 0, None, None, 0.0, {}, [])
    run = settings.get("run", settings)  # a solve has no sections
    rows = [row for row in RunDirectory(path).metrics() if _is_measured(row)]
    last = rows[-1] if rows else {}
    return Overview(
        str(path),
        path.name,
        str(run.get("game", "?")),
        str(run.get("algorithm", "?")),
        "finished" if _is_over(run, last) else "unfinished",
        int(last.get("iteration", 0)),
        last.get("exploitability"),
        _speed(rows),
        float(last.get("seconds", 0.0)),
        settings,
        rows,
    )


def nodes_after_another(nodes: int, iteration: int) -> float:
    """How many nodes one more iteration might come to, if it takes no more than half as many again as the mean."""
    return nodes * (1 + 1.5 / max(iteration, 1))


def _is_measured(row: dict[str, Any]) -> bool:
    """Whether a row holds numbers where they are counted with."""
    counts = all(isinstance(row.get(name, 0), (int, float)) for name in ("seconds", "nodes"))
    return counts and isinstance(row.get("iteration"), int) and isinstance(row.get("exploitability") or 0, (int, float))


def _is_over(run: dict[str, Any], last: dict[str, Any]) -> bool:
    reached = last.get("exploitability")
    if run.get("target") is not None and reached is not None and reached <= run["target"]:
        return True
    if run.get("nodes") and nodes_after_another(last.get("nodes", 0), last.get("iteration", 0)) > run["nodes"]:
        return True
    done = (("iterations", "iteration", 1), ("minutes", "seconds", 60))
    return any(run.get(limit) and last.get(name, 0) >= unit * run[limit] for limit, name, unit in done)


def _speed(rows: list[dict[str, Any]]) -> float | None:
    """Iterations a second between the last two rows that are far enough apart."""
    for earlier in reversed(rows[:-1]):
        seconds = rows[-1].get("seconds", 0.0) - earlier.get("seconds", 0.0)
        if seconds > 0.5:
            return float((rows[-1]["iteration"] - earlier["iteration"]) / seconds)
    if rows and rows[-1].get("seconds"):
        return float(rows[-1]["iteration"] / rows[-1]["seconds"])
    return None
