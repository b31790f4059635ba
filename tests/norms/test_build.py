from __future__ import annotations

import pytest
from made import collects, reading

from smallprint.errors import NormsError
from smallprint.library import Annotation, Findings, Library
from smallprint.norms.build import build, counted, seen
from smallprint.records import Facets, Stance
from smallprint.settings import Settings

LOCATION = "collects/location"


def test_policies_are_counted_by_sector_and_stance() -> None:
    yes = seen(reading("We collect your location."), (collects(0, "Location"),), Facets(sector="finance", grade=10))
    no = seen(reading("We never collect your location."), (collects(0, "Location"),), Facets(sector="it", grade=14))
    nothing = seen(reading("Hello there."), (), Facets(sector="unknown", grade=12, tracking=("cookies",)))
    norms = counted([yes, no, nothing], "model")
    everyone = norms.groups["all"]
    assert set(norms.groups) == {"all", "finance", "it"}
    assert (everyone.policies, everyone.said[LOCATION]) == (3, (1, 1, 0, 0))
    assert norms.groups["it"].saying(LOCATION, Stance.NO).share == 1.0
    assert everyone.grade.median == 12
    assert everyone.mentioning("tracking", "cookies").count == 1
    assert counted([nothing, no, yes], "model").corpus == norms.corpus
    assert counted([yes, no], "model").corpus != norms.corpus


def test_a_practice_told_in_a_sentence_or_two_is_no_yardstick() -> None:
    long = seen(reading("We may share it. We sell it. We keep some of it."), (collects(0, "Location"),), Facets())
    short = seen(reading("We may share it."), (collects(0, "Location"),), Facets())
    assert long.vague == {"first": pytest.approx(2 / 3)}
    assert short.vague == {}


def test_a_library_gives_the_newest_texts_that_this_model_read(settings: Settings) -> None:
    with Library.open(settings) as library:
        with pytest.raises(NormsError, match="No stored policy"):
            build(library, "model")
        for name, text in (("Old", "We collect names."), ("Acme", "We collect your location.")):
            stored = library.add(reading(text).policy, name)
            found = Findings("f", practices=(collects(0, "Location"),))
            model = "model" if name == "Acme" else "another"
            library.annotate(stored.version, Annotation(Facets(sector="it"), model, found))
        told: list[tuple[int, int]] = []
        norms = build(library, "model", progress=lambda *counts: told.append(counts))
    assert (norms.policies, norms.model) == (1, "model")
    assert norms.groups["it"].said[LOCATION] == (1, 0, 0, 0)
    assert told == [(1, 2), (2, 2)]
