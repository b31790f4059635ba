"""The files that pages are made of, under an address that changes with their content."""

from __future__ import annotations

import hashlib
from functools import cached_property
from importlib.resources import files
from typing import Final

from starlette.responses import Response

TYPES: Final = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
_FOREVER: Final = "public, max-age=31536000, immutable"


class Static:
    """Read once. One mark for all files: when one changes, all have a new address, and no browser keeps an old one."""

    @cached_property
    def _content(self) -> dict[str, bytes]:
        root = files("smallprint.web") / "static"
        folders = {"": root, "vendor/": root / "vendor"}
        return {
            f"{prefix}{file.name}": file.read_bytes()
            for prefix, folder in folders.items()
            for file in sorted(folder.iterdir(), key=lambda file: file.name)
            if file.name.rpartition(".")[2] in TYPES
        }

    @cached_property
    def mark(self) -> str:
        whole = hashlib.sha256()
        for name, content in self._content.items():
            whole.update(f"{name}\0{len(content)}\0".encode() + content)
        return whole.hexdigest()[:16]

    def url(self, name: str) -> str:
        return f"/static/{self.mark}/{name}"

    def response(self, mark: str, name: str) -> Response:
        """An old mark gets the new file, but may not keep it."""
        content = self._content.get(name)
        if content is None:
            return Response(status_code=404)
        headers = {"Cache-Control": _FOREVER if mark == self.mark else "no-store"}
        return Response(content, headers=headers, media_type=TYPES[name.rpartition(".")[2]])
