from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from corpus_helpers import at, deadly_work, document

from smallprint.corpus import workers
from smallprint.corpus.analyse import Options
from smallprint.corpus.documents import Document
from smallprint.corpus.workers import Workers, cores
from smallprint.library import Arrival, Refusal


def test_results_come_in_order(tmp_path: Path) -> None:
    batches = [[document(f"{n} {m}") for m in range(2)] for n in range(9)]
    found = list(Workers(at(tmp_path), Options(quick=True), 2).analyse(iter(batches)))
    assert [[item.key for item in batch] for batch in found] == [[d.key for d in batch] for batch in batches]


def test_documents_wait_in_a_bounded_queue(tmp_path: Path) -> None:
    taken = 0

    def endless() -> Iterator[list[Document]]:
        nonlocal taken
        while True:
            taken += 1
            yield [document(f"{taken}")]

    results = Workers(at(tmp_path), Options(quick=True), 1).analyse(endless())
    next(results)
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert taken <= 6


@pytest.mark.parametrize("poison", ["deadly", "endless"])
def test_a_document_that_kills_or_hangs_its_worker_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, poison: str
) -> None:
    monkeypatch.setattr(workers, "work", deadly_work)
    monkeypatch.setattr(workers, "_STARTING", 8.0)
    monkeypatch.setattr(workers, "_PATIENCE", 0.1)
    batches = [[document("a"), document("bad", poison), document("b")], [document("c")], [document("d")]]
    # Plenty of seconds: the first document of a worker also waits for its models.
    found = list(Workers(at(tmp_path), Options(seconds=20, quick=True), 2).analyse(iter(batches)))
    kinds = {item.place if isinstance(item, Refusal) else item.name: type(item) for batch in found for item in batch}
    assert kinds == {"a": Arrival, "bad": Refusal, "b": Arrival, "c": Arrival, "d": Arrival}


def test_there_is_a_worker_for_every_core() -> None:
    assert cores() >= 1
