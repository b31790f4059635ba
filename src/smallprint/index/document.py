"""What an index holds of one version of a policy, made from what the library stores."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import urlsplit

from smallprint.index.ranking import NEUTRAL, popularity_of
from smallprint.index.stance import SentenceStance, stance_of
from smallprint.library import Shelved
from smallprint.records import BlockKind, Facets, Reading
from smallprint.segment import segment

_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")
_MULTI_LABEL: Final = 2


@dataclass(frozen=True, slots=True)
class IndexSentence:
    number: int
    text: str
    stance: SentenceStance


@dataclass(frozen=True, slots=True)
class IndexDocument:
    """`id` is the version's; `page` is the whole page's text where one was given, furniture and all;
    `newest` is false for a version that has a later one; `popularity` is a PageRank-like number; `others` are
    the services whose policies say the same."""

    id: str
    text: str
    service: str = ""
    title: str = ""
    url: str = ""
    date: str = ""
    language: str = "en"
    page: str = ""
    p_policy: float = 1.0
    popularity: float = NEUTRAL
    newest: bool = True
    words: int = 0
    facets: Facets = field(default_factory=Facets)
    others: tuple[str, ...] = ()
    sentences: tuple[IndexSentence, ...] = ()

    @property
    def digest(self) -> int:
        """A number for everything it holds, small enough for millions of them to be added up exactly in a
        double: the sum tells the state of a collection in any engine and any order."""
        whole = repr(replace(self, text="", page="")).encode() + self.text.encode() + b"\0" + self.page.encode()
        return int.from_bytes(hashlib.blake2b(whole, digest_size=4).digest(), "big") >> 2


def sentences_of(reading: Reading) -> tuple[IndexSentence, ...]:
    """Every sentence but the headings, with what it says about the practice it names."""
    return tuple(
        IndexSentence(s.id, s.text, stance_of(s.text, s.lead_in))
        for s in reading.sentences
        if s.kind is not BlockKind.HEADING
    )


def document_of(shelved: Shelved) -> IndexDocument:
    """A version of the library as the index holds it."""
    policy = shelved.policy
    return IndexDocument(
        id=str(shelved.version),
        text=policy.text,
        service=shelved.name,
        title=policy.title or shelved.name,
        url=policy.url or "",
        date=shelved.seen[:10],
        language=policy.language,
        page=shelved.page,
        p_policy=policy.p_policy,
        popularity=popularity_of(policy.url or "", shelved.rank),
        newest=shelved.newest,
        words=shelved.words,
        facets=shelved.annotation.facets if shelved.annotation else Facets(),
        others=shelved.others,
        sentences=sentences_of(segment(policy)),
    )


def date_number(date: str, *, last: bool = False) -> int | None:
    """A date as a whole number that sorts: 2022-05-01 is 20220501, bare 2022 is 20220000 (`last`: 20229999).

    None where it is no date.
    """
    found = _DATE.fullmatch(date[:10])
    if found is None:
        return None
    year, month, day = found.groups(default="99" if last else "00")
    return int(f"{year}{month}{day}")


def sites_of(url: str) -> tuple[str, ...]:
    """The host and the domains above it, without `www.`: `site:example.com` also finds help.example.com."""
    try:
        host = (urlsplit(url if "//" in url else f"//{url}").hostname or "").removeprefix("www.")
    except ValueError:
        return ()
    labels = host.split(".")
    return tuple(".".join(labels[i:]) for i in range(max(1, len(labels) - _MULTI_LABEL + 1)) if host)
