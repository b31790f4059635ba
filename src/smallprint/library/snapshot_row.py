"""One version of the library with all that is known of it, and the same as the columns of a snapshot.

A snapshot may come from anyone: `from_columns` lets nothing through that this program could not have written.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Final

from smallprint import taxonomy
from smallprint.errors import LibraryError
from smallprint.ingest.assemble import is_visible, normalise
from smallprint.ingest.places import is_url, web_address
from smallprint.library import findings as findings_
from smallprint.library import names, serial
from smallprint.library.entries import Annotation
from smallprint.library.findings import Findings
from smallprint.library.folding import SLOT_BYTES, SLOTS
from smallprint.library.parquet import Shape
from smallprint.records import Facets, Policy, Practice

SHAPE: Final = Shape(
    "snapshot 1",
    {
        "number": "int",
        "key": "bytes",
        "service": "text",
        "domain": "text",
        "service_source": "text",
        "last_seen": "text",
        "rank": "int",
        "digest": "text",
        "seen": "text",
        "source": "text",
        "url": "text",
        "title": "text",
        "media": "text",
        "language": "text",
        "p_policy": "real",
        "notes": "text",
        "blocks": "text",
        "text": "text",
        "page": "text",
        "model": "text",
        "facets": "text",
        "fingerprint": "text",
        "practices": "text",
        "vectors": "bytes",
        "signature": "bytes",
        "kept": "bytes",
        "documents": "[bytes]",
    },
)
_OPTIONAL: Final = frozenset(
    ("domain", "rank", "url", "page", "model", "facets", "fingerprint", "practices", "vectors", "signature", "kept")
)
_TIME: Final = "%Y-%m-%dT%H:%M:%SZ"
_VECTOR_BYTES: Final = 384 * 2
_LONGEST_WORD: Final = 100  # of a fingerprint, a language, a kind of file
_KEY_BYTES: Final = 64


@dataclass(frozen=True, slots=True)
class SnapshotRow:
    """`key` names the row in any snapshot, `kept` is the key of the row that this one is folded under; `documents` are
    the keys of the documents of corpora that it was read from. `source`, `last_seen` and `rank` are the service's."""

    key: bytes
    name: str
    domain: str | None
    source: str
    last_seen: str
    rank: int | None
    seen: str
    policy: Policy
    page: str = ""
    annotation: Annotation | None = None
    findings: Findings | None = None
    signature: bytes = b""
    kept: bytes | None = None
    documents: tuple[bytes, ...] = ()


def row_key(name: str, digest: str, seen: str, model: str | None) -> bytes:
    """The same for the same version of the same service, read by the same model."""
    told = "\0".join(("version", names.key(name), digest, seen, model or ""))
    return hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=16).digest()


def from_columns(row: Mapping[str, Any]) -> SnapshotRow:
    """ValueError for what is no row of a snapshot."""
    for name in SHAPE.columns:
        if row[name] is None and name not in _OPTIONAL:
            raise ValueError(f"{name} is missing")
    policy = _policy(row)
    made = SnapshotRow(
        key=row["key"],
        name=_name(row["service"]),
        domain=_line(row["domain"], "domain"),
        source=_source(row),
        last_seen=_time(row["last_seen"]),
        rank=row["rank"],
        seen=_time(row["seen"]),
        policy=policy,
        page=row["page"] or "",
        annotation=_annotation(row),
        findings=_findings(row),
        signature=row["signature"] or b"",
        kept=row["kept"],
        documents=tuple(row["documents"]),
    )
    _check(made, row)
    return made


def _check(made: SnapshotRow, row: Mapping[str, Any]) -> None:
    if made.policy.digest != row["digest"]:
        raise ValueError("the text is not the one that was written")
    if made.key != row_key(made.name, row["digest"], made.seen, row["model"]):
        raise ValueError("its key is not its own")
    if made.rank is not None and made.rank < 1:
        raise ValueError("a rank below one")
    if len(made.signature) not in (0, SLOTS * SLOT_BYTES):
        raise ValueError("a signature of another length")
    if not is_visible(made.policy.text) or not is_visible(made.page):
        raise ValueError("characters that nobody can see")
    if any(not 0 < len(key or b"") <= _KEY_BYTES for key in (*made.documents, made.kept or made.key)):
        raise ValueError("a key of another length")


