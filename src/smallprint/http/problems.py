"""Every failure over HTTP is one JSON document (RFC 9457), and one table says which.

422 means that the request breaks its schema. A request that is well formed, but that the document, the library or
the index does not let us answer, is a 409; what is not there is a 404. Nobody's fault but ours is 5xx, and then the
detail stays here: it may name paths of this machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any, Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from smallprint import errors

MEDIA: Final = "application/problem+json"
TYPES: Final = "urn:smallprint:problem:"


@dataclass(frozen=True, slots=True)
class Problem:
    """`kind` ends its type; `more` are members beyond RFC 9457's own."""

    status: int
    kind: str
    title: str
    detail: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        made = {"type": TYPES + self.kind, "title": self.title, "status": self.status}
        return made | ({"detail": self.detail} if self.detail else {}) | dict(self.more)

    def response(self) -> Response:
        body = json.dumps(self.document(), ensure_ascii=False)
        return Response(body, self.status, {"Cache-Control": "no-store", **self.headers}, MEDIA)


class Refused(Exception):
    """Raised inside a handler to answer with a problem that is no error of the tree."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.kind)
        self.problem = problem


SOON: Final = {"Retry-After": "2"}
UNAUTHORISED: Final = Problem(
    401, "token-wanted", "This server wants its token", headers={"WWW-Authenticate": "Bearer"}
)
CROSS_SITE: Final = Problem(403, "cross-site", "The request comes from another site")
BAD_FORM: Final = Problem(403, "form-expired", "The form is not one of ours or has expired: load the page again")
SLOW_BODY: Final = Problem(408, "slow-body", "The request took too long to arrive", headers={"Connection": "close"})
TOO_LARGE: Final = Problem(413, "too-large", "The request is too large", headers={"Connection": "close"})
WRONG_HOST: Final = Problem(421, "wrong-host", "This server does not go by that name")
INVALID: Final = Problem(422, "invalid-request", "The request does not fit its schema")
TOO_MANY: Final = Problem(429, "too-many-requests", "Too many requests: wait a moment")
INTERNAL: Final = Problem(500, "internal", "Something went wrong here")
TOO_SLOW: Final = Problem(503, "took-too-long", "That took too long and was given up", headers=SOON)

# The error tree. A class that is not named has the row of its nearest base.
TABLE: Final[Mapping[type[errors.SmallprintError], Problem]] = {
    errors.SmallprintError: INTERNAL,
    errors.SettingsError: INTERNAL,
    errors.Busy: Problem(503, "busy", "There is more to do than this machine can", headers=SOON),
    errors.FetchError: Problem(409, "fetch-failed", "The document could not be had"),
    errors.BadAddress: Problem(409, "bad-address", "That is no web address that can be read"),
    errors.ForbiddenAddress: Problem(403, "forbidden-address", "That address leads into a private network"),
    errors.HostNotFound: Problem(409, "host-not-found", "There is no such host"),
    errors.ConnectionFailed: Problem(409, "connection-failed", "The site could not be reached"),
    errors.TooSlow: Problem(409, "site-too-slow", "The site took too long to answer"),
    errors.TooLarge: Problem(409, "document-too-large", "The document is too large"),
    errors.TooManyRedirects: Problem(409, "too-many-redirects", "The address leads from one to the next without end"),
    errors.HttpStatus: Problem(409, "site-refused", "The site did not give the document"),
    errors.ExtractError: Problem(409, "unreadable", "The document holds nothing to read"),
    errors.FileUnreadable: Problem(409, "no-document", "There is no document to read"),
    errors.UnsupportedFormat: Problem(409, "unsupported-format", "Neither HTML, PDF, Markdown nor text"),
    errors.EmptyDocument: Problem(409, "empty-document", "The document is empty"),
    errors.ScannedPdf: Problem(409, "scanned-pdf", "The PDF's pages are pictures"),
    errors.ScriptOnlyPage: Problem(409, "script-only-page", "The page has no text until its scripts run"),
    errors.LoginWall: Problem(409, "login-wall", "The page wants a sign-in"),
    errors.NotAPolicy: Problem(409, "not-a-policy", "It does not read like a privacy policy; “force” takes it anyway"),
    errors.WrongLanguage: Problem(409, "wrong-language", "The document is not in English"),
    errors.LibraryError: Problem(409, "library", "The library cannot do that"),
    errors.LibraryUnusable: Problem(500, "library-unusable", "The library cannot be used"),
    errors.UnknownPolicy: Problem(404, "unknown-policy", "There is no such policy"),
    errors.LibraryBusy: Problem(503, "library-busy", "Another program is writing to the library", headers=SOON),
    errors.LibraryDamaged: Problem(500, "library-damaged", "The library is damaged"),
    errors.SnapshotUnusable: INTERNAL,
    errors.UnknownSession: Problem(404, "unknown-session", "There is no such conversation"),
    errors.UntrustedRequest: Problem(400, "untrusted", "The request is not signed as it should be"),
    errors.ModelError: Problem(500, "model", "A model is missing or damaged"),
    errors.IndexUnavailable: Problem(503, "index-unavailable", "The search index cannot answer now", headers=SOON),
    errors.QueryError: Problem(409, "bad-query", "The search cannot be understood"),
    errors.ClusterError: INTERNAL,
    errors.NormsError: Problem(500, "norms", "The norms cannot be used"),
    errors.DataMissing: INTERNAL,
}  # fmt: skip


def of_error(error: errors.SmallprintError) -> Problem:
    row = next(TABLE[kind] for kind in type(error).__mro__ if kind in TABLE)
    if row.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return row
    more: dict[str, Any] = {}
    if isinstance(error, errors.FetchError):
        more["retryable"] = error.retryable
    if isinstance(error, errors.WrongLanguage):
        more["language"] = error.language
    return replace(row, detail=str(error), more=more)


def of_status(status: int, headers: Mapping[str, str] | None = None) -> Problem:
    """For what the framework refuses by itself."""
    phrase = HTTPStatus(status).phrase
    return Problem(status, phrase.lower().replace(" ", "-"), phrase, headers=headers or {})


def invalid(faults: Iterable[Mapping[str, Any]]) -> Problem:
    """Where the request breaks its schema and how, without repeating what was in it."""
    told = [{"where": ".".join(map(str, fault["loc"])), "what": fault["msg"]} for fault in faults]
    return replace(INVALID, detail="; ".join(f"{one['where']}: {one['what']}" for one in told), more={"faults": told})


async def refuse(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer in place of the application."""
    if scope["type"] == "websocket":
        await receive()  # the connect that a close may answer
        await send({"type": "websocket.close", "code": 1008, "reason": problem.title})
    else:
        await problem.response()(scope, receive, send)
