"""Makes a small policy of a run's mixture: a few networks with equal shares, as half-precision numbers.

The run's late networks are cut into as many spans, and each network is the mean of the weights of one span (Izmailov et
al. 2018): networks of neighbouring iterations go on from each other, and their mean has less of the noise of each.

    python scripts/thin_mixture.py RUN OUT --networks 2 --after 0.5
"""

from __future__ import annotations

import argparse
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save as save_tensors

from zerosum.games.catalog import load_game
from zerosum.networks.settings import NetworkSettings
from zerosum.policy.headers import find_header, read_header
from zerosum.policy.learned import read_block, save_mixture
from zerosum.policy.table import Origin
from zerosum.runs.files import make_directory, write_atomically


@dataclass
class Thin:
    """One block of networks, one player's for all."""

    blocks: list[dict[str, Any]]
    uniform: list[float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run")
    parser.add_argument("out")
    parser.add_argument("--networks", type=int, default=2, help="how many there will be")
    parser.add_argument("--after", type=float, default=0.5, help="made of those after this share of the iterations")
    args = parser.parse_args()
    where = find_header(str(Path(args.run) / "mixture"))
    header = read_header(where)
    if not header["blocks"]:
        parser.error(f"{where}: holds no network yet, wanted a run of two iterations or more")
    weights = np.concatenate([read_block(where, block)["player0"] for block in header["blocks"]])
    first = int(args.after * len(weights))
    spans = np.array_split(weights[first:], args.networks)
    means = np.stack([span.mean(axis=0, dtype=np.float64) for span in spans])
    data = save_tensors({"player0": means.astype(np.float16), "shares0": np.ones(len(means))})
    digest = hashlib.sha256(data).hexdigest()
    out = make_directory(args.out)
    name = f"networks-{digest[:16]}.safetensors"
    write_atomically(out / name, data)
    origin = Origin(header["algorithm"], header["iterations"], None, header["seed"])
    mixture = Thin([{"name": name, "sha256": digest}], [0.0])
    settings = NetworkSettings(**header["network"])
    save_mixture(out, mixture, load_game(header["game"]), settings, header["encoder"], origin)
    for old in out.glob("networks-*.safetensors"):
        if old.name != name:
            old.unlink()
    sizes = ", ".join(str(len(span)) for span in spans)
    print(f"{out}: {len(means)} means of {sizes} networks, from {first + 1} of {len(weights)} on; {len(data):,} bytes")


if __name__ == "__main__":
    main()
