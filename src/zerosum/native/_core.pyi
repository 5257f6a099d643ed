"""
zerosum's native core: arrays in, arrays out, the interpreter lock released.
"""

from collections.abc import Sequence
from typing import Annotated, Any, overload

import numpy
import numpy.typing
from numpy.typing import NDArray


def evaluate_cards(cards: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint16], dict(order='C', device='cpu')]:
    """[B, 5..7] cards -> [B] values; higher is better, equal means split."""

def hand_category(value: int) -> int:
    """0 high card .. 8 straight flush."""

def count_classes(threads: int) -> Annotated[NDArray[numpy.uint64], dict(order='C', device='cpu')]:
    """[values] how many of all 133,784,560 seven-card hands have each value."""

def board_values(board: bytes) -> Annotated[NDArray[numpy.uint16], dict(order='C', device='cpu')]:
    """
    [1326] the value of every pair of hole cards on a river board; 0 where a card is on the board.
    """

WHOLE_POT: int = 2520

def hands_equity(hands: Sequence[bytes], board: bytes) -> tuple[int, list[tuple[int, int, int]]]:
    """
    Known hands on every board: (boards, a (share of the pot in 1/WHOLE_POT, wins, ties) for each).
    """

def versus_random(hand: bytes, board: bytes) -> tuple[int, int, int]:
    """
    A hand against a random one: (wins, ties, all) over boards and opponents.
    """

def tally_range(mine: numpy.typing.NDArray[numpy.uint32], theirs: numpy.typing.NDArray[numpy.uint32], board: bytes, canonical: bool, threads: int) -> tuple[numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.uint64]]:
    """
    [1326] for each of my hands, the summed weight of theirs that it beats, ties with and meets, over all rivers; `canonical` takes one board of each kind, for ranges that are the same in every suit.
    """

def deal_steps(seats: Sequence[Sequence[tuple[int, int]]], board: bytes, most: int) -> int:
    """
    How many hands are dealt, seat by seat, on the way to every deal without a card twice; `most` where more.
    """

def many_ranges(seats: Sequence[Sequence[tuple[int, int]]], board: bytes, canonical: bool, threads: int) -> list[list[tuple[int, int, int, int]]]:
    """
    For each hand of each seat, summed over all deals and rivers: (share of the pot in 1/WHOLE_POT, wins, ties, weight).
    """

def monte_carlo(seats: Sequence[Sequence[tuple[int, int]]], board: bytes, samples: int, seed: int, threads: int, by_hand: bool) -> tuple[bool, list[tuple[int, int, int, int, numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.uint64]]]]:
    """
    Weighted (combo, weight) lists, an empty one for any two cards: (whether hands could be dealt, a (share, wins, ties, sum of squared shares, [1326] shares and samples by hand) for each).
    """

def all_hands(board: bytes) -> tuple[numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.uint16]]:
    """
    ([1326] points, [1326] rivers, [1326, 50] histogram): a hand's equity is points / (1980 rivers).
    """

def river_rows(boards: numpy.typing.NDArray[numpy.uint8], hands: int, seed: int, number: int) -> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.uint16]]:
    """
    [B, 5] boards -> ([B * hands, 7] hands drawn on each, [B * hands] points): equity is points / 1980.
    """

def fill_tables(board_cards: int, first: int, last: int, threads: int, points: numpy.typing.NDArray[numpy.uint32], histogram: numpy.typing.NDArray[numpy.uint16] | numpy.typing.NDArray[numpy.uint8]) -> None:
    """
    Fills the rows of canonical flops (uint16 bins) or turns (uint8 bins) first .. last - 1.
    """

