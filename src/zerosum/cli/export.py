"""`zerosum export POLICY --to bin | onnx | cpp`: a heads-up policy for elsewhere."""

from __future__ import annotations

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
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zerosum.cli.heads_up_policies import heads_up_policy
    from zerosum.errors import SettingsError
    from zerosum.runs.files import check_writable

    if args.embed and args.to != "cpp":
        raise SettingsError(f"export: got --embed with --to {args.to}, wanted --to cpp")
    check_writable(Path(args.out).absolute() if args.out else "")
    policy = heads_up_policy(args.policy, args.game)
    for path in export_policy(policy, args.policy, args.to, args.out, embed=args.embed):
        print(f"{path}: {path.stat().st_size:,} bytes")
    return 0


def export_policy(
    policy: HeadsUpPolicy, name: str, to: str, directory: str | Path, *, embed: bool = False
) -> list[Path]:
    """Writes the files of a format, once all of them are made; returns their paths."""
    from zerosum.runs.files import make_directory, write_atomically

    files = _cpp(policy, name, embed) if to == "cpp" else _networks(policy, to)
    out = make_directory(directory)
    for file, data in files.items():
        make_directory((out / file).parent)
        write_atomically(out / file, data)
    return [out / file for file in files]


def _networks(policy: HeadsUpPolicy, kind: str) -> dict[str, bytes]:
    """Both networks, by the names of their files."""
    if kind == "bin":
        from zerosum.export.weights import tensors_of, weights_bin

        cards, network = (weights_bin(tensors_of(one)) for one in (policy.cards, policy.network))
    else:
        from zerosum.export.onnx import onnx_models

        cards, network = onnx_models(policy)
    return {f"card_model.{kind}": cards, f"cfr_net.{kind}": network}


def _cpp(policy: HeadsUpPolicy, name: str, embed: bool) -> dict[str, bytes]:
    from zerosum.export.bot import bot_source

    source, about = bot_source(policy, name, embed=embed)
    if embed:
        print(f"embedded: {about}")
        return {"bot.cpp": source.encode()}
    weights = {f"data/{file}": data for file, data in _networks(policy, "bin").items()}
    return {"bot.cpp": source.encode(), **weights}
