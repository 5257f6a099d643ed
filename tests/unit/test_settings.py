"""Names and settings: what is wrong is named, and the nearest right name is offered."""

import pytest

import zerosum as zs
from zerosum.errors import ZerosumError
from zerosum.learn.alphazero.settings import RunSettings
from zerosum.settings import from_mapping
from zerosum.solve.algorithms import algorithm_named


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("khun", "unknown game 'khun'; did you mean kuhn?"),
        ("Leduc", "unknown game 'Leduc'; did you mean leduc?"),
        ("zzz", "unknown game 'zzz'; known: "),
        ("", "unknown game ''; known: "),
        ("kuhn:cards=x", "kuhn: cards: got 'x', wanted int"),
        ("kuhn:cards=3.5", "kuhn: cards: got '3.5', wanted int"),
        ("kuhn:cards=1", "kuhn: cards: got 1, wanted 2 to 13"),
        ("kuhn:card=3", "kuhn: unknown setting card; did you mean cards?"),
        ("kuhn:cards", "kuhn: got 'cards', wanted key=value"),
        ("kuhn:", "kuhn: got nothing after the colon"),
        ("kuhn:cards=3,cards=4", "kuhn: cards is given twice"),
        ("leduc:ranks=1,suits=2", "leduc: ranks × suits: got 2, wanted 3 to 52"),
        ("leduc:raises=-1", "leduc: raises: got -1, wanted 0 to 20"),
        ("liars-dice:dice=0", "liars-dice: dice: got 0, wanted 1 to 5"),
        ("openspiel:", "openspiel: got no game"),
        ("openspiel:no_such_game", "openspiel:no_such_game: unknown game; "),
        ("openspiel:backgammon(nonsense=1)", "openspiel:backgammon"),
    ],
)
def test_bad_games(text: str, message: str) -> None:
    with pytest.raises(ZerosumError) as caught:
        zs.load_game(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [("cfr++", "did you mean cfr+?"), ("pdcfr", "did you mean pdcfr+?"), ("magic", "known: cfr, cfr+")],
)
def test_bad_algorithms(name: str, message: str) -> None:
    with pytest.raises(ZerosumError, match="unknown algorithm") as caught:
        algorithm_named(name)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"iterations": 0}, "iterations: got 0, wanted at least 1"),
        ({"iterations": float("nan")}, "iterations: got nan, wanted a whole number"),
        ({"seed": True}, "seed: got True, wanted a whole number"),
        ({"target": "1"}, "target: got '1', wanted a number"),
        ({"algorithm": 3}, "algorithm: got 3, wanted a name"),
        ({"seed": 1.5}, "seed: got 1.5, wanted a whole number"),
        ({"iterations": 10**23}, "iterations: got 100000000000000000000000, wanted at most 1000000000000000"),
        ({"iterations": -5}, "iterations: got -5, wanted at least 1"),
        ({"target": 0.0}, "target: got 0.0, wanted an exploitability above 0"),
        ({"target": float("nan")}, "target: got nan"),
        ({"threads": 0}, "threads: got 0, wanted 1 to"),
        ({"seed": -1}, "seed: got -1, wanted 0 to"),
    ],
)
def test_bad_solves(wrong: dict[str, float], message: str) -> None:
    with pytest.raises(ZerosumError) as caught:
        zs.solve(zs.load_game("kuhn"), **wrong)  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_none_is_what_may_be_missing() -> None:
    assert from_mapping(RunSettings, {"game": "leduc", "minutes": "none"}, "here").minutes is None
    with pytest.raises(ZerosumError, match="seed: got 'none', wanted int"):
        from_mapping(RunSettings, {"game": "leduc", "seed": "none"}, "here")
