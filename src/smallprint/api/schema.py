"""The API's description of itself (OpenAPI 3.1)."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from smallprint.api.reply import ProblemDocument


def describe(app: FastAPI, *, token: bool) -> None:
    """Serve the description with what the framework does not know: problems, and the token where one is wanted."""
    made: dict[str, Any] = {}

    def openapi() -> dict[str, Any]:
        if not made:
            made.update(
                get_openapi(
                    title=app.title,
                    version=app.version,
                    summary=app.summary,
                    description="Every failure is a problem document (RFC 9457). Cursors are opaque.",
                    routes=app.routes,
                )
            )
            components = made["components"]
            components["schemas"]["ProblemDocument"] = ProblemDocument.model_json_schema()
            if token:
                components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
                made["security"] = [{"token": []}]
                made["paths"]["/api/v1/health"]["get"]["security"] = []
        return made

    app.openapi = openapi  # type: ignore[method-assign]
