"""A heads-up policy by ONNX Runtime against a simple player: `python examples/onnx_player.py DIR [HANDS]`.

DIR holds card_model.onnx and cfr_net.onnx, as `zerosum export POLICY --to onnx --out DIR` writes them.
"""

import sys
from pathlib import Path

from zerosum.evaluate.match import play_match
from zerosum.evaluate.roster import Entrant, entrant
from zerosum.export.onnx import OnnxPolicy
from zerosum.games.holdem import Holdem
from zerosum.policy.player import PolicyPlayer

game = Holdem()
policy = OnnxPolicy(Path(sys.argv[1]))
ours = Entrant("onnx", policy, PolicyPlayer("onnx", policy))
hands = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
first = play_match(game, [ours, entrant("tight-aggressive", game)], hands=hands, threads=1).players[0]
print(f"{first.mbb_per_hand:+,.1f} ± {first.ci95:,.1f} mbb/hand against tight-aggressive, {hands:,} hands")
