"""A hand's actions -> 64 numbers: one layer of a transformer (Vaswani et al. 2017), and the mean over its tokens.

Padding costs nothing: real tokens lie one after the other, attention runs within each history, and because a mean is
linear, the last matrix product comes after it, once for each history. A history without actions gives zeros.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from zerosum import native
from zerosum.encoding.action_tokens import ACTION_TOKEN_DIM, MAX_ACTIONS
from zerosum.encoding.checks import want_actions
from zerosum.errors import EncodingError

if TYPE_CHECKING:
    import numpy.typing as npt

HEAD_WIDTH = 16  # of the native attention
TOKENS_AT_ONCE = 2048  # what they become on the way stays in the processor's cache
NO_LOWEST = -torch.finfo(torch.float32).max


class ActionHistoryEncoder(nn.Module):
    """Tokens (B, L, 17) and mask (B, L; True = padding, or None where there is none) -> (B, 64)."""

    def __init__(
        self,
        input_dim: int = ACTION_TOKEN_DIM,
        hidden_dim: int = 64,
        num_heads: int = 4,
        max_len: int = MAX_ACTIONS,
    ) -> None:
        super().__init__()
        self.hidden_dim, self.num_heads, self.max_len = hidden_dim, num_heads, max_len
        self.proj = nn.Linear(input_dim, hidden_dim)
        self.pos_embed = nn.Parameter(0.02 * torch.randn(1, max_len, hidden_dim))
        layer = nn.TransformerEncoderLayer(
            hidden_dim, num_heads, dim_feedforward=256, dropout=0.1, batch_first=True, norm_first=True
        )
        self.transformer = nn.TransformerEncoder(layer, num_layers=1, enable_nested_tensor=False)

    def forward(self, actions: Tensor, mask: Tensor | None = None) -> Tensor:
        """(B, L, 17) -> (B, 64)."""
        if actions.ndim != 3 or actions.shape[1] > self.max_len or actions.shape[2] != self.proj.in_features:
            got, wanted = tuple(actions.shape), f"(B, up to {self.max_len}, {self.proj.in_features})"
            raise EncodingError(f"actions: got shape {got}, wanted {wanted}")
        if mask is None:
            mask = torch.zeros(actions.shape[:2], dtype=torch.bool, device=actions.device)
        if mask.shape != actions.shape[:2]:
            raise EncodingError(f"action_mask: got shape {tuple(mask.shape)}, wanted {tuple(actions.shape[:2])}")
        if mask.dtype != torch.bool:
            raise EncodingError(f"action_mask: got {mask.dtype}, wanted torch.bool: true where there is padding")
        want_actions(actions, mask)
        if not self._is_native(actions):
            return self._padded(actions, mask)
        real = ~mask
        which = torch.nonzero(real.reshape(-1)).squeeze(1)
        tokens = actions.reshape(-1, actions.shape[2]).index_select(0, which)
        return self.packed(tokens, which % actions.shape[1], _offsets(real.sum(dim=1).numpy()))

    def packed(self, tokens: Tensor, places: Tensor, offsets: npt.NDArray[np.int64]) -> Tensor:
        """(T, 17) tokens, their places (T,) and where each history begins (U + 1,) -> (U, 64)."""
        if not self._is_native(tokens):
            return self._unpacked(tokens, places, offsets)
        if torch.is_grad_enabled():
            return self._pass(tokens, places, offsets)
        if len(tokens) <= TOKENS_AT_ONCE:
            return self._quick(tokens, places, offsets)
        parts, first = [], 0
        while first < len(offsets) - 1:
            last = int(np.searchsorted(offsets, offsets[first] + TOKENS_AT_ONCE, side="right")) - 1
            last = min(max(last, first + 1), len(offsets) - 1)
            some = slice(int(offsets[first]), int(offsets[last]))
            parts.append(self._quick(tokens[some], places[some], offsets[first : last + 1] - offsets[first]))
            first = last
        return torch.cat(parts)

    def _is_native(self, tokens: Tensor) -> bool:
        """Whether native code can do it; training with dropout and other devices take PyTorch's own way."""
        fits = self.hidden_dim == self.num_heads * HEAD_WIDTH
        return fits and not self.training and tokens.device.type == "cpu" and tokens.dtype == torch.float32

    def _pass(self, tokens: Tensor, places: Tensor, offsets: npt.NDArray[np.int64]) -> Tensor:
        """One layer, norms first; what comes after the mean is done once for each history."""
        layer: Any = self.transformer.layers[0]
        attention = layer.self_attn
        told = torch.addmm(self._places(places), tokens, self.proj.weight.t())
        asked = functional.linear(layer.norm1(told), attention.in_proj_weight, attention.in_proj_bias)
        told = torch.addmm(told + attention.out_proj.bias, _attend(asked, offsets), attention.out_proj.weight.t())
        inner = layer.linear1(layer.norm2(told))
        return _pooled(layer, _mean(told, offsets, NO_LOWEST), _mean(inner, offsets, 0.0), offsets)

    def _quick(self, tokens: Tensor, places: Tensor, offsets: npt.NDArray[np.int64]) -> Tensor:
        """The same without gradients: what lies between the products is native, in one pass each time."""
        layer: Any = self.transformer.layers[0]
        attention, weights = layer.self_attn, self.proj.weight.t().contiguous().numpy()
        table = (self.pos_embed[0] + self.proj.bias).numpy()
        rows, normed = native.layer_project(tokens.numpy(), places.numpy(), weights, table, *_norm(layer.norm1))
        asked = functional.linear(torch.from_numpy(normed), attention.in_proj_weight, attention.in_proj_bias)
        added = torch.mm(_attend(asked, offsets), attention.out_proj.weight.t()).numpy()
        bias = attention.out_proj.bias.detach().numpy()
        mean, normed = native.layer_add(rows, added, bias, *_norm(layer.norm2), offsets)
        inner = layer.linear1(torch.from_numpy(normed))
        return _pooled(layer, torch.from_numpy(mean), _mean(inner, offsets, 0.0), offsets)

    def _places(self, places: Tensor) -> Tensor:
        """(T,) -> (T, 64): what a token's place adds to it, the projection's bias included."""
        return (self.pos_embed[0] + self.proj.bias).index_select(0, places)

    def _padded(self, actions: Tensor, mask: Tensor) -> Tensor:
        """PyTorch's own layer over padded tokens; rows without any stay out of it, as attention over nothing is NaN."""
        some = ~mask.all(dim=1)
        answer = torch.zeros(len(actions), self.hidden_dim, dtype=actions.dtype, device=actions.device)
        if not some.any():
            return answer
        real, hidden = ~mask[some], mask[some]
        tokens = actions[some].masked_fill(hidden[:, :, None], 0.0)
        told = self.proj(tokens) + self.pos_embed[:, : actions.shape[1]]
        told = self.transformer(told, src_key_padding_mask=hidden) * real[:, :, None]
        answer[some] = told.sum(dim=1) / real.sum(dim=1, keepdim=True)
        return answer

    def _unpacked(self, tokens: Tensor, places: Tensor, offsets: npt.NDArray[np.int64]) -> Tensor:
        """The same for histories that came without padding."""
        count = len(offsets) - 1
        rows = torch.repeat_interleave(torch.arange(count), torch.from_numpy(np.diff(offsets))).to(tokens.device)
        actions = torch.zeros(count, self.max_len, tokens.shape[1], dtype=tokens.dtype, device=tokens.device)
        mask = torch.ones(count, self.max_len, dtype=torch.bool, device=tokens.device)
        actions[rows, places], mask[rows, places] = tokens, False
        return self._padded(actions, mask)


