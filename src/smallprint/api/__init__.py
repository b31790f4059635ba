"""The HTTP API under /api/v1: parse, call `Assistant`, render."""

from smallprint.api.routes import PREFIX, router

__all__ = ["PREFIX", "router"]
