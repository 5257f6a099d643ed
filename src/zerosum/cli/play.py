"""`zerosum play`: a table or a board in the terminal, against scripted players or a network."""

from __future__ import annotations

import re
import secrets
from typing import TYPE_CHECKING

from zerosum.cli.leaving import LeaveError
from zerosum.errors import GameError, PolicyError, RuleError, SettingsError

if TYPE_CHECKING:
    import argparse

    from zerosum.games.gomoku import Gomoku
    from zerosum.games.holdem import Holdem
    from zerosum.native import HoldemHand
    from zerosum.policy.heads_up import HeadsUpPolicy
    from zerosum.policy.player import Player

HELP = "f fold, c check or call, h half pot, p pot, a all-in, a number: bet or raise to; q to leave"


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from zerosum.cli.play_gomoku import HELP as BOARD_HELP

    parser = verbs.add_parser(
        "play",
        help="play hold'em or Gomoku in the terminal",
        description=f"At the table: {HELP}. On the board: {BOARD_HELP}.",
    )
    parser.add_argument(
        "game", metavar="GAME", help="holdem, sixmax, gomoku:size=6,line=4, or with settings: holdem:players=3"
    )
    known = "hold'em: random, call, fold, all-in, pot, tight-aggressive (default), loose-passive, equity or a policy"
    parser.add_argument(
        "--against",
        metavar="NAME",
        help=f"{known}; Gomoku: a policy, random, greedy, mcts:N, alphabeta:DEPTH (default: one that comes along)",
    )
    parser.add_argument(
        "--advice", action="store_true", help="heads-up hold'em: shows equity and what networks would do in your place"
    )
    parser.add_argument("--seed", type=int, help="hold'em: for the same cards again")
    parser.add_argument("--hands", type=int, metavar="N", help="hold'em: leave after so many hands")
    time = parser.add_mutually_exclusive_group()
    time.add_argument("--simulations", type=int, metavar="N", help="Gomoku: searched for a move (default 400)")
    time.add_argument("--think-ms", type=int, metavar="T", help="Gomoku: thought about a move, milliseconds")
    parser.add_argument("--second", action="store_true", help="Gomoku: the other side begins")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zerosum import load_game
    from zerosum.cli.speaking import check_someone_speaks
    from zerosum.games.gomoku import Gomoku
    from zerosum.games.holdem import Holdem
    from zerosum.settings import within

    check_someone_speaks()
    game = load_game(args.game)
    if isinstance(game, Gomoku):
        return _play_gomoku(args, game)
    for name in ("simulations", "think_ms", "second"):
        if getattr(args, name):
            raise SettingsError(f"{name.replace('_', '-')}: got {getattr(args, name)}, wanted a game of gomoku for it")
    if not isinstance(game, Holdem):
        raise GameError(f"{args.game}: got a game without a table, wanted holdem, sixmax, flop-holdem or gomoku")
    opponent = _opponent("tight-aggressive" if args.against is None else args.against, game)
    advises = None
    if args.advice:
        from zerosum.cli.advice import adviser

        advises = adviser(args.against, game)
    seed = secrets.randbits(32) if args.seed is None else args.seed
    within("seed", seed, 0, 2**64 - 1)
    if args.hands is not None:
        within("hands", args.hands, 1, 10**9)
    print(f"{game.spec()} against {opponent.name}, seed {seed}. {HELP}.")
    _Table(game, opponent, seed, advises).sit(args.hands)
    return 0


def _opponent(name: str, game: Holdem) -> Player:
    """Who follows a script, or networks."""
    from zerosum.evaluate.roster import entrant
    from zerosum.policy.scripted import SCRIPTS, scripted_player
    from zerosum.protocols.program import AcpcProgram

    if name in SCRIPTS:
        return scripted_player(name)
    player = entrant(name, game).player
    if player is None or isinstance(player, AcpcProgram):
        raise SettingsError(f"against: got {name}, wanted a scripted player or a policy for {game.spec()}")
    return player


def _play_gomoku(args: argparse.Namespace, game: Gomoku) -> int:
    from zerosum.cli.board_players import board_network, network_along, play_settings, searcher
    from zerosum.cli.play_gomoku import HELP as BOARD_HELP
    from zerosum.cli.play_gomoku import GomokuTable
    from zerosum.search.classical import ClassicalPlayer, is_classical
    from zerosum.settings import within

    for name in ("seed", "hands", "advice"):
        if getattr(args, name):
            raise SettingsError(f"{name}: got {getattr(args, name)}, wanted a game of hold'em for it")
    if args.simulations is not None:
        within("simulations", args.simulations, 1, 10**8)
    if args.think_ms is not None:
        within("think-ms", args.think_ms, 1, 3_600_000)
    name, opponent = args.against, None
    if name is not None and is_classical(name):
        opponent = ClassicalPlayer(name, secrets.randbits(31))
        opponent.start(game)
    policy = network_along(game) if name is None or opponent is not None else board_network(name)
    if policy is None and opponent is None:
        raise PolicyError(f"no policy for {game.spec()} comes along, wanted --against POLICY; train one: zerosum train")
    if policy is not None and name is not None and opponent is None:
        policy.check_plays(game, name)
    search = None if policy is None else searcher(policy, play_settings(args.simulations), game=game)
    print(f"{game.spec()}: {BOARD_HELP}.")
    if policy is not None and policy.game != game:
        print(f"The network learnt {policy.game.spec()}; elsewhere it is weaker.")
    seconds = None if args.think_ms is None else args.think_ms / 1000
    GomokuTable(game, search, opponent, seconds, args.simulations, 1 if args.second else 0).sit()
    return 0


