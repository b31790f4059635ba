"""What other models read is read again, each version once, wherever the run is cut."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus_helpers import at, policy_text

from smallprint.assistant import Assistant
from smallprint.corpus import reannotate as module
from smallprint.corpus.analyse import annotation_of, model_of
from smallprint.corpus.reannotate import Reannotated, reannotate
from smallprint.ingest.source import read_bytes
from smallprint.library import Annotation, Library
from smallprint.records import Facets

OLD = Annotation(Facets(sector="old"), "old model")


def fill(library: Library, many: int) -> list[int]:
    versions = []
    for n in range(many):
        policy = read_bytes(policy_text(f"Acme {n}", sentences=5).encode(), f"{n}.txt").policy
        versions.append(library.add(policy, f"Acme {n}", annotation=OLD).version)
    return versions


def test_everything_outdated_is_read_again_and_told_to_the_index(tmp_path: Path) -> None:
    with Library.open(at(tmp_path)) as library:
        versions = fill(library, 25)
        library.annotate(versions[3], annotation_of(library.get("Acme 3"), "Acme 3", None, quick=True))
        library.done([p.id for p in library.pending(99)])
        seen: list[Reannotated] = []
        assert reannotate(library, quick=True, progress=seen.append) == Reannotated(24, 24)
        assert seen[0] == Reannotated(1, 24)
        assert library.outdated(model_of(quick=True)) == ()
        assert len(library.pending(99)) == 24
        assert all(s.annotation and s.annotation.facets.sector != "old" for s in library.shelved(versions))
        assert reannotate(library, quick=True) == Reannotated(0, 0)


def test_a_run_that_dies_goes_on_with_what_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = 0

    def dies(*arguments: object, **options: object) -> Annotation:
        nonlocal made
        made += 1
        if made == 4:
            raise KeyboardInterrupt
        return annotation_of(*arguments, **options)  # type: ignore[arg-type]

    with Library.open(at(tmp_path)) as library:
        fill(library, 6)
        monkeypatch.setattr(module, "annotation_of", dies)
        with pytest.raises(KeyboardInterrupt):
            reannotate(library, quick=True)
    with Library.open(at(tmp_path)) as library:
        assert reannotate(library, quick=True) == Reannotated(3, 3)


def test_the_reader_adds_practices_to_a_quick_library(tmp_path: Path) -> None:
    with Library.open(at(tmp_path)) as library:
        (version,) = fill(library, 1)
        reannotate(library, quick=True)
        assert library.findings(version) is None
    done = Assistant(at(tmp_path)).reannotate()
    assert done == Reannotated(1, 1)
    with Library.open(at(tmp_path)) as library:
        annotation = library.shelved([version])[0].annotation
        assert annotation
        assert annotation.facets.practices
        findings = library.findings(version)
        assert findings
        assert findings.practices
        assert library.pending(9) == ()
