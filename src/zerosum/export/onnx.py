"""The two networks of heads-up hold'em as ONNX models with any number of rows.

`x_hole` [B, 2] and `x_board` [B, 5] -> `pred_equity` [B, 1] and `pred_histogram` [B, 50]; `card_features` [B, 50] and
`env_features` [B, 5] -> `regrets` and `policy_logits` [B, 5]. Suits are renamed before: `native.canonical_suits`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from zerosum.errors import PolicyError
from zerosum.networks.heads_up import HISTOGRAM
from zerosum.networks.inference import has_onnx, onnx_model

if TYPE_CHECKING:
    from torch import Tensor, nn

    from zerosum.policy.heads_up import HeadsUpPolicy

CLOSE = 1e-5


def onnx_models(policy: HeadsUpPolicy) -> tuple[bytes, bytes]:
    """CardModel and the network beside it, each checked with ONNX Runtime."""
    if not has_onnx():
        raise PolicyError("onnx: ONNX and ONNX Runtime are not installed, wanted the extra 'onnx'")
    cards = torch.arange(28).reshape(4, 7) % 53
    rows = torch.rand(4, HISTOGRAM), torch.rand(4, policy.network.betting)
    return (
        _checked(policy.cards, (cards[:, :2], cards[:, 2:]), ("x_hole", "x_board"), ("pred_equity", "pred_histogram")),
        _checked(policy.network, rows, ("card_features", "env_features"), ("regrets", "policy_logits")),
    )


def _checked(network: nn.Module, rows: tuple[Tensor, ...], inputs: tuple[str, ...], outputs: tuple[str, ...]) -> bytes:
    told = onnx_model(network, rows, inputs, outputs)
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


def onnx_session(model: bytes | str) -> Any:
    """ONNX Runtime on one thread."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
