"""Answers of a Gomoku network to many positions at once: native code where it knows the network, else ONNX Runtime
where it is installed, PyTorch otherwise.

Rows go out in chunks of one size, each on one thread, so the answers do not depend on how many threads there are.
"""

from __future__ import annotations

import copy
import tempfile
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import torch
from torch import nn

from zerosum.errors import SettingsError
from zerosum.networks.gomoku import AlphaZeroNet
from zerosum.networks.pattern_table import PatternEvaluator
from zerosum.networks.patterns import PatternNet
from zerosum.networks.residual_native import LANES, ResidualEvaluator
from zerosum.networks.small import alone, device_named
from zerosum.networks.swift_native import SwiftEvaluator, is_native

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from zerosum.networks.gomoku import BoardNet


Answers = tuple["npt.NDArray[np.float32]", "npt.NDArray[np.float32]"]

CHUNK = 32
ENGINES = ("auto", "onnx", "torch")  # as in learn/alphazero/settings.py
OPSET = 17


class Evaluator(Protocol):
    """Planes [B, 3, h, w] -> probabilities of the cells [B, h·w], taken ones among them, and values [B]."""

    def __call__(self, planes: npt.NDArray[np.float32]) -> Answers: ...


class _Answering(nn.Module):
    def __init__(self, network: BoardNet) -> None:
        super().__init__()
        self.network = network

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        logits, value = self.network(planes)
        return torch.softmax(logits, dim=1), value


class TorchEvaluator:
    """By PyTorch, from a copy of the network as it is now; on a GPU in one piece, on processors in chunks."""

    def __init__(self, network: BoardNet, threads: int = 1, device: str = "cpu") -> None:
        self.device = device_named(device)
        self._network = _Answering(copy.deepcopy(network)).eval().to(self.device)
        self._pool = _Chunks(self._some, threads, CHUNK if self.device.type == "cpu" else 1 << 30)

    def __call__(self, planes: npt.NDArray[np.float32]) -> Answers:
        return self._pool(planes)

    def _some(self, planes: npt.NDArray[np.float32]) -> Answers:
        if self.device.type == "cpu":
            alone()
        with torch.inference_mode():
            shares, value = self._network(torch.from_numpy(planes).to(self.device))
        return shares.cpu().numpy(), value.cpu().numpy()


class OnnxEvaluator:
    """By ONNX Runtime, from a copy of the network as it is now."""

    def __init__(self, network: BoardNet, board: tuple[int, int], threads: int = 1) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            onnx_bytes(network, board), options, providers=["CPUExecutionProvider"]
        )
        self._pool = _Chunks(self._some, threads, CHUNK)

    def __call__(self, planes: npt.NDArray[np.float32]) -> Answers:
        return self._pool(planes)

    def _some(self, planes: npt.NDArray[np.float32]) -> Answers:
        shares, value = self._session.run(None, {"planes": planes})
        return shares, value


class _Chunks:
    """Rows in chunks on a few threads, the answers in their order."""

    def __init__(self, some: Any, threads: int, rows: int) -> None:
        self._some, self._rows = some, rows
        self._threads = ThreadPoolExecutor(threads) if threads > 1 else None

    def __call__(self, planes: npt.NDArray[np.float32]) -> Answers:
        parts = [planes[first : first + self._rows] for first in range(0, len(planes), self._rows)]
        if len(parts) == 1:
            shares, values = self._some(parts[0])
            return shares, values
        answers = list(map(self._some, parts) if self._threads is None else self._threads.map(self._some, parts))
        return np.concatenate([a for a, _ in answers]), np.concatenate([v for _, v in answers])


def onnx_bytes(network: BoardNet, board: tuple[int, int]) -> bytes:
    """The network as an ONNX model: `planes` [B, 3, h, w] -> `probabilities` [B, h·w], `values` [B]."""
    was_training = network.training
    told = onnx_model(_Answering(network).cpu(), (torch.zeros(2, 3, *board),), ["planes"], ["probabilities", "values"])
    network.train(was_training)
    return told


def onnx_model(
    model: nn.Module, rows: tuple[torch.Tensor, ...], inputs: Sequence[str], outputs: Sequence[str]
) -> bytes:
    """A model as ONNX, its inputs and outputs by name, for any number of rows."""
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")
        torch.onnx.export(
            model.eval(),
            rows,
            file := Path(folder) / "network.onnx",
            dynamo=False,
            opset_version=OPSET,
            input_names=inputs,
            output_names=outputs,
            dynamic_axes={name: {0: "rows"} for name in (*inputs, *outputs)},
        )
        return file.read_bytes()


def has_onnx() -> bool:
    """Whether networks can be turned into ONNX models and run as such here."""
    import importlib.util

    return all(importlib.util.find_spec(name) is not None for name in ("onnx", "onnxruntime"))


def evaluator_for(
    network: BoardNet,
    board: tuple[int, int],
    *,
    threads: int = 1,
    engine: str = "auto",
    device: str = "cpu",
) -> Evaluator:
    """What answers fastest here. A GPU is used through PyTorch."""
    if engine not in ENGINES:
        raise SettingsError(f"engine: got {engine!r}, wanted one of {', '.join(ENGINES)}")
    if engine == "onnx" and not has_onnx():
        raise SettingsError("engine: ONNX Runtime is not installed, wanted the extra 'onnx'")
    on_gpu = device_named(device).type != "cpu"
    if isinstance(network, PatternNet):
        if engine == "onnx":
            raise SettingsError("engine: got onnx, wanted auto or torch: native code answers for pattern networks")
        return (
            PatternEvaluator(network.weights(), threads)
            if engine == "auto" and not on_gpu
            else TorchEvaluator(network, threads, device)
        )
    if type(network) is AlphaZeroNet and engine == "auto" and not on_gpu and network.channels % LANES == 0:
        return ResidualEvaluator(network.weights(), network.board, len(network.res_blocks), threads)
    if is_native(network) and engine == "auto" and not on_gpu:
        return SwiftEvaluator(network, board, threads)
    if engine == "torch" or on_gpu or not has_onnx():
        return TorchEvaluator(network, threads, device)
    return OnnxEvaluator(network, board, threads)
