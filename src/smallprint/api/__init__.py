"""The HTTP API under /api/v1: parse, call `Assistant`, render."""

from smallprint.api.routes import PREFIX, router
from smallprint.api.schema import describe

__all__ = ["PREFIX", "describe", "router"]