class HandIndexer:
    """Numbers hands dealt in rounds, one number for all renamings of suits."""

    def __init__(self, rounds: Sequence[int]) -> None: ...

    def __len__(self) -> int: ...

    @property
    def cards(self) -> int: ...

    def index(self, cards: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint64], dict(order='C', device='cpu')]:
        """[B, cards] hands, round by round -> [B] numbers."""

    def hands(self, indices: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')]:
        """[B] numbers -> [B, cards] canonical hands."""

class Tree:
    """
    A game tree as flat arrays, with its sequence form. A sequence is one action of one information set; a profile is [sequences] probabilities.
    """

    def __init__(self, players: int, actor: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], index: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], first_child: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], children: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], action: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], probability: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], returns: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], owner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], first: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def fault(self) -> tuple[str, int, float]:
        """
        (kind, node, got) of the first fault: 'chance', 'sum', 'recall', 'depth', or '' for none.
        """

    def counterfactual_values(self, profile: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')]:
        """
        [sequences] probabilities -> [sequences] counterfactual values for the actor.
        """

    def own_reaches(self, profile: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')]:
        """
        [sequences] probabilities -> [sequences] how likely its owner is to play that far.
        """

    def average(self, sum: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')]:
        """[sequences] summed reaches -> [sequences] the policy they stand for."""

    def expected_values(self, profile: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')]:
        """[sequences] probabilities -> [players] expected payoffs."""

    def best_responses(self, profile: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], Annotated[NDArray[numpy.int32], dict(order='C', device='cpu')]]:
        """
        [sequences] probabilities -> ([players] best response values, [infosets] best sequences), each player alone against the rest of the profile.
        """

    def match(self, profiles: Sequence[numpy.typing.NDArray[numpy.float64]], reference: numpy.typing.NDArray[numpy.float64], labels: int, seed: int, first: int, deals: int, rotations: int, threads: int) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int64]]:
        """
        Hands between policies [sequences]: [hands, players] what each won, the same without the luck of chance, and by AIVAT with the values of `reference`; [players, labels] how often each action was chosen.
        """

class Solver:
    """The CFR family with full passes over the sequence form."""

    def __init__(self, tree: Tree, positive: float, negative: float, average: float, predictive: bool, by_history: bool) -> None: ...

    def run(self, iterations: int) -> None: ...

    @property
    def iteration(self) -> int: ...

    def average_profile(self) -> Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')]: ...

    def state(self) -> tuple[int, dict[str, numpy.typing.NDArray[numpy.float64]]]: ...

    def restore(self, iteration: int, regret: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], average: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], strategy: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class SampledSolver:
    """Monte-Carlo CFR; the result does not depend on `threads`."""

    def __init__(self, tree: Tree, sampling: str, seed: int, threads: int) -> None: ...

    def run(self, iterations: int) -> None: ...

    @property
    def iteration(self) -> int: ...

    @property
    def batch(self) -> int: ...

    def average_profile(self) -> Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')]: ...

    def state(self) -> tuple[int, dict[str, numpy.typing.NDArray[numpy.float64]]]:
        """The last whole batch: its iteration and the table there."""

    def restore(self, iteration: int, table: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class AskingWalks:
    """Walks that advance together and stop where they need a strategy."""

    def pending(self) -> numpy.typing.NDArray[numpy.int32] | None:
        """
        [B] information sets whose strategies are needed, or None once all walks have ended.
        """

    def answer(self, strategy: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """[B, A] probabilities for what was pending."""

    def samples(self) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.float64], int]:
        """As `TreeWalks.run`."""

class TreeWalks:
    """External-sampling walks of a compiled game; rows are [actions] wide."""

    def __init__(self, tree: Tree, actions: int, situation: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def deals(self) -> int:
        """How many deals there are, or 0 where they cannot be numbered."""

    @property
    def slots(self) -> int:
        """How many numbers a baseline has."""

    def run(self, strategy: numpy.typing.NDArray[numpy.float64], baseline: numpy.typing.NDArray[numpy.float64] | None, stratified: bool, seed: int, iteration: int, traverser: int, first: int, count: int, ordinal: int, threads: int) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.float64], int]:
        """
        Walks `first` .. `first + count - 1` on a strategy table [sequences]: the traverser's information sets [N] and regrets [N, A]; the others' [M], their strategies [M, A] and weights [M]; the slots [K] of a baseline that were sampled and what they were worth to player 0 (or the traverser, with three and more); and the number of states visited.
        """

    def episodes(self, best: numpy.typing.NDArray[numpy.float64], average: numpy.typing.NDArray[numpy.float64], anticipation: float, seed: int, iteration: int, games: int) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.float64], int]:
        """
        Whole games; every player plays `best` with the probability `anticipation`, else `average`. Game, information set, action and whether it was the best response [decisions]; returns [games, players]; states visited.
        """

    def ask(self, baseline: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, stratified: bool, seed: int, iteration: int, traverser: int, first: int, count: int, ordinal: int) -> AskingWalks:
        """The same walks, which ask for strategies level by level."""

def reservoir(seed: int, stream: int, seen: int, count: int, capacity: int) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64]]:
    """
    Which of the next `count` samples are kept, and in which slots; where a slot comes twice, the later one stays.
    """

def moving_average(table: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], slots: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], rate: float) -> None:
    """Moves numbers of a table towards values, one after the other."""

class HoldemRules:
    """What a table plays."""

    @property
    def players(self) -> int: ...

    @property
    def all_in(self) -> bool:
        """Whether the menu ends with it."""

    @property
    def actions(self) -> int: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __getstate__(self) -> tuple[object, ...]: ...

    def __setstate__(self, state: tuple[object, ...], /) -> None: ...

