"""Whether a request is the vendor's own, for our skill and fresh: the rules it sets for services that anyone can reach.

The signature stands in for the server's token, so nothing of a request is believed before it holds.
"""

from __future__ import annotations

import base64
import binascii
import json
import posixpath
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Final
from urllib.parse import urlsplit

import httpcore
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

from smallprint.errors import FetchError, UntrustedRequest

CERTIFICATES: Final = "s3.amazonaws.com"
FOLDER: Final = "/echo.api/"
SPEAKER: Final = "echo-api.amazon.com"
TOLERANCE: Final = timedelta(seconds=150)
KEPT_FOR: Final = timedelta(hours=24)
KEPT: Final = 8  # the vendor uses one address at a time
LONGEST_CHAIN: Final = 10
_PLAIN_PATH = re.compile(r"[\w./-]+", re.ASCII)

Roots = Callable[[], Sequence[x509.Certificate]]


@cache
def usual_roots() -> tuple[x509.Certificate, ...]:
    """The authorities that fetching trusts too."""
    roots = []
    for raw in httpcore.default_ssl_context().get_ca_certs(binary_form=True):
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # old roots that bend the standard are not needed here
            try:
                roots.append(x509.load_der_x509_certificate(raw))
            except (ValueError, Warning):
                continue
    return tuple(roots)


def _utc() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class _Key:
    key: RSAPublicKey
    until: datetime


@dataclass(frozen=True, slots=True)
class Verifier:
    """`download` gets the file at an address of the vendor's; the key in it is kept for a day at most."""

    application_id: str
    download: Callable[[str], bytes]
    roots: Roots = usual_roots
    now: Callable[[], datetime] = _utc
    _keys: dict[str, _Key] = field(default_factory=dict)

    def check(self, headers: Mapping[str, str], body: bytes) -> dict[str, Any]:
        """The request in the body; raises UntrustedRequest unless every rule holds. Header names are lower case."""
        signature = _signature(headers.get("signature-256", ""))
        key = self._key(certificate_address(headers.get("signaturecertchainurl", "")))
        try:
            key.verify(signature, body, PKCS1v15(), SHA256())
        except InvalidSignature:
            raise UntrustedRequest("The signature does not fit the request.") from None
        request = _parsed(body)
        self._check_time(request)
        self._check_application(request)
        return request

    def _key(self, address: str) -> RSAPublicKey:
        kept = self._keys.get(address)
        if kept and kept.until > self.now():
            return kept.key
        try:
            chain = self.download(address)
        except FetchError as error:
            raise UntrustedRequest("The certificate could not be had.") from error
        made = self._trusted(chain)
        while len(self._keys) >= KEPT:
            self._keys.pop(next(iter(self._keys)), None)
        self._keys[address] = made
        return made.key

    def _trusted(self, chain: bytes) -> _Key:
        """The key of the first certificate, if it is the vendor's and leads to a trusted root today."""
        now = self.now()
        try:
            leaf, *others = x509.load_pem_x509_certificates(chain)
            if len(others) >= LONGEST_CHAIN:
                raise UntrustedRequest("The certificate's chain is too long.")
            verifier = PolicyBuilder().store(Store(list(self.roots()))).time(now)
            verified = verifier.build_server_verifier(x509.DNSName(SPEAKER)).verify(leaf, others)
            key = leaf.public_key()
        except (VerificationError, ValueError) as error:
            raise UntrustedRequest("The certificate is not one of the vendor's, or not valid now.") from error
        if not isinstance(key, RSAPublicKey):
            raise UntrustedRequest("The certificate's key is of another kind.")
        return _Key(key, min(now + KEPT_FOR, *(one.not_valid_after_utc for one in verified)))

    def _check_time(self, request: dict[str, Any]) -> None:
        try:
            made = datetime.fromisoformat(request["request"]["timestamp"])
            age = self.now() - made
        except (KeyError, TypeError, ValueError):
            raise UntrustedRequest("The request does not say when it was made.") from None
        if abs(age) > TOLERANCE:
            raise UntrustedRequest("The request is not of this moment.")

    def _check_application(self, request: dict[str, Any]) -> None:
        named = (_application(request.get("session")), _application(_get(request.get("context"), "System")))
        given = [one for one in named if one is not None]
        if not given or any(one != self.application_id for one in given):
            raise UntrustedRequest("The request is for another skill.")


def certificate_address(url: str) -> str:
    """The address in its normal form, if certificates of the vendor's can be there."""
    try:
        parts = urlsplit(url)
        right = parts.scheme == "https" and parts.hostname == CERTIFICATES and parts.port in (None, 443)
    except ValueError:
        right = False
    if not right or parts.username is not None or parts.query or parts.fragment:
        raise UntrustedRequest("The certificate is not at an address of the vendor's.")
    path = posixpath.normpath(parts.path)
    if not _PLAIN_PATH.fullmatch(path) or not path.startswith(FOLDER):
        raise UntrustedRequest("The certificate is not in the vendor's folder.")
    return f"https://{CERTIFICATES}{path}"


def _signature(header: str) -> bytes:
    try:
        signature = base64.b64decode(header, validate=True)
    except (binascii.Error, ValueError):
        signature = b""
    if not signature:
        raise UntrustedRequest("The request has no signature that can be read.")
    return signature


def _parsed(body: bytes) -> dict[str, Any]:
    try:
        request = json.loads(body)
    except (ValueError, RecursionError):
        request = None
    if not isinstance(request, dict):
        raise UntrustedRequest("The request is no JSON object.")
    return request


def _application(part: object) -> object:
    return _get(_get(part, "application"), "applicationId")


def _get(part: object, name: str) -> object:
    return part.get(name) if isinstance(part, dict) else None
