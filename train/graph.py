"""Write an encoder as an ONNX graph with onnxruntime's fused operators, in fp32 or int8.

Written by hand rather than traced: the graph is small, loads without an optimiser's help, and says exactly what
is quantised. A session reads one text at a time, without padding: activations are quantised over all they hold,
so in a batch a sentence's numbers would depend on its neighbours. Weights are int8 per output channel in seven
bits, so that sums of two products fit into sixteen bits on processors without VNNI; the word table is int8 per row.
A few channels whose activations are far larger than all others would leave these little of the 256 steps: they are
multiplied apart, in fp32.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from transformers import BertConfig

FUSED = "com.microsoft"
SEVEN_BITS = 63
EIGHT_BITS = 127

Weights = Mapping[str, np.ndarray]
Wide = Mapping[str, np.ndarray]
"""For a matrix by its name: the few input channels that stay fp32 (`train.outliers`)."""


class Graph:
    """Collects nodes and weights; each method adds one operator and gives back its output's name."""

    def __init__(self, *, bits: int, wide: Wide | None = None) -> None:
        self.bits = bits
        self.wide = wide or {}
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def constant(self, name: str, values: np.ndarray) -> str:
        self.weights.append(numpy_helper.from_array(values.copy(order="C"), name))
        return name

    def add(self, kind: str, inputs: list[str], *, outputs: int = 1, domain: str = "", **settings: object) -> list[str]:
        names = [f"{kind}_{len(self.nodes)}_{n}" for n in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, domain=domain, **settings))
        return names

    def one(self, kind: str, inputs: list[str], *, domain: str = "", **settings: object) -> str:
        return self.add(kind, inputs, domain=domain, **settings)[0]

    def table(self, name: str, values: np.ndarray, ids: str) -> str:
        """Rows `ids` of a table, int8 with one scale for each row."""
        if self.bits == 32:
            return self.one("Gather", [self.constant(name, values.astype(np.float32)), ids])
        scale = np.abs(values).max(axis=1, keepdims=True) / EIGHT_BITS + 1e-12
        small = np.rint(values / scale).astype(np.int8)
        rows = self.one("Gather", [self.constant(name, small), ids])
        scales = self.one("Gather", [self.constant(f"{name}.scale", scale.astype(np.float32)), ids])
        return self.one("Mul", [self.one("Cast", [rows], to=TensorProto.FLOAT), scales])

    def linear(self, name: str, hidden: str, weight: np.ndarray, bias: np.ndarray) -> str:
        """hidden @ weight.T + bias, for a weight as torch keeps it: [out, in]."""
        matrix = np.ascontiguousarray(weight.T.astype(np.float32))
        shift = self.constant(f"{name}.bias", bias.astype(np.float32))
        if self.bits == 32:
            return self.one("Add", [self.one("MatMul", [hidden, self.constant(name, matrix)]), shift])
        if name not in self.wide:
            return self._narrow(name, hidden, matrix, shift)
        channels = self.wide[name]
        few = self.one("Gather", [hidden, self.constant(f"{name}.channels", channels)], axis=2)
        apart = self.one("MatMul", [few, self.constant(f"{name}.wide", matrix[channels])])
        others = np.ones(len(matrix), dtype=np.float32)
        others[channels] = 0
        rest = self.one("Mul", [hidden, self.constant(f"{name}.others", others)])
        return self.one("Add", [self._narrow(name, rest, matrix * others[:, None], shift), apart])

    def _narrow(self, name: str, hidden: str, matrix: np.ndarray, shift: str) -> str:
        """In int8: the weights here, the activations at run time."""
        scale = np.abs(matrix).max(axis=0) / SEVEN_BITS + 1e-12
        small = self.constant(name, np.rint(matrix / scale).astype(np.int8))
        zero = self.constant(f"{name}.zero", np.zeros(len(scale), dtype=np.int8))
        scales = self.constant(f"{name}.scale", scale.astype(np.float32))
        return self.one("DynamicQuantizeMatMul", [hidden, small, scales, zero, shift], domain=FUSED)


def encoder(graph: Graph, weights: Weights, config: BertConfig, gates: np.ndarray | None = None) -> str:
    """Add a BERT encoder that reads `ids` and `types`; gives the name of its hidden states [n, length, width].

    `gates` [layers, heads] is added to the attention between tokens of different types.
    """
    return layers(graph, weights, config, embed(graph, weights, config), range(config.num_hidden_layers), gates)


def layers(
    graph: Graph, weights: Weights, config: BertConfig, hidden: str, numbers: range, gates: np.ndarray | None = None
) -> str:
    """Some layers above `hidden`."""
    across = _across(graph) if gates is not None else ""
    for number in numbers:
        name, bias = f"encoder.layer.{number}", ""
        if gates is not None:
            gate = graph.constant(f"{name}.gate", gates[number].astype(np.float32)[None, :, None, None])
            bias = graph.one("Mul", [across, gate])
        hidden = _layer(graph, weights, config, name, hidden, bias)
    return hidden


