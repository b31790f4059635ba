"""Small linear models on top of the encoders: how signals add up, fitted by the recipe `train/answering.py`.

Every model is a row of weights for each outcome over named features plus a bias; the names are checked on loading, so
that weights and code cannot drift apart.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files

import numpy as np

from smallprint.errors import ModelError
from smallprint.models.session import Floats, softmax


@dataclass(frozen=True, slots=True)
class Linear:
    """weights [outcomes, features], bias [outcomes]; one outcome is a yes-no model."""

    features: tuple[str, ...]
    outcomes: tuple[str, ...]
    weights: Floats
    bias: Floats

    def logits(self, values: Mapping[str, float]) -> Floats:
        """[outcomes]"""
        row = np.array([values[name] for name in self.features], dtype=np.float32)
        logits: Floats = self.weights @ row + self.bias
        return logits

    def chance(self, values: Mapping[str, float]) -> float:
        """Of a yes-no model."""
        return float(1 / (1 + np.exp(-np.clip(self.logits(values)[0], -30, 30))))

    def chances(self, values: Mapping[str, float]) -> dict[str, float]:
        """Of a model with several outcomes; they sum to one."""
        return dict(zip(self.outcomes, map(float, softmax(self.logits(values))), strict=True))


@dataclass(frozen=True, slots=True)
class Weights:
    """`quoted` and `helps`: would people quote the sentence, does it help at all, and the same once the best were read
    together; `kind` of the question; `stance` of the policy; `right`: is the first sentence shown one that people would
    quote."""

    quoted: Linear
    helps: Linear
    quoted_together: Linear
    helps_together: Linear
    kind: Linear
    stance: Linear
    right: Linear


@cache
def shipped() -> Weights:
    path = files("smallprint.answer").joinpath("weights.json")
    try:
        return parse(json.loads(path.read_text("utf-8")))
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise ModelError("The weights of the answer stage are missing or damaged; install Smallprint anew.") from error


def parse(stored: dict[str, object]) -> Weights:
    return Weights(**{field.name: read_linear(stored[field.name]) for field in fields(Weights)})


def read_linear(stored: object) -> Linear:
    assert isinstance(stored, dict)
    return Linear(
        features=_names(stored["features"]),
        outcomes=_names(stored["outcomes"]),
        weights=np.array(stored["weights"], dtype=np.float32).reshape(len(stored["outcomes"]), len(stored["features"])),
        bias=np.array(stored["bias"], dtype=np.float32).reshape(len(stored["outcomes"])),
    )


def _names(stored: Sequence[object]) -> tuple[str, ...]:
    return tuple(str(name) for name in stored)
