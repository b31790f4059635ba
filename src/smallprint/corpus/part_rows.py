"""Documents and what was read from them as rows of Parquet: what a driver and its executors hand to each other."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from smallprint.corpus.documents import Document, Form
from smallprint.library import Annotation, Arrival, Findings, Refusal
from smallprint.library import findings as findings_
from smallprint.library.parquet import Row, Shape
from smallprint.library.serial import COLUMNS, facets_from_json, facets_to_json, from_row, storable, to_row

DOCUMENTS: Final = Shape(
    "documents 1",
    {
        "number": "int",
        "key": "bytes",
        "place": "text",
        "source": "text",
        "form": "text",
        "position": "int",
        "content": "bytes",
        "content_type": "text",
        "charset": "text",
        "url": "text",
        "name": "text",
        "seen": "text",
    },
)
# A row is an arrival, or a refusal where `problem` says why.
RESULTS: Final = Shape(
    "results 1",
    {
        "number": "int",
        "key": "bytes",
        "name": "text",
        "seen": "text",
        **{column: "real" if column == "p_policy" else "text" for column in COLUMNS},
        "page": "text",
        "model": "text",
        "facets": "text",
        "fingerprint": "text",
        "practices": "text",
        "vectors": "bytes",
        "signature": "bytes",
        "place": "text",
        "kind": "text",
        "problem": "text",
    },
)


def document_row(number: int, document: Document) -> Row:
    return {
        "number": number,
        "key": document.key,
        "place": storable(document.place),
        "source": storable(document.source),
        "form": str(document.form),
        "position": document.position,
        "content": document.content,
        "content_type": document.content_type,
        "charset": document.charset,
        "url": _storable(document.url),
        "name": _storable(document.name),
        "seen": _written(document.seen),
    }


def document_of(row: Mapping[str, Any]) -> Document:
    values = {name: value for name, value in row.items() if name != "number"}
    return Document(**values | {"form": Form(row["form"]), "seen": _read(row["seen"])})


def result_row(number: int, result: Arrival | Refusal) -> Row:
    empty: Row = {**dict.fromkeys(RESULTS.columns), "number": number, "key": result.key}
    if isinstance(result, Refusal):
        return empty | {"place": storable(result.place), "kind": result.kind, "problem": storable(result.reason)}
    annotation, found = result.annotation, result.annotation.findings
    made = {
        **to_row(result.policy),
        "name": _storable(result.name),
        "seen": _written(result.seen),
        "page": storable(result.page),
        "model": annotation.model,
        "facets": facets_to_json(annotation.facets),
        "signature": result.signature,
    }
    if found is not None:
        made |= {"fingerprint": found.fingerprint, "vectors": found.vectors}
        made |= {"practices": None if found.practices is None else findings_.to_json(found.practices)}
    return empty | made


def result_of(row: Mapping[str, Any]) -> Arrival | Refusal:
    if row["problem"] is not None:
        return Refusal(row["key"], row["place"], row["kind"], row["problem"])
    found: Findings | None = None if row["fingerprint"] is None else findings_.from_row(row)
    return Arrival(
        key=row["key"],
        policy=from_row(row),
        annotation=Annotation(facets_from_json(row["facets"]), row["model"], found),
        signature=row["signature"],
        name=row["name"],
        seen=_read(row["seen"]),
        page=row["page"],
    )


def _storable(text: str | None) -> str | None:
    return None if text is None else storable(text)


def _written(time: datetime | None) -> str | None:
    return None if time is None else time.isoformat()


def _read(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
