"""Documents into a cluster: bulk requests bounded in bytes, repeated until all is acknowledged or time is up."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import Any, Final

from smallprint.errors import IndexUnavailable
from smallprint.index.columns import sentence_id
from smallprint.index.document import IndexDocument
from smallprint.index.opensearch import mapping
from smallprint.index.opensearch.client import PASSING, WRITING, Client, as_line, pauses
from smallprint.index.opensearch.generations import Generation

# A request of a few megabytes is what a node takes in without strain; a larger policy goes alone.
BULK_BYTES: Final = 5_000_000
AT_ONCE: Final = 4  # requests under way: enough to keep three nodes busy, and 20 MB
BATCH: Final = 100  # documents whose old sentences are looked up at a time
_MOST_FOUND: Final = 10_000

Operation = tuple[bytes, bytes]  # its line and the document's, empty where something is deleted


class Writer:
    """Writes into one generation. Nothing is seen before `show`."""

    def __init__(self, client: Client, generation: Generation) -> None:
        self._client = client
        self._generation = generation
        self._written: set[str] = set()

    def add(self, documents: Iterable[IndexDocument], *, replacing: bool) -> int:
        """Acknowledged by every copy that is there, or IndexUnavailable; how many documents."""
        written = 0
        coming = iter(documents)
        with ThreadPoolExecutor(AT_ONCE) as senders:
            sent = _Sent(senders, self._send)
            while batch := list(islice(coming, BATCH)):
                newest = {one.id: one for one in batch}
                if not self._written.isdisjoint(newest):
                    sent.wait()  # of two with one id the later must come later
                    self.show()  # and find the sentences of the first
                self._written.update(newest)
                for bulk in bulks(self._operations(newest, replacing=replacing)):
                    sent.add(bulk)
                written += len(batch)
            sent.wait()
        return written

    def delete(self, ids: Iterable[str]) -> None:
        coming = iter(ids)
        while batch := list(islice(coming, BATCH)):
            operations = [self._delete("documents", id) for id in batch]
            operations += [self._delete("sentences", id) for id in self._sentences(batch)]
            for bulk in bulks(operations):
                self._send(bulk)

    def show(self) -> None:
        """Let readers see it."""
        both = f"{self._generation.documents},{self._generation.sentences}"
        for pause in pauses(WRITING):
            told = self._client.call("POST", f"/{both}/_refresh", effort=WRITING)
            if not told["_shards"]["failed"]:
                return
            if pause is not None:
                time.sleep(pause)
        raise IndexUnavailable(f"OpenSearch at {self._client.address} is losing nodes. Try again in a moment.")

    def _operations(self, batch: dict[str, IndexDocument], *, replacing: bool) -> Iterator[Operation]:
        if replacing:
            yield from self._replaced(batch)
        for id, one in batch.items():
            yield self._index("documents", id, mapping.document(one))
            for number, sentence in mapping.sentences_in(one):
                yield self._index("sentences", number, sentence)

    def _replaced(self, batch: dict[str, IndexDocument]) -> Iterator[Operation]:
        """Sentences that documents of the same id had: the new ones may be fewer."""
        kept = {sentence_id(id, s.number) for id, one in batch.items() for s in one.sentences}
        yield from (self._delete("sentences", id) for id in self._sentences(list(batch)) if id not in kept)

    def _index(self, kind: str, id: str, document: dict[str, Any]) -> Operation:
        return as_line({"index": {"_index": self._generation.writing(kind), "_id": id}}), as_line(document)

    def _delete(self, kind: str, id: str) -> Operation:
        return as_line({"delete": {"_index": self._generation.writing(kind), "_id": id}}), b""

    def _sentences(self, documents: list[str]) -> Iterator[str]:
        """The ids of these documents' sentences."""
        after: list[Any] = []
        while True:
            found = self._client.call(
                "POST",
                f"/{self._generation.sentences}/_search",
                {
                    "query": {"terms": {"document": documents}},
                    "_source": False,
                    "size": _MOST_FOUND,
                    "sort": ["tie"],
                    **({"search_after": after} if after else {}),
                },
                effort=WRITING,
                allow_partial_search_results="false",
            )["hits"]["hits"]
            yield from (hit["_id"] for hit in found)
            if len(found) < _MOST_FOUND:
                return
            after = found[-1]["sort"]

    def _send(self, bulk: list[Operation]) -> None:
        """What a node could not do just now is sent again, and only that."""
        for pause in pauses(WRITING):
            body = b"".join(part for operation in bulk for part in operation)
            told = self._client.call("POST", "/_bulk?require_alias=true&timeout=30s", body, effort=WRITING)
            bulk = self._left(bulk, told)
            if not bulk:
                return
            if pause is not None:
                time.sleep(pause)
        raise IndexUnavailable(
            f"OpenSearch at {self._client.address} takes no writes now. What is stored is safe; try again in a moment."
        )

    def _left(self, bulk: list[Operation], told: dict[str, Any]) -> list[Operation]:
        if not told["errors"]:
            return []
        left = []
        for operation, item in zip(bulk, told["items"], strict=True):
            ((action, result),) = item.items()
            status = result["status"]
            if status in PASSING:
                left.append(operation)
            elif status >= 300 and not (action == "delete" and "error" not in result):
                raise self._client.refusal(status, result)
        return left


class _Sent:
    """Bulk requests under way, so that this side makes the next ones meanwhile; no more than memory has room for."""

    def __init__(self, senders: ThreadPoolExecutor, send: Callable[[list[Operation]], None]) -> None:
        self._senders = senders
        self._send = send
        self._under_way: deque[Future[None]] = deque()

    def add(self, bulk: list[Operation]) -> None:
        if len(self._under_way) == AT_ONCE:
            self._under_way.popleft().result()
        self._under_way.append(self._senders.submit(self._send, bulk))

    def wait(self) -> None:
        while self._under_way:
            self._under_way.popleft().result()


def bulks(operations: Iterable[Operation]) -> Iterator[list[Operation]]:
    """Operations in their order, in requests of at most BULK_BYTES each."""
    bulk: list[Operation] = []
    size = 0
    for operation in operations:
        grown = sum(map(len, operation))
        if bulk and size + grown > BULK_BYTES:
            yield bulk
            bulk, size = [], 0
        bulk.append(operation)
        size += grown
    if bulk:
        yield bulk