def holdem_rules(stacks: Sequence[int], blinds: Sequence[int], antes: Sequence[int], bets: Sequence[int], caps: Sequence[int], limit: bool, botzone: bool, odd: str, trim_antes: bool, sizes: Sequence[Sequence[tuple[int, int, int]]], all_in: bool, menu_cap: int) -> HoldemRules:
    """
    Seats and streets are counted by the lists; sizes are (0 pot | 1 times | 2 least, numerator, denominator).
    """

class HoldemView:
    """What one seat sees of a hand; equal views are one information set."""

    @property
    def actor(self) -> int:
        """The seat to act, -1 where a card is due, -2 at the end."""

    @property
    def players(self) -> int: ...

    @property
    def street(self) -> int:
        """0 pre-flop .. 3 river."""

    @property
    def pot(self) -> int:
        """With what is bet on this street."""

    @property
    def raises(self) -> int:
        """Made on this street."""

    @property
    def stacks(self) -> list[int]:
        """What is behind."""

    @property
    def bets(self) -> list[int]:
        """On this street."""

    @property
    def invested(self) -> list[int]:
        """Over the whole hand."""

    @property
    def folded(self) -> list[bool]: ...

    @property
    def board(self) -> list[int]: ...

    @property
    def betting(self) -> str:
        """f, c, r and the total put in; a slash between streets."""

    @property
    def min_bet(self) -> int: ...

    def limits(self) -> tuple[bool, int, bool, int, int]:
        """
        What the actor may do: (fold, chips to call, raise, raise to at least, at most).
        """

    def legal(self) -> tuple[int, ...]:
        """The numbers of the menu that are offered; none at the end."""

    def amount(self, number: int) -> int:
        """
        The engine's action for a number of the menu: -1 fold, 0 call, else raise to; -2 where not offered.
        """

    def events(self) -> list[tuple[int, int, int, int, bool]]:
        """
        What happened: (seat or -1 for a card, street, action or card, chips added, whether all-in).
        """

    def pots(self) -> list[tuple[int, list[int]]]:
        """
        Main pot and side pots without what is bet on this street: (chips, seats that may win it).
        """

    @property
    def seat(self) -> int: ...

    @property
    def hole(self) -> tuple[int, int]: ...

    @property
    def key(self) -> str: ...

    def words(self) -> str: ...

    def action_words(self, action: int) -> str: ...

    def __str__(self) -> str: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

class HoldemHand:
    """A hand of hold'em. A step gives a new hand; this one stays as it is."""

    @overload
    def __init__(self, rules: HoldemRules) -> None: ...

    @overload
    def __init__(self, rules: HoldemRules, cards: bytes) -> None:
        """
        With cards that lie in order, two for each seat in turn and then the board: dealt when due.
        """

    @property
    def actor(self) -> int:
        """The seat to act, -1 where a card is due, -2 at the end."""

    @property
    def players(self) -> int: ...

    @property
    def street(self) -> int:
        """0 pre-flop .. 3 river."""

    @property
    def pot(self) -> int:
        """With what is bet on this street."""

    @property
    def raises(self) -> int:
        """Made on this street."""

    @property
    def stacks(self) -> list[int]:
        """What is behind."""

    @property
    def bets(self) -> list[int]:
        """On this street."""

    @property
    def invested(self) -> list[int]:
        """Over the whole hand."""

    @property
    def folded(self) -> list[bool]: ...

    @property
    def board(self) -> list[int]: ...

    @property
    def betting(self) -> str:
        """f, c, r and the total put in; a slash between streets."""

    @property
    def min_bet(self) -> int: ...

    def limits(self) -> tuple[bool, int, bool, int, int]:
        """
        What the actor may do: (fold, chips to call, raise, raise to at least, at most).
        """

    def legal(self) -> tuple[int, ...]:
        """The numbers of the menu that are offered; none at the end."""

    def amount(self, number: int) -> int:
        """
        The engine's action for a number of the menu: -1 fold, 0 call, else raise to; -2 where not offered.
        """

    def events(self) -> list[tuple[int, int, int, int, bool]]:
        """
        What happened: (seat or -1 for a card, street, action or card, chips added, whether all-in).
        """

    def pots(self) -> list[tuple[int, list[int]]]:
        """
        Main pot and side pots without what is bet on this street: (chips, seats that may win it).
        """

    @staticmethod
    def seeded(rules: HoldemRules, seed: int, number: int) -> HoldemHand:
        """With cards in an order that depends on seed and number alone."""

    def hole(self, seat: int) -> tuple[int, int]:
        """Two cards, 52 where unknown."""

    def child(self, action: int, /) -> HoldemHand:
        """After a number of the menu, or a card where one is due."""

    def act(self, action: int) -> HoldemHand:
        """After -1 fold, 0 check or call, n bet or raise to n on this street."""

    def deal(self, cards: bytes) -> HoldemHand:
        """After these cards; 52 for one that is not known."""

    def show(self, seat: int, low: int, high: int) -> HoldemHand:
        """With cards that were dealt face down known."""

    def muck(self, seat: int) -> HoldemHand:
        """Without the seat's claim to the pot, the betting being over."""

    def chance(self) -> list[tuple[int, float]]:
        """The cards that may come, and their probabilities."""

    def view(self, seat: int) -> HoldemView: ...

    def returns(self) -> list[float]:
        """At the end, what each seat wins."""

    def payoff_parts(self, odd: str = '') -> list[int]:
        """
        The same in 1/2520 of a chip, exactly; odd chips by the rules, or `exact`, `seats` or `first`.
        """

    def __copy__(self) -> HoldemHand: ...

    def __deepcopy__(self, memo: object) -> HoldemHand: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __getstate__(self) -> tuple[HoldemRules, bytes]: ...

    def __setstate__(self, state: tuple[HoldemRules, bytes], /) -> None: ...

    def save(self) -> bytes:
        """The whole hand, with cards that lie in order, as bytes."""

    @staticmethod
    def load(rules: HoldemRules, saved: bytes) -> HoldemHand:
        """What `save` gave, as a hand again."""

    def __str__(self) -> str: ...

