"""Convergence curves and matrices as pictures."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

from zerosum.errors import RunError
from zerosum.runs.files import check_writable, make_directory, write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.figure import Figure

KINDS = (".svg", ".png")


def check_plot_path(path: str | Path) -> Path:
    """Refuses, before any work is done, a file that could not be written as a plot."""
    path = Path(path)
    if path.suffix.lower() not in KINDS:
        raise RunError(f"{path}: got a plot file ending in {path.suffix!r}, wanted .svg or .png")
    if os.path.isdir(path):  # noqa: PTH112  (Path.is_dir raises where it may not look)
        raise RunError(f"{path}: is a directory, wanted a file")
    check_writable(path.absolute().parent)
    return path


def plot_convergence(path: str | Path, curves: Mapping[str, Sequence[tuple[int, float]]]) -> None:
    """Exploitability against iterations."""
    plot_curves(path, curves, "iterations", "exploitability (NashConv / players)")


def plot_curves(
    path: str | Path, curves: Mapping[str, Sequence[tuple[float, float]]], across: str, upward: str
) -> None:
    """A line for each name, both axes logarithmic; points at zero are left out."""
    os.environ["MPLBACKEND"] = "agg"  # whatever a notebook may have set, we draw into a file
    from matplotlib.figure import Figure

    path = check_plot_path(path)
    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.subplots()
    seen = {name: [point for point in points if point[1] > 0] for name, points in curves.items()}
    for name, points in seen.items():
        label = name.replace("$", r"\$")  # not mathematics
        axes.plot([x for x, _ in points], [y for _, y in points], label=label, linewidth=1.5)
    if any(seen.values()):
        axes.set(xscale="log", yscale="log")
    axes.set(xlabel=across, ylabel=upward)
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend(fontsize="small")
    _save(figure, path)


def plot_matrix(path: str | Path, names: Sequence[str], values: Sequence[Sequence[float]], title: str) -> None:
    """[N, N] numbers as a heat-map, rows and columns with the same names."""
    os.environ["MPLBACKEND"] = "agg"
    from matplotlib.figure import Figure

    path = check_plot_path(path)
    figure = Figure(figsize=(3 + len(names), 2 + len(names)), layout="constrained")
    axes = figure.subplots()
    largest = max((abs(value) for row in values for value in row), default=0.0) or 1.0
    axes.imshow(values, cmap="RdYlGn", vmin=-largest, vmax=largest)
    shown = [name.replace("$", r"\$") for name in names]
    axes.set_xticks(range(len(names)), shown, rotation=30, ha="right")
    axes.set_yticks(range(len(names)), shown)
    for row, numbers in enumerate(values):
        for column, value in enumerate(numbers):
            if row != column:
                axes.text(column, row, f"{value:+,.0f}", ha="center", va="center", fontsize="small")
    axes.set_title(title, fontsize="medium")
    _save(figure, path)


def _save(figure: Figure, path: Path) -> None:
    picture = io.BytesIO()
    figure.savefig(picture, format=path.suffix.lower().lstrip("."), dpi=150)
    make_directory(path.absolute().parent)
    write_atomically(path, picture.getvalue())
