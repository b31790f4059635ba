"""Turn trained networks into the graphs that ship."""

from __future__ import annotations

import numpy as np
import onnx
import torch
from onnx import TensorProto
from torch import nn

from smallprint.models.reader import SEGMENT_HEADS
from train.arbiter_model import Arbiter
from train.graph import FUSED, Graph, Wide, embed, finish, first_of, layers, mean_of
from train.judge_model import APART, SHUT, Judge
from train.marker_model import Marker
from train.reader_model import LOOK_SPEED, Reader

LAID = 1
"""Layers that no recipe moves: with the word table they are one file, which all networks go on from."""
TEXT_HEADS = ("vague_score", "question_categories", "kind")
READER_HEADS = (*SEGMENT_HEADS, *TEXT_HEADS)


def bert_weights(model: nn.Module) -> dict[str, np.ndarray]:
    return {name: w.detach().numpy() for name, w in model.bert.state_dict().items()}


def graph_of(wide: Wide | None) -> Graph:
    """In int8 but for the channels of `wide`; all in fp32 without it."""
    return Graph(bits=32 if wide is None else 8, wide=wide)


def gates_of(judge: Judge) -> np.ndarray:
    gates: np.ndarray = judge.gates().detach().numpy()
    return gates


def head(graph: Graph, name: str, hidden: str, linear: nn.Linear) -> str:
    """Heads stay fp32: they are small, and thresholds stand on them."""
    matrix = graph.constant(name, linear.weight.detach().numpy().T)
    bias = graph.constant(f"{name}.bias", linear.bias.detach().numpy())
    return graph.one("Add", [graph.one("MatMul", [hidden, matrix]), bias])


def side_product(graph: Graph, hidden: str) -> str:
    """Means of question tokens (type 0) and passage tokens (type 1), of length one, multiplied, [n, width]."""
    axis, last = graph.constant("side_axis", np.array([1])), graph.constant("side_last", np.array([2]))
    passage = graph.one("Unsqueeze", [graph.one("Cast", ["types"], to=TensorProto.FLOAT), last])
    question = graph.one("Sub", [graph.constant("side_one", np.array(1, dtype=np.float32)), passage])
    sides = []
    for mask in (question, passage):
        total = graph.one("ReduceSum", [graph.one("Mul", [hidden, mask]), axis], keepdims=0)
        sides.append(graph.one("LpNormalization", [total], axis=1, p=2))
    return graph.one("Mul", sides)


def base_graph(model: nn.Module, wide: Wide | None) -> onnx.ModelProto:
    """ids, types → the hidden states [n, length, width] that all networks go on from; sides are read apart."""
    graph, weights, config = graph_of(wide), bert_weights(model), model.bert.config
    shut = np.full((LAID, config.num_attention_heads), SHUT, dtype=np.float32)
    hidden = layers(graph, weights, config, embed(graph, weights, config), range(LAID), shut)
    return finish(graph, {"begun": hidden}, "base")


def pairs_graph(judge: Judge, wide: Wide | None) -> onnx.ModelProto:
    """hidden, types → the hidden states [n, length, width] that judge, marker and arbiter go on from."""
    graph, config = graph_of(wide), judge.bert.config
    hidden = layers(graph, bert_weights(judge), config, "hidden", range(LAID, APART), gates_of(judge))
    return finish(graph, {"begun": hidden}, "pairs", config.hidden_size)


def upper_layers(graph: Graph, model: Judge | Marker | Arbiter, gates: np.ndarray | None = None) -> str:
    config = model.bert.config
    return layers(graph, bert_weights(model), config, "hidden", range(APART, config.num_hidden_layers), gates)


def judge_graph(judge: Judge, wide: Wide | None) -> onnx.ModelProto:
    """hidden, types → relevance [n, 1], a logit."""
    graph = graph_of(wide)
    hidden = upper_layers(graph, judge, gates_of(judge))
    pooled = graph.one("Add", [first_of(graph, hidden), mean_of(graph, hidden)])
    far = head(graph, "relevance_head", pooled, judge.relevance)
    closeness = graph.constant("closeness", judge.closeness.detach().numpy()[:, None])
    near = graph.one("MatMul", [side_product(graph, hidden), closeness])
    return finish(graph, {"relevance": graph.one("Add", [far, near])}, "judge", judge.bert.config.hidden_size)


def matched(graph: Graph, hidden: str, marker: Marker) -> str:
    """Each token beside the question's mean and their product, [n, length, match width]."""
    alone, asked, product = (part.detach().numpy().T for part in marker.match.weight.chunk(3, dim=1))
    question = question_mean(graph, hidden)
    bias = graph.constant("match.bias", marker.match.bias.detach().numpy())
    terms = [
        graph.one("MatMul", [hidden, graph.constant("match.alone", alone)]),
        graph.one("MatMul", [question, graph.constant("match.asked", asked)]),
        graph.one("MatMul", [graph.one("Mul", [hidden, question]), graph.constant("match.product", product)]),
    ]
    return graph.one("Gelu", [graph.one("Add", [graph.one("Sum", terms), bias])], domain=FUSED)


