"""Answers of the API: JSON with a tag by which an unchanged one need not be sent again."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

from fastapi import Request
from pydantic import BaseModel, ConfigDict
from starlette.responses import Response

from smallprint.http.problems import MEDIA, TYPES


class ProblemDocument(BaseModel):
    """RFC 9457. `type` is what programs go by; `detail` is one line for people."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str | None = None


_PROBLEM: Final = {
    "description": "What went wrong",
    "content": {
        MEDIA: {
            "schema": {"$ref": "#/components/schemas/ProblemDocument"},
            "example": {
                "type": f"{TYPES}unknown-policy",
                "title": "There is no such policy",
                "status": 404,
                "detail": "There is no policy named 'Plazay' in the library. Did you mean Plazaly?",
            },
        }
    },
}
PROBLEMS: Final[dict[int | str, dict[str, Any]]] = {"4XX": _PROBLEM, "5XX": _PROBLEM}
UNCHANGED: Final[dict[int | str, dict[str, Any]]] = {304: {"description": "Unchanged since If-None-Match"}}


def as_json(value: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(_encoded(value), status, headers, "application/json")


def tagged(request: Request, value: object) -> Response:
    """For a GET."""
    body = _encoded(value)
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if _known(request.headers.get("if-none-match", ""), tag):
        return Response(None, 304, headers)
    return Response(body, 200, headers, "application/json")


def _known(given: str, tag: str) -> bool:
    return given.strip() == "*" or tag in [one.strip().removeprefix("W/") for one in given.split(",")]


def _encoded(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
