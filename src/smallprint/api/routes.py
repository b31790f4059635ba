"""All routes of the API."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from smallprint.api import about, across, adding, changes, policies, questions, search
from smallprint.http.desk import Desk

PREFIX: Final = "/api/v1"


def router(desk: Desk) -> APIRouter:
    routes = APIRouter(prefix=PREFIX)
    for door in (
        about.router(),
        policies.router(desk),
        policies.restoring(desk),
        changes.router(desk),
        adding.router(desk),
        adding.ingests(desk),
        questions.router(desk),
        questions.sessions(desk),
        search.router(desk),
        across.router(desk),
    ):
        routes.include_router(door)
    return routes
