"""The index in an OpenSearch cluster. Many threads and processes may hold one each and write at once."""

from __future__ import annotations

from collections.abc import Iterable

from smallprint.index.document import IndexDocument
from smallprint.index.opensearch.address import Address
from smallprint.index.opensearch.client import Client, NotThere
from smallprint.index.opensearch.generations import Generation, Generations
from smallprint.index.opensearch.reading import Search
from smallprint.index.opensearch.writing import Writer
from smallprint.index.protocol import Page, Request


class OpenSearchIndex:
    def __init__(self, address: Address) -> None:
        self.name = address.name
        self._client = Client(address)
        self._generations = Generations(self._client)

    def ensure(self) -> bool:
        return self._generations.current() is None

    def upsert(self, documents: Iterable[IndexDocument]) -> int:
        generation = self._generations.current() or self._generations.first()
        writer = Writer(self._client, generation)
        writer.show()  # of what a writer that died had written, the sentences must be found
        written = writer.add(documents, replacing=True)
        writer.show()
        return written

    def delete(self, ids: Iterable[str]) -> None:
        generation = self._generations.current()
        if generation is not None:
            writer = Writer(self._client, generation)
            writer.show()
            writer.delete(ids)
            writer.show()

    def rebuild(self, documents: Iterable[IndexDocument]) -> int:
        self._generations.current()  # what is somebody else's is left alone
        generation = self._generations.begin()
        try:
            writer = Writer(self._client, generation)
            written = writer.add(documents, replacing=False)
            writer.show()
        except BaseException:
            self._generations.abandon(generation)
            raise
        self._generations.publish(generation)
        return written

    def refresh(self) -> None:
        """Nothing is kept between searches."""
        self._reading()

    def search(self, request: Request) -> Page:
        request.check()
        generation = self._reading()
        try:
            return Search(self._client, generation, request).page()
        except NotThere:  # swept by a rebuild since its name was read: then there is another
            return Search(self._client, self._reading(), request).page()

    def bytes(self) -> int:
        """On the disks, each document counted once however many copies there are."""
        generation = self._reading()
        told = self._client.call("GET", f"/{generation.documents},{generation.sentences}/_stats/store")
        return int(told["_all"]["primaries"]["store"]["size_in_bytes"])

    def _reading(self) -> Generation:
        generation = self._generations.current()
        if generation is None:
            raise NotThere("There is no search index yet: make it with `smallprint index rebuild`.")
        return generation