def holdem_perft(rules: HoldemRules) -> list[int]:
    """
    Decision nodes of the betting tree on each street, with every size of bet.
    """

class HoldemTables:
    """
    Many tables that step together; a hand that ends is followed by the next.
    """

    def __init__(self, rules: HoldemRules, count: int, seed: int, threads: int = 1) -> None: ...

    def __len__(self) -> int: ...

    def step(self, actions: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], Annotated[NDArray[numpy.bool_], dict(order='C', device='cpu')]]:
        """
        [T] numbers of the menu -> [T, players] rewards in chips, [T] whether the hand ended.
        """

    def sample(self, seed: int, round: int) -> Annotated[NDArray[numpy.int64], dict(order='C', device='cpu')]:
        """[T] one of the offered actions each, all alike."""

    def play(self, seed: int, round: int, rounds: int) -> tuple[Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], Annotated[NDArray[numpy.int64], dict(order='C', device='cpu')]]:
        """
        Random play: what so many rounds of `sample` and `step` lead to, in one call -> [T, players] the sum of rewards, [T] hands ended.
        """

    @property
    def legal(self) -> Annotated[NDArray[numpy.bool_], dict(order='C', device='cpu')]:
        """[T, actions] what is offered."""

    @property
    def actor(self) -> Annotated[NDArray[numpy.int8], dict(order='C', device='cpu')]: ...

    @property
    def street(self) -> Annotated[NDArray[numpy.int8], dict(order='C', device='cpu')]: ...

    @property
    def stacks(self) -> Annotated[NDArray[numpy.int64], dict(order='C', device='cpu')]: ...

    @property
    def bets(self) -> Annotated[NDArray[numpy.int64], dict(order='C', device='cpu')]: ...

    @property
    def invested(self) -> Annotated[NDArray[numpy.int64], dict(order='C', device='cpu')]: ...

    @property
    def folded(self) -> Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')]: ...

    @property
    def board(self) -> Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')]:
        """[T, 5] cards, 52 where none."""

    @property
    def hole(self) -> Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')]:
        """[T, 2] the cards of the seat to act."""

def script_names() -> list[str]:
    """The scripted players."""

def script_action(name: str, view: HoldemView, uniform: float) -> int:
    """What a scripted player does: -1 fold, 0 check or call, else raise to."""

def equity_strength(view: HoldemView) -> float:
    """How good the script equity finds a hand."""

def equity_action(view: HoldemView, good: float, uniform: float) -> int:
    """What the script equity does with a hand that is so good."""

