"""The web app: server-rendered pages that work without scripts, and a little of them for comfort."""

from smallprint.web.refusals import ProblemPages
from smallprint.web.routes import router

__all__ = ["ProblemPages", "router"]