def question_mean(graph: Graph, hidden: str) -> str:
    """The mean of the question's tokens (type 0), [n, 1, width]."""
    axis, last = graph.constant("asked_axis", np.array([1])), graph.constant("asked_last", np.array([2]))
    passage = graph.one("Unsqueeze", [graph.one("Cast", ["types"], to=TensorProto.FLOAT), last])
    question = graph.one("Sub", [graph.constant("asked_one", np.array(1, dtype=np.float32)), passage])
    total = graph.one("ReduceSum", [graph.one("Mul", [hidden, question]), axis], keepdims=1)
    return graph.one("Div", [total, graph.one("ReduceSum", [question, axis], keepdims=1)])


def marker_graph(marker: Marker, wide: Wide | None) -> onnx.ModelProto:
    """hidden, types → stance [n, 6], span [n, length, 2], both logits."""
    graph = graph_of(wide)
    hidden = upper_layers(graph, marker)
    pooled = graph.one("Add", [first_of(graph, hidden), mean_of(graph, hidden)])
    outputs = {
        "stance": head(graph, "stance_head", pooled, marker.stance),
        "span": head(graph, "span_head", matched(graph, hidden, marker), marker.span),
    }
    return finish(graph, outputs, "marker", marker.bert.config.hidden_size)


def arbiter_graph(arbiter: Arbiter, wide: Wide | None) -> onnx.ModelProto:
    """hidden, types → stance [n, 6], answers [n, length, 2], both logits."""
    graph = graph_of(wide)
    hidden = upper_layers(graph, arbiter)
    pooled = graph.one("Add", [first_of(graph, hidden), mean_of(graph, hidden)])
    outputs = {
        "stance": head(graph, "stance_head", pooled, arbiter.stance),
        "answers": head(graph, "answers_head", hidden, arbiter.answers),
    }
    return finish(graph, outputs, "arbiter", arbiter.bert.config.hidden_size)


def reader_graph(reader: Reader, wide: Wide | None) -> onnx.ModelProto:
    """hidden, types → vector [n, 384] of length one, `heads` (logits side by side), vague_words [n, length, 1]."""
    graph, config = graph_of(wide), reader.bert.config
    hidden = layers(graph, bert_weights(reader), config, "hidden", range(LAID, config.num_hidden_layers))
    mean = mean_of(graph, hidden)
    both = graph.one("Concat", [first_of(graph, hidden), mean], axis=1)
    heads = [segment_labels(graph, hidden, reader), head(graph, "heads_text", both, side_by_side(reader, TEXT_HEADS))]
    outputs = {
        "vector": graph.one("LpNormalization", [mean], axis=1, p=2),
        "heads": graph.one("Concat", heads, axis=1),
        "vague_words": head(graph, "vague_head", hidden, reader.vague_words),
    }
    return finish(graph, outputs, "reader", config.hidden_size)


def segment_labels(graph: Graph, hidden: str, reader: Reader) -> str:
    """Logits from [CLS], and from the tokens as far as each label looks at them, [n, labels]."""
    together = side_by_side(reader, SEGMENT_HEADS)
    from_first, from_tokens = together.weight.chunk(2, dim=1)
    together.weight = nn.Parameter(from_first)
    look = graph.constant("labels_look", LOOK_SPEED * reader.look.weight.detach().numpy().T)
    share = graph.one("Softmax", [graph.one("MatMul", [hidden, look])], axis=1)
    said = graph.one("MatMul", [hidden, graph.constant("labels_tokens", from_tokens.detach().numpy().T)])
    seen = graph.one(
        "ReduceSum", [graph.one("Mul", [share, said]), graph.constant("labels_axis", np.array([1]))], keepdims=0
    )
    return graph.one("Add", [seen, head(graph, "labels_first", first_of(graph, hidden), together)])


def side_by_side(reader: Reader, names: tuple[str, ...]) -> nn.Linear:
    """Several heads as one."""
    linears = [reader.get_submodule(name) for name in names]
    together = nn.Linear(1, 1)
    together.weight = nn.Parameter(torch.cat([linear.weight for linear in linears]))
    together.bias = nn.Parameter(torch.cat([linear.bias for linear in linears]))
    return together


def head_sizes(reader: Reader) -> dict[str, int]:
    """How the reader's `heads` output is cut up, in order."""
    return {name: getattr(reader, name).out_features for name in READER_HEADS}