def _policy(row: Mapping[str, Any]) -> Policy:
    policy = serial.from_row({**row, "source": normalise(row["source"])})  # files may be called anything
    place = 0
    for block in policy.blocks:
        if not all(type(n) is int for n in (block.level, block.start, block.end)) or block.start < place:
            raise ValueError("blocks that overlap")
        place = block.end
    if policy.url is not None and not is_url(policy.url):
        raise ValueError("an address that is none")
    if not 0 <= policy.p_policy <= 1:
        raise ValueError("a chance that is none")
    _texts(policy.notes)
    for word in (policy.media, policy.language):
        _word(word)
    for told in (policy.url, policy.title):
        _line(told, "address or title")
    return policy


def _annotation(row: Mapping[str, Any]) -> Annotation | None:
    if row["facets"] is None or row["model"] is None:
        return None
    facets = serial.facets_from_json(row["facets"])
    for field in fields(Facets):
        value = getattr(facets, field.name)
        if isinstance(field.default, tuple):
            _texts(value)
        elif isinstance(field.default, float):
            _number(value)
        else:
            _word(value)
    return Annotation(facets, _word(row["model"]))


def _findings(row: Mapping[str, Any]) -> Findings | None:
    if row["fingerprint"] is None:
        return None
    found = findings_.from_row({**row, "fingerprint": _word(row["fingerprint"])})
    if found.vectors is not None and len(found.vectors) % _VECTOR_BYTES:
        raise ValueError("vectors of another length")
    known = {category.key for category in taxonomy.categories()}
    for practice in found.practices or ():
        _practice(practice, known, len(row["text"]))
    return found


def _practice(practice: Practice, known: set[str], most: int) -> None:
    places = (practice.segment, *practice.sentences)
    if practice.category not in known or any(type(n) is not int or not 0 <= n < most for n in places):
        raise ValueError("a practice of another kind")
    if len(practice.values) != len(practice.sentences) or not 0 <= _number(practice.chance) <= 1:
        raise ValueError("a practice that does not add up")
    _texts(practice.stance)
    for pair in practice.values:
        _texts(pair)


def _name(told: str) -> str:
    try:
        name = names.given(told)
    except LibraryError as error:
        raise ValueError(str(error)) from error
    if name != told:
        raise ValueError("a name that no service can have")
    return name


def _source(row: Mapping[str, Any]) -> str:
    """Where the service's policy can be read again: on the web or nowhere. A file's name is that of another machine,
    and somebody may have chosen it for what lies there on this one."""
    told = normalise(row["service_source"])
    if not names.leads_back(told):
        return told
    return web_address(told) or f"snapshot.parquet:{row['number']}"


def _line(told: str | None, what: str) -> str | None:
    if told is not None and (not is_visible(told) or "\n" in told):
        raise ValueError(f"a {what} with characters that nobody can see")
    return told


def _word(told: Any) -> str:
    if not isinstance(told, str) or len(told) > _LONGEST_WORD or not is_visible(told):
        raise ValueError("a word that is none")
    return told


def _texts(told: Any) -> None:
    if not isinstance(told, tuple) or not all(isinstance(one, str) and is_visible(one) for one in told):
        raise ValueError("a list of words that is none")


def _number(told: Any) -> float:
    if isinstance(told, bool) or not isinstance(told, int | float) or not math.isfinite(told):
        raise ValueError("a number that is none")
    return told


def _time(told: str) -> str:
    if datetime.strptime(told, _TIME).strftime(_TIME) != told:
        raise ValueError("a time that is none")
    return told
