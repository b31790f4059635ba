"""One training loop for all recipes: warm-up, straight decay, averaged weights, checkpoints, a time budget."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn


@dataclass(frozen=True, slots=True)
class Plan:
    rate: float
    tokens: int
    """Training ends after this many tokens; the learning rate falls to nothing on the way there."""
    minutes: float
    """...or when this much time is spent; then the rate falls along the clock instead."""
    warm_up: float = 0.06
    head_factor: float = 5.0
    """Fresh heads learn this much faster than the pretrained encoder."""
    average_from: float = 0.6
    """Weights of the last part of the run are averaged (exponentially): half a point for nothing."""
    average_decay: float = 0.99
    every_seconds: float = 240.0


@dataclass(slots=True)
class State:
    steps: int = 0
    tokens: int = 0
    seconds: float = 0.0


Loss = Callable[[object], tuple[Tensor, dict[str, float], int]]


def train(
    model: nn.Module, batches: Iterator[object], loss_of: Loss, plan: Plan, folder: Path, log: logging.Logger
) -> nn.Module:
    """Train until tokens or minutes are spent; the averaged weights end in `model` and `<folder>/model.pt`."""
    learned = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
    fresh = [p for name, p in learned if not name.startswith("bert.")]
    base = [p for name, p in learned if name.startswith("bert.")]
    groups = [{"params": base, "factor": 1.0}, {"params": fresh, "factor": plan.head_factor}]
    optimiser = torch.optim.AdamW(groups, lr=plan.rate, weight_decay=0.01)
    state, average = _resume(model, optimiser, folder, log)
    for _ in range(state.steps):
        next(batches)
    last_save, sums = time.monotonic(), {}
    model.train()
    for batch in batches:
        progress = max(state.tokens / plan.tokens, state.seconds / (60 * plan.minutes))
        if progress >= 1:
            break
        began = time.monotonic()
        for group in optimiser.param_groups:
            group["lr"] = plan.rate * group["factor"] * _rate(progress, plan.warm_up)
        loss, parts, tokens = loss_of(batch)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        state.steps, state.tokens = state.steps + 1, state.tokens + tokens
        state.seconds += time.monotonic() - began
        if progress >= plan.average_from:
            average = _averaged(average, model, plan.average_decay)
        _note(sums, parts, state, progress, log)
        if time.monotonic() - last_save > plan.every_seconds:
            _save(model, optimiser, state, average, folder)
            last_save = time.monotonic()
    _save(model, optimiser, state, average, folder)
    if average:
        model.load_state_dict(average, strict=False)
    torch.save(model.state_dict(), folder / "model.pt")
    log.info("done: %d steps, %d tokens, %.1f minutes", state.steps, state.tokens, state.seconds / 60)
    return model


def _rate(progress: float, warm_up: float) -> float:
    return min(progress / warm_up + 0.02, 1.0) * (1 - progress)


def _averaged(average: dict[str, Tensor], model: nn.Module, decay: float) -> dict[str, Tensor]:
    if not average:
        return {name: p.detach().clone() for name, p in model.named_parameters() if p.requires_grad}
    for name, p in model.named_parameters():
        if name in average:
            average[name].lerp_(p.detach(), 1 - decay)
    return average


def _note(
    sums: dict[str, list[float]], parts: dict[str, float], state: State, progress: float, log: logging.Logger
) -> None:
    for name, value in parts.items():
        sums.setdefault(name, []).append(value)
    if state.steps % 20 == 0:
        means = " ".join(f"{name} {sum(v) / len(v):.4f}" for name, v in sorted(sums.items()))
        rate = state.tokens / max(state.seconds, 1e-9)
        log.info("step %d %.0f%% %.0f tokens/s %s", state.steps, 100 * progress, rate, means)
        sums.clear()


def _save(
    model: nn.Module, optimiser: torch.optim.Optimizer, state: State, average: dict[str, Tensor], folder: Path
) -> None:
    """Write beside and rename: a run that is killed while saving keeps the checkpoint before."""
    beside = folder / "checkpoint.tmp"
    counted = (state.steps, state.tokens, state.seconds)
    torch.save(
        {"model": model.state_dict(), "optimiser": optimiser.state_dict(), "state": counted, "average": average}, beside
    )
    beside.replace(folder / "checkpoint.pt")


def _resume(
    model: nn.Module, optimiser: torch.optim.Optimizer, folder: Path, log: logging.Logger
) -> tuple[State, dict[str, Tensor]]:
    path = folder / "checkpoint.pt"
    if not path.exists():
        return State(), {}
    kept = torch.load(path, weights_only=True)
    model.load_state_dict(kept["model"])
    optimiser.load_state_dict(kept["optimiser"])
    state = State(*kept["state"])
    log.info("resumed at step %d", state.steps)
    return state, kept["average"]
