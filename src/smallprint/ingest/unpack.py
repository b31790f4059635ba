"""Unpacking a response body as it streams in, never holding more than allowed."""

from __future__ import annotations

import zlib
from collections.abc import Callable

from smallprint.errors import TooLarge, UnsupportedFormat
from smallprint.ingest.address import WebAddress
from smallprint.settings import MB

_GZIP_MAGIC = b"\x1f\x8b"
_GZIP_BITS, _ZLIB_BITS, _RAW_BITS = 31, 15, -15


class Unpacker:
    """Feed it chunks as transferred; it keeps the unpacked body and refuses to outgrow `limit`.

    `still_time` is called for each step and raises when the time is up: thousands of tiny gzip members
    cost far more time than bytes. Damaged data raises zlib.error, which the caller translates.
    """

    def __init__(self, encoding: str, limit: int, address: WebAddress, still_time: Callable[[], object]) -> None:
        self._encoding = _known(encoding, address)
        self._limit = limit
        self._address = address
        self._still_time = still_time
        self._body = bytearray()
        self._pending = b""
        self._unpacking: zlib._Decompress | None = None

    def feed(self, chunk: bytes) -> None:
        if self._encoding == "identity":
            self._keep(chunk)
            return
        self._pending += chunk
        # Two bytes tell the wrapping: gzip members follow each other, deflate comes with a header or without.
        while self._pending and (self._unpacking or len(self._pending) > 1):
            self._still_time()
            self._step()

    def finish(self) -> bytes:
        if self._pending or (self._unpacking and not self._unpacking.eof):
            raise zlib.error("the packed data ends too early")
        return bytes(self._body)

    def _step(self) -> None:
        if self._unpacking is None:
            self._unpacking = zlib.decompressobj(self._window())
        if self._unpacking.eof:
            # Padding after the end is harmless; another gzip member is more of the text.
            more = self._encoding == "gzip" and self._pending.startswith(_GZIP_MAGIC)
            self._unpacking = zlib.decompressobj(_GZIP_BITS) if more else self._unpacking
            if not more:
                self._pending = b""
                return
        # One byte beyond the limit is enough to know, so a bomb is never unpacked.
        room = self._limit - len(self._body) + 1
        self._keep(self._unpacking.decompress(self._pending, room))
        self._pending = self._unpacking.unconsumed_tail or self._unpacking.unused_data

    def _window(self) -> int:
        if self._encoding == "gzip":
            return _GZIP_BITS
        first, second = self._pending[:2]
        is_zlib = first & 0x0F == 8 and (first * 256 + second) % 31 == 0
        return _ZLIB_BITS if is_zlib else _RAW_BITS

    def _keep(self, data: bytes) -> None:
        self._body += data
        if len(self._body) > self._limit:
            raise TooLarge(
                f"{self._address.host} sent more than {self._limit / MB:.3g} MB once unpacked;"
                " no privacy policy is that long.",
                url=str(self._address),
            )


def _known(encoding: str, address: WebAddress) -> str:
    name = encoding.strip().lower().removeprefix("x-") or "identity"
    if name not in ("identity", "gzip", "deflate"):
        raise UnsupportedFormat(
            f"{address.host} sent the page packed as “{name[:40]}”, which Smallprint can't unpack."
            " Save the page in a browser and give the file instead."
        )
    return name
