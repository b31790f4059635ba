"""What ships of a later stage: the mean of what it learned with what it began from."""

from __future__ import annotations

from collections.abc import Callable

import torch

from train.paths import Paths
from train.thaw import State

KEPT = 0.3
"""The share of the weights it began with."""


def mean_with_start(learned: State, start: State) -> State:
    """What is fresh stays as it was learned."""
    return {name: w.lerp(start[name], KEPT) if name in start else w for name, w in learned.items()}


def start_kept(paths: Paths, name: str, made: Callable[[], State]) -> State:
    """What a recipe began with, though others have shipped since."""
    path = paths.made(name) / "start.pt"
    if not path.exists():
        torch.save(made(), path)
    kept: State = torch.load(path, weights_only=True)
    return kept
