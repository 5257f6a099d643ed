"""`zerosum report`: runs as one self-contained page."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "report",
        help="runs as one self-contained page: curves, settings, evaluation",
        description="Writes one HTML file, with everything in it, that shows runs side by side.",
    )
    parser.add_argument("runs", metavar="RUN", nargs="+", help="run directories")
    parser.add_argument("--out", metavar="FILE.html", default="report.html", help="default: report.html")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zerosum.evaluate.distances import farthest_apart
    from zerosum.runs.overview import overview
    from zerosum.runs.report import check_report_path, write_report

    check_report_path(args.out)
    found = [overview(path) for path in args.runs]
    apart = {one.path: farthest_apart(one.path) for one in found}
    write_report(args.out, found, apart)
    print(f"report: {args.out}")
    return 0
