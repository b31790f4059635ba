"""Shipped graphs back into networks that can learn on: weights of seven bits, spread out to fp32 again.

A recipe's checkpoints stay on the machine that made them; what ships is everywhere. Begun from here, a network is as
good as the shipped one before its first step.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from safetensors.torch import load_file
from torch import Tensor

from smallprint.models.tokenizer import PieceTokenizer
from train.arbiter_model import interleaved
from train.judge_model import APART, GATE, OPENING_SPEED
from train.paths import WEIGHTS, Paths
from train.reader_model import LOOK_SPEED
from train.vocabulary import lay_base

PARTS = {
    "out": "attention.output.dense",
    "inner": "intermediate.dense",
    "outer": "output.dense",
    "norm1": "attention.output.LayerNorm",
    "norm2": "output.LayerNorm",
}

State = dict[str, Tensor]


class Frozen:
    """The weights of a shipped network, in one graph or several, by the names that `train.graph` gave them."""

    def __init__(self, *paths: Path) -> None:
        self._stored = {w.name: numpy_helper.to_array(w) for path in paths for w in onnx.load(path).graph.initializer}
        self.layers = sum(name.endswith(".qkv") for name in self._stored)

    def plain(self, name: str) -> Tensor:
        return torch.from_numpy(self._stored[name].astype(np.float32))

    def wide(self, name: str) -> Tensor:
        """An int8 weight times its scales: one a row for tables, one a column for matrices. Channels that stayed fp32
        are put back into their places."""
        whole = self.plain(name) * self.plain(f"{name}.scale")
        if f"{name}.channels" in self._stored:
            whole[torch.from_numpy(self._stored[f"{name}.channels"])] = self.plain(f"{name}.wide")
        return whole

    def linear(self, name: str, prefix: str) -> State:
        return {f"{prefix}.weight": self.wide(name).T.contiguous(), f"{prefix}.bias": self.plain(f"{name}.bias")}

    def head(self, name: str, prefix: str) -> State:
        return {f"{prefix}.weight": self.plain(name).T.contiguous(), f"{prefix}.bias": self.plain(f"{name}.bias")}

    def norm(self, name: str, prefix: str) -> State:
        return {f"{prefix}.weight": self.plain(f"{name}.gamma"), f"{prefix}.bias": self.plain(f"{name}.beta")}


def encoder_state(frozen: Frozen) -> State:
    """Everything below the heads, named as `transformers` names it."""
    state = {
        "embeddings.word_embeddings.weight": frozen.wide("words"),
        "embeddings.position_embeddings.weight": frozen.wide("places"),
        "embeddings.token_type_embeddings.weight": frozen.plain("type").repeat(2, 1),
        **frozen.norm("embed", "embeddings.LayerNorm"),
    }
    for number in range(frozen.layers):
        state |= _layer(frozen, f"encoder.layer.{number}")
    return state


def _layer(frozen: Frozen, layer: str) -> State:
    three = frozen.linear(f"{layer}.qkv", "qkv")
    weights, biases = three["qkv.weight"].chunk(3), three["qkv.bias"].chunk(3)
    state: State = {}
    for part, weight, bias in zip(("query", "key", "value"), weights, biases, strict=True):
        state |= {f"{layer}.attention.self.{part}.weight": weight, f"{layer}.attention.self.{part}.bias": bias}
    for short, long in PARTS.items():
        read = frozen.norm if short.startswith("norm") else frozen.linear
        state |= read(f"{layer}.{short}", f"{layer}.{long}")
    return state


def judge_state() -> State:
    """The shipped judge, as `train.judge_model.Judge` keeps it."""
    frozen = Frozen(WEIGHTS / "base.onnx", WEIGHTS / "pairs.onnx", WEIGHTS / "judge.onnx")
    gates = torch.stack([frozen.plain(f"encoder.layer.{n}.gate").flatten() for n in range(APART, frozen.layers)])
    return {
        **{f"bert.{name}": weight for name, weight in encoder_state(frozen).items()},
        "opening": (gates - GATE) / OPENING_SPEED,
        "closeness": frozen.plain("closeness")[:, 0],
        **frozen.head("relevance_head", "relevance"),
    }


def reader_state(sizes: dict[str, int]) -> State:
    """The shipped reader, as `train.reader_model.Reader` keeps it; `sizes` of its heads in their order."""
    frozen = Frozen(WEIGHTS / "base.onnx", WEIGHTS / "reader.onnx")
    labels, texts = frozen.head("labels_first", "all"), frozen.head("heads_text", "all")
    labels["all.weight"] = torch.cat([labels["all.weight"], frozen.plain("labels_tokens").T], dim=1)
    state = {f"bert.{name}": weight for name, weight in encoder_state(frozen).items()}
    state["look.weight"] = frozen.plain("labels_look").T / LOOK_SPEED
    for part in ("all.weight", "all.bias"):
        together = torch.cat([labels[part], texts[part]])
        for name, cut in zip(sizes, together.split(list(sizes.values())), strict=True):
            state[part.replace("all", name)] = cut
    return state | frozen.head("vague_head", "vague_words")


def marker_state() -> State:
    """The shipped marker, as `train.marker_model.Marker` keeps it."""
    frozen = Frozen(WEIGHTS / "base.onnx", WEIGHTS / "pairs.onnx", WEIGHTS / "marker.onnx")
    return {
        **{f"bert.{name}": weight for name, weight in encoder_state(frozen).items()},
        **frozen.head("stance_head", "stance"),
        "match.weight": torch.cat([frozen.plain(f"match.{part}").T for part in ("alone", "asked", "product")], dim=1),
        "match.bias": frozen.plain("match.bias"),
        **frozen.head("span_head", "span"),
    }


def arbiter_state() -> State:
    """The shipped arbiter, as `train.arbiter_model.Arbiter` keeps it."""
    frozen = Frozen(WEIGHTS / "base.onnx", WEIGHTS / "pairs.onnx", WEIGHTS / "arbiter.onnx")
    return {
        **{f"bert.{name}": weight for name, weight in encoder_state(frozen).items()},
        **frozen.head("stance_head", "stance"),
        **frozen.head("answers_head", "answers"),
    }


def trained(paths: Paths, name: str, shipped: Callable[[], State]) -> State:
    """What was trained here, else what ships."""
    path = paths.cache / name / "model.pt"
    return torch.load(path, weights_only=True) if path.exists() else shipped()


def start_of_marker(paths: Paths) -> State:
    """The shipped marker upon the lowest layers of the judge that there is now: it goes on from what they make."""
    lowest = ("bert.embeddings.", *(f"bert.encoder.layer.{number}." for number in range(APART)))
    judge = trained(paths, "judge", judge_state)
    return marker_state() | {name: weight for name, weight in judge.items() if name.startswith(lowest)}


def start_of_arbiter(paths: Paths) -> State:
    """The shipped arbiter; where there is none, marker and bge."""
    if (WEIGHTS / "arbiter.onnx").exists():
        return arbiter_state()
    return interleaved(start_of_marker(paths), load_file(paths.bge / "model.safetensors"))


def lay_shipped_base(paths: Paths) -> PieceTokenizer:
    """The base encoder with the shipped vocabulary, where `train.vocabulary` has not laid it yet."""
    if not (paths.base / "model.safetensors").exists():
        lay_base(paths, PieceTokenizer.load(WEIGHTS / "tokenizer.json").pieces)
    return PieceTokenizer.load(paths.base / "tokenizer.json")
