"""Which benches there are. Each takes a data folder and perhaps one system, and gives a report."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from smallprint.bench.data import DataDir
from smallprint.bench.report import Report
from smallprint.errors import DataMissing

Bench = Callable[[DataDir, str | None], Report]

# name → module:function, imported when it is run: a bench may need what the product does not.
BENCHES = {
    "extraction": "smallprint.bench.extraction:run",
    "samples": "smallprint.bench.samples:run",
    "startup": "smallprint.bench.startup:run",
    "privacyqa": "smallprint.bench.questions:privacyqa",
    "asked": "smallprint.bench.questions:asked",
    "clarify": "smallprint.bench.clarify:run",
    "spelling": "smallprint.bench.spelling:run",
    "sectors": "smallprint.bench.sectors:run",
    "conflicts": "smallprint.bench.conflicts:run",
    "changes": "smallprint.bench.changes:run",
    "search": "smallprint.bench.search:run",
    "find": "smallprint.bench.find:run",
    "norms": "smallprint.bench.norms:run",
    "ingest": "smallprint.bench.ingest:run",
    "answerability": "smallprint.bench.judged:answerability",
    "policyqa": "smallprint.bench.judged:policyqa",
    "opp115": "smallprint.bench.labelled:opp115",
    "question-category": "smallprint.bench.labelled:question_category",
    "vagueness": "smallprint.bench.labelled:vagueness",
    "detector": "smallprint.bench.labelled:detector",
    "mapping": "smallprint.bench.published.clusters:run",
    "headings": "smallprint.bench.published.headings:run",
    "tables": "smallprint.bench.published.tables:run",
    "misspelt": "smallprint.bench.published.misspelt:run",
    "paraphrases": "smallprint.bench.published.summary:table",
    "speed": "smallprint.bench.speed:run",
    "asking": "smallprint.bench.asking:run",
    "scale": "smallprint.bench.scale:run",
    "serve": "smallprint.bench.serving:run",
}
WITHOUT_DATA = frozenset({"samples", "startup", "serve", "norms"})


def folder_for(name: str, given: Path | None) -> DataDir:
    """Where a bench finds its data: the folder `given`, else the one of `SMALLPRINT_DATA`."""
    _place(name)  # whoever mistypes a name needs no data to be told so
    return DataDir(Path()) if name in WITHOUT_DATA else DataDir.find(given)


def run(name: str, data: DataDir, system: str | None = None) -> Report:
    module, function = _place(name).split(":")
    bench: Bench = getattr(import_module(module), function)
    return bench(data, system)


def _place(name: str) -> str:
    if name not in BENCHES:
        raise DataMissing(f"There is no bench {name!r} (known: {', '.join(BENCHES)}).")
    return BENCHES[name]