class HoldemMatch:
    """
    Many hands between the same players; each deal is played in every seating.
    """

    def __init__(self, rules: HoldemRules, scripts: Sequence[str], seed: int, first: int, deals: int, rotations: int, threads: int) -> None:
        """
        An empty script is a player that is asked. Player p sits in seat (p + rotation) % players.
        """

    def __len__(self) -> int: ...

    def waiting_for(self, player: int) -> Annotated[NDArray[numpy.int64], dict(order='C', device='cpu')]:
        """[W] the hands that wait for a player."""

    def luck(self, hands: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')]:
        """[W] a number from [0, 1) for the next action of each hand."""

    def hand(self, hand: int) -> HoldemHand:
        """One hand with its history."""

    def seat(self, hand: int, player: int) -> int:
        """Where a player sits."""

    def answer(self, hands: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], actions: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """What the asked player does in each; the scripts go on from there."""

    @property
    def won(self) -> Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')]:
        """[hands, players] chips, every hand being over."""

    def expected(self, samples: int) -> Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')]:
        """
        The same averaged over the boards that could still have come when the betting ended.
        """

    def luck_of(self, player: int, samples: int) -> Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')]:
        """
        Heads-up: [hands, 7] how lucky a player was, measured in ways that are nothing on average.
        """

    @property
    def showdowns(self) -> Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')]:
        """[hands] 1 where hands were compared."""

    @property
    def counts(self) -> Annotated[NDArray[numpy.int64], dict(order='C', device='cpu')]:
        """[players, streets, 3] folds, calls, raises."""

def heads_up_inputs(views: list[HoldemView], actions: int, chips: float) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.bool_]]:
    """
    [B, 7] hole cards and board with suits renamed, 52 where missing; [B, 5] pot, both stacks / chips, street / 3, seat; [B, actions] what the menu offers.
    """

def canonical_suits(cards: numpy.typing.NDArray[numpy.int64]) -> numpy.typing.NDArray[numpy.int64]:
    """
    [B, 7] two hole cards and five of the board, 52 where missing: the same with suits renamed, as the card network sees them.
    """

class HoldemWalks:
    """
    External-sampling walks of hold'em that advance together and stop where they need a strategy; payoffs are in big blinds.
    """

    def __init__(self, rules: HoldemRules, baselines: bool, seed: int, iteration: int, traverser: int, first: int, count: int) -> None: ...

    def pending(self) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.bool_], numpy.typing.NDArray[numpy.float32] | None] | None:
        """
        Who acts [B], what they see [B, F], what is legal [B, A], and with baselines everything there is to see [B, H]; None once all walks have ended.
        """

    def answer(self, strategy: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], baseline: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None) -> None: ...

    def samples(self) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.bool_], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.bool_], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float64], int]:
        """
        The traverser's features [N, F], legal actions and regrets [N, A]; the others' features [M, F], legal actions, strategies [M, A] and weights [M]; with baselines all that was sampled [K, H], its action [K] and worth [K]; and the number of states visited.
        """

def holdem_feature_counts(rules: HoldemRules) -> tuple[int, int]:
    """How many numbers a seat's features are, and a baseline's."""

def holdem_features(views: list[HoldemView]) -> numpy.typing.NDArray[numpy.float32]:
    """[B, F] what each view's seat sees."""

def sixmax_equities(rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], samples: int, seed: int) -> Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')]:
    """
    [B, 3] how good each row's cards are, drawn: the chance to win against one random hand, against as many as are still in, and against one if no more cards came.
    """

def sixmax_rows(views: list[HoldemView], named: bool = False) -> numpy.typing.NDArray[numpy.uint8]:
    """
    [B, 184] what each view's seat sees; `named`: suits named by how much they matter.
    """

def sixmax_rows_of_hands(hands: list[HoldemHand], seats: numpy.typing.NDArray[numpy.int64]) -> numpy.typing.NDArray[numpy.uint8]:
    """
    [B, 184] what a seat of each hand sees; nothing that it must not see is in it.
    """

def sixmax_batch(rows: numpy.typing.NDArray[numpy.uint8]) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.bool_]]:
    """
    Rows as the encoder's arrays: hole ranks and suits [B, 2], the board's [B, 5], own numbers [B, 14], opponents' [B, 15], actions [B, 24, 17], padding [B, 24].
    """

def sixmax_inputs(rows: numpy.typing.NDArray[numpy.uint8]) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64]]:
    """
    The same without padding: ranks and suits [B, 7], numbers [B, 29], the tokens of every different history [T, 17] with their places [T], where each begins [U + 1], and which one each row has [B].
    """

