"""`zerosum export POLICY --to bin | onnx | cpp`: a heads-up policy for elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

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
    from zerosum.runs.files import check_writable, make_directory

    if args.embed and args.to != "cpp":
        raise SettingsError(f"export: got --embed with --to {args.to}, wanted --to cpp")
    check_writable(args.out)
    policy = heads_up_policy(args.policy, args.game)
    out = make_directory(args.out)
    files = _cpp(policy, args.policy, out, args.embed) if args.to == "cpp" else _networks(policy, out, args.to)
    for path in files:
        print(f"{path}: {path.stat().st_size:,} bytes")
    return 0


def _networks(policy: HeadsUpPolicy, out: Path, kind: str) -> list[Path]:
    from zerosum.export import export_weights_bin
    from zerosum.runs.files import write_atomically

    paths = [out / f"card_model.{kind}", out / f"cfr_net.{kind}"]
    if kind == "bin":
        for path, network in zip(paths, (policy.cards, policy.network), strict=True):
            export_weights_bin(network, path)
        return paths
    from zerosum.export.onnx import onnx_models

    for path, model in zip(paths, onnx_models(policy), strict=True):
        write_atomically(path, model)
    return paths


def _cpp(policy: HeadsUpPolicy, name: str, out: Path, embed: bool) -> list[Path]:
    from zerosum.export.bot import bot_source
    from zerosum.runs.files import make_directory, write_atomically

    source, about = bot_source(policy, name, embed=embed)
    path = out / "bot.cpp"
    write_atomically(path, source.encode())
    if embed:
        print(f"embedded: {about}")
        return [path]
    return [path, *_networks(policy, make_directory(out / "data"), "bin")]
