"""Which numbers an encoder is trained in: half precision where the processor is faster with it.

With AVX512-BF16 a step takes two thirds of the time of fp32; with AVX2 alone it would take twenty times as long. So
both are timed once, on products of the size that training makes; half precision in a process of its own, as some
virtual machines name instructions (AMX) that end whoever uses them.
"""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from multiprocessing import get_context

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

ROWS, WIDTH, INNER = 1_024, 384, 1_536
ROUNDS = 8
GAIN = 1.15
"""What half precision must win at least: casting takes time too."""


def narrow(*, training: bool) -> torch.autocast:
    """The setting for an encoder's layers; what they give back is fp32 again. Measuring is always in fp32."""
    return torch.autocast("cpu", dtype=torch.bfloat16, enabled=training and half_pays())


def attend(query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
    """Always in fp32: in half precision torch takes three to five times as long for it on a CPU."""
    with torch.autocast("cpu", enabled=False):
        return scaled_dot_product_attention(query.float(), key.float(), value.float(), attn_mask=mask)


@cache
def half_pays() -> bool:
    threads = torch.get_num_threads()
    try:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as apart:
            half = apart.submit(_seconds, torch.bfloat16, threads).result()
    except BrokenProcessPool:
        return False
    return _seconds(torch.float32, threads) > GAIN * half


def _seconds(numbers: torch.dtype, threads: int) -> float:
    """The fastest of some rounds: others may be using the machine."""
    torch.set_num_threads(threads)
    left, right = torch.randn(ROWS, WIDTH, dtype=numbers), torch.randn(WIDTH, INNER, dtype=numbers)
    taken = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for _ in range(ROUNDS):
            left @ right
        taken.append(time.perf_counter() - began)
    return min(taken)
