"""Whether the server lives, and what it runs."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel

from smallprint import __version__
from smallprint.api.reply import PROBLEMS


class Health(BaseModel):
    status: Literal["ok"] = "ok"


class Version(BaseModel):
    version: str


def router() -> APIRouter:
    routes = APIRouter(tags=["about"], responses=PROBLEMS)

    @routes.get("/health")
    async def health() -> Health:
        """Whether the server answers. Needs no token."""
        return Health()

    @routes.get("/version")
    async def version() -> Version:
        return Version(version=__version__)

    return routes
