"""Random hands played on our engine and on PokerKit or OpenSpiel at once, compared at every decision.

Our rules are PokerKit's, with odd chips by our `first`. OpenSpiel's `universal_poker` differs in these, by name:

- reopening: there an all-in for less than a full raise lets everyone raise again. The hand is compared up to there.
- blinds: it refuses blinds that a stack cannot pay, and knows no antes. Such hands are not dealt to it.
- useless raise: there one may raise although everyone else is all-in, so that nobody could call.
- useless check: there who has matched the bet of the last others, all all-in, is still asked.

A hand that meets such a rule is played again on PokerKit up to there, which must agree with us.
"""

from __future__ import annotations

import random
import warnings
from dataclasses import dataclass
from typing import Any

from zerosum import native
from zerosum.games.holdem import CALL, FOLD

MENU = [[(0, 1, 1)]] * 4


@dataclass(frozen=True)
class Deal:
    """What is played: chips by seat as PHH lists them, heads-up from the button."""

    stacks: tuple[int, ...]
    blinds: tuple[int, ...]
    antes: tuple[int, ...]
    min_bet: int

    def rules(self, odd: str = "first") -> native.HoldemRules:
        turn = -1 if len(self.stacks) == 2 else 1
        return native.holdem_rules(
            list(self.stacks), list(self.blinds[::turn]), list(self.antes[::turn]), [self.min_bet] * 4, [0] * 4,
            False, False, odd, True, MENU, True, 0,
        )  # fmt: skip


def random_deal(rng: random.Random, *, antes: bool, short_blinds: bool) -> Deal:
    """Two to nine seats; stacks from less than a blind to a hundred of them, often tiny and unequal."""
    players = rng.randint(2, 9)
    small, big = rng.choice([(1, 2), (1, 2), (5, 10), (3, 7), (2, 2) if short_blinds else (2, 5)])
    least = 1 if short_blinds else big
    spans = [(least, 6 * big), (least, 30 * big), (big, 100 * big)]
    mixed, span = rng.random() < 0.25, rng.choice(spans)
    stacks = tuple(rng.randint(*(rng.choice(spans) if mixed else span)) for _ in range(players))
    ante = rng.choice([0, 0, 1, big]) if antes else 0
    return Deal(stacks, (small, big) + (0,) * (players - 2), (ante,) * players, big)


