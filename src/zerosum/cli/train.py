"""`zerosum train`: a policy learnt by self-play, in a run directory that survives anything."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerosum.errors import RunError, SettingsError

if TYPE_CHECKING:
    import argparse

    from zerosum.learn.presets import AnySettings
    from zerosum.learn.watching import Trained, Watcher
    from zerosum.runs.directory import RunDirectory

# What the object at the end tells, by algorithm; others are told like deep-cfr.
FIGURES = {
    "alphazero": ("games", "simulations", "elo"),
    "cardmodel": ("scores",),
    "deep-cfr": ("nodes", "exploitability", "nash_conv", "policies"),
}


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "train",
        help="learn to play a game by self-play",
        description="Trains networks by Deep CFR, single Deep CFR, fictitious self-play or AlphaZero. Presets: "
        "kuhn-sdcfr, leduc-sdcfr, leduc-deepcfr, leduc-nfsp, leduc-paper, gomoku-5x5-4, gomoku-6x6-4, gomoku-9x9, "
        "gomoku-15x15, cardmodel, holdem-hu, holdem-hu-botzone, holdem-hu-history, sixmax. "
        "Ctrl-C once: save and leave; twice: stop now.",
    )
    parser.add_argument(
        "preset", metavar="PRESET|FILE.toml", nargs="?", help="the name of a preset, or settings of your own"
    )
    parser.add_argument(
        "--set", action="append", default=[], metavar="SECTION.KEY=VALUE", dest="changes", help="change one setting"
    )
    parser.add_argument("--out", metavar="RUN", help="the run's directory (default: runs/PRESET-1, -2, ...)")
    parser.add_argument("--resume", metavar="RUN", help="go on with the run kept here, to its own or to new limits")
    parser.add_argument("--minutes", type=float, metavar="M", help="stop after so many minutes of training in all")
    parser.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="who walks: threads, or processes on a cluster; never changes the result",
    )
    parser.add_argument("--cluster", metavar="ray|HOST:PORT", help="train on Ray: one of its own, or one that is up")
    parser.add_argument("--token", metavar="FILE", help="holds the token of the cluster to join")
    parser.add_argument("--seed", type=int, metavar="S", help="another seed than the preset's")
    parser.add_argument("--json", action="store_true", help="print one JSON object at the end")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zerosum.runs.directory import RunDirectory
    from zerosum.settings import within

    if args.workers is not None:
        within("workers", args.workers, 1, 1024)
    settings, directory = _settings(args)
    if args.resume is None:
        RunDirectory.check_new(directory.path)
    try:
        import zerosum.learn.deepcfr.training  # noqa: F401
    except ImportError:
        raise SettingsError("PyTorch is not installed, wanted the extra 'train'") from None
    from zerosum.cli.training_view import watching

    with watching(settings, args.json) as watcher:
        trained = _conducted(args, settings, directory, watcher)
    if args.json or not sys.stdout.isatty():
        print(json.dumps(_report(settings, directory, trained)))
    else:
        _print(settings, directory, trained)
    if not trained.finished:
        print(f"stopped early; go on with --resume {shlex.quote(str(directory.path))}", file=sys.stderr)
        return 130
    return 0


def _conducted(args: argparse.Namespace, settings: AnySettings, directory: RunDirectory, watcher: Watcher) -> Trained:
    """The run, by threads of this process or by actors on a cluster."""
    import os

    from zerosum.learn.alphazero import training as alphazero
    from zerosum.learn.alphazero.settings import AlphaZeroSettings
    from zerosum.learn.cardmodel import training as cardmodel
    from zerosum.learn.cardmodel.settings import CardModelSettings
    from zerosum.learn.deepcfr.crew import LocalCrew
    from zerosum.learn.deepcfr.training import conduct

    workers, new = args.workers or len(os.sched_getaffinity(0)), args.resume is None
    if args.cluster is None and args.token is not None:
        raise SettingsError("token: got one, wanted --cluster too")
    if isinstance(settings, AlphaZeroSettings):
        if args.cluster is not None:
            raise SettingsError("cluster: got alphazero, wanted sd-cfr or deep-cfr: it plays on this machine's threads")
        return alphazero.conduct(settings, directory, new, workers, watcher)
    if isinstance(settings, CardModelSettings):
        if args.cluster is not None:
            raise SettingsError("cluster: got cardmodel, wanted sd-cfr or deep-cfr: it learns on one machine")
        return cardmodel.conduct(settings, directory, new, watcher)
    if args.cluster is None:
        return conduct(settings, directory, new, LocalCrew(settings, workers), watcher)
    if args.token is not None and args.cluster == "ray":
        raise SettingsError("token: got one, wanted none: a Ray of its own has a token of its own")
    if settings.run.algorithm == "nfsp":
        raise SettingsError("run: algorithm: got nfsp, wanted sd-cfr or deep-cfr: nfsp does not walk on a cluster")
    from zerosum.learn.cluster.session import joined

    with joined(args.cluster, workers, args.token):
        from zerosum.learn.cluster.chief import conduct_on_cluster

        return conduct_on_cluster(settings, directory, new, args.workers, watcher)


def _settings(args: argparse.Namespace) -> tuple[AnySettings, RunDirectory]:
    """What to train and where: a new run, or one to go on with, whose settings but its limits stay."""
    from zerosum.learn.presets import load_any_settings
    from zerosum.runs.directory import RunDirectory

    if args.minutes is not None and any(change.startswith("run.minutes=") for change in args.changes):
        raise SettingsError("minutes: got --minutes and --set run.minutes, wanted one of them")
    changes = [*args.changes, *([] if args.minutes is None else [f"run.minutes={args.minutes}"])]
    if args.resume is None:
        if args.preset is None:
            raise SettingsError("got no preset, wanted one such as leduc-sdcfr, a FILE.toml or --resume RUN")
        settings = _spelt_out(load_any_settings(args.preset, changes, args.seed))
        return settings, RunDirectory(Path(_next_free(Path(args.preset).stem) if args.out is None else args.out))
    if args.out is not None and args.out != args.resume:
        raise RunError("got both --out and --resume, wanted one of them: a run goes on in its own directory")
    return _resumed(args, changes)


def _spelt_out(settings: AnySettings) -> AnySettings:
    """With the game's name as it names itself."""
    from zerosum.games.catalog import load_game

    run: Any = replace(settings.run, game=load_game(settings.run.game).spec())
    return replace(settings, run=run)


