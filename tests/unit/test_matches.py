"""Matches: unbiased by every technique, the same for any number of threads, and told with honest intervals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

import zerosum as zs
from zerosum import native
from zerosum.cards.equity import equity
from zerosum.cards.names import card_names
from zerosum.errors import ZerosumError
from zerosum.evaluate.estimate import Running
from zerosum.evaluate.exact import expected_value
from zerosum.evaluate.match import play_match
from zerosum.evaluate.ratings import elo_ratings, sprt
from zerosum.evaluate.roster import Entrant, entrants
from zerosum.evaluate.tournament import play_tournament
from zerosum.games.holdem import Holdem
from zerosum.games.kuhn import Kuhn
from zerosum.games.leduc import Leduc
from zerosum.policy.player import PolicyPlayer
from zerosum.policy.uniform import UniformPolicy

if TYPE_CHECKING:
    from zerosum.evaluate.match import MatchResult


@pytest.fixture(scope="module")
def leduc() -> MatchResult:
    game = Leduc()
    better, worse = (zs.solve(game, "cfr+", iterations=n).policy for n in (300, 20))
    return play_match(game, [Entrant("better", better), Entrant("worse", worse)], hands=1_000_000, seed=3, threads=2)


def test_every_technique_agrees_with_the_exact_value_on_leduc(leduc: MatchResult) -> None:
    game = Leduc()
    better, worse = (zs.solve(game, "cfr+", iterations=n).policy for n in (300, 20))
    exact = 500 * (expected_value(game, [better, worse])[0] + expected_value(game, [worse, better])[1])
    assert leduc.hands == 1_000_000
    for technique in leduc.techniques:
        assert abs(technique.mbb_per_hand - exact) < 2 * technique.ci95, technique
    assert [technique.name for technique in leduc.techniques] == ["plain", "duplicate", "luck of the deal", "AIVAT"]


def test_aivat_needs_fifty_times_fewer_hands_on_leduc(leduc: MatchResult) -> None:
    assert leduc.techniques[-1].fewer > 50
    assert leduc.players[0].mbb_per_hand == leduc.techniques[-1].mbb_per_hand
    assert leduc.players[0].mbb_per_hand == pytest.approx(-leduc.players[1].mbb_per_hand)


@pytest.mark.parametrize("players", [("tight-aggressive", "loose-passive"), ("random", "call"), ("pot", "random")])
def test_techniques_agree_on_hold_em(players: tuple[str, str]) -> None:
    game = Holdem()
    plain, duplicate, *others = play_match(game, entrants(players, game), hands=40_000, threads=2).techniques
    assert plain.mbb_per_hand == pytest.approx(duplicate.mbb_per_hand)
    assert [technique.name for technique in others] == ["all-in", "AIVAT"]
    for technique in others:
        gap = abs(technique.mbb_per_hand - duplicate.mbb_per_hand)
        assert gap < 1.5 * math.hypot(technique.ci95, duplicate.ci95)
    assert duplicate.fewer < others[1].fewer


def test_luck_is_nothing_on_average() -> None:
    """Every measure of luck, whatever the players do: a z-test over 40,000 hands, each seating by itself."""
    game = Holdem(stack="1500")
    luck = native.HoldemMatch(game.rules, ["random", "tight-aggressive"], 11, 0, 20_000, 2, 2).luck_of(0, 16)
    for seating in (luck[::2], luck[1::2]):
        z = seating.mean(axis=0) / (seating.std(axis=0) / math.sqrt(len(seating)))
        assert np.abs(z).max() < 4


def test_a_player_against_itself_is_level() -> None:
    for game in (Holdem(), Holdem(players=3), Leduc(), Kuhn()):
        found = play_match(game, entrants(["random"] * game.players, game), hands=6000, threads=2)
        assert abs(found.players[0].mbb_per_hand) <= 2 * found.players[0].ci95
        assert sum(player.mbb_per_hand for player in found.players) == pytest.approx(0, abs=1e-6)


def test_who_never_lets_the_cards_speak_is_level_with_itself_exactly() -> None:
    """Two callers win from each other what the cards give, and duplicate deals give both the same."""
    game = Holdem()
    found = play_match(game, entrants(["call", "call"], game), hands=2000)
    assert found.players[0].mbb_per_hand == pytest.approx(0)
    assert found.players[0].ci95 == pytest.approx(0)
    assert found.showdown == 1.0
    assert found.players[0].rates["flop"] == {"fold": 0.0, "call": 1.0, "raise": 0.0}


def test_a_folder_loses_its_blinds_to_who_always_bets() -> None:
    game = Holdem()
    found = play_match(game, entrants(["fold", "pot"], game), hands=2000)
    assert found.players[0].mbb_per_hand == pytest.approx(-750)
    assert found.players[0].by_seat == pytest.approx((-1000, -500))
    assert found.players[0].won == 0.0


@pytest.mark.parametrize("game", [Holdem(), Leduc()], ids=["holdem", "leduc"])
def test_threads_do_not_show_and_seeds_do(game: Holdem | Leduc) -> None:
    names = ["random", "call"]
    one, two, four = (play_match(game, entrants(names, game), hands=3000, seed=7, threads=t) for t in (1, 2, 4))
    assert one == two == four
    assert play_match(game, entrants(names, game), hands=3000, seed=8) != one


def test_a_player_that_is_asked_plays_like_its_script() -> None:
    """The same choices, once natively and once through views."""
    game = Holdem()
    asked = Entrant("uniform", player=PolicyPlayer("uniform", UniformPolicy(game)))
    script = entrants(["random", "call"], game)
    found = play_match(game, [asked, script[1]], hands=600, seed=2)
    wanted = play_match(game, script, hands=600, seed=2)
    assert found.techniques[0] == wanted.techniques[0]
    assert found.players[0].rates == wanted.players[0].rates


def test_all_in_hands_are_paid_by_every_board_that_could_come() -> None:
    game = Holdem(menu="a")
    match = native.HoldemMatch(game.rules, ["all-in", "call"], 5, 0, 40, 2, 1)
    won, expected = match.won, match.expected(4000)
    assert expected.sum(axis=1) == pytest.approx(np.zeros(80), abs=1e-6)
    assert expected.std() < won.std()
    hand = match.hand(0)
    found = equity([card_names(hand.hole(seat)) for seat in range(2)]).players[match.seat(0, 0)].equity
    assert expected[0, 0] == pytest.approx(40_000 * found - 20_000, abs=1500)


def test_until_the_interval_is_narrow() -> None:
    game = Leduc()
    found = play_match(game, entrants(["uniform", "call"], game), until_ci=20.0, threads=2)
    assert found.players[0].ci95 <= 20.0
    assert found.hands < 200_000


@pytest.mark.parametrize(
    ("names", "game", "says"),
    [
        (["cal", "call"], Holdem(), "unknown player 'cal' of holdem; did you mean call?"),
        (["call"], Holdem(), "match: got 1 players, wanted 2"),
        (["call", "rais"], Leduc(), "unknown player or policy directory 'rais'; did you mean raise?"),
        (["call", "equity"], Leduc(), "unknown player or policy directory 'equity'"),
    ],
)
def test_who_cannot_play(names: list[str], game: Holdem | Leduc, says: str) -> None:
    with pytest.raises(ZerosumError) as error:
        play_match(game, entrants(names, game), hands=10)
    assert says in str(error.value)


def test_running_means_are_means() -> None:
    samples = np.random.default_rng(1).normal(3, 2, (1000, 2))
    running = Running(2)
    for part in np.split(samples, [1, 10, 400]):
        running.add(part)
    assert running.mean == pytest.approx(samples.mean(axis=0))
    assert running.variance == pytest.approx(samples.var(axis=0, ddof=1))
    assert running.ci95 == pytest.approx(1.96 * samples.std(axis=0, ddof=1) / math.sqrt(1000), rel=1e-3)


def test_ratings_find_the_strengths_that_made_the_games() -> None:
    rng = np.random.default_rng(5)
    truth = np.array([150.0, 40.0, 0.0, -190.0])
    points, games = np.zeros((2, 4, 4))
    for a in range(4):
        for b in range(a):
            won = rng.binomial(4000, 1 / (1 + 10 ** ((truth[b] - truth[a]) / 400)))
            points[a, b], points[b, a] = won, 4000 - won
            games[a, b] = games[b, a] = 4000
    for rating, elo in zip(elo_ratings(points, games), truth, strict=True):
        assert abs(rating.elo - elo) < 1.5 * rating.ci95
        assert 3 < rating.ci95 < 15


def test_two_players_have_the_rating_of_their_score() -> None:
    points = np.array([[0.0, 3000.0], [1000.0, 0.0]])
    first, second = elo_ratings(points, points + points.T)
    assert first.elo - second.elo == pytest.approx(400 * math.log10(3), abs=0.2)
    lost = elo_ratings(np.array([[0.0, 0.0], [50.0, 0.0]]), np.array([[0.0, 50.0], [50.0, 0.0]]))
    assert all(math.isfinite(rating.elo) and math.isfinite(rating.ci95) for rating in lost)


def test_the_sequential_test_errs_as_often_as_it_says() -> None:
    """Games of a player exactly as strong as the first hypothesis: rarely called better."""
    rng = np.random.default_rng(9)
    wrong = decided = 0
    for _ in range(300):
        outcomes = rng.choice(3, size=20_000, p=[0.3, 0.4, 0.3])
        counts = [0, 0, 0]
        for block in range(0, 20_000, 100):
            for k in range(3):
                counts[k] += int((outcomes[block : block + 100] == k).sum())
            verdict = sprt(*counts, elo0=0, elo1=15).verdict
            if verdict != "undecided":
                decided += 1
                wrong += verdict == "better"
                break
    assert decided > 290
    assert wrong / decided < 0.08
    assert sprt(600, 100, 300, elo0=0, elo1=10).verdict == "better"
    assert sprt(0, 0, 0).verdict == "undecided"
    with pytest.raises(ZerosumError, match="wanted none below 0"):
        sprt(-1, 0, 0)
    with pytest.raises(ZerosumError, match="elo0 < elo1"):
        sprt(1, 1, 1, elo0=5, elo1=5)


def test_tournament() -> None:
    game = Holdem()
    found = play_tournament(game, entrants(["call", "fold", "pot"], game), hands=1000)
    assert found.mbb_per_hand[1][2] == pytest.approx(-750)
    assert found.mbb_per_hand[2][1] == pytest.approx(750)
    assert found.ratings[1].elo < min(found.ratings[0].elo, found.ratings[2].elo)
    with pytest.raises(ZerosumError, match="wanted a game for two"):
        play_tournament(Holdem(players=3), entrants(["call"] * 3, Holdem(players=3)))
