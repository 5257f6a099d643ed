"""`zerosum VERB ...`: finds the verb, and turns what went wrong into one line and exit code 2."""

from __future__ import annotations

import argparse
import os
import re
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from zerosum import __version__
from zerosum.cli import (
    bot,
    cards,
    cluster,
    dealer,
    demo,
    equity,
    evaluate,
    export,
    games,
    judge,
    match,
    perft,
    play,
    replay,
    report,
    runs,
    show,
    solve,
    tournament,
    train,
)
from zerosum.errors import ZerosumError

if TYPE_CHECKING:
    from collections.abc import MutableMapping

VERBS = (
    *(games, solve, train, cluster, runs, report, evaluate, show, match, tournament),
    *(play, export, bot, dealer, judge, replay, perft, equity, cards, demo),
)


class _Parser(argparse.ArgumentParser):
    """Argparse, with one line for an error; `-1,0` is a word that starts with a number and no option."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._negative_number_matcher = re.compile(r"-\d")
        self.register("type", int, _whole_number)
        self.register("type", float, _number)

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {' '.join(message.split())} (see {self.prog} --help)\n")


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"got {text[:40]!r}, wanted a whole number") from None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"got {text[:40]!r}, wanted a number") from None


def wait_without_spinning(environ: MutableMapping[str, str]) -> None:
    """PyTorch's threads wait for each other at the end of every loop they share. By default (libgomp's) each of them
    spins 300,000 times before it sleeps; where another program has the processor that the last thread needs, that time
    is lost, again and again. How they wait changes no result. It has to be said before PyTorch is loaded; processes
    that this one starts inherit it, Ray's among them. Who has said how to wait is left alone.
    """
    if not {"GOMP_SPINCOUNT", "OMP_WAIT_POLICY"} & set(environ):
        environ["OMP_WAIT_POLICY"] = "passive"


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = _Parser(prog="zerosum", description="Learn to play zero-sum games, and prove how well.")
    top.add_argument("--version", action="version", version=f"zerosum {__version__}")
    verbs = top.add_subparsers(dest="verb", metavar="VERB", required=True)
    for verb in VERBS:
        verb.add_parser(verbs)
    return top


def main(arguments: list[str] | None = None) -> NoReturn:
    """Runs a command and exits."""
    wait_without_spinning(os.environ)
    args = parser().parse_args(arguments)
    try:
        if sys.stdout is None:
            raise OSError(0, "it is closed")
        code = args.run(args)
        sys.stdout.flush()
    except ZerosumError as error:
        code = _refuse(args.verb, str(error))
    except MemoryError:
        code = _refuse(args.verb, "not enough memory")
    except KeyboardInterrupt:
        print(f"zerosum {args.verb}: interrupted", file=sys.stderr)
        code = 130
    except BrokenPipeError:  # the reader, `head` say, had enough
        _silence_stdout()
        code = 0
    except OSError as error:
        _silence_stdout()
        code = _refuse(args.verb, f"the output cannot be written ({error.strerror})")
    sys.exit(code)


def _refuse(verb: str, message: str) -> int:
    print(f"zerosum {verb}: {' '.join(message.split())}", file=sys.stderr)
    return 2


def _silence_stdout() -> None:
    """So that nothing is tried again, and fails again, at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
