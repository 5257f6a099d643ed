"""docs/results/holdem-hu: what `heads_up_results.py` printed, as tables and a picture.

python benchmarks/heads_up_page.py docs/results/holdem-hu rows.jsonl ...
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

Row = dict[str, Any]
INTRO = """# How strong the networks of heads-up hold'em are

Made by `python benchmarks/heads_up_results.py` and `heads_up_page.py`. Thousandths of a big blind a hand with 95 %
intervals; matches are of duplicate hands with all-in and AIVAT corrections; a policy's small chances are dropped as in
play (`denoise_below` of its header: under 3 %, of the history network under 25 %).

"""


def told(row: Row | None) -> str:
    return "" if row is None else f"{row['mbb_per_hand']:+,.0f} ± {row['ci95']:,.0f}"


def name_of(policy: str) -> str:
    return Path(policy).name


def match_table(rows: list[Row]) -> str:
    """A line for each opponent, a column for each policy."""
    found = {(name_of(row["policy"]), row["against"]): row for row in rows}
    policies = list(dict.fromkeys(name for name, _ in found))
    lines = [f"| against | {' | '.join(policies)} | hands |", f"| --- |{' ---: |' * (len(policies) + 1)}"]
    for other in dict.fromkeys(other for _, other in found):
        cells = [found.get((name, other)) for name in policies]
        hands = max(row["hands"] for row in cells if row is not None)
        lines.append(f"| `{other}` | {' | '.join(map(told, cells))} | {hands:,} |")
    return "\n".join(lines)


def lbr_table(rows: list[Row]) -> str:
    """A line for each policy and iteration, a column for each form."""
    found: dict[tuple[str, Any], dict[str, Row]] = {}
    for row in rows:
        found.setdefault((name_of(row["policy"]), row["iterations"]), {})[row["form"]] = row
    lines = [
        "| policy | iterations | checks and calls | bets from the menu | hands |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for (name, iterations), forms in found.items():
        hands = max(row["hands"] for row in forms.values())
        cells = [told(forms.get(form)) for form in ("check and call", "bet menu")]
        lines.append(f"| `{name}` | {iterations or ''} | {' | '.join(cells)} | {hands:,} |")
    return "\n".join(lines)


def picture(rows: list[Row], path: Path) -> None:
    """Local best response along runs, both forms."""
    os.environ["MPLBACKEND"] = "agg"
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    lines: dict[str, list[Row]] = {}
    for row in rows:
        if row["iterations"] is not None:
            lines.setdefault(f"{name_of(row['policy'])}, {row['form']}", []).append(row)
    for name, line in lines.items():
        values = [[row[key] for row in line] for key in ("iterations", "mbb_per_hand", "ci95")]
        axes.errorbar(values[0], values[1], yerr=values[2], label=name, capsize=2, linewidth=1.2)
    axes.set(xscale="log", xlabel="iterations", ylabel="local best response wins, mbb/hand")
    axes.grid(visible=True, alpha=0.3)
    axes.legend(fontsize="small")
    figure.savefig(path)


def main() -> int:
    out, *files = map(Path, sys.argv[1:])
    rows = [json.loads(line) for file in files for line in file.read_text().splitlines() if line.strip()]
    matches, lbr = [row for row in rows if "against" in row], [row for row in rows if "form" in row]
    out.with_suffix(".json").write_text(json.dumps(rows, indent=1) + "\n")
    picture(lbr, out.with_suffix(".svg"))
    parts = [
        INTRO,
        "## Matches\n\n" + match_table(matches),
        "\n\n## Local best response\n\nA lower bound on what a best response would win; the same deals for each. "
        "Rows of a policy\nwith several numbers of iterations are of runs of one command, which go the same way to the "
        "bit.\n\n",
        f"{lbr_table(lbr)}\n\n![local best response against iterations]({out.name}.svg)\n",
    ]
    out.with_suffix(".md").write_text("".join(parts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
