"""The form by which a browser shows the token, where one is wanted."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from smallprint.http import guard
from smallprint.http.forms import FIELD, Forms

_PAGE: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Sign in: Smallprint</title>
<main><h1>Smallprint</h1>{note}
<form method="post" action="/login"><input type="hidden" name="{field}" value="{form}">
<p><label>The token of this server <input type="password" name="token" required autocomplete="current-password">
</label></p><p><button>Sign in</button></p></form></main></html>
"""
_WRONG: Final = '<p role="alert">That is not the token. It stands in SMALLPRINT_TOKEN where the server runs.</p>'


def router(forms: Forms, token: str) -> APIRouter:
    routes = APIRouter(include_in_schema=False)

    def page(request: Request, note: str, status: int) -> Response:
        return HTMLResponse(_PAGE.format(note=note, field=FIELD, form=forms.token(request)), status)

    @routes.get(guard.LOGIN)
    async def show(request: Request) -> Response:
        return page(request, "", 200)

    @routes.post(guard.LOGIN)
    async def sign_in(request: Request) -> Response:
        given = (await forms.form(request)).get("token")
        if not isinstance(given, str) or not guard.same(given.strip(), token):
            return page(request, _WRONG, 401)
        response = RedirectResponse("/", 303)
        response.set_cookie(
            guard.LOGIN_COOKIE,
            guard.login_cookie(token),
            httponly=True,
            samesite="lax",
            secure=request.url.scheme == "https",
        )
        return response

    return routes
