"""All routes of the API."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from smallprint.api import about
from smallprint.http.desk import Desk

PREFIX: Final = "/api/v1"


def router(desk: Desk) -> APIRouter:  # noqa: ARG001
    routes = APIRouter(prefix=PREFIX)
    routes.include_router(about.router())
    return routes