def random_action(rng: random.Random, limits: tuple[bool, int, bool, int, int], *, tame: bool = False) -> int:
    """Fold, call or raise; raises are the smallest, the largest or any. Tame play seldom goes all-in."""
    fold, call, raises, low, high = limits
    chance = rng.random()
    if raises and tame and rng.random() < 0.97:
        if chance < 0.3 and 2 * low < high:
            return rng.choice([low, low + 1, rng.randint(low, (low + high) // 2)])
        return FOLD if fold and chance > 0.75 else CALL
    if raises and chance < 0.45:
        return rng.choice([low, low, high, rng.randint(low, high), min(high, low + call)])
    return FOLD if fold and chance > 0.85 else CALL


class DivergenceError(AssertionError):
    """Where two engines disagree."""


def same(what: str, ours: Any, theirs: Any, hand: native.HoldemHand, deal: Deal) -> None:
    if ours != theirs:
        raise DivergenceError(f"{what}: {ours} here, {theirs} there; {hand} of {deal}")


def with_pokerkit(seed: int) -> tuple[int, str]:
    """Plays one hand on both; gives the decisions compared. There is no rule by which they part."""
    rng = random.Random(seed)
    random.seed(seed)  # PokerKit shuffles with the global generator
    deal = random_deal(rng, antes=True, short_blinds=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = _pokerkit_table(deal)
        holes = [card for seat in theirs.hole_cards for card in seat]
        ours = native.HoldemHand(deal.rules()).deal(bytes(map(_number, _dealt(theirs, holes, len(deal.stacks)))))
        decisions = 0
        while True:
            board = list(theirs.get_board_cards(0))
            while ours.actor == -1 and len(ours.board) < len(board):
                ours = ours.deal(bytes([_number(board[len(ours.board)])]))
            if not theirs.status or ours.actor < 0:
                break
            _compare_pokerkit(ours, theirs, deal)
            decisions += 1
            action = random_action(rng, ours.limits())
            ours = ours.act(action)
            _act_on_pokerkit(theirs, action)
        same("over", ours.actor == -2, not theirs.status, ours, deal)
        same("payoffs", ours.returns(), [float(x) for x in theirs.payoffs], ours, deal)
    return decisions, ""


def _pokerkit_table(deal: Deal, manual: frozenset[Any] | set[Any] = frozenset()) -> Any:
    from pokerkit import Automation, Mode, NoLimitTexasHoldem

    return NoLimitTexasHoldem.create_state(
        tuple(set(Automation) - manual), True, deal.antes, deal.blinds, deal.min_bet, deal.stacks, len(deal.stacks),
        mode=Mode.TOURNAMENT,
    )  # fmt: skip


def _act_on_pokerkit(theirs: Any, action: int) -> None:
    if action == FOLD:
        theirs.fold()
    elif action == CALL:
        theirs.check_or_call()
    else:
        theirs.complete_bet_or_raise_to(action)


def _dealt(theirs: Any, holes: list[Any], players: int) -> list[Any]:
    """Hole cards by seat, from the log of operations where mucked hands are already gone."""
    if len(holes) == 2 * players:
        return holes
    by_seat: list[list[Any]] = [[] for _ in range(players)]
    for operation in theirs.operations:
        if type(operation).__name__ == "HoleDealing":
            by_seat[operation.player_index].extend(operation.cards)
    return [card for seat in by_seat for card in seat]


def _compare_pokerkit(ours: native.HoldemHand, theirs: Any, deal: Deal) -> None:
    fold, call, raises, low, high = ours.limits()
    same("actor", ours.actor, theirs.actor_index, ours, deal)
    same("fold", fold, theirs.can_fold(), ours, deal)
    same("call", call, theirs.checking_or_calling_amount, ours, deal)
    same("raise", raises, theirs.can_complete_bet_or_raise_to(), ours, deal)
    if raises:
        same("least", low, theirs.min_completion_betting_or_raising_to_amount, ours, deal)
        same("most", high, theirs.max_completion_betting_or_raising_to_amount, ours, deal)
    same("stacks", ours.stacks, list(theirs.stacks), ours, deal)
    same("bets", ours.bets, list(theirs.bets), ours, deal)
    same("pots", ours.pots(), [(pot.amount, list(pot.player_indices)) for pot in theirs.pots], ours, deal)


def _number(card: Any) -> int:
    return "23456789TJQKA".index(card.rank.value) * 4 + "cdhs".index(card.suit.value)


def with_openspiel(seed: int) -> tuple[int, str]:
    """Plays one hand on both; gives the decisions compared, and the name of the rule by which they part, if any."""
    import pyspiel

    rng = random.Random(seed)
    deal = random_deal(rng, antes=False, short_blinds=False)
    players = len(deal.stacks)
    turn = -1 if players == 2 else 1
    theirs = pyspiel.load_game(
        f"universal_poker(betting=nolimit,numPlayers={players},numRounds=4,numSuits=4,numRanks=13,numHoleCards=2,"
        f"blind={' '.join(map(str, deal.blinds[::turn]))},firstPlayer={2 if players == 2 else 3 % players or 3} 1 1 1,"
        f"numBoardCards=0 3 1 1,stack={' '.join(map(str, deal.stacks))},bettingAbstraction=fullgame)"
    ).new_initial_state()
    ours = native.HoldemHand(deal.rules("exact"))
    decisions = 0
    while ours.actor != -2:
        if ours.actor == -1:
            if not theirs.is_chance_node() and theirs.legal_actions() == [1]:
                again_on_pokerkit(deal, ours)
                return decisions, "useless check"
            same("card due", True, theirs.is_chance_node(), ours, deal)
            card = rng.choice([action for action, _ in theirs.chance_outcomes()])
            theirs.apply_action(card)
            ours = ours.deal(bytes([card]))
            continue
        try:
            _compare_openspiel(ours, theirs, deal)
        except DivergenceError:
            name = "reopening" if _was_short(ours) else "useless raise" if _is_alone(ours) else ""
            if not name:
                raise
            again_on_pokerkit(deal, ours)
            return decisions, name
        decisions += 1
        action = random_action(rng, ours.limits(), tame=True)
        theirs.apply_action(_their_action(ours, action))
        ours = ours.act(action)
    same("over", True, theirs.is_terminal(), ours, deal)
    same("payoffs", [round(x, 6) for x in ours.returns()], [round(x, 6) for x in theirs.returns()], ours, deal)
    return decisions, ""


def _their_action(ours: native.HoldemHand, action: int) -> int:
    """OpenSpiel counts a raise over the whole hand."""
    if action <= 0:
        return action + 1
    return ours.invested[ours.actor] - ours.bets[ours.actor] + action


def _compare_openspiel(ours: native.HoldemHand, theirs: Any, deal: Deal) -> None:
    fold, _, raises, low, high = ours.limits()
    same("actor", ours.actor, theirs.current_player(), ours, deal)
    before = ours.invested[ours.actor] - ours.bets[ours.actor]
    legal = ([0] if fold else []) + [1] + ([*range(before + low, before + high + 1)] if raises else [])
    theirs_legal = theirs.legal_actions()
    same(
        "legal", (legal[:3], legal[-1], len(legal)), (theirs_legal[:3], theirs_legal[-1], len(theirs_legal)), ours, deal
    )


def _was_short(ours: native.HoldemHand) -> bool:
    """Whether someone went all-in on this street for less than a full raise."""
    largest, highest = 0, 0
    for seat, street, action, _, all_in in ours.events():
        if seat < 0 or street != ours.street:
            continue
        if action > 0:
            if street == 0 and highest == 0:
                highest = ours.min_bet
            if all_in and action - highest < max(largest, ours.min_bet):
                return True
            largest, highest = max(largest, action - highest), action
    return False


def _is_alone(ours: native.HoldemHand) -> bool:
    """Whether nobody but the actor has chips beyond the bet."""
    highest = max(ours.bets)
    others = (seat for seat in range(ours.players) if seat != ours.actor and not ours.folded[seat])
    return all(ours.stacks[seat] + ours.bets[seat] <= highest for seat in others)


def again_on_pokerkit(deal: Deal, ours: native.HoldemHand) -> None:
    """The same cards and actions on PokerKit; what may be done now must agree."""
    from pokerkit import Automation

    manual = {Automation.HOLE_DEALING, Automation.BOARD_DEALING, Automation.CARD_BURNING}
    names = ["".join(("23456789TJQKA"[c // 4], "cdhs"[c % 4])) for c in range(52)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = _pokerkit_table(deal, manual)
        events = ours.events()
        cards = [action for seat, _, action, _, _ in events if seat < 0]
        for seat in range(len(deal.stacks)):
            theirs.deal_hole("".join(names[card] for card in cards[2 * seat : 2 * seat + 2]), seat)

        def deal_board(at: int) -> int:
            theirs.burn_card("??")
            after = at + (3 if at == 2 * len(deal.stacks) else 1)
            theirs.deal_board("".join(names[card] for card in cards[at:after]))
            return after

        board = 2 * len(deal.stacks)
        for seat, _, action, _, _ in events:
            if seat < 0:
                continue
            while not theirs.actor_indices:
                board = deal_board(board)
            _act_on_pokerkit(theirs, action)
        while not theirs.actor_indices and board < len(cards):
            board = deal_board(board)
        if ours.actor < 0:
            same("someone is asked", False, bool(theirs.actor_indices), ours, deal)
        else:
            _compare_pokerkit(ours, theirs, deal)


def recorded_by_pokerkit(seed: int) -> str:
    """The text of a random hand that PokerKit played and recorded."""
    from pokerkit import Automation, HandHistory, NoLimitTexasHoldem

    rng = random.Random(seed)
    random.seed(seed)
    deal = random_deal(rng, antes=True, short_blinds=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        game = NoLimitTexasHoldem(tuple(Automation), False, deal.antes, deal.blinds, deal.min_bet)
        state = game(deal.stacks, len(deal.stacks))
        while state.status:
            owes = max(state.bets) > state.bets[state.actor_index]
            raises = state.can_complete_bet_or_raise_to()
            low = state.min_completion_betting_or_raising_to_amount if raises else 0
            high = state.max_completion_betting_or_raising_to_amount if raises else 0
            action = random_action(rng, (owes, state.checking_or_calling_amount, raises, low, high))
            _act_on_pokerkit(state, action)
        history = HandHistory.from_game_state(game, state)
        history.finishing_stacks = list(state.stacks)
        return str(history.dumps())
