"""Templates into responses. Everything that comes from a policy or a person is escaped, without exception."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from fastapi import Request
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse

from smallprint import __version__
from smallprint.http.forms import FIELD, Forms
from smallprint.web import words
from smallprint.web.layout import Layout
from smallprint.web.static import Static
from smallprint.words import held_back, how_sure, led, percent, schooling, word_for


class Pages:
    def __init__(self, forms: Forms) -> None:
        self.static = Static()
        self._forms = forms
        self._jinja = Environment(
            loader=PackageLoader("smallprint.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self._jinja.filters |= {
            "day": words.day,
            "held_back": held_back,
            "marked": marked,
            "percent": percent,
            "schooling": schooling,
            "how_sure": how_sure,
            "led": led,
            "web_address": web_address,
            "word": word_for,
        }
        self._jinja.globals |= {"field": FIELD, "practices": words.PRACTICES, "version": __version__}

    def show(self, request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
        page = self._jinja.get_template(template)
        token = self._forms.token(request)
        return HTMLResponse(page.render(token=token, static=self.static.url, path=request.url.path, **context), status)

    def draw(self, layout: Layout) -> str:
        """The policy's text, apart from the page: it is the same for everyone and may be long."""
        return self._jinja.get_template("body.html").render(parts=layout.parts)


def marked(text: str, spans: Iterable[tuple[int, int]]) -> Markup:
    pieces, at = [], 0
    for start, end in spans:
        pieces += [escape(text[at:start]), Markup("<mark>"), escape(text[start:end]), Markup("</mark>")]
        at = end
    return Markup("").join([*pieces, escape(text[at:])])


def web_address(url: str | None) -> str | None:
    """The address if a link may lead there; a stored one may say anything."""
    try:
        return url if url and urlsplit(url).scheme in ("http", "https") else None
    except ValueError:
        return None
