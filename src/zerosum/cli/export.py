"""`zerosum export POLICY --to bin | onnx | cpp`: a heads-up policy for elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from zerosum.policy.heads_up import HeadsUpPolicy

FORMATS = ("bin", "onnx", "cpp")


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "export",
        help="a heads-up hold'em policy as weights, as ONNX, or as a bot in one C++ file",
        description="bin: card_model.bin and cfr_net.bin. onnx: card_model.onnx and cfr_net.onnx, checked with ONNX "
        "Runtime. cpp: bot.cpp, for g++ -O2 -std=c++17, with its weights in data/ or, with --embed, in itself.",
    )
    parser.add_argument(
        "policy", metavar="POLICY", help="a policy's or a run's directory, a name that comes along, or untrained:SEED"
    )
    parser.add_argument("--to", choices=FORMATS, required=True, help="what to write")
    parser.add_argument("--embed", action="store_true", help="cpp: put the weights into the source, in 8 or 16 bits")
    parser.add_argument("--out", metavar="DIR", required=True, help="where to write it")
    parser.add_argument("--game", metavar="GAME", help="what an untrained policy plays (default holdem)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zerosum.cli.heads_up_policies import heads_up_policy
    from zerosum.errors import SettingsError
    from zerosum.runs.files import check_writable

    if args.embed and args.to != "cpp":
        raise SettingsError(f"export: got --embed with --to {args.to}, wanted --to cpp")
    check_writable(Path(args.out).absolute() if args.out else "")
    policy = heads_up_policy(args.policy, args.game)
    paths, about = export_policy(policy, args.policy, args.to, args.out, embed=args.embed)
    sizes = {str(path): path.stat().st_size for path in paths}
    if args.json:
        packed = {"embedded": about} if about else {}
        print(json.dumps({"policy": args.policy, "to": args.to, "files": sizes, **packed}))
        return 0
    if about:
        print(f"embedded: {about}")
    for path, size in sizes.items():
        print(f"{path}: {size:,} bytes")
    return 0


def export_policy(
    policy: HeadsUpPolicy, name: str, to: str, directory: str | Path, *, embed: bool = False
) -> tuple[list[Path], str]:
    """Writes the files of a format, all or none; returns their paths, and how weights in a source are packed."""
    from zerosum.runs.files import write_together

    files, about = _cpp(policy, name, embed) if to == "cpp" else (_networks(policy, to), "")
    paths = {Path(directory) / file: data for file, data in files.items()}
    write_together(paths)
    return list(paths), about


def _networks(policy: HeadsUpPolicy, kind: str) -> dict[str, bytes]:
    """Both networks, by the names of their files."""
    if kind == "bin":
        from zerosum.export.weights import tensors_of, weights_bin

        cards, network = (weights_bin(tensors_of(one)) for one in (policy.cards, policy.network))
    else:
        from zerosum.export.onnx import onnx_models

        cards, network = onnx_models(policy)
    return {f"card_model.{kind}": cards, f"cfr_net.{kind}": network}


def _cpp(policy: HeadsUpPolicy, name: str, embed: bool) -> tuple[dict[str, bytes], str]:
    from zerosum.export.bot import bot_source

    source, about = bot_source(policy, name, embed=embed)
    weights = {} if embed else {f"data/{file}": data for file, data in _networks(policy, "bin").items()}
    return {"bot.cpp": source.encode(), **weights}, about
