"""Guarded fetching: a policy from the open internet, and nothing from this machine or its network.

Redirects are followed here and not by the HTTP library, so that every hop passes the same checks. From https
to http is followed too (the text is public, and refusing would lose real policies), but the hops show it. Any
port may be asked: ports are no boundary once the address is public.
"""

from __future__ import annotations

import ssl
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import Message
from importlib.metadata import version

import h11
import httpcore

from smallprint.errors import ConnectionFailed, FetchError, HttpStatus, TooLarge, TooManyRedirects
from smallprint.ingest.address import WebAddress, parse
from smallprint.ingest.dial import Deadline, GuardedBackend, Resolver, system_resolver
from smallprint.ingest.unpack import Unpacker
from smallprint.settings import MB, Settings

_WHO = "(privacy policy reader; run by a person on their own machine)"
_REDIRECTS = (301, 302, 303, 307, 308)
_HEAD_TOO_LONG = 431  # h11's hint when a response's head outgrows the 100 KB that httpcore gives it
_SAVE_INSTEAD = "Save the page in a browser and give the file instead."


@dataclass(frozen=True, slots=True)
class Fetched:
    """A document as it arrived, unpacked. `hops` are all addresses asked, from the given to the last."""

    url: str
    final_url: str
    status: int
    content_type: str
    charset: str | None
    body: bytes
    hops: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Reply:
    status: int
    fields: Mapping[str, str]
    body: bytes
    moved_to: WebAddress | None = None


def fetch(
    url: str,
    settings: Settings,
    *,
    resolver: Resolver = system_resolver,
    network: httpcore.NetworkBackend | None = None,
    tls: ssl.SSLContext | None = None,
) -> Fetched:
    """Get one document, following redirects. `network` dials and `tls` trusts other than by default."""
    address: WebAddress | None = parse(url)
    deadline = Deadline(settings.timeout_seconds)
    hops: list[str] = []
    while address:
        _refuse_endless(address, hops, settings.max_redirects)
        hops.append(str(address))
        backend = GuardedBackend(
            address,
            deadline,
            resolver,
            network or httpcore.SyncBackend(),
            allow_private=settings.allow_private_addresses,
        )
        with _plain_errors(address, deadline):
            reply = _ask(address, settings, deadline, backend, tls)
        address = reply.moved_to
    content_type, charset = _content_type(reply.fields)
    return Fetched(hops[0], hops[-1], reply.status, content_type, charset, reply.body, tuple(hops))


def _refuse_endless(address: WebAddress, hops: list[str], most: int) -> None:
    if str(address) in hops:
        raise TooManyRedirects(
            f"{address.host} sends readers round in circles; it may want cookies. {_SAVE_INSTEAD}",
            url=str(address),
        )
    if len(hops) > most:
        raise TooManyRedirects(
            f"{address.host} is more than {most} redirects away; that is too many.", url=str(address)
        )


def _ask(
    address: WebAddress,
    settings: Settings,
    deadline: Deadline,
    backend: httpcore.NetworkBackend,
    tls: ssl.SSLContext | None,
) -> _Reply:
    """One request on a fresh connection: nothing carries over from hop to hop, neither cookie nor address."""
    url = httpcore.URL(
        scheme=address.scheme.encode(),
        host=address.host.encode(),
        port=address.port,
        target=address.target.encode(),
    )
    headers: dict[bytes | str, bytes | str] = {
        "Host": address.netloc,
        "User-Agent": f"smallprint/{version('smallprint')} {_WHO}",
        "Accept": "text/html, application/pdf, text/markdown, text/plain, */*;q=0.1",
        "Accept-Language": "en",
        "Accept-Encoding": "gzip, deflate",
        "Connection": "close",
    }
    with (
        httpcore.HTTPConnection(url.origin, ssl_context=tls, network_backend=backend) as connection,
        connection.stream("GET", url, headers=headers) as response,
    ):
        fields = {name.decode("latin-1").lower(): _header_text(value) for name, value in response.headers}
        if response.status in _REDIRECTS and "location" in fields:
            return _Reply(response.status, fields, b"", parse(fields["location"], base=address))
        if not 200 <= response.status < 300:
            raise _refusal(address, response.status)
        body = _body(response.iter_stream(), fields, address, settings, deadline)
        return _Reply(response.status, fields, body)


def _body(
    chunks: Iterable[bytes],
    fields: Mapping[str, str],
    address: WebAddress,
    settings: Settings,
    deadline: Deadline,
) -> bytes:
    too_large = TooLarge(
        f"{address.host} sent more than {settings.max_bytes / MB:.3g} MB; no privacy policy is that long.",
        url=str(address),
    )
    declared = fields.get("content-length", "")
    if declared.isdecimal() and int(declared) > settings.max_bytes:
        raise too_large
    unpacker = Unpacker(
        fields.get("content-encoding", ""),
        settings.max_unpacked_bytes,
        address,
        lambda: deadline.left(address),
    )
    received = 0
    for chunk in chunks:
        received += len(chunk)
        if received > settings.max_bytes:
            raise too_large
        unpacker.feed(chunk)
    return unpacker.finish()


def _header_text(value: bytes) -> str:
    """Headers should be ASCII; servers that put a path with accents into one mostly send UTF-8."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _content_type(fields: Mapping[str, str]) -> tuple[str, str | None]:
    message = Message()
    message["content-type"] = fields.get("content-type") or "application/octet-stream"
    charset = message.get_param("charset")
    return message.get_content_type(), charset if isinstance(charset, str) else None


def _refusal(address: WebAddress, status: int) -> HttpStatus:
    if status in (404, 410):
        what = f"has no page at this address ({status}); check the link."
    elif status in (401, 402, 403, 407, 451):
        what = f"doesn't show this page to Smallprint ({status}). {_SAVE_INSTEAD}"
    elif status == 429:
        what = "asks to slow down (429); try again later."
    elif status >= 500:
        what = f"is in trouble itself ({status}); try again later."
    else:
        what = f"didn't give the page (status {status})."
    return HttpStatus(f"{address.host} {what}", url=str(address), status=status)


@contextmanager
def _plain_errors(address: WebAddress, deadline: Deadline) -> Iterator[None]:
    """Turn everything that a lower library may raise into an error of ours."""
    try:
        yield
    except httpcore.TimeoutException as error:
        raise deadline.passed(address) from error
    except (httpcore.NetworkError, httpcore.ProtocolError, OSError) as error:
        raise _failure(address, error) from error
    except (zlib.error, h11.ProtocolError, httpcore.UnsupportedProtocol, ValueError) as error:
        raise _failed(address, "sent something damaged") from error


def _failure(address: WebAddress, error: Exception) -> FetchError:
    cause = error.__cause__ or error.__context__
    if isinstance(cause, h11.RemoteProtocolError) and cause.error_status_hint == _HEAD_TOO_LONG:
        return TooLarge(f"{address.host} sent a longer head than any web page needs.", url=str(address))
    if isinstance(cause, ssl.SSLCertVerificationError):
        return _failed(address, f"can't prove that it is {address.host} (its certificate doesn't hold)")
    if isinstance(cause, ssl.SSLError):
        return _failed(address, "doesn't speak a secure connection that works")
    if isinstance(error, httpcore.ConnectError):
        return _failed(address, "doesn't take connections")
    if isinstance(error, httpcore.ProtocolError):
        return _failed(address, "broke off or sent something that isn't a web page")
    return _failed(address, "broke the connection off")


def _failed(address: WebAddress, what: str) -> ConnectionFailed:
    return ConnectionFailed(f"{address.host} {what}; try again later.", url=str(address), retryable=True)
