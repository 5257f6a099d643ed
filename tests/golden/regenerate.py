"""Writes the golden playthroughs anew. Read the difference before committing it."""

from pathlib import Path

from zerosum.games.catalog import load_game
from zerosum.games.playthrough import playthrough

GOLDENS = {
    "kuhn": ("kuhn", 3),
    "kuhn-cards-5": ("kuhn:cards=5", 1),
    "leduc": ("leduc", 11),
    "leduc-raises": ("leduc:ranks=4,raises=3,small_bet=1,big_bet=3", 5),
    "liars-dice": ("liars-dice", 2),
    "holdem": ("holdem", 3),
    "sixmax": ("sixmax", 5),
    "flop-holdem": ("flop-holdem", 2),
    "liars-dice-two": ("liars-dice:dice=2,faces=4", 4),
}
FOLDER = Path(__file__).parent / "playthroughs"

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, (spec, seed) in GOLDENS.items():
        (FOLDER / f"{name}.txt").write_text(playthrough(load_game(spec), seed))
