"""Where the vendor's requests arrive: verified, answered in time, never logged."""

from __future__ import annotations

import asyncio
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from smallprint.errors import Busy, UntrustedRequest
from smallprint.http.desk import Desk
from smallprint.voice.skill import Skill
from smallprint.voice.verify import Verifier

PATH: Final = "/voice/alexa"
LARGEST: Final = 128 * 1024
# The vendor waits 8 seconds in all. A certificate is fetched once a day, in 2.5 of them at most.
FETCH_SECONDS: Final = 2.5
ANSWER_SECONDS: Final = 4.5
CERTIFICATE_BYTES: Final = 64 * 1024


def verifier_for(desk: Desk, application_id: str) -> Verifier:
    def download(url: str) -> bytes:
        return desk.assistant.download(url, most=CERTIFICATE_BYTES, seconds=FETCH_SECONDS)

    return Verifier(application_id, download)


def router(desk: Desk, verifier: Verifier) -> APIRouter:
    routes = APIRouter()
    skill = Skill(desk.assistant)

    @routes.post(PATH, include_in_schema=False)
    async def alexa(request: Request) -> Response:
        verified = await desk.fetches.run(verifier.check, request.headers, await _body(request))
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                answer = await desk.answers.run(skill.answer, verified)
        except (TimeoutError, Busy):
            answer = skill.too_slow(verified)
        return JSONResponse(answer)

    return routes


async def _body(request: Request) -> bytes:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST:
            raise UntrustedRequest("No request of the vendor's is that long.")
    return body