class SixMaxWalks:
    """
    External-sampling walks of hold'em for two to six that advance together and stop where they need a strategy; payoffs are in big blinds.
    """

    def __init__(self, rules: HoldemRules, seed: int, iteration: int, traverser: int, first: int, count: int) -> None: ...

    def pending(self) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.bool_]] | None:
        """
        Who acts [B], the rows they see [B, 184], what is legal [B, A]; None once all walks have ended.
        """

    def answer(self, strategy: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], explore: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """
        [B, A] strategies; what the traverser's never takes is tried with its chance in `explore` [B, A], and left out of what is legal in the samples otherwise.
        """

    def samples(self, strategies: bool) -> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.bool_], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.bool_], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], int]:
        """
        The traverser's rows [N, 184], legal actions and regrets [N, A]; with `strategies` the others' rows [M, 184], legal actions, strategies [M, A] and weights [M]; and the number of states visited.
        """

def ragged_mean(tokens: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], low: float) -> Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')]:
    """
    [T, W] -> [sequences, W] means; numbers below `low` count as it, and a sequence without tokens is zeros.
    """

def ragged_mean_back(tokens: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], low: float, by_mean: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')]:
    """The way back: [sequences, W] -> [T, W]."""

def layer_project(tokens: numpy.typing.NDArray[numpy.float32], places: numpy.typing.NDArray[numpy.int64], weights: numpy.typing.NDArray[numpy.float32], table: numpy.typing.NDArray[numpy.float32], norm: numpy.typing.NDArray[numpy.float32], least: float) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32]]:
    """
    [T, I] tokens -> [T, W] rows, tokens times weights [I, W] and what their places in the table add, and their norms [T, W]; `norm` [2, W] gains and shifts.
    """

def layer_add(rows: numpy.typing.NDArray[numpy.float32], added: numpy.typing.NDArray[numpy.float32], bias: numpy.typing.NDArray[numpy.float32], norm: numpy.typing.NDArray[numpy.float32], least: float, offsets: numpy.typing.NDArray[numpy.int64]) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32]]:
    """
    [T, W] rows and what is added to them -> [sequences, W] means of the sums, and the sums' norms [T, W].
    """

def ragged_attention(tokens: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')]:
    """
    [T, 3 H] queries, keys and values of tokens, sequence k being offsets[k] .. offsets[k + 1] - 1 -> [T, H].
    """

def ragged_attention_back(tokens: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], by_out: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')]:
    """The way back: [T, H] -> [T, 3 H]."""

class HeadsUpWalks:
    """
    External-sampling walks of heads-up hold'em, each with many hands of both seats, that advance together and stop where they need a strategy; payoffs are in big blinds, all-ins are worth their equity.
    """

    def __init__(self, rules: HoldemRules, history: bool, seed: int, iteration: int, traverser: int, first: int, count: int, hands: int) -> None: ...

    def cards(self) -> numpy.typing.NDArray[numpy.int64]:
        """
        [walks * 2 * 4 * hands, 7] the cards of each walk, seat, street and hand, suits renamed, 52 where missing.
        """

    def dealt(self) -> numpy.typing.NDArray[numpy.int64]:
        """The same with the suits that they have."""

    def pending(self) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.bool_]] | None:
        """
        The row of each hand's cards [B], the betting [B, F] and what is legal [B, A]; None once all walks have ended.
        """

    def answer(self, strategy: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

    def samples(self) -> tuple[tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.bool_]], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float32], tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.bool_]], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float32], int]:
        """
        The traverser's decisions as `pending` gives them, their regrets [N, A] and how much each counts [N]; the same of some of the other seat's decisions, with strategies [M, A]; and how many decisions were answered.
        """

def heads_up_history(views: list[HoldemView]) -> numpy.typing.NDArray[numpy.float32]:
    """
    [B, F] what each view's seat sees of the betting, its history included.
    """

def heads_up_history_count(actions: int) -> int:
    """How many numbers that is."""

class GomokuRules:
    """A board, how many in a row win, and whether more do, too."""

    def __init__(self, width: int, height: int, line: int, exact: bool) -> None: ...

class GomokuBoard:
    """A position: a value. Moves are not checked here."""

    def __init__(self) -> None: ...

    def played(self, rules: GomokuRules, cell: int) -> GomokuBoard:
        """The board after the side to move has put a stone on a cell."""

    def stone(self, cell: int) -> int:
        """Whose stone is there: 0, 1, or −1 for nobody's."""

    @property
    def count(self) -> int:
        """How many stones there are."""

    @property
    def winner(self) -> int:
        """0, 1, or −1 for nobody."""

def gomoku_perft(rules: GomokuRules, depth: int) -> int:
    """How many games last for at least `depth` moves."""

class GomokuProof:
    """
    Proves who wins on a board of at most 64 cells; remembers what it proved.
    """

    def __init__(self, rules: GomokuRules, table_bits: int) -> None: ...

    def wins(self, rules: GomokuRules, moves: Sequence[int], mover: bool, most: int, last: int | None = None) -> bool | None:
        """
        Whether the side to move wins, or the other one, with at most `last` stones on the board; None after `most` nodes without an answer: ask again.
        """

    @property
    def nodes(self) -> int:
        """Visited so far."""

