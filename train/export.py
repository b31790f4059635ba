"""Turn trained networks into the graphs that ship."""

from __future__ import annotations

import numpy as np
import onnx
import torch
from onnx import TensorProto
from torch import nn

from train.graph import Graph, encoder, finish, first_of, mean_of
from train.judge_model import Judge
from train.reader_model import Reader

READER_HEADS = ("categories", "values", "stance", "vague_score", "question_categories", "kind")


def bert_weights(model: nn.Module) -> dict[str, np.ndarray]:
    return {name: w.detach().numpy() for name, w in model.bert.state_dict().items()}


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


def judge_graph(judge: Judge, *, int8: bool = True) -> onnx.ModelProto:
    """ids, types → relevance [n, 1], stance [n, 5], span [n, length, 2], all logits."""
    graph = Graph(int8=int8)
    hidden = encoder(graph, bert_weights(judge), judge.bert.config, judge.gates().detach().numpy())
    pooled = graph.one("Add", [first_of(graph, hidden), mean_of(graph, hidden)])
    far = head(graph, "relevance_head", pooled, judge.relevance)
    closeness = graph.constant("closeness", judge.closeness.detach().numpy()[:, None])
    outputs = {
        "relevance": graph.one("Add", [far, graph.one("MatMul", [side_product(graph, hidden), closeness])]),
        "stance": head(graph, "stance_head", pooled, judge.stance),
        "span": head(graph, "span_head", hidden, judge.span),
    }
    return finish(graph, outputs, "judge")


def reader_graph(reader: Reader, *, int8: bool = True) -> onnx.ModelProto:
    """ids, types → vector [n, 384] of length one, `heads` (logits side by side), vague_words [n, length, 1]."""
    graph = Graph(int8=int8)
    hidden = encoder(graph, bert_weights(reader), reader.bert.config)
    mean = mean_of(graph, hidden)
    both = graph.one("Concat", [first_of(graph, hidden), mean], axis=1)
    together = nn.Linear(1, 1)
    linears = [getattr(reader, name) for name in READER_HEADS]
    together.weight = nn.Parameter(torch.cat([linear.weight for linear in linears]))
    together.bias = nn.Parameter(torch.cat([linear.bias for linear in linears]))
    outputs = {
        "vector": graph.one("LpNormalization", [mean], axis=1, p=2),
        "heads": head(graph, "heads_all", both, together),
        "vague_words": head(graph, "vague_head", hidden, reader.vague_words),
    }
    return finish(graph, outputs, "reader")


def head_sizes(reader: Reader) -> dict[str, int]:
    """How the reader's `heads` output is cut up, in order."""
    return {name: getattr(reader, name).out_features for name in READER_HEADS}
