"""The one way in: whatever a person points at becomes a Policy, or one plain line says why not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import urlsplit

from smallprint.errors import (
    EmptyDocument,
    FileUnreadable,
    LoginWall,
    NotAPolicy,
    ScriptOnlyPage,
    TooLarge,
    UnsupportedFormat,
    WrongLanguage,
)
from smallprint.ingest import detect, html, markdown, pdf, text
from smallprint.ingest.assemble import assemble, normalise
from smallprint.ingest.lines import number_depth
from smallprint.ingest.links import PolicyLink, find_policy_link
from smallprint.ingest.places import STDIN, has_scheme, is_collection, is_domain, names_a_file
from smallprint.ingest.sniff import Media, decode, media_of, refuse_binary
from smallprint.records import Block, BlockKind, Page, Policy
from smallprint.settings import MB, Settings

if TYPE_CHECKING:
    from smallprint.ingest.dial import Resolver

_PASTED = "The pasted text"
_MAX_TITLE = 150
# The longest policy of 31,000 has half a million characters in all; one paragraph of that size is data or an attack.
_MAX_BLOCK = 1_000_000
_SAVE = "Open it in a browser, save it (“Webpage, complete”), print it to PDF or copy the text, and give that instead."


@dataclass(frozen=True, slots=True)
class _Document:
    """Bytes on their way in. `shown` is what messages call it; `url` is None for files and pasted text."""

    shown: str
    data: bytes
    content_type: str = ""
    charset: str | None = None
    suffix: str = ""
    url: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Draft:
    """A document once read, before anything has been judged."""

    document: _Document
    page: Page
    text: str
    blocks: tuple[Block, ...]
    markup: str  # empty where it is no web page
    p_policy: float

    @property
    def is_policy(self) -> bool:
        return self.p_policy >= detect.POLICY_THRESHOLD


@dataclass(frozen=True, slots=True)
class Read:
    """A policy and the markup of the page that it came from, empty where it was no web page."""

    policy: Policy
    markup: str


def read_source(
    source: str,
    settings: Settings,
    *,
    force: bool = False,
    stdin: BinaryIO | None = None,
    resolver: Resolver | None = None,
) -> Policy:
    """Read a policy from a web address, a file, or pasted text (`-`, from `stdin`).

    A web page that is no policy but links to one is followed, one step; `force` reads the page itself instead,
    policy or not. A file never makes Smallprint go online.
    """
    return read_page(source, settings, force=force, stdin=stdin, resolver=resolver).policy


def read_page(
    source: str,
    settings: Settings,
    *,
    force: bool = False,
    stdin: BinaryIO | None = None,
    resolver: Resolver | None = None,
) -> Read:
    """As `read_source`, with the page's markup."""
    draft = _draft(_open(source, settings, stdin, resolver))
    if not draft.is_policy and not force:
        link = _link_to_follow(draft)
        if link:
            draft = _follow(draft, link, settings, resolver)
    return _judged(source, draft, force)


def read_bytes(
    data: bytes,
    source: str,
    *,
    content_type: str = "",
    charset: str | None = None,
    suffix: str = "",
    url: str | None = None,
    force: bool = False,
) -> Read:
    """Read a document that is at hand already, as one of a crawl; it never makes Smallprint go online."""
    return _judged(source, _draft(_Document(source, data, content_type, charset, suffix, url)), force)


def _judged(source: str, draft: _Draft, force: bool) -> Read:
    _refuse_unreadable(draft)
    found = detect.language(draft.text)
    if found != "en":
        name = detect.language_name(found)
        raise WrongLanguage(
            f"{draft.document.shown} looks like {name}; Smallprint reads English policies only.", language=found
        )
    if not draft.is_policy and not force:
        raise NotAPolicy(f"{draft.document.shown} doesn't read like a privacy policy.")
    return Read(_policy(source, draft, found), draft.markup)


def _open(source: str, settings: Settings, stdin: BinaryIO | None, resolver: Resolver | None) -> _Document:
    if source == STDIN:
        if stdin is None:
            raise FileUnreadable("There is no pasted text to read.")
        return _Document(_PASTED, _capped(stdin, settings, _PASTED))
    if has_scheme(source):
        return _fetch(source, settings, resolver)
    if is_domain(source) and not names_a_file(source, settings):
        return _fetch(f"https://{source}", settings, resolver)
    return _file(source, settings)


def _file(source: str, settings: Settings) -> _Document:
    shown = source if len(source) <= 100 else source[:100] + "…"
    if not settings.local_files:
        raise FileUnreadable(f"{shown} is no web address, and files of this machine are not read here.")
    try:
        path = Path(source).expanduser()
        if path.is_dir():
            raise FileUnreadable(f"{shown} is a folder; name a file in it.")
        with path.open("rb") as file:
            if is_collection(path.name):
                raise UnsupportedFormat(f"{shown} is a collection of policies: read it with “smallprint ingest”.")
            data = _capped(file, settings, shown)
    except FileNotFoundError:
        raise FileUnreadable(
            f"There is no file {shown}. Give a web address, a file, or “-” to paste the text."
        ) from None
    except PermissionError:
        raise FileUnreadable(f"{shown} may not be read: permission denied.") from None
    except (OSError, ValueError, RuntimeError):
        raise FileUnreadable(
            f"{shown} can't be read as a file. Give a web address, a file, or “-” to paste the text."
        ) from None
    return _Document(path.name, data, suffix=path.suffix)


