from __future__ import annotations

from smallprint.annotate.facets import facets_of, fingerprint
from smallprint.ingest.assemble import assemble
from smallprint.records import BlockKind, Piece, Policy
from smallprint.segment import segment

TEXT = (
    "Our students may share data with certain partners. We use cookies. We comply with FERPA and the GDPR. "
    "See aboutads.info for choices."
)


def test_all_facets_of_a_policy() -> None:
    text, blocks = assemble([Piece(BlockKind.PARAGRAPH, TEXT)])
    policy = Policy("-", "Ardmore University", text, blocks, "text/plain")
    facets = facets_of(segment(policy), name="Ardmore University", domain="ardmore.edu")
    assert facets.sector == "education"
    assert (facets.tracking, facets.bodies, facets.regulations) == (("cookies",), ("daa",), ("gdpr", "ferpa"))
    assert facets.vagueness == 0.25
    assert 1 < facets.grade < 15


def test_the_fingerprint_is_short_and_stable() -> None:
    assert len(fingerprint()) == 16
    assert fingerprint() == fingerprint()
