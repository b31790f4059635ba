"""A result set as a file: JSON Lines, CSV or Parquet, with the search and the state of the data inside."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from smallprint.errors import QueryError
from smallprint.index.protocol import Hit

COLUMNS: Final = (
    "id",
    "service",
    "title",
    "url",
    "date",
    "score",
    "words",
    "language",
    "p_policy",
    "popularity",
    "sector",
    "grade",
    "vagueness",
    "tracking",
    "bodies",
    "regulations",
    "practices",
    "data_types",
    "third_parties",
    "others",
    "sentence",
    "number",
    "stance",
)
_MANY: Final = ("tracking", "bodies", "regulations", "practices", "data_types", "third_parties", "others")
_BATCH: Final = 1_000
# A spreadsheet takes a cell that begins like this for a formula, and the text is a stranger's.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def row(hit: Hit) -> dict[str, Any]:
    """One flat row."""
    values: dict[str, Any] = {name: getattr(hit, name, getattr(hit.facets, name, None)) for name in COLUMNS}
    values["sentence"] = hit.sentence.text if hit.sentence else None
    values["stance"] = str(hit.stance) if hit.stance else None
    return values | {name: list(values[name]) for name in _MANY}


def as_jsonl(hits: Iterable[Hit], about: dict[str, Any]) -> Iterator[str]:
    """First a line with the search and the data's fingerprint, then a line for each hit."""
    yield json.dumps({"smallprint": about}, ensure_ascii=False) + "\n"
    for hit in hits:
        yield json.dumps(row(hit), ensure_ascii=False) + "\n"


def as_csv(hits: Iterable[Hit], about: dict[str, Any]) -> Iterator[str]:
    """A comment line with the search, then the table; lists are joined by semicolons."""
    yield f"# {json.dumps({'smallprint': about}, ensure_ascii=False)}\r\n"
    yield _csv_line(COLUMNS)
    for hit in hits:
        yield _csv_line([_cell(value) for value in row(hit).values()])


def _csv_line(cells: Iterable[object]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, list):
        value = "; ".join(map(str, value))
    return safe_cell(value) if isinstance(value, str) else value


def safe_cell(text: str) -> str:
    """The text, so that no spreadsheet runs it."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def write(path: Path, hits: Iterable[Hit], about: dict[str, Any]) -> int:
    """Write the file in the format that its name ends in; how many hits. Whole or not at all."""
    writers = {".jsonl": _write_text(as_jsonl), ".csv": _write_text(as_csv), ".parquet": _write_parquet}
    writer = writers.get(path.suffix.lower())
    if writer is None:
        raise QueryError(f"{path.name}: an export ends in .jsonl, .csv or .parquet.")
    part = path.with_name(f".{path.name}.part")
    try:
        written = writer(part, hits, about)
        part.replace(path)
    except OSError as error:
        raise QueryError(f"{path} can't be written: {error.strerror or error}.") from error
    finally:
        part.unlink(missing_ok=True)
    return written


def _write_text(
    form: Callable[[Iterable[Hit], dict[str, Any]], Iterator[str]],
) -> Callable[[Path, Iterable[Hit], dict[str, Any]], int]:
    def write_it(path: Path, hits: Iterable[Hit], about: dict[str, Any]) -> int:
        counter = _Counter(hits)
        with path.open("w", encoding="utf-8", newline="") as file:
            file.writelines(form(counter, about))
        return counter.number

    return write_it


def _write_parquet(path: Path, hits: Iterable[Hit], about: dict[str, Any]) -> int:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise QueryError("Parquet needs one more package: pip install 'smallprint[parquet]'.") from None
    counter = _Counter(hits)
    schema = pa.schema([(name, _arrow_type(pa, name)) for name in COLUMNS])
    schema = schema.with_metadata({b"smallprint": json.dumps(about, ensure_ascii=False).encode()})
    with parquet.ParquetWriter(path, schema) as file:
        for batch in _batches(map(row, counter)):
            file.write_table(pa.Table.from_pylist(batch, schema=schema))
    return counter.number


def _arrow_type(pa: Any, name: str) -> Any:
    if name in _MANY:
        return pa.list_(pa.string())
    if name in ("score", "p_policy", "popularity", "grade", "vagueness"):
        return pa.float64()
    return pa.int64() if name in ("words", "number") else pa.string()


def _batches(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    for one in rows:
        batch.append(one)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


class _Counter:
    """Counts what passes through."""

    def __init__(self, hits: Iterable[Hit]) -> None:
        self._hits = hits
        self.number = 0

    def __iter__(self) -> Iterator[Hit]:
        for hit in self._hits:
            self.number += 1
            yield hit
