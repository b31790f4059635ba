"""Rows in Parquet files: written whole or not at all, spread over buckets, read back in order, never trusted.

A path may be a file, a folder, or an address that pyarrow can open (hdfs://, s3://, gs://). Rows carry a `number`; a
bucket is a file or several, each with rising numbers, so that merging the buckets gives back the order of writing
without holding more than a few rows of each.
"""

from __future__ import annotations

import heapq
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from smallprint.errors import SnapshotUnusable, UnsupportedFormat

Row = dict[str, Any]
BUCKETS: Final = 16
# Bytes of a group of rows: what a writer holds for each open file. One row may be longer.
GROUP_BYTES: Final = 4 * 1024 * 1024
_GROUP_ROWS: Final = 500
# A group that claims more was not written here. Rows of one batch are in memory together, and a value that is stored
# once can stand in each of them.
_MOST_GROUP_BYTES: Final = 256 * 1024 * 1024
_BATCH: Final = 8
_THRIFT_BYTES: Final = 64 * 1024 * 1024
_TYPES: Final = {"text": "string", "bytes": "binary", "int": "int64", "real": "float64"}


@dataclass(frozen=True, slots=True)
class Shape:
    """What the rows of one kind of file are: `columns` maps names to text, bytes, int, real, or [bytes] for a list."""

    kind: str
    columns: Mapping[str, str]


class Place:
    """A file or folder that every machine in question can see."""

    def __init__(self, path: str) -> None:
        self.path = path if "://" in path else str(Path(path).expanduser().absolute())
        fs = _arrow().fs
        with plain_errors(path):
            if "://" in path:
                self._fs, self._inside = fs.FileSystem.from_uri(path)
            else:
                self._fs, self._inside = fs.LocalFileSystem(), self.path

    def __truediv__(self, name: str) -> Place:
        return Place(f"{self.path.rstrip('/')}/{name}")

    @property
    def name(self) -> str:
        return self.path.rstrip("/").rsplit("/", 1)[-1]

    def beside(self) -> Place:
        """A place nobody uses, in the same folder; readers pass over names that begin with a dot."""
        parent = self.path.rstrip("/")[: -len(self.name)]
        return Place(f"{parent}.{self.name}.{uuid.uuid4().hex}.part")

    def is_file(self) -> bool:
        return bool(self._info().is_file)

    def is_folder(self) -> bool:
        return bool(self._info().type == _arrow().fs.FileType.Directory)

    def files(self, suffix: str = ".parquet") -> list[str]:
        """Paths of the files below, relative and in order; those that are being written are left out."""
        with plain_errors(self.path):
            choice = _arrow().fs.FileSelector(self._inside, recursive=True, allow_not_found=True)
            found = [info.path for info in self._fs.get_file_info(choice) if info.is_file]
        inside = self._inside.rstrip("/") + "/"
        names = [path[path.index(inside) + len(inside) :] for path in found if inside in path]
        return sorted(n for n in names if n.endswith(suffix) and not any(p.startswith(".") for p in n.split("/")))

    def move(self, to: Place) -> None:
        with plain_errors(to.path):
            self._fs.move(self._inside, to._inside)

    def remove(self) -> None:
        with plain_errors(self.path), suppress(FileNotFoundError):
            self._fs.delete_file(self._inside) if self.is_file() else self._fs.delete_dir(self._inside)

    def open(self) -> Any:
        return self._fs.open_input_file(self._inside)

    def create(self) -> Any:
        """A stream into a new file, with the folders it needs."""
        with plain_errors(self.path):
            self._fs.create_dir(self._inside.rsplit("/", 1)[0], recursive=True)
            return self._fs.open_output_stream(self._inside)

    def _info(self) -> Any:
        with plain_errors(self.path):
            return self._fs.get_file_info(self._inside)


@contextmanager
def writing(place: Place, shape: Shape) -> Iterator[Callable[[Row], None]]:
    """Give a function that adds a row. The file is there when all rows are, or not at all."""
    part = place.beside()
    try:
        with _writer(part, shape) as add:
            yield add
        part.move(place)
    except BaseException:
        with suppress(SnapshotUnusable):
            part.remove()
        raise


@contextmanager
def writing_buckets(folder: Place, shape: Shape) -> Iterator[Callable[[Row], None]]:
    """The same for a folder: a row goes to the bucket of its `key`."""
    with ExitStack() as stack:
        open_buckets: dict[int, Callable[[Row], None]] = {}

        def add(row: Row) -> None:
            bucket = bucket_of(row["key"])
            if bucket not in open_buckets:
                place = folder / f"{bucket_name(bucket)}/part-00000.parquet"
                open_buckets[bucket] = stack.enter_context(writing(place, shape))
            open_buckets[bucket](row)

        yield add


def bucket_of(key: bytes) -> int:
    """Keys are hashes, so their first byte is as good as a die."""
    return key[0] % BUCKETS


