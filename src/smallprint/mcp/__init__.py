"""The door for assistants that speak the Model Context Protocol: tools that read, policies as resources."""

from smallprint.mcp.serving import http_app, run_stdio

__all__ = ["http_app", "run_stdio"]
