"""Documents in parts, what is read from them, and the way back into the order of the corpus."""

from __future__ import annotations

import pickle
from datetime import UTC, datetime
from pathlib import Path

import pytest
from corpus_helpers import at, deadly_work, document, policy_text

from smallprint.corpus import parts as parts_
from smallprint.corpus import spark, workers
from smallprint.corpus.analyse import Options, analyse, model_of
from smallprint.corpus.documents import Document, Form, key_of
from smallprint.corpus.executor import Job, read_parts
from smallprint.corpus.part_rows import DOCUMENTS, document_of, document_row, result_of, result_row
from smallprint.corpus.parts import Parts, Staged
from smallprint.errors import ClusterError
from smallprint.library import Refusal
from smallprint.library.parquet import rows
from smallprint.settings import Settings

pytest.importorskip("pyarrow", reason="parts need pyarrow: pip install 'smallprint[spark]'")


def stage(folder: Path, *documents: Document) -> tuple[Parts, Staged]:
    parts = Parts(str(folder))
    return parts, parts.stage(documents, "this run", lambda: 7)


def job(folder: Path, **more: object) -> Job:
    options = Options(quick=True)
    return Job(str(folder), at(folder), options, str(more.get("model", model_of(quick=True))))


def numbers(parts: Parts, staged: Staged) -> dict[str, list[int]]:
    return {p.name: [row["number"] for row in rows(parts.documents / p.name, DOCUMENTS)] for p in staged.parts}


def test_documents_and_results_are_the_same_on_the_other_side(tmp_path: Path) -> None:
    full = Document(
        "c:1", "https://acme.com/p", key_of("k"), Form.BYTES, 3, policy_text("Acme").encode(), "text/html", "utf-8",
        "https://acme.com/p", "Acme", datetime(2020, 5, 1, 12, 30, 15, 123456, UTC),
    )  # fmt: skip
    assert document_of(document_row(9, full)) == full
    for one in (full, document("Bare"), document("Soup", "A recipe for soup. " * 50)):
        (result,) = analyse([one], at(tmp_path), Options(quick=True))
        assert result_of(result_row(9, result)) == result
    (read,) = analyse([full], at(tmp_path), Options())
    assert result_of(result_row(9, read)) == read


def test_documents_are_spread_by_their_keys_and_long_ones_stand_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts_, "PART_DOCUMENTS", 3)
    monkeypatch.setattr(parts_, "LONG_BYTES", 10_000)
    documents = [document(f"{n}", "x" * (20_000 + n if n % 40 == 7 else 50)) for n in range(100)]
    parts, staged = stage(tmp_path, *documents)
    found = numbers(parts, staged)
    assert sorted(number for some in found.values() for number in some) == list(range(100))
    assert {name: some for name, some in found.items() if "long" in name} == {
        "bucket=long/part-00000.parquet": [7],
        "bucket=long/part-00001.parquet": [47],
        "bucket=long/part-00002.parquet": [87],
    }
    for name, some in found.items():
        assert len(some) <= 3
        assert "long" in name or {f"bucket={documents[n].key[0] % 16:02}" for n in some} == {name.split("/")[0]}
    first = [part.name for part in parts.unfinished(staged)][:3]
    assert first == [f"bucket=long/part-0000{n}.parquet" for n in (2, 1, 0)]


def test_a_file_counts_with_its_length(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts_, "LONG_BYTES", 10)
    (tmp_path / "long.txt").write_text("x" * 11)
    file = Document("f", str(tmp_path / "long.txt"), key_of("f"), Form.FILE)
    assert stage(tmp_path / "parts", file)[1].parts[0].name.startswith("bucket=long")


def test_results_come_back_in_the_order_of_the_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts_, "PART_DOCUMENTS", 4)
    documents = [document(f"{n}") for n in range(45)]
    parts, staged = stage(tmp_path, *documents)
    assert sum(read_parts(job(tmp_path), lambda: 0, reversed(staged.parts))) == 45
    found = [result for some in parts.read() for result in some]
    assert found == list(analyse(documents, at(tmp_path), Options(quick=True)))
    assert parts.unfinished(staged) == []


def test_what_a_killed_run_left_is_taken_up_by_the_same_run_only(tmp_path: Path) -> None:
    parts, staged = stage(tmp_path, document("a"), document("b"))
    assert parts.staged("this run") == staged
    assert parts.staged("another run") is None
    next(read_parts(job(tmp_path), lambda: 0, staged.parts))
    assert len(parts.unfinished(staged)) == len(staged.parts) - 1
    (tmp_path / "staged.json").write_text("{")
    assert parts.staged("this run") is None
    assert not parts.are_stored()
    parts.clear(keep_results=True)
    assert parts.are_stored()
    assert [path.name for path in tmp_path.iterdir()] == ["results"]
    parts.clear(keep_results=False)
    assert not tmp_path.exists()


def test_a_part_that_failed_is_read_one_by_one_and_its_killer_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "work", deadly_work)
    documents = [document("a"), document("bad", "deadly"), document("b")]
    parts, staged = stage(tmp_path, *documents)
    assert sum(read_parts(job(tmp_path), lambda: 1, staged.parts)) == 3
    kinds = [result.kind if isinstance(result, Refusal) else "" for some in parts.read() for result in some]
    assert kinds == ["", "Killed", ""]


def test_other_models_on_an_executor_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(ClusterError, match="same Smallprint"):
        list(read_parts(job(tmp_path, model="another"), lambda: 0, ()))


def test_executors_that_read_are_told_no_secret(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, token="swordfish", max_bytes=77)
    sent = spark._job(Parts(str(tmp_path)), settings, Options(quick=True))
    assert b"swordfish" not in pickle.dumps(sent)
    assert sent.settings.max_bytes == 77
