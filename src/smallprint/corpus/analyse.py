"""The stage function: documents in, what is to be stored out. It touches no library and no index, so the same function
runs in a worker process here and inside a partition on a cluster."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from smallprint.annotate import practices
from smallprint.annotate.facets import facets_of
from smallprint.annotate.facets import fingerprint as facets_fingerprint
from smallprint.corpus.documents import Document, Form
from smallprint.corpus.minhash import signature
from smallprint.corpus.page import page_text
from smallprint.errors import ModelError, NotAPolicy, SmallprintError, TooSlow
from smallprint.ingest.source import Read, read_bytes, read_page
from smallprint.library import Annotation, Arrival, Findings, Refusal
from smallprint.library.names import domain as domain_of
from smallprint.models.catalogue import shipped
from smallprint.models.reader import shipped_reader
from smallprint.records import Policy, Reading
from smallprint.segment import segment
from smallprint.settings import Settings

# The slowest real policy took four seconds on one slow core, the reader half a minute for the longest it takes; a
# document past this is built to waste time.
SECONDS_PER_DOCUMENT = 120.0


@dataclass(frozen=True, slots=True)
class Options:
    """`force` keeps documents that do not look like a privacy policy; `quick` leaves out the reader, and with it the
    practices."""

    force: bool = False
    quick: bool = False
    seconds: float = SECONDS_PER_DOCUMENT


def analyse(
    documents: Iterable[Document], settings: Settings, options: Options | None = None
) -> Iterator[Arrival | Refusal]:
    """Read, judge, segment and annotate each document, in order. A bad one becomes a Refusal; the only exception is
    that a model can't be used."""
    chosen = options or Options()
    return (_one(document, settings, chosen) for document in documents)


def _one(document: Document, settings: Settings, options: Options) -> Arrival | Refusal:
    try:
        with _limited(options.seconds, document.place):
            return _arrival(document, settings, options)
    except ModelError:
        raise  # no document's fault: the run stops, or all of them would be reported as bad
    except SmallprintError as error:
        return Refusal(document.key, document.place, type(error).__name__, _reason(error))
    except Exception as error:
        # Whatever a parser throws at a hostile document, the run goes on and says where it was.
        reason = f"It could not be read: {type(error).__name__}: {error}"[:500]
        return Refusal(document.key, document.place, "Unreadable", reason)


def _arrival(document: Document, settings: Settings, options: Options) -> Arrival:
    read = _read(document, settings, options.force)
    policy = replace(read.policy, source=document.source)
    return Arrival(
        key=document.key,
        policy=policy,
        annotation=annotation_of(policy, document.name, domain_of(policy), quick=options.quick),
        signature=signature(policy.text),
        name=document.name,
        seen=document.seen,
        page=page_text(read.markup) if read.markup else "",
    )


def annotation_of(policy: Policy, name: str | None, domain: str | None, *, quick: bool = False) -> Annotation:
    """What one policy is filtered and counted by, with what the reader finds in it unless `quick`."""
    reading = segment(policy)
    found = None if quick else _found(reading)
    facets = facets_of(reading, (found and found.practices) or (), name=name or "", domain=domain or "")
    return Annotation(facets, model_of(quick=quick), found)


def model_of(*, quick: bool = False) -> str:
    """The fingerprint of what `annotation_of` makes annotations with."""
    return facets_fingerprint("" if quick else shipped().card("reader").fingerprint)


def _found(reading: Reading) -> Findings:
    reader = shipped_reader()
    return Findings(practices.fingerprint(reading, reader), practices.practices_of(reading, reader))


def _read(document: Document, settings: Settings, force: bool) -> Read:
    if document.form is Form.BYTES:
        return read_bytes(
            document.content,
            document.source,
            content_type=document.content_type,
            charset=document.charset,
            url=document.url,
            force=force,
        )
    return read_page(document.source, settings, force=force)


def _reason(error: SmallprintError) -> str:
    if isinstance(error, NotAPolicy):
        return "It doesn't read like a privacy policy. To keep it anyway, add --force."
    return str(error)


@contextmanager
def _limited(seconds: float, place: str) -> Iterator[None]:
    """Stop the document after so many seconds, where the platform can: a signal reaches the main thread only."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: Any) -> None:
        raise TooSlow(f"It took longer than {seconds:.3g} seconds to read.", url=place)

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
