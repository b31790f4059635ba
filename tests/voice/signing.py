"""The vendor's side, made up: a chain of certificates, and requests signed with the key of its last."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA1, SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

APPLICATION = "amzn1.ask.skill.made-up"
ADDRESS = "https://s3.amazonaws.com/echo.api/echo-api-cert-7.pem"
SPEAKER = "echo-api.amazon.com"
UNUSED = (
    "content_commitment",
    "key_encipherment",
    "data_encipherment",
    "key_agreement",
    "encipher_only",
    "decipher_only",
)
Key = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey


@cache
def rsa_key(which: str) -> rsa.RSAPrivateKey:
    """Made once in a run: it takes its time. `which` tells several apart."""
    assert which
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@dataclass(frozen=True)
class Party:
    certificate: x509.Certificate
    key: Key

    @property
    def pem(self) -> bytes:
        return self.certificate.public_bytes(Encoding.PEM)


def issue(
    name: str,
    key: Key,
    issuer: Party | None = None,
    *,
    names: Sequence[str] = (),
    starts: timedelta = timedelta(days=-10),
    ends: timedelta = timedelta(days=10),
) -> Party:
    """A certificate; an authority's where it has no `names`, signed by itself where it has no issuer."""
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now, signer = datetime.now(UTC), issuer.key if issuer else key
    usage = dict.fromkeys(UNUSED, False)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer.certificate.subject if issuer else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now + starts)
        .not_valid_after(now + ends)
        .add_extension(x509.BasicConstraints(ca=not names, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
        .add_extension(
            x509.KeyUsage(digital_signature=bool(names), key_cert_sign=not names, crl_sign=not names, **usage),
            critical=True,
        )
    )
    if names:
        builder = builder.add_extension(
            x509.SubjectAlternativeName([x509.DNSName(one) for one in names]), critical=False
        ).add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
    return Party(builder.sign(signer, SHA256()), key)


@dataclass(frozen=True)
class Vendor:
    """Root, intermediate and leaf; `chain` is what lies at its address."""

    root: Party
    between: Party
    leaf: Party
    chain: bytes = field(default=b"")

    @classmethod
    def make(cls, *, names: Sequence[str] = (SPEAKER,), key: Key | None = None, **dates: timedelta) -> Vendor:
        root = issue("Made-up Root", rsa_key("root"))
        between = issue("Made-up Authority", rsa_key("between"), root)
        leaf = issue(names[0], key or rsa_key("leaf"), between, names=names, **dates)
        return cls(root, between, leaf, leaf.pem + between.pem)


def body_of(request: dict[str, Any], *, when: datetime | None = None, application: str = APPLICATION) -> bytes:
    """A whole request around its inner part."""
    made = (when or datetime.now(UTC)).isoformat(timespec="seconds").replace("+00:00", "Z")
    whole = {
        "version": "1.0",
        "session": {"new": False, "sessionId": "s", "application": {"applicationId": application}, "attributes": {}},
        "context": {"System": {"application": {"applicationId": application}}},
        "request": {"requestId": "r", "timestamp": made, "locale": "en-US", **request},
    }
    return json.dumps(whole).encode()


def sign(body: bytes, key: Key, url: str = ADDRESS) -> dict[str, str]:
    """The headers; the older signature is there too, as the vendor still sends it."""
    assert isinstance(key, rsa.RSAPrivateKey)
    new, old = key.sign(body, PKCS1v15(), SHA256()), key.sign(body, PKCS1v15(), SHA1())
    return {
        "signature-256": base64.b64encode(new).decode(),
        "signature": base64.b64encode(old).decode(),
        "signaturecertchainurl": url,
    }
