"""Which of a cluster's indexes are in use.

A generation is two indexes, NAME-…-documents and NAME-…-sentences. The aliases NAME and NAME-sentences point at the
current one and are moved in one step. Whoever writes does so through the alias INDEX-writing of each index: an index
that another program swept away must not come back by itself, as clusters make what they don't know.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from smallprint.errors import IndexUnavailable
from smallprint.index.opensearch import mapping
from smallprint.index.opensearch.client import WRITING, AlreadyThere, Client, NotThere

_FIRST: Final = 0  # the generation that documents make which come before any rebuild: the same for all who write


@dataclass(frozen=True, slots=True)
class Generation:
    stem: str

    @property
    def documents(self) -> str:
        return f"{self.stem}-documents"

    @property
    def sentences(self) -> str:
        return f"{self.stem}-sentences"

    def index(self, kind: str) -> str:
        return f"{self.stem}-{kind}"

    def writing(self, kind: str) -> str:
        return f"{self.index(kind)}-writing"


class Generations:
    def __init__(self, client: Client) -> None:
        self._client = client
        self._name = client.address.name

    def current(self) -> Generation | None:
        """The generation to read; None where there is none that this version of the program understands."""
        try:
            found = self._client.call("GET", f"/{self._name}/_mapping", local="true")
        except NotThere:
            return None
        index, about = next(iter(found.items()))
        if len(found) > 1 or index == self._name or not self._is_ours(about["mappings"]):
            raise IndexUnavailable(
                f"OpenSearch has something else by the name {self._name!r}: choose another name in SMALLPRINT_INDEX."
            )
        understood = _schema(about["mappings"]) == mapping.SCHEMA and mapping.fits("documents", about["mappings"])
        return Generation(index.removesuffix("-documents")) if understood else None

    def first(self) -> Generation:
        """An empty generation, in use at once; made by whoever comes first."""
        generation = self._named(_FIRST)
        for kind, alias in (("sentences", f"{self._name}-sentences"), ("documents", self._name)):
            self._create(generation, kind, {alias: {}})
        return generation

    def begin(self) -> Generation:
        """A new generation, seen by nobody yet."""
        generation = self._named(time.time_ns())
        for kind in mapping.KINDS:
            self._create(generation, kind, {})
        return generation

    def publish(self, generation: Generation) -> None:
        """From here on readers take this generation; older ones are swept."""
        aliases = {"documents": self._name, "sentences": f"{self._name}-sentences"}
        others = f"{self._name}-*"
        actions = [
            action
            for kind, alias in aliases.items()
            for action in (
                {"remove": {"index": others, "alias": alias, "must_exist": False}},
                {"add": {"index": generation.index(kind), "alias": alias}},
            )
        ]
        self._client.call("POST", "/_aliases", {"actions": actions}, effort=WRITING)
        with suppress(IndexUnavailable):  # the next rebuild sweeps too
            self._sweep(generation)

    def abandon(self, generation: Generation) -> None:
        """What will never be whole; where the cluster can't be reached, a later sweep finds it."""
        with suppress(IndexUnavailable):
            self._drop([generation.index(kind) for kind in mapping.KINDS])

    def _sweep(self, kept: Generation) -> None:
        """Remove older generations, also those of writers that died. A reader that meets this looks again."""
        found = self._client.call("GET", f"/{self._name}-*/_mapping")
        old = [index for index, about in found.items() if index < kept.stem and self._is_ours(about["mappings"])]
        if old:
            self._drop(old)

    def _drop(self, indexes: list[str]) -> None:
        self._client.call("DELETE", "/" + ",".join(indexes), ignore_unavailable="true")

    def _named(self, moment: int) -> Generation:
        return Generation(f"{self._name}-{moment:016x}")

    def _create(self, generation: Generation, kind: str, aliases: dict[str, Any]) -> None:
        body = {
            "settings": mapping.settings(self._client.address.shards),
            "mappings": mapping.mappings(kind, self._name),
            "aliases": {generation.writing(kind): {}, **aliases},
        }
        path = f"/{generation.index(kind)}"
        with suppress(AlreadyThere):  # by a call that was made and not heard of, or by another that writes
            self._client.call("PUT", path, body, effort=WRITING, wait_for_active_shards="all")

    def _is_ours(self, mappings: Mapping[str, Any]) -> bool:
        whose = mappings.get("_meta", {}).get("smallprint", {})
        return isinstance(whose, dict) and whose.get("name") == self._name


def _schema(mappings: Mapping[str, Any]) -> object:
    return mappings["_meta"]["smallprint"].get("schema")