class StopFlag:
    """Tells a player on another thread to answer now."""

    def __init__(self) -> None: ...

    def stop(self) -> None: ...

def gomoku_greedy(rules: GomokuRules, moves: Sequence[int], seed: int) -> int:
    """The move that looks best by the lines through it."""

def gomoku_alphabeta(rules: GomokuRules, moves: Sequence[int], depth: int, seconds: float, seed: int, stop: StopFlag | None = None) -> tuple[int, int]:
    """
    Alpha-beta with the lines' scores, to a depth or until time is up (0: no limit): the move, and how many positions it saw.
    """

def gomoku_rollouts(rules: GomokuRules, moves: Sequence[int], simulations: int, seconds: float, seed: int, most_bytes: int = 0, stop: StopFlag | None = None) -> int:
    """
    Plain Monte Carlo tree search with random games to the end; its tree takes so many bytes (0: any).
    """

class SearchSettings:
    """How a tree search goes about it."""

    def __init__(self, *, exploration: float, unvisited_less: float | None, prove: bool, forced_nodes: int, threat_nodes: int, gumbel: bool, considered: int, visit_offset: float, value_scale: float, symmetry: int, seed: int) -> None: ...

class SelfPlaySettings:
    """How games against oneself are played."""

    def __init__(self, *, simulations: int, fast_simulations: int, full_share: float, noise_alpha: float, noise_share: float, temperature_moves: int, opening_share: float, opening_most: int, early_share: float = 0.0, early_most: int = 0, play_on: float, batch: int, most_leaves: int, cache_bits: int, reuse: bool, side_rows: int = 0, aside_rows: int = 0) -> None: ...

class GomokuReferee:
    """The truth about small boards, as far as a proof search finds it."""

    def __init__(self, rules: GomokuRules, *, nodes: int, early_stones: int, early_nodes: int, threads: int) -> None: ...

    def correct(self, stones: Annotated[NDArray[numpy.int8], dict(shape=(None, None), order='C', device='cpu', writable=False)], game: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], policy: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu')], value: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu')], certain: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], share: float = 1.0) -> None:
        """
        Makes rows certain where it finds their value, and takes moves out of their policies that give it away.
        """

class GomokuSearch:
    """A tree that grows as a network answers."""

    def __init__(self, rules: GomokuRules, settings: SearchSettings, cache_bits: int) -> None: ...

    def reset(self, moves: Sequence[int]) -> None:
        """
        Forgets everything but the network's answers, and starts after these moves.
        """

    def advance(self, cell: int) -> None:
        """Plays a move and keeps what is known of the position after it."""

    def limit(self, bytes: int) -> None:
        """
        Forgets everything but the position and the network's answers; the tree has so much room from now on.
        """

    def is_full(self, leaves: int) -> bool:
        """Whether there is no room for so many more leaves."""

    def begin(self, simulations: int, seed: int) -> None:
        """A search of so many visits, those already there among them."""

    def gather(self, most: int) -> tuple[int, NDArray[numpy.float32]] | None:
        """
        Simulates until so many leaves need the network: a ticket and planes [rows, 3, h, w]; or None, after a thousand simulations that did not.
        """

    def answer(self, ticket: int, probabilities: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """What the network says about what a ticket stands for."""

    def noise(self, alpha: float, share: float, seed: int) -> None:
        """Mixes Dirichlet noise into the root's probabilities."""

    @property
    def ready(self) -> bool: ...

    @property
    def done(self) -> bool: ...

    @property
    def visits(self) -> int: ...

    @property
    def flying(self) -> int: ...

    @property
    def certain(self) -> int | None:
        """The root's certain value to the side to move, if there is one."""

    def chosen(self, greedy: bool, luck: float) -> int:
        """The cell to play: the most visited one, or one drawn by visits."""

    def policy(self) -> NDArray[numpy.float32]:
        """What a network should learn to answer at the root [cells]."""

    def node(self, path: Sequence[int]) -> tuple[int, float, float, int, list[tuple[int, int, float, float, int]]] | None:
        """
        The node these moves lead to from the root: visits, mean value, the network's value and the certain value (2: none) to the side to move, and its moves as (cell, visits, prior, summed value, certain value); None if there is none.
        """

class GomokuSelfPlay:
    """Many games against oneself at once."""

    def __init__(self, rules: GomokuRules, search: SearchSettings, play: SelfPlaySettings, seed: int, first: int, count: int, slots: int, threads: int) -> None: ...

    def pending(self) -> NDArray[numpy.float32] | None:
        """
        Planes [rows, 3, h, w] to ask the network about; None once all games are over.
        """

    def answer(self, probabilities: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def finished(self) -> dict[str, Any]:
        """
        Games that ended since the last call, and the positions to learn from as arrays.
        """

    @property
    def simulations(self) -> int: ...

def gomoku_forced_win(rules: GomokuRules, moves: Sequence[int], most_nodes: int, threats: bool = False) -> tuple[int | None, int]:
    """
    The first move of a win by continuous fours for the side to move, or with threats of them too, or None; and the nodes it took.
    """

class SwiftNet:
    """SwiftNet of networks/gomoku.py as it plays."""

    def __init__(self, weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], *, height: int, width: int, line: int, channels: int, blocks: int, threads: int = 1) -> None: ...

    def __call__(self, planes: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32]]:
        """
        Planes [B, 3, h, w] -> probabilities of the cells [B, h·w] and values [B].
        """

