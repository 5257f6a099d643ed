"""`zerosum show` for a board: what the search looks at after some moves, in words, as JSON, or drawn.

Shown is a search without proofs: one that proves its root stops there, and there would be nothing to see. A second one,
as it plays, says what is certain.
"""

from __future__ import annotations

import html
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerosum.errors import RuleError, SettingsError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from zerosum.games.gomoku import Gomoku, GomokuState
    from zerosum.policy.board_network import BoardNetwork
    from zerosum.search.mcts import Searcher

WIDE, DEEP = 4, 3  # moves and plies of the tree that is shown
BOX, GAP, ROW = 150, 12, 96  # of the drawing, in pixels
SURE = {1: "wins", 0: "draws", -1: "loses"}


def run(args: argparse.Namespace) -> int:
    from zerosum.cli.board_players import board_network
    from zerosum.runs.files import check_writable, write_atomically
    from zerosum.settings import within

    if args.csv or args.infoset is not None:
        raise SettingsError("got --csv or --infoset, wanted --moves, --tree or --json for a policy of gomoku")
    if args.tree is not None:
        if Path(args.tree).suffix.lower() != ".svg":
            raise SettingsError(f"{args.tree}: got a file ending in {Path(args.tree).suffix!r}, wanted .svg")
        check_writable(Path(args.tree).absolute().parent)
    simulations = 400 if args.simulations is None else args.simulations
    within("simulations", simulations, 1, 10**8)
    policy = board_network(args.policy)
    state = position(policy.game, args.moves or "")
    tree = looked_at(policy, state, simulations)
    if args.tree is not None:
        write_atomically(args.tree, svg(tree).encode())
    if args.json:
        print(json.dumps({"game": policy.game.spec(), "moves": args.moves or "", **tree}))
        return 0
    from zerosum.cli.play_gomoku import draw, visits

    print(draw(state))
    who = "XO"[len(state.moves) % 2]
    figures = f"{visits(tree['visits'])}, value {tree['value']:+.3f}, the network alone {tree['network']:+.3f}"
    print(f"{who} to move: {figures}")
    if tree["certain"] is not None:
        print(f"certain: {who} {SURE[tree['certain']]}")
    print(f"with proofs it plays {tree['plays']}")
    _print(tree, 0)
    if args.tree is not None:
        print(f"drawn in {args.tree}")
    return 0


def position(game: Gomoku, text: str) -> GomokuState:
    """After moves such as `2,2 3,3`."""
    from zerosum.games.protocol import TERMINAL

    state = game.root()
    for word in text.split():
        state = state.child(game.cell_named(word))
    if state.actor == TERMINAL:
        raise RuleError(f"{text}: the game is over, wanted a position with a move to make")
    return state


def looked_at(policy: BoardNetwork, state: GomokuState, simulations: int) -> dict[str, Any]:
    """The tree of a search without proofs, and what one with proofs knows for certain of its root and moves."""
    from zerosum.cli.board_players import play_settings, searcher

    playing = play_settings(simulations)
    search, prover = (
        searcher(policy, settings)
        for settings in (replace(playing, prove=False, forced_nodes=0, threat_nodes=0), playing)
    )
    for one in (search, prover):
        one.go_to(state.moves)
        one.think(simulations)
    tree, proved = subtree(search, policy.game, ()), prover.node()
    certain = {policy.game.cell_name(move.cell): move.certain for move in proved.moves}
    for child in tree["children"]:
        if (sure := certain[child["move"]]) is not None:
            child.update(certain_to_mover=sure, certain=-sure)
    return {**tree, "certain": proved.certain, "plays": policy.game.cell_name(prover.best())}


def subtree(search: Searcher, game: Gomoku, path: Sequence[int]) -> dict[str, Any]:
    """A node and its most visited moves, a few plies deep. A move's visits are those through it, its `value_to_mover`
    is to the one who makes it; the other values are to the side to move after it.
    """
    node = search.node(path)
    below = []
    for move in node.moves[:WIDE] if len(path) < DEEP else []:
        if move.visits == 0:
            continue
        after = subtree(search, game, (*path, move.cell))
        below.append(
            {
                "move": game.cell_name(move.cell),
                "prior": move.prior,
                "value_to_mover": move.value,
                "certain_to_mover": None if after["certain"] is None else -after["certain"],
                **after,
                "visits": move.visits,
            }
        )
    asked = node.visits > 0 or node.certain is None
    told = {
        "visits": node.visits,
        "value": node.value if asked else node.certain,
        "network": node.network_value if asked else None,
        "certain": node.certain,
    }
    return {**told, "children": below}


def _print(tree: dict[str, Any], depth: int) -> None:
    for child in tree["children"]:
        sure = "" if child["certain_to_mover"] is None else f"  {SURE[child['certain_to_mover']]}"
        figures = f"visits {child['visits']:>6,}  prior {child['prior']:.3f}  value {child['value_to_mover']:+.3f}"
        print(f"{'  ' * depth}{child['move']:>{7}}  {figures}{sure}")
        _print(child, depth + 1)


def svg(tree: dict[str, Any]) -> str:
    """The tree from left to right, thicker where there are more visits."""
    boxes: list[str] = []
    lines: list[str] = []
    height = _place(tree, 0, 0, boxes, lines, max(tree["visits"], 1)) * ROW
    width = (DEEP + 1) * (BOX + 5 * GAP)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height + GAP}" font-family="sans-serif" '
        f'font-size="12"><rect width="100%" height="100%" fill="white"/>{"".join(lines)}{"".join(boxes)}</svg>\n'
    )


def _place(tree: dict[str, Any], depth: int, row: float, boxes: list[str], lines: list[str], most: int) -> float:
    """Draws a node beside the rows its children take; returns how many those are."""
    x, taken, own = GAP + depth * (BOX + 5 * GAP), 0.0, row
    y = GAP + own * ROW
    for child in tree["children"]:
        to = GAP + (row + taken) * ROW
        share = child["visits"] / most
        lines.append(
            f'<path d="M{x + BOX} {y + 36} C{x + BOX + 30} {y + 36} {x + BOX + 30} {to + 36} {x + BOX + 60} {to + 36}" '
            f'fill="none" stroke="#888" stroke-width="{1 + 9 * share:.1f}"/>'
        )
        taken += _place(child, depth + 1, row + taken, boxes, lines, most)
    words = [tree.get("move", "root"), f"visits {tree['visits']:,}"]
    if "prior" in tree:
        words += [f"prior {tree['prior']:.3f}", f"value {tree['value_to_mover']:+.3f}"]
        sure = tree["certain_to_mover"]
    else:
        words += [f"value {tree['value']:+.3f}"]
        sure = tree["certain"]
    words[0] += "" if sure is None else f" {SURE[sure]}"
    told = "".join(
        f'<text x="{x + 8}" y="{y + 16 + 16 * number}">{html.escape(word)}</text>' for number, word in enumerate(words)
    )
    boxes.append(f'<rect x="{x}" y="{y}" width="{BOX}" height="{ROW - 20}" rx="6" fill="#f4f1e8" stroke="#666"/>{told}')
    return max(taken, 1.0)
