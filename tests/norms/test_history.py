from __future__ import annotations

from smallprint.norms import history as history_
from smallprint.norms.history import Dated, between, first_seen, history
from smallprint.records import Block, BlockKind, ChangeKind, Policy

PROMISE = "We will not share your location with advertisers."
MAY = "We may share your location with advertisers."


def policy(*paragraphs: str) -> Policy:
    blocks, position = [], 0
    for paragraph in paragraphs:
        blocks.append(Block(BlockKind.PARAGRAPH, 0, position, position + len(paragraph)))
        position += len(paragraph) + 2
    return Policy("-", "Acme", "\n\n".join(paragraphs), tuple(blocks), "text/plain")


START = "We collect your name when you open an account."
VERSIONS = [
    Dated("2020-01-01", policy(START)),
    Dated("2021-01-01", policy(START, PROMISE)),
    Dated("2022-01-01", policy(START, PROMISE, "Thank you.")),
    Dated("2024-01-01", policy(START, MAY, "Thank you.")),
]


def test_revisions_come_newest_first_with_how_long_the_old_words_stood() -> None:
    found = history("Acme", VERSIONS)
    assert [revision.after for revision in found.revisions] == ["2024-01-01", "2022-01-01", "2021-01-01"]
    (weaker,) = found.revisions[0].changes
    assert (weaker.kind, weaker.since) == (ChangeKind.WEAKENED, "2021-01-01")
    assert found.versions[0] == "2020-01-01"


def test_since_leaves_earlier_revisions_out() -> None:
    assert [r.after for r in history("Acme", VERSIONS, "2022").revisions] == ["2024-01-01", "2022-01-01"]
    assert history("Acme", VERSIONS, "2025").revisions == ()


def test_progress_counts_revisions() -> None:
    told: list[tuple[int, int]] = []
    history("Acme", VERSIONS, progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 3), (1, 3), (2, 3)]


def test_when_words_first_stood_and_until_when() -> None:
    assert first_seen(VERSIONS, "not share your location") == ("2021-01-01", "2024-01-01")
    assert first_seen(VERSIONS, "we COLLECT your name") == ("2020-01-01",)
    assert first_seen(VERSIONS, "we sell your name") == ()
    assert first_seen(VERSIONS, "…") == ()


def test_what_is_kept_can_be_forgotten() -> None:
    between(VERSIONS[0].policy, VERSIONS[1].policy)
    assert between.cache_info().currsize
    history_.forget()
    assert not between.cache_info().currsize