class _Table:
    def __init__(self, game: Holdem, opponent: Player, seed: int, advises: HeadsUpPolicy | None) -> None:
        from random import Random

        self.advises = advises
        self.game, self.opponent, self.seed = game, opponent, seed
        self.luck = Random(seed)
        self.big = max(game.amounts()[1])
        self.won, self.played = 0.0, 0

    def sit(self, hands: int | None) -> None:
        try:
            while hands is None or self.played < hands:
                self._play(self.played)
        except (LeaveError, EOFError):
            print()
        print(f"{self.played} {'hand' if self.played == 1 else 'hands'}, {self.won / self.big:+,.2f} big blinds")

    def _play(self, number: int) -> None:
        from zerosum.games.holdem.telling import cards_text, tell_end

        me = number % self.game.players  # seats move on with the button
        names = ["you" if seat == me else f"seat {seat + 1}" for seat in range(self.game.players)]
        hand, told = self.game.deal(self.seed, number), 0
        held = cards_text(hand.hole(me))
        print(f"\nhand {number + 1}: you are seat {me + 1} of {self.game.players}, holding {held}")
        asked = False
        once = [self.luck.random() for _ in names]
        while hand.actor >= 0:
            view = hand.view(hand.actor)
            if hand.actor == me:
                told = self._tell(hand, names, told)
                hand = self._ask(hand, me)
                asked = True
            else:
                hand = hand.act(self.opponent.act([view], [self.luck.random()], [once[hand.actor]])[0])
        self._tell(hand, names, told)
        for line in tell_end(hand, names):
            print(f"  {line}")
        print(f"  {hand.returns()[me] / self.big:+,.2f} big blinds")
        self.won += hand.returns()[me]
        self.played += 1
        if not asked and input("  enter for the next hand> ").strip().lower() in ("q", "quit"):
            raise LeaveError

    def _tell(self, hand: HoldemHand, names: list[str], told: int) -> int:
        from zerosum.games.holdem.telling import tell

        for line in tell(hand, names, since=told):
            print(f"  {line}")
        return len(hand.events())

    def _ask(self, hand: HoldemHand, me: int) -> HoldemHand:
        from zerosum.games.holdem.telling import chips_text

        fold, call, raises, low, high = hand.limits()
        offers = ["f fold"] * fold + [f"c call {chips_text(call)}" if call else "c check"]
        sizes = self._sizes(hand.pot + call, max(hand.bets), low, high)
        word = "raise to" if max(hand.bets) else "bet"
        if raises and low < high:
            named = ", ".join(f"{letter} {chips_text(to)}" for letter, to in sizes.items())
            offers.append(f"{word} {chips_text(low)} to {chips_text(high)} ({named})")
        elif raises:
            offers.append(f"a {word} {chips_text(high)}")
        stacks = f"you have {chips_text(hand.stacks[me])}"
        if self.game.players == 2:
            stacks += f", they have {chips_text(hand.stacks[1 - me])}"
        print(f"  pot {chips_text(hand.pot)}, {stacks}: {', '.join(offers)}")
        if self.advises is not None:
            from zerosum.cli.advice import advice_text

            print(f"  {advice_text(self.advises, hand.view(me))}")
        while True:
            text = input("> ").strip().lower()
            try:
                return hand.act(self._action(text, sizes))
            except RuleError as error:
                print(f"  {error}")

    @staticmethod
    def _sizes(pot: int, highest: int, low: int, high: int) -> dict[str, int]:
        """What half the pot, the pot and all-in come to; `pot` has the call in it."""
        return {"h": min(high, max(low, highest + pot // 2)), "p": min(high, max(low, highest + pot)), "a": high}

    @staticmethod
    def _action(text: str, sizes: dict[str, int]) -> int:
        if text in ("q", "quit"):
            raise LeaveError
        simple = {"f": -1, "c": 0, "k": 0, **sizes}
        if text in simple:
            return simple[text]
        if re.fullmatch(r"[br]?\s*\d{1,13}", text) and int(text.lstrip("br ")) > 0:
            return int(text.lstrip("br "))
        raise RuleError(f"got {text!r}; {HELP}")