class SwiftLearner:
    """SwiftNet of networks/gomoku.py as it learns."""

    def __init__(self, *, height: int, width: int, line: int, channels: int, blocks: int, threads: int = 1) -> None: ...

    def losses(self, weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], planes: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu', writable=False)], policy: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], value_weight: float) -> tuple[float, float, NDArray[numpy.float32]]:
        """
        Planes [B, 3, h, w], shares of the cells [B, h·w], results [B] -> mean losses of the policy and the value,
        and by weight how the first plus `value_weight` times the second changes.
        """

def exact_patterns(reach: int, line: int) -> Annotated[NDArray[numpy.uint32], dict(order='C', device='cpu')]:
    """
    By pattern [4^width] the one that it is taken for where only lines of exactly this length win.
    """

class PatternNet:
    """networks/patterns.py as it plays: a table and a few layers."""

    def __init__(self, table: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], *, reach: int, blocks: int, head: int, hidden: int, threads: int = 1) -> None: ...

    def read_as(self, instead: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        By pattern [4^width] the one that it is taken for; empty: each is what it is.
        """

    def __call__(self, planes: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32]]:
        """
        Planes [B, 3, h, w] -> probabilities of the cells [B, h·w] and values [B].
        """

class ResidualNet:
    """AlphaZeroNet of networks/gomoku.py as it plays."""

    def __init__(self, weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], *, height: int, width: int, channels: int, blocks: int, threads: int = 1) -> None: ...

    def __call__(self, planes: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32]]:
        """
        Planes [B, 3, h, w] -> probabilities of the cells [B, h·w] and values [B].
        """

def parse_weights(data: bytes) -> dict[str, numpy.typing.NDArray[numpy.float32]]:
    """The tensors of a .bin file."""

def parse_packed(data: bytes) -> dict[str, numpy.typing.NDArray[numpy.float32]]:
    """The tensors of a packed file."""

def weights_bytes(weights: dict[str, numpy.typing.NDArray[numpy.float32]]) -> bytes:
    """Tensors as a .bin file, in the order of their names."""

class CardModelInference:
    """Cards -> histogram of equities, row by row."""

    def __init__(self, data: bytes, plain: bool = False) -> None:
        """From a .bin file; `plain` without vector instructions."""

    def histograms(self, cards: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')]:
        """[B, 7] hole cards and board, 52 where missing -> [B, 50]."""

class CFRNetInference:
    """Histogram and betting -> logits, row by row."""

    def __init__(self, data: bytes, plain: bool = False) -> None:
        """From a .bin file; `plain` without vector instructions."""

    def logits(self, histograms: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], betting: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')]:
        """[B, 50] and [B, 5] (or more, for one that sees the history) -> [B, 5]."""

class HeadsUpPlayer:
    """What the bot in C++ does, for views of heads-up hold'em."""

    def __init__(self, cards: bytes, net: bytes, denoise_below: float, plain: bool = False, packed: bool = False) -> None: ...

    def strategies(self, views: list[HoldemView]) -> numpy.typing.NDArray[numpy.float64]:
        """[B, 5]."""

    def act(self, view: HoldemView, uniform: float) -> int:
        """The engine's action for a number from [0, 1)."""

def decision_luck(seed: int, hand: int, before: int) -> float:
    """
    The bots' number from [0, 1) for a decision with so many actions before it.
    """

def card_of_botzone(id: int) -> int:
    """Botzone's number of a card -> ours; 52 for what is none."""

def card_named(name: str) -> int:
    """Two letters -> a card; 52 for what is none."""