def _capped(file: BinaryIO, settings: Settings, shown: str) -> bytes:
    data = file.read(settings.max_bytes + 1)
    if len(data) > settings.max_bytes:
        raise TooLarge(
            f"{shown} is larger than {settings.max_bytes / MB:.3g} MB; no privacy policy is that long.", url=shown
        )
    return data


def _fetch(url: str, settings: Settings, resolver: Resolver | None) -> _Document:
    from smallprint.ingest.dial import system_resolver  # a tenth of a second that a file need not pay for
    from smallprint.ingest.fetch import fetch

    fetched = fetch(url, settings, resolver=resolver or system_resolver)
    notes: tuple[str, ...] = ()
    steps = zip(fetched.hops, fetched.hops[1:], strict=False)
    if any(a.startswith("https:") and b.startswith("http:") for a, b in steps):
        notes = (
            f"{fetched.url} redirects to an address without encryption; "
            "someone on the way could have changed the text.",
        )
    path = urlsplit(fetched.final_url).path
    return _Document(
        fetched.final_url,
        fetched.body,
        fetched.content_type,
        fetched.charset,
        Path(path).suffix,
        fetched.final_url,
        notes,
    )


def _draft(document: _Document) -> _Draft:
    if not document.data.strip(b"\0 \t\r\n"):
        raise EmptyDocument(f"{document.shown} is empty.")
    media = media_of(document.data, document.content_type, document.suffix)
    markup = ""
    if media is Media.PDF:
        page = pdf.extract(document.data)
    else:
        refuse_binary(document.data)
        content = decode(document.data, document.charset)
        if media is Media.HTML:
            markup = content
            page = html.extract(content, document.url)
        else:
            page = (markdown if media is Media.MARKDOWN else text).extract(content)
    whole, blocks = assemble(page.pieces)
    return _Draft(document, page, whole, blocks, markup, detect.p_policy(page.title, whole) if whole else 0.0)


def _link_to_follow(draft: _Draft) -> PolicyLink | None:
    url = draft.document.url
    if not url or not draft.markup:
        return None
    # A front page with a sign-in form still links its policy; deeper in, a form stands where the text should be.
    is_front = urlsplit(url).path in ("", "/")
    if not is_front and detect.looks_like_login_wall(draft.markup, draft.text):
        return None
    return find_policy_link(draft.markup, url)


def _follow(draft: _Draft, link: PolicyLink, settings: Settings, resolver: Resolver | None) -> _Draft:
    document = _fetch(link.url, settings, resolver)
    label = normalise(link.text)[:_MAX_TITLE]
    note = f"Followed “{label}” from {draft.document.url} to {document.url}"
    return _draft(replace(document, notes=(*draft.document.notes, note, *document.notes)))


def _refuse_unreadable(draft: _Draft) -> None:
    shown = draft.document.shown
    if not draft.is_policy and draft.markup:
        if detect.looks_like_login_wall(draft.markup, draft.text):
            raise LoginWall(f"{shown} shows a sign-in form instead of a policy. {_SAVE}")
        if detect.looks_script_filled(draft.markup, draft.text):
            raise ScriptOnlyPage(f"{shown} has no text until its scripts run, and Smallprint runs none. {_SAVE}")
    if not draft.text:
        raise EmptyDocument(f"{shown} holds no text.")
    longest = max(block.end - block.start for block in draft.blocks)
    if longest > _MAX_BLOCK:
        raise UnsupportedFormat(f"{shown} holds one line of {longest:,} characters: that is no text a person wrote.")


def _policy(source: str, draft: _Draft, language: str) -> Policy:
    document, page = draft.document, draft.page
    return Policy(
        source=source,
        title=_title(draft),
        text=draft.text,
        blocks=draft.blocks,
        media=page.media,
        url=document.url,
        language=language,
        p_policy=round(draft.p_policy, 4),
        notes=(*document.notes, *page.notes),
    )


def _title(draft: _Draft) -> str:
    """The page's title; without one its first heading, the host or the file's name."""
    titles = [draft.page.title]
    titles += [draft.text[b.start : b.end] for b in draft.blocks if b.kind is BlockKind.HEADING][:1]
    titles = [title for title in titles if not number_depth(title)]  # "2. Purpose" names a section
    url = draft.document.url
    titles.append((urlsplit(url).hostname or url) if url else draft.document.shown)
    title = next(cleaned for cleaned in map(normalise, titles) if cleaned)
    return title if len(title) <= _MAX_TITLE else title[:_MAX_TITLE].rstrip() + "…"
