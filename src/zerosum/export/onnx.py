"""The two networks of heads-up hold'em as ONNX models with any number of rows.

`x_hole` [B, 2] and `x_board` [B, 5] -> `pred_equity` [B, 1] and `pred_histogram` [B, 50]; `card_features` [B, 50] and
`env_features` [B, 5] -> `regrets` and `policy_logits` [B, 5]. Suits are renamed before: `native.canonical_suits`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from zerosum.encoding.heads_up import heads_up_history, heads_up_inputs
from zerosum.errors import PolicyError
from zerosum.networks.heads_up import ACTIONS, ENV, HISTOGRAM
from zerosum.networks.inference import has_onnx, onnx_model
from zerosum.policy.heads_up import HeadsUpPolicy, strategy_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy.typing as npt
    from torch import Tensor, nn

    from zerosum.games.protocol import View

CLOSE = 1e-5
BELOW = "denoise_below"  # what the model says of small chances


def onnx_models(policy: HeadsUpPolicy) -> tuple[bytes, bytes]:
    """CardModel and the network beside it, each checked with ONNX Runtime."""
    if not has_onnx():
        raise PolicyError("onnx: ONNX and ONNX Runtime are not installed, wanted the extra 'onnx'")
    cards = torch.arange(28).reshape(4, 7) % 53
    rows = torch.rand(4, HISTOGRAM), torch.rand(4, policy.network.betting)
    outputs = ("pred_equity", "pred_histogram"), ("regrets", "policy_logits")
    about = {"suits": "renamed before, by zerosum.native.canonical_suits"}, {BELOW: repr(policy.denoise_below or 0.0)}
    return (
        _checked(policy.cards, (cards[:, :2], cards[:, 2:]), ("x_hole", "x_board"), outputs[0], about[0]),
        _checked(policy.network, rows, ("card_features", "env_features"), outputs[1], about[1]),
    )


def _checked(
    network: nn.Module,
    rows: tuple[Tensor, ...],
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
    about: dict[str, str],
) -> bytes:
    """A model that tells `about` itself in its metadata."""
    import onnx

    model = onnx.load_model_from_string(onnx_model(network, rows, inputs, outputs))
    onnx.helper.set_model_props(model, about)
    told: bytes = model.SerializeToString()
    session = onnx_session(told)
    for some in (rows, tuple(row[:1] for row in rows)):
        found = session.run(None, {name: row.numpy() for name, row in zip(inputs, some, strict=True)})
        with torch.inference_mode():
            wanted = network(*some)
        for name, got, right in zip(outputs, found, wanted, strict=True):
            far = float(np.abs(got - right.numpy()).max())
            if not far <= CLOSE * max(1.0, float(right.abs().max())):
                raise PolicyError(f"onnx: {name} differs by {far:.2g} from PyTorch's, wanted at most {CLOSE}")
    return told


class OnnxPolicy:
    """A heads-up policy by two sessions of ONNX Runtime, from the files that `zerosum export --to onnx` writes."""

    def __init__(self, directory: Path) -> None:
        paths = [directory / name for name in ("card_model.onnx", "cfr_net.onnx")]
        for path in paths:
            if not path.is_file():
                raise PolicyError(f"{path}: no such file, wanted one of zerosum export --to onnx")
        self.cards, self.network = (onnx_session(str(path)) for path in paths)
        self.sees_history = self.network.get_inputs()[1].shape[1] != ENV
        self.denoise_below = float(self.network.get_modelmeta().custom_metadata_map.get(BELOW, "0.03")) or None

    def __call__(self, views: Sequence[View]) -> npt.NDArray[np.float64]:
        """B views -> [B, 5]."""
        seen = heads_up_inputs(views, ACTIONS)
        betting = heads_up_history(views) if self.sees_history else seen.env
        return strategy_of(self.logits(seen.hole, seen.board, betting), seen.legal, self.denoise_below)

    def logits(
        self, hole: npt.NDArray[np.int64], board: npt.NDArray[np.int64], betting: npt.NDArray[np.float32]
    ) -> npt.NDArray[np.float32]:
        """[B, 2], [B, 5] and [B, F] -> [B, 5]."""
        (histogram,) = self.cards.run(["pred_histogram"], {"x_hole": hole, "x_board": board})
        (logits,) = self.network.run(["policy_logits"], {"card_features": histogram, "env_features": betting})
        found: npt.NDArray[np.float32] = logits
        return found


def onnx_session(model: bytes | str) -> Any:
    """ONNX Runtime on one thread."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