def bucket_name(bucket: int) -> str:
    return f"bucket={bucket:02}"


def in_order(place: Place, shape: Shape, only: Sequence[str] | None = None) -> Iterator[Row]:
    """All rows of a file, or of a folder's buckets, by their numbers."""
    if place.is_file():
        return _rising(rows(place, shape, only), place)
    buckets: dict[str, list[str]] = {}
    for name in place.files():
        buckets.setdefault(name.rpartition("/")[0], []).append(name)
    streams = [_rising(_chained(place, names, shape, only), place) for names in buckets.values()]
    return heapq.merge(*streams, key=lambda row: row["number"])


def rows(place: Place, shape: Shape, only: Sequence[str] | None = None) -> Iterator[Row]:
    """The rows of one file as they stand in it; `only` names the columns that are wanted."""
    with plain_errors(place.path), place.open() as stream:
        file = _arrow().parquet.ParquetFile(
            stream,
            thrift_string_size_limit=_THRIFT_BYTES,
            thrift_container_size_limit=_THRIFT_BYTES,
            page_checksum_verification=True,
        )
        _check(file, shape, place)
        for batch in file.iter_batches(batch_size=_BATCH, columns=list(only or shape.columns), use_threads=False):
            yield from batch.to_pylist()


@contextmanager
def plain_errors(path: str) -> Iterator[None]:
    """pyarrow's errors in one line."""
    arrow = _arrow()
    try:
        yield
    except arrow.ArrowNotImplementedError as error:
        raise SnapshotUnusable(f"{path} can't be used: {_first_line(error)}") from error
    except (arrow.ArrowException, ValueError, TypeError, KeyError, MemoryError) as error:
        raise SnapshotUnusable(f"{path} is damaged, or no Parquet file: {_first_line(error)}") from error
    except OSError as error:
        raise SnapshotUnusable(f"{path} can't be read or written: {_first_line(error)}") from error


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]


def _chained(folder: Place, names: Iterable[str], shape: Shape, only: Sequence[str] | None) -> Iterator[Row]:
    for name in names:
        yield from rows(folder / name, shape, only)


def _rising(found: Iterator[Row], place: Place) -> Iterator[Row]:
    before = -1
    for row in found:
        number = row["number"]
        if not isinstance(number, int) or number <= before:
            raise SnapshotUnusable(f"{place.path} is damaged: its rows are out of order.")
        before = number
        yield row


def _check(file: Any, shape: Shape, place: Place) -> None:
    """Refuse what was not written here before a row is read."""
    told = (file.schema_arrow.metadata or {}).get(b"smallprint", b"").decode("utf-8", "replace")
    if told != shape.kind:
        ours = shape.kind.rsplit(" ", 1)[0]
        why = "was made by another version of Smallprint" if told.startswith(ours) else f"is no {ours} of Smallprint"
        raise SnapshotUnusable(f"{place.path} {why}.")
    if not file.schema_arrow.equals(_schema(shape), check_metadata=False):
        raise SnapshotUnusable(f"{place.path} is damaged: its columns are not those of a {shape.kind}.")
    groups = (file.metadata.row_group(n).total_byte_size for n in range(file.metadata.num_row_groups))
    if any(not 0 <= size <= _MOST_GROUP_BYTES for size in groups):
        raise SnapshotUnusable(f"{place.path} is damaged: it claims more bytes than a group of rows can have.")


@contextmanager
def _writer(place: Place, shape: Shape) -> Iterator[Callable[[Row], None]]:
    arrow, schema = _arrow(), _schema(shape)
    group: list[Row] = []
    size = 0
    options = {"compression": "zstd", "write_page_checksum": True}
    with place.create() as stream, arrow.parquet.ParquetWriter(stream, schema, **options) as file:

        def flush() -> None:
            with plain_errors(place.path):
                file.write_table(arrow.Table.from_pylist(group, schema=schema))
            group.clear()

        def add(row: Row) -> None:
            nonlocal size
            group.append(row)
            size += sum(len(value) for value in row.values() if isinstance(value, str | bytes))
            if size >= GROUP_BYTES or len(group) >= _GROUP_ROWS:
                flush()
                size = 0

        yield add
        if group:
            flush()


def _schema(shape: Shape) -> Any:
    arrow = _arrow()

    def type_of(told: str) -> Any:
        bare = getattr(arrow, _TYPES[told.strip("[]")])()
        return arrow.list_(bare) if told.startswith("[") else bare

    fields = [(name, type_of(told)) for name, told in shape.columns.items()]
    return arrow.schema(fields, metadata={b"smallprint": shape.kind.encode()})


def _arrow() -> Any:
    try:
        import pyarrow
        import pyarrow.fs
        import pyarrow.parquet
    except ImportError:
        raise UnsupportedFormat("Parquet needs one more package: pip install 'smallprint[parquet]'.") from None
    return pyarrow
