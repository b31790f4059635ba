"""An onnxruntime session that gives the same bytes for the same text, whatever is read beside it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from smallprint.errors import ModelError
from smallprint.models.tokenizer import Pieces

Floats = NDArray[np.float32]
Item = TypeVar("Item")
Made = TypeVar("Made")
Graph = Any
"""An onnxruntime session; it has no types of its own."""


# Threads cost a millisecond to start, a text takes three to run.
SHARED_FROM = 4
MOST_THREADS = 4


def load_graph(model: bytes) -> Graph:
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
    options.log_severity_level = 3
    # The graphs are written fused as far as it pays; what the optimiser would fuse beyond that runs slower.
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC
    try:
        return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime raises its own kinds, none of them documented
        raise ModelError(f"The model cannot be run here: {str(error).splitlines()[0]}") from error


@dataclass(frozen=True, slots=True)
class Begun:
    """A text and what a session's lowest graphs made of it."""

    pieces: Pieces
    outputs: list[Floats]


class EncoderSession:
    """One or more graphs, each going on from the hidden states of the one before. One thread and one text at a time;
    several texts run side by side. The `lowest` graphs may be shared: what they made of a text serves every session
    that goes on from them.

    Activations are quantised over the whole tensor, so in a padded batch a sentence's vector would depend on
    its neighbours. One at a time costs a tenth more than the best batch and wastes nothing on padding.
    """

    def __init__(self, lowest: Sequence[Graph], *upper: Graph) -> None:
        self._lowest, self._upper = lowest, upper

    def run_all(self, inputs: Sequence[Pieces]) -> list[list[Floats]]:
        """The outputs for each text, in order."""
        return shared_out(self.run, inputs)

    def run(self, pieces: Pieces) -> list[Floats]:
        """The outputs for one text, each without its first axis."""
        return self.go_on(self.begin(pieces))

    def begin(self, pieces: Pieces) -> Begun:
        """What the lowest graphs make of a text: sessions that share them need not begin again."""
        first, *others = self._lowest
        made = first.run(None, {"ids": np.array([pieces.ids]), "types": np.array([pieces.types])})
        return Begun(pieces, _through(others, made, pieces))

    def go_on(self, begun: Begun) -> list[Floats]:
        return [output[0] for output in _through(self._upper, begun.outputs, begun.pieces)]


def _through(graphs: Sequence[Graph], outputs: list[Floats], pieces: Pieces) -> list[Floats]:
    """Through one graph after the other."""
    for graph in graphs:
        outputs = graph.run(None, {"hidden": outputs[0], "types": np.array([pieces.types])})
    return outputs


def shared_out(work: Callable[[Item], Made], items: Sequence[Item]) -> list[Made]:
    """`work` done for each, in order, by all of the processor's cores."""
    if len(items) < SHARED_FROM:
        return [work(item) for item in items]
    with ThreadPoolExecutor(min(MOST_THREADS, os.cpu_count() or 1)) as pool:
        return list(pool.map(work, items))


def sigmoid(logits: Floats) -> Floats:
    chances: Floats = (1 / (1 + np.exp(-np.clip(logits, -30, 30)))).astype(np.float32)
    return chances


def softmax(logits: Floats) -> Floats:
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    shares: Floats = (raised / raised.sum(axis=-1, keepdims=True)).astype(np.float32)
    return shares
