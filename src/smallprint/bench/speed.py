"""`bench speed`: the models against one unit of work taken in the same run, one thread.

The unit U is an fp32 encoder of MiniLM-L6's shape over the same sentences. `unit.onnx` holds its graph alone; the
weights are sines of running numbers that the session works out when it loads, as time does not depend on them.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

from smallprint.answer.judging import SHORT_LIST
from smallprint.bench.data import DataDir
from smallprint.bench.labelled import only_smallprint
from smallprint.bench.report import Report
from smallprint.models.catalogue import shipped
from smallprint.models.judge import Judge
from smallprint.models.passage import passage
from smallprint.models.reader import Reader
from smallprint.models.session import EncoderSession, load_graph
from smallprint.models.tokenizer import Pieces, shared_tokenizer

SENTENCES = 150
ROUNDS = 3
QUESTION = "do you share my location with advertisers?"
LAYERS, WIDTH, HEADS, INNER = 6, 384, 12, 1536
"""The shape of MiniLM-L6."""

_COLD = """
import time
began = time.perf_counter()
from smallprint.models.arbiter import Arbiter
from smallprint.models.judge import Judge
from smallprint.models.marker import Marker
from smallprint.models.reader import Reader
reader, models = Reader.load(), [model.load() for model in (Judge, Marker, Arbiter)]
loaded = time.perf_counter() - began
reader.read(["We collect your name."] * 3)
from pathlib import Path
status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
print(loaded, int(status["VmHWM"].split()[0]) / 1024)
"""
# getrusage would count the parent's memory too: a forked process starts with its parent's peak.


def sentences_of(data: DataDir) -> list[str]:
    """The first sentences of the data set's policies, as many as one policy has."""
    found: list[str] = []
    for row in data.iterate("asked/docs.jsonl"):
        kinds = row.get("kinds", ["p"] * len(row["sentences"]))
        found += [s for s, kind in zip(row["sentences"], kinds, strict=True) if kind != "heading"]
        if len(found) >= SENTENCES:
            break
    return found[:SENTENCES]


def seconds(work: Callable[[], object]) -> float:
    """The best of a few rounds: what the machine can do when nobody disturbs it."""
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best


def pieces_of(sentences: Sequence[str]) -> list[Pieces]:
    return shared_tokenizer(shipped()).texts(sentences)


def unit_of(sentences: Sequence[str]) -> Callable[[], object]:
    pieces = pieces_of(sentences)
    session = EncoderSession([load_graph((files("smallprint.bench") / "unit.onnx").read_bytes())])
    return lambda: [session.run(p) for p in pieces]


def torch_of(sentences: Sequence[str]) -> Callable[[], object]:
    """The unit's work in torch, sentence by sentence on one thread."""
    pieces = pieces_of(sentences)
    torch: Any = import_module("torch")
    torch.set_num_threads(1)
    layer = torch.nn.TransformerEncoderLayer(WIDTH, HEADS, INNER, activation="gelu", batch_first=True)
    encoder = torch.nn.TransformerEncoder(layer, LAYERS).eval()
    table = torch.nn.Embedding(1 + max(max(p.ids) for p in pieces), WIDTH)

    def work() -> None:
        with torch.inference_mode():
            for p in pieces:
                encoder(table(torch.tensor([p.ids])))

    return work


def cold_start() -> tuple[float, float]:
    """Seconds to load the models in a new process (the best of a few), and its peak of memory in megabytes."""
    found = []
    for _ in range(ROUNDS):
        done = subprocess.run([sys.executable, "-c", _COLD], capture_output=True, text=True, check=True)
        loaded, peak = map(float, done.stdout.split())
        found.append((loaded, peak))
    return min(found)


def run(data: DataDir, system: str | None = None) -> Report:
    """Ratios to U: `reader` over the policy, `judge` over a short list, `question` alone; then cold start. Beside them
    an encoder of the reader's shape, without heads, in fp32: U itself and, where torch is installed, in torch."""
    only_smallprint(system)
    sentences = sentences_of(data)
    reader, judge = Reader.load(), Judge.load()
    short_list = [passage(s) for s in sentences[:SHORT_LIST]]
    unit = seconds(unit_of(sentences))
    loaded, peak = cold_start()
    scores = {
        "reader": seconds(lambda: reader.read(sentences)) / unit,
        "judge": seconds(lambda: judge.judge(QUESTION, short_list)) / unit,
        "question": seconds(lambda: reader.question(QUESTION)) / unit,
        "load_seconds": loaded,
        "memory_megabytes": peak,
    }
    beside = {"fp32-onnx": {"reader": 1.0, "unit_seconds": unit}}
    if find_spec("torch"):
        beside["fp32-torch"] = {"reader": seconds(torch_of(sentences)) / unit}
    return Report("speed", data.used, len(sentences), {"smallprint": scores, **beside})