def _across(graph: Graph) -> str:
    """1 where two tokens are of different types, [n, 1, length, length]."""
    rows = graph.one("Unsqueeze", ["types", graph.constant("rows_axes", np.array([1, 3]))])
    columns = graph.one("Unsqueeze", ["types", graph.constant("columns_axes", np.array([1, 2]))])
    return graph.one("Cast", [graph.one("Not", [graph.one("Equal", [rows, columns])])], to=TensorProto.FLOAT)


def embed(graph: Graph, weights: Weights, config: BertConfig) -> str:
    """Places are counted anew where the type changes; one type's vector serves both."""
    words = graph.table("words", weights["embeddings.word_embeddings.weight"], "ids")
    types = graph.constant("type", weights["embeddings.token_type_embeddings.weight"][0])
    length = graph.one("Gather", [graph.one("Shape", ["ids"]), graph.constant("second", np.array(1))], axis=0)
    zero, one = graph.constant("zero", np.array(0)), graph.constant("one", np.array(1))
    passage = graph.one("ReduceSum", ["types", graph.constant("length_axis", np.array([1]))], keepdims=1)
    before = graph.one("Mul", ["types", graph.one("Sub", [length, passage])])
    places = graph.one("Sub", [graph.one("Range", [zero, length, one]), before])
    placed = graph.table("places", weights["embeddings.position_embeddings.weight"], places)
    total = graph.one("Add", [graph.one("Add", [words, types]), placed])
    gamma = graph.constant("embed.gamma", weights["embeddings.LayerNorm.weight"])
    beta = graph.constant("embed.beta", weights["embeddings.LayerNorm.bias"])
    return graph.one("LayerNormalization", [total, gamma, beta], axis=-1, epsilon=config.layer_norm_eps)


def _layer(graph: Graph, weights: Weights, config: BertConfig, name: str, hidden: str, bias: str) -> str:
    def read(part: str) -> tuple[np.ndarray, np.ndarray]:
        return weights[f"{name}.{part}.weight"], weights[f"{name}.{part}.bias"]

    parts = [read(f"attention.self.{part}") for part in ("query", "key", "value")]
    together = np.concatenate([w for w, _ in parts]), np.concatenate([b for _, b in parts])
    three = graph.add("Split", [graph.linear(f"{name}.qkv", hidden, *together)], outputs=3, axis=-1, num_outputs=3)
    heads = config.num_attention_heads
    no_mask = ["", "", bias] if bias else []
    mixed = graph.one("MultiHeadAttention", [*three, *no_mask], domain=FUSED, num_heads=heads)
    out = graph.linear(f"{name}.out", mixed, *read("attention.output.dense"))
    hidden = _normalise(graph, f"{name}.norm1", out, hidden, read("attention.output.LayerNorm"), config)
    inner = graph.linear(f"{name}.inner", hidden, *read("intermediate.dense"))
    out = graph.linear(f"{name}.outer", graph.one("Gelu", [inner], domain=FUSED), *read("output.dense"))
    return _normalise(graph, f"{name}.norm2", out, hidden, read("output.LayerNorm"), config)


def _normalise(
    graph: Graph, name: str, new: str, old: str, norm: tuple[np.ndarray, np.ndarray], config: BertConfig
) -> str:
    """Two operators: fused into one (`SkipLayerNormalization`) they take a quarter of all time, apart next to none."""
    gamma, beta = graph.constant(f"{name}.gamma", norm[0]), graph.constant(f"{name}.beta", norm[1])
    both = graph.one("Add", [new, old])
    return graph.one("LayerNormalization", [both, gamma, beta], axis=-1, epsilon=config.layer_norm_eps)


def mean_of(graph: Graph, hidden: str) -> str:
    """The mean of the tokens, [n, width]."""
    return graph.one("ReduceMean", [hidden, graph.constant("token_axis", np.array([1]))], keepdims=0)


def first_of(graph: Graph, hidden: str) -> str:
    """The vector of [CLS], [n, width]."""
    return graph.one("Gather", [hidden, graph.constant("first", np.array(0))], axis=1)


def finish(graph: Graph, outputs: dict[str, str], name: str, width: int | None = None) -> onnx.ModelProto:
    """The whole model; `outputs` maps the name a session sees to the value inside. With a `width` it goes on from
    `hidden` states of that width instead of `ids`."""
    for shown, inner in outputs.items():
        graph.nodes.append(helper.make_node("Identity", [inner], [shown]))
    first = (
        helper.make_tensor_value_info("hidden", TensorProto.FLOAT, ["n", "length", width])
        if width
        else helper.make_tensor_value_info("ids", TensorProto.INT64, ["n", "length"])
    )
    inputs = [first, helper.make_tensor_value_info("types", TensorProto.INT64, ["n", "length"])]
    values = [helper.make_tensor_value_info(shown, TensorProto.FLOAT, None) for shown in outputs]
    made = helper.make_graph(graph.nodes, name, inputs, values, graph.weights)
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid(FUSED, 1)]
    return helper.make_model(made, opset_imports=opsets, ir_version=9, producer_name="smallprint")
