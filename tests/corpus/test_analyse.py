from __future__ import annotations

import pickle
import threading
import time
from pathlib import Path

import pytest
from corpus_helpers import at, document, page, policy_text

from smallprint.annotate import sector
from smallprint.annotate.facets import fingerprint
from smallprint.corpus import analyse as module
from smallprint.corpus.analyse import Options, analyse, model_of
from smallprint.corpus.documents import Document, Form, key_of
from smallprint.errors import ModelError
from smallprint.library import Arrival, Refusal

GERMAN = (
    "Datenschutzerklärung. Wir verarbeiten personenbezogene Daten nur im Rahmen der gesetzlichen Vorschriften. " * 20
)


def one(given: Document, tmp_path: Path, options: Options | None = None) -> Arrival | Refusal:
    (made,) = analyse([given], at(tmp_path), options or Options(quick=True))
    return made


def test_a_policy_is_read_judged_segmented_and_annotated(tmp_path: Path) -> None:
    made = one(document("Acme"), tmp_path)
    assert isinstance(made, Arrival)
    assert (made.key, made.name, made.policy.source) == (key_of("Acme"), "Acme", "Acme")
    assert made.policy.p_policy > 0.5
    assert made.annotation.model == fingerprint()
    assert made.annotation.facets.tracking == ("cookies",)
    assert made.annotation.facets.grade > 0
    assert made.signature
    assert made.page == ""


def test_the_reader_adds_practices(tmp_path: Path) -> None:
    made = one(document("Acme", policy_text("Acme", sentences=5)), tmp_path, Options())
    assert isinstance(made, Arrival)
    assert made.annotation.model == model_of() != fingerprint()
    assert made.annotation.facets.practices
    assert made.annotation.findings
    assert made.annotation.findings.practices


def test_a_page_brings_its_furniture_apart_from_the_policy(tmp_path: Path) -> None:
    given = Document("p", "https://acme.com", b"k", Form.BYTES, content=page("Acme").encode(), url="https://acme.com")
    made = one(given, tmp_path)
    assert isinstance(made, Arrival)
    assert "Quokka menu" in made.page
    assert "Wombat footer" in made.page
    assert "Quokka" not in made.policy.text
    assert "cookies" in made.page


def test_a_file_is_read_where_it_lies(tmp_path: Path) -> None:
    path = tmp_path / "acme.html"
    path.write_text(page("Acme"))
    made = one(Document("p", str(path), b"k", Form.FILE), tmp_path)
    assert isinstance(made, Arrival)
    assert made.policy.source == str(path)
    assert made.page


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "EmptyDocument"),
        (GERMAN, "WrongLanguage"),
        ("A recipe for soup. Boil the water, add the salt and wait for ten minutes. " * 9, "NotAPolicy"),
        ("%PDF-1.4 broken", "UnsupportedFormat"),
    ],
)
def test_bad_documents_are_refused_with_a_reason(tmp_path: Path, text: str, kind: str) -> None:
    made = one(document("here:7", text), tmp_path)
    assert isinstance(made, Refusal)
    assert (made.place, made.kind) == ("here:7", kind)
    assert made.reason


def test_force_keeps_what_is_no_policy(tmp_path: Path) -> None:
    soup = document("soup", "A recipe for soup. Boil the water and add the salt. " * 9)
    made = one(soup, tmp_path, Options(force=True, quick=True))
    assert isinstance(made, Arrival)
    assert made.policy.p_policy < 0.5


def test_whatever_a_parser_throws_is_a_refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr(module, "segment", broken)
    made = one(document("Acme"), tmp_path)
    assert isinstance(made, Refusal)
    assert (made.kind, "too deep" in made.reason) == ("Unreadable", True)


def test_a_document_that_takes_too_long_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "segment", lambda _: time.sleep(30))
    began = time.monotonic()
    made = one(document("Acme"), tmp_path, Options(seconds=0.2, quick=True))
    assert isinstance(made, Refusal)
    assert made.kind == "TooSlow"
    assert time.monotonic() - began < 10


def test_it_works_outside_the_main_thread(tmp_path: Path) -> None:
    made: list[Arrival | Refusal] = []
    thread = threading.Thread(target=lambda: made.append(one(document("Acme"), tmp_path)))
    thread.start()
    thread.join()
    assert isinstance(made[0], Arrival)


def test_what_goes_in_and_comes_out_can_be_sent_between_machines(tmp_path: Path) -> None:
    given = pickle.loads(pickle.dumps(document("Acme", policy_text("Acme"))))
    made = one(given, tmp_path)
    assert pickle.loads(pickle.dumps(made)) == made


def test_a_model_that_cannot_be_used_stops_the_run_and_is_no_fault_of_the_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise ModelError("The weights are damaged.")

    monkeypatch.setattr(sector, "shipped", broken)
    with pytest.raises(ModelError, match="damaged"):
        one(document("Acme"), tmp_path)
