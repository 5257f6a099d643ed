"""Convergence curves as a picture."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from zerosum.errors import RunError
from zerosum.runs.files import make_directory, write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

KINDS = (".svg", ".png")


def check_plot_path(path: str | Path) -> Path:
    """Refuses, before any work is done, a file that could not be written as a plot."""
    path = Path(path)
    if path.suffix.lower() not in KINDS:
        raise RunError(f"{path}: got a plot file ending in {path.suffix!r}, wanted .svg or .png")
    if path.is_dir():
        raise RunError(f"{path}: is a directory, wanted a file")
    make_directory(path.parent)
    return path


def plot_convergence(path: str | Path, curves: Mapping[str, Sequence[tuple[int, float]]]) -> None:
    """Exploitability against iterations, both logarithmic, a line for each name; points at zero are left out."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    path = check_plot_path(path)
    figure, axes = pyplot.subplots(figsize=(8, 5), layout="constrained")
    for name, points in curves.items():
        seen = [(iteration, value) for iteration, value in points if value > 0]
        axes.plot([iteration for iteration, _ in seen], [value for _, value in seen], label=name, linewidth=1.5)
    axes.set(xscale="log", yscale="log", xlabel="iterations", ylabel="exploitability (NashConv / players)")
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend(fontsize="small")
    picture = io.BytesIO()
    figure.savefig(picture, format=path.suffix.lower().lstrip("."), dpi=150)
    pyplot.close(figure)
    write_atomically(path, picture.getvalue())
