"""The layers that several encoders share: each is loaded once."""

from __future__ import annotations

from functools import cache

from smallprint.models.catalogue import Catalogue
from smallprint.models.session import Graph, load_graph


@cache
def base_layers(catalogue: Catalogue) -> Graph:
    """The word table and the lowest layer, which all encoders have in common."""
    return load_graph(catalogue.read("reader", "base.onnx"))


@cache
def pair_layers(catalogue: Catalogue) -> tuple[Graph, Graph]:
    """What judge, marker and arbiter share: the layers that read question and passage apart."""
    return base_layers(catalogue), load_graph(catalogue.read("judge", "pairs.onnx"))
