"""Runs side by side as one page of HTML with everything in it: curves, figures, settings."""

from __future__ import annotations

import html
import io
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import tomli_w

from zerosum.errors import RunError
from zerosum.runs.files import check_writable, make_directory, write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from zerosum.runs.overview import Overview

Found = TypeVar("Found")
STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:1100px;margin:2em auto;padding:0 1em;color:#222}
table{border-collapse:collapse;margin:1em 0}td,th{padding:.25em .8em;text-align:right;border-bottom:1px solid #ddd}
td:first-child,th:first-child{text-align:left}pre{background:#f6f6f6;padding:1em;overflow:auto}
svg{max-width:100%;height:auto}.side{display:flex;flex-wrap:wrap;gap:1em}.side>div{flex:1 1 20em}"""


def check_report_path(path: str | Path) -> None:
    """Refuses, before any work is done, a file that could not be written."""
    path = Path(path)
    if path.suffix.lower() not in (".html", ".htm"):
        raise RunError(f"{path}: got a file ending in {path.suffix!r}, wanted .html")
    if os.path.isdir(path):  # noqa: PTH112  (Path.is_dir raises where it may not look)
        raise RunError(f"{path}: is a directory, wanted a file")
    check_writable(path.absolute().parent)


def write_report(
    path: str | Path,
    runs: Sequence[Overview],
    apart: Mapping[str, Sequence[tuple[str, float]]],
    tables: Mapping[str, Sequence[Sequence[str]]] | None = None,
) -> None:
    """`apart` says for each run where its two policies differ most; `tables` are shown under their titles."""
    title = ", ".join(run.name for run in runs)
    body = [
        f"<h1>{html.escape(title)}</h1>",
        _table(_summary(runs)),
        *_curves(runs),
        *(f"<h2>{html.escape(title)}</h2>{_table(rows)}" for title, rows in (tables or {}).items()),
        *_distances(runs, apart),
        *_events(runs),
        '<h2>Settings</h2><div class="side">',
        *map(_settings, runs),
        "</div>",
    ]
    page = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f"<style>{STYLE}</style><body>{''.join(body)}</body></html>\n"
    )
    make_directory(Path(path).absolute().parent)
    write_atomically(path, page.encode())


def _settings(run: Overview) -> str:
    return f"<div><h3>{html.escape(run.name)}</h3><pre>{html.escape(tomli_w.dumps(run.settings))}</pre></div>"


def _summary(runs: Sequence[Overview]) -> list[list[str]]:
    """The evaluation table: the last row of each run's metrics."""
    rows = [
        [
            "run",
            "game",
            "algorithm",
            "state",
            "iterations",
            "nodes",
            "seconds",
            "exploitability",
            "NashConv",
            "policies",
        ]
    ]
    for run in runs:
        last = run.rows[-1] if run.rows else {}
        rows.append(
            [
                run.name,
                run.game,
                run.algorithm,
                run.state,
                f"{run.iteration:,}",
                f"{nodes:,}" if isinstance(nodes := last.get("nodes"), int) else "-",
                f"{run.seconds:,.0f}",
                _number(last.get("exploitability")),
                _number(last.get("nash_conv")),
                _read(_strength, last, "") or "-",
            ]
        )
    return rows


def _strength(last: dict[str, Any]) -> str:
    """What a row says of how well its policies play."""
    if "elo" in last:
        return f"{last['elo']:+.0f} Elo, {last['games']:,} games"
    if "scores" in last:
        return ", ".join(f"{street} {score['equity_error']:.4f}" for street, score in last["scores"].items())
    policies = ", ".join(f"{name} {value:.4g}" for name, value in (last.get("policies") or {}).items())
    return policies or ", ".join(
        f"v {name} {won['mbb_per_hand']:+.0f} ± {won['ci95']:.0f} mbb/hand"
        for name, won in (last.get("versus") or {}).items()
    )


def _read(find: Callable[[dict[str, Any]], Found], row: dict[str, Any], otherwise: Found) -> Found:
    """What is found in a row; `otherwise` where something else stands in its place."""
    try:
        return find(row)
    except (AttributeError, KeyError, TypeError, ValueError):
        return otherwise


def _number(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, (int, float)) else "-"


def _table(rows: Sequence[Sequence[str]]) -> str:
    head, *rest = [[html.escape(cell) for cell in row] for row in rows]
    told = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rest)
    return f"<table><tr>{''.join(f'<th>{cell}</th>' for cell in head)}</tr>{told}</table>"


def _distances(runs: Sequence[Overview], apart: Mapping[str, Sequence[tuple[str, float]]]) -> list[str]:
    told = []
    for run in runs:
        if found := apart.get(run.path):
            told.append(f"<h2>{html.escape(run.name)}: where mixture and strategy network differ most</h2>")
            told.append(_table([["situation", "total variation"], *[[words, f"{far:.3f}"] for words, far in found]]))
    return told


def _events(runs: Sequence[Overview]) -> list[str]:
    """What the metrics warn of."""
    none = list[str]()
    told = [
        [run.name, f"{row['iteration']:,}", text]
        for run in runs
        for row in run.rows
        for text in _read(_notices, row, none)
    ]
    return ["<h2>Events and warnings</h2>", _table([["run", "iteration", "what"], *told[-50:]])] if told else []


def _notices(row: dict[str, Any]) -> list[str]:
    return [str(text) for text in (*row.get("events", ()), *row.get("warnings", ()))]


def _curves(runs: Sequence[Overview]) -> list[str]:
    """One picture for each kind of figure, a line for each run."""
    pictures: list[tuple[str, str, Callable[[dict[str, Any]], dict[str, float]]]] = [
        ("Exploitability", "log", lambda row: row.get("policies") or _one("", row.get("exploitability"))),
        ("Elo over the first network", "linear", lambda row: _one("", row.get("elo"))),
        ("Won from simple players, thousandths of a big blind a hand", "linear", _versus),
        ("Off by on withheld boards: equity, and distance of histograms", "log", _scores),
        ("Losses", "log", lambda row: row.get("losses") or {}),
        ("Nodes, samples, simulations and batches a second", "log", _throughput),
        ("Rows stored in buffers", "linear", _stored),
        ("Distance between the policies", "linear", lambda row: row.get("distance") or {}),
    ]
    drawn, none = [], dict[str, float]()
    for title, scale, values in pictures:
        lines: dict[str, list[tuple[float, float]]] = {}
        for run in runs:
            for row in run.rows:
                for name, value in _read(partial(_figures, values), row, none).items():
                    label = f"{run.name} {name}".strip()
                    lines.setdefault(label, []).append((float(row["iteration"]), value))
        if lines:
            drawn.append(f"<h2>{title}</h2>{_svg(lines, scale)}")
    return drawn


def _figures(values: Callable[[dict[str, Any]], dict[str, float]], row: dict[str, Any]) -> dict[str, float]:
    return {name: float(value) for name, value in values(row).items()}


def _one(name: str, value: Any) -> dict[str, float]:
    return {} if value is None else {name: float(value)}


def _throughput(row: dict[str, Any]) -> dict[str, float]:
    names = ("nodes_per_second", "samples_per_second", "simulations_per_second", "batches_per_second")
    return {name.replace("_per_second", "/s"): row[name] for name in names if row.get(name)}


def _versus(row: dict[str, Any]) -> dict[str, float]:
    return {name: won["mbb_per_hand"] for name, won in (row.get("versus") or {}).items()}


def _scores(row: dict[str, Any]) -> dict[str, float]:
    told = (row.get("scores") or {}).items()
    return {f"{street} {name.partition('_')[0]}": value for street, score in told for name, value in score.items()}


def _stored(row: dict[str, Any]) -> dict[str, float]:
    return {name: buffer["stored"] for name, buffer in (row.get("buffers") or {}).items()}


def _svg(lines: Mapping[str, Sequence[tuple[float, float]]], scale: str) -> str:
    os.environ["MPLBACKEND"] = "agg"  # whatever a notebook may have set, we draw into a file
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4), layout="constrained")
    axes = figure.subplots()
    for name, points in lines.items():
        kept = [point for point in points if scale == "linear" or point[1] > 0]
        label = name.replace("$", r"\$")  # not mathematics
        axes.plot([x for x, _ in kept], [y for _, y in kept], label=label, linewidth=1.3)
    axes.set(xlabel="iterations", yscale=scale)
    axes.grid(visible=True, alpha=0.3)
    axes.legend(fontsize="small")
    picture = io.StringIO()
    figure.savefig(picture, format="svg")
    text = picture.getvalue()
    return text[text.index("<svg") :]