def _norm(norm: nn.LayerNorm) -> tuple[npt.NDArray[np.float32], float]:
    """Gains and shifts (2, W), and what is added to the variance."""
    return torch.stack([norm.weight, norm.bias]).numpy(), norm.eps


def _pooled(layer: Any, mean: Tensor, inner: Tensor, offsets: npt.NDArray[np.int64]) -> Tensor:
    """(U, 64) what is left of the layer after the means; a history without tokens is zeros."""
    pooled: Tensor = mean + layer.linear2(inner)
    empty = offsets[1:] == offsets[:-1]
    return torch.where(torch.from_numpy(empty)[:, None], 0.0, pooled) if empty.any() else pooled


def _offsets(counts: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])


class _Attention(torch.autograd.Function):
    """Native attention, with its way back."""

    @staticmethod
    def forward(ctx: Any, asked: Tensor, offsets: npt.NDArray[np.int64]) -> Tensor:
        ctx.asked, ctx.offsets = asked.detach(), offsets
        return torch.from_numpy(native.ragged_attention(asked.detach().numpy(), offsets))

    @staticmethod
    def backward(ctx: Any, *by_out: Tensor) -> tuple[Tensor, None]:
        back = native.ragged_attention_back(ctx.asked.numpy(), ctx.offsets, by_out[0].contiguous().numpy())
        return torch.from_numpy(back), None


class _Mean(torch.autograd.Function):
    """Native means over histories, smaller numbers than `low` counting as it."""

    @staticmethod
    def forward(ctx: Any, tokens: Tensor, offsets: npt.NDArray[np.int64], low: float) -> Tensor:
        ctx.tokens, ctx.offsets, ctx.low = tokens.detach(), offsets, low
        return torch.from_numpy(native.ragged_mean(tokens.detach().numpy(), offsets, low))

    @staticmethod
    def backward(ctx: Any, *by_mean: Tensor) -> tuple[Tensor, None, None]:
        wanted = by_mean[0].contiguous().numpy()
        return torch.from_numpy(native.ragged_mean_back(ctx.tokens.numpy(), ctx.offsets, ctx.low, wanted)), None, None


def _attend(asked: Tensor, offsets: npt.NDArray[np.int64]) -> Tensor:
    """(T, 3 H) queries, keys and values -> (T, H)."""
    if asked.requires_grad:
        answer: Tensor = _Attention.apply(asked, offsets)  # type: ignore[no-untyped-call]
        return answer
    return torch.from_numpy(native.ragged_attention(asked.numpy(), offsets))


def _mean(tokens: Tensor, offsets: npt.NDArray[np.int64], low: float) -> Tensor:
    """(T, W) -> (U, W)."""
    if tokens.requires_grad:
        answer: Tensor = _Mean.apply(tokens, offsets, low)  # type: ignore[no-untyped-call]
        return answer
    return torch.from_numpy(native.ragged_mean(tokens.numpy(), offsets, low))