def _resumed(args: argparse.Namespace, changes: list[str]) -> tuple[AnySettings, RunDirectory]:
    from zerosum.learn.alphazero.settings import LIMITS as ALPHAZERO_LIMITS
    from zerosum.learn.alphazero.settings import AlphaZeroSettings
    from zerosum.learn.cardmodel.settings import LIMITS as CARDMODEL_LIMITS
    from zerosum.learn.cardmodel.settings import CardModelSettings
    from zerosum.learn.deepcfr.settings import LIMITS
    from zerosum.learn.presets import load_any_settings, settings_kind
    from zerosum.runs.directory import RunDirectory

    directory, begun = RunDirectory.open_any(args.resume, settings_kind)
    if args.preset is None:
        settings = load_any_settings(str(directory.path / "settings.toml"), changes, args.seed)
    else:
        settings = _spelt_out(load_any_settings(args.preset, changes, args.seed))
    if type(settings) is not type(begun):
        raise RunError(f"{args.resume}: a run of {begun.run.algorithm}, got {settings.run.algorithm}")
    limits = next(
        (
            names
            for kind, names in ((AlphaZeroSettings, ALPHAZERO_LIMITS), (CardModelSettings, CARDMODEL_LIMITS))
            if isinstance(settings, kind)
        ),
        LIMITS,
    )
    for section, values in asdict(settings).items():
        for key, value in values.items():
            old = getattr(getattr(begun, section), key)
            if value != old and not (section == "run" and key in limits):
                raise RunError(f"{args.resume}: a run with {section}.{key} = {old}, got {value}")
    return settings, directory


def _next_free(name: str) -> str:
    number = 1
    while (Path("runs") / f"{name}-{number}").exists():
        number += 1
    return str(Path("runs") / f"{name}-{number}")


def _report(settings: AnySettings, directory: RunDirectory, trained: Trained) -> dict[str, Any]:
    """What the run is, and the figures of its last row that its kind has."""
    row = trained.row
    own = FIGURES.get(settings.run.algorithm, FIGURES["deep-cfr"])
    missing = {"nodes": 0, "games": 0, "simulations": 0, "elo": 0.0}
    return {
        "run": str(directory.path),
        "game": settings.run.game,
        "algorithm": settings.run.algorithm,
        "seed": settings.run.seed,
        "iterations": row.get("iteration", 0),
        **{name: row.get(name, missing.get(name)) for name in own},
        "seconds": row.get("seconds", 0.0),
        "weights_sha256": trained.weights_hash,
        "finished": trained.finished,
    }


def _print(settings: AnySettings, directory: RunDirectory, trained: Trained) -> None:
    from zerosum.cli.console import number

    row = trained.row
    if "scores" in row:
        _print_scores(directory, row)
        return
    unit = "games" if settings.run.algorithm == "alphazero" else "nodes"
    work = f"{row.get(unit, 0):,} {unit}"
    print(f"{directory.path}: {row.get('iteration', 0):,} iterations, {work}, {row.get('seconds', 0):.0f} s")
    if "elo" in row:
        print(f"  {row['generation']} networks took over, {row['elo']:+.0f} Elo in all")
    for name, value in (row.get("policies") or {}).items():
        print(f"  {name}: exploitability {number(value)}")
    if "nash_conv" in row:
        print(f"  NashConv {number(row['nash_conv'])}")
    print(f"  weights sha256 {trained.weights_hash}")
    where = shlex.quote(str(directory.path))
    looks = f"zerosum evaluate {where}, zerosum show {where}"
    if "versus" in row:  # hold'em cannot be listed
        looks = f"zerosum play {settings.run.game} --against {where}"
    print(f"look at it with: {looks}, zerosum report {where}")


def _print_scores(directory: RunDirectory, row: dict[str, Any]) -> None:
    """What CardModel is worth on boards that were withheld."""
    print(f"{directory.path}: {row['iteration']:,} iterations, {row['seconds']:.0f} s")
    for street, score in row["scores"].items():
        wrong, far = score["equity_error"], score["histogram_distance"]
        print(f"  {street}: equity off by {wrong:.4f}, histograms {far:.4f} apart, on withheld boards")
