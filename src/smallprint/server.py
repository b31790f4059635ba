"""All doors over HTTP in one process: behind the same guards, at the same desk."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.routing import Match

from smallprint import __version__, api, mcp, voice, web
from smallprint.assistant import Assistant
from smallprint.errors import SettingsError, SmallprintError
from smallprint.http import guard, limits, login, problems
from smallprint.http.desk import Desk
from smallprint.http.forms import Forms, VisitorCookie
from smallprint.http.log import LOG, Logged
from smallprint.http.paths import KeptSlashes
from smallprint.http.protocol import Protocol
from smallprint.settings import MB, Settings

OPEN_PATHS: Final = (f"{api.PREFIX}/health", voice.PATH)  # what the latter gets is signed
_EVERYWHERE: Final = ("0.0.0.0", "::")
_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_BESIDE: Final = MB  # of a request, beside the document in it


def create_app(settings: Settings, verifier: voice.Verifier | None = None) -> FastAPI:
    """The server as an ASGI application; refuses to be made where it would stand open.

    Its assistant reads no file of this machine, whichever door is asked. `app.state.desk` is what doors are given.
    `verifier` knows the vendor of voice by other than the usual rules.
    """
    check(settings)
    desk = Desk(Assistant(replace(settings, local_files=False)))
    for_assistants = mcp.http_app(desk, _names(settings))

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with for_assistants.router.lifespan_context(for_assistants):
            yield
        desk.close()

    app = FastAPI(
        title="Smallprint",
        version=__version__,
        summary="Reads privacy policies so that people don't have to.",
        openapi_url=f"{api.PREFIX}/openapi.json",
        docs_url=None,  # the usual pages load scripts from another host
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        middleware=_layers(settings, desk.forms),
        exception_handlers={
            SmallprintError: _smallprint_error,
            problems.Refused: _refused,
            RequestValidationError: _invalid,
            HTTPException: _http_error,
        },
    )
    app.state.desk = desk
    app.include_router(api.router(desk))
    app.router.routes.extend(for_assistants.routes)
    app.include_router(web.router(desk))
    if settings.voice_skill_id:
        app.include_router(voice.router(desk, verifier or voice.verifier_for(desk, settings.voice_skill_id)))
    api.describe(app, token=bool(settings.token))
    if settings.token:
        app.include_router(login.router(desk.forms, settings.token))
    return app


def check(settings: Settings) -> None:
    if settings.token and len(settings.token) < guard.SHORTEST_TOKEN:
        raise SettingsError(f"The token is too short: {guard.SHORTEST_TOKEN} characters at least.")
    if not settings.token and not guard.is_loopback(settings.host):
        raise SettingsError(
            f"{settings.host} can be reached from other machines: set SMALLPRINT_TOKEN to a secret of "
            f"{guard.SHORTEST_TOKEN} characters or more that they must show."
        )


def serve(settings: Settings, *, ready: Callable[[str], None]) -> None:
    """Answer until stopped. `ready` is told the address once requests are taken."""
    app = create_app(settings)
    desk: Desk = app.state.desk
    desk.answers.start(desk.assistant.warm_up)
    listener = _listen(settings)
    _log_to_stderr()
    port = listener.getsockname()[1]
    name = "localhost" if settings.host in _EVERYWHERE else settings.host
    address = f"http://{f'[{name}]' if ':' in name else name}:{port}"
    asyncio.run(_run(uvicorn.Server(configured(app)), listener, lambda: ready(address)))


def configured(app: Starlette) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=Protocol,
        access_log=False,  # it would hold queries; ours does not
        log_config=None,
        proxy_headers=False,  # a client could name any address as its own
        server_header=False,
        timeout_graceful_shutdown=5,
    )


async def _run(server: uvicorn.Server, listener: socket.socket, ready: Callable[[], None]) -> None:
    serving = asyncio.create_task(server.serve([listener]))
    while not server.started and not serving.done():
        await asyncio.sleep(0.01)
    if server.started:
        ready()
    await serving


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=512)
    except OSError as error:
        reason = error.strerror or error
        raise SettingsError(f"{settings.host} port {settings.port} can't be listened on: {reason}.") from error


def _log_to_stderr() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S"))
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    LOG.propagate = False


def _names(settings: Settings) -> tuple[str, ...]:
    """What the server goes by."""
    given = (name.strip() for name in settings.host_names.split(","))
    return (*guard.LOOPBACK, settings.host, *(name for name in given if name))


def _layers(settings: Settings, forms: Forms) -> list[Middleware]:
    """Outermost first."""
    layers = [
        Middleware(web.ProblemPages, forms=forms),
        Middleware(Logged),
        Middleware(guard.SafeHeaders),
        Middleware(
            guard.KnownHost,
            names=_names(settings),
            any_address=settings.host in _EVERYWHERE,
        ),
        Middleware(limits.Rate, per_minute=settings.requests_per_minute),
    ]
    if settings.token:
        layers.append(Middleware(guard.TokenWanted, token=settings.token, open_paths=OPEN_PATHS))
    return [
        *layers,
        Middleware(guard.SameSite),
        Middleware(limits.Bounds, max_bytes=settings.max_bytes * 4 // 3 + _BESIDE),  # a document may be in base64
        Middleware(VisitorCookie),
        Middleware(KeptSlashes),
    ]


async def _smallprint_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, SmallprintError)
    return problems.of_error(error).response()


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, problems.Refused)
    return error.problem.response()


async def _invalid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return problems.invalid(error.errors()).response()


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    headers = dict(error.headers or {})
    if "Allow" in headers:  # the framework names the methods of one route, but a path may have several
        headers["Allow"] = ", ".join(method for method in _METHODS if _takes(request, method))
    return problems.of_status(error.status_code, headers).response()


def _takes(request: Request, method: str) -> bool:
    """Whether any route takes that method at this path."""
    bare = {name: value for name, value in request.scope.items() if name not in ("fastapi", "route", "path_params")}
    return any(route.matches({**bare, "method": method})[0] is Match.FULL for route in request.app.router.routes)
