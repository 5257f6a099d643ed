"""How strong policies for heads-up hold'em are, for docs/results: matches, and local best response along a run.

    python benchmarks/heads_up_results.py matches holdem-hu holdem-hu-history --hands 50000
    python benchmarks/heads_up_results.py lbr RUN --hands 300       # every policy that the run measured
    python benchmarks/heads_up_results.py lbr RUN --after 20 --after 60      # those after so many iterations
    python benchmarks/heads_up_results.py lbr call equity --hands 600

Each line that is printed is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from zerosum.evaluate.lbr import local_best_response
from zerosum.evaluate.match import play_match
from zerosum.evaluate.roster import entrant, entrants
from zerosum.games.catalog import load_game
from zerosum.games.holdem import Holdem
from zerosum.policy.headers import find_header, read_header, shipped_names

OPPONENTS = ("uniform", "random", "call", "all-in", "pot", "tight-aggressive", "loose-passive", "equity")
FORMS = {"check and call": False, "bet menu": True}


def game_of(name: str) -> Holdem:
    saved = Path(name).is_dir() or name in shipped_names()
    game = load_game(str(read_header(find_header(name))["game"]) if saved else "holdem")
    assert isinstance(game, Holdem)
    return game


def say(row: dict[str, Any]) -> None:
    print(json.dumps(row), flush=True)


def matches(names: list[str], hands: int, against: list[str]) -> None:
    """Each policy against every scripted player, or against those that are named."""
    for name in names:
        game = game_of(name)
        for other in against or OPPONENTS:
            start = time.process_time()
            result = play_match(game, entrants([name, other], game), hands=hands, seed=1, threads=1)
            ours = result.players[0]
            told = {"policy": name, "game": game.spec(), "against": other, "hands": result.hands}
            seconds = time.process_time() - start
            say({**told, "mbb_per_hand": ours.mbb_per_hand, "ci95": ours.ci95, "processor_seconds": seconds})


def lbr(names: list[str], hands: int, after: list[int]) -> None:
    """Local best response, both forms, of a policy or of what a run measured, after so many iterations or all; the same
    deals for each.
    """
    for name in names:
        measured = sorted((Path(name) / "measured").glob("*")) if Path(name).is_dir() else []
        measured = [place for place in measured if not after or int(place.name) in after]
        for place in map(str, measured) if measured else [name]:
            game = game_of(place)
            policy = entrant(place, game).policy
            assert policy is not None
            iterations = read_header(find_header(place)).get("iterations") if Path(place).is_dir() else None
            for form, bets in FORMS.items():
                start = time.process_time()
                found = local_best_response(game, policy, deals=hands // 2, bets=bets, seed=1)
                told = {"policy": name, "iterations": iterations, "form": form, "hands": found.hands}
                seconds = time.process_time() - start
                say({**told, "mbb_per_hand": found.mbb_per_hand, "ci95": found.ci95, "processor_seconds": seconds})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("matches", "lbr"))
    parser.add_argument("names", nargs="+", metavar="POLICY|RUN")
    parser.add_argument("--hands", type=int, default=50_000)
    parser.add_argument("--against", action="append", default=[], metavar="PLAYER")
    parser.add_argument("--after", action="append", default=[], type=int, metavar="ITERATIONS")
    args = parser.parse_args()
    if args.what == "matches":
        matches(args.names, args.hands, args.against)
    else:
        lbr(args.names, args.hands, args.after)
    return 0


if __name__ == "__main__":
    sys.exit(main())
