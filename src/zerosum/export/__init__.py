"""Heads-up policies for elsewhere: `.bin` weights, ONNX models, and a bot in one C++ file."""

from zerosum.export.weights import export_weights_bin, load_weights
from zerosum.native import CardModelInference, CFRNetInference

__all__ = ["CFRNetInference", "CardModelInference", "export_weights_bin", "load_weights"]
