"""Right requests pass; whatever is wrong with one, alone, makes it fail."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from signing import ADDRESS, APPLICATION, SPEAKER, Vendor, body_of, issue, rsa_key, sign

from smallprint.errors import ConnectionFailed, UntrustedRequest
from smallprint.voice.verify import Verifier, certificate_address, usual_roots

LAUNCH = {"type": "LaunchRequest"}


@pytest.fixture(scope="module")
def vendor() -> Vendor:
    return Vendor.make()


@dataclass
class Shelf:
    """What can be downloaded, and how often it was."""

    files: dict[str, bytes]
    asked: int = 0

    def __call__(self, url: str) -> bytes:
        self.asked += 1
        if url not in self.files:
            raise ConnectionFailed("gone", url=url)
        return self.files[url]


def verifier(vendor: Vendor, shelf: Shelf | None = None, **changes: object) -> Verifier:
    made = Verifier(APPLICATION, shelf or Shelf({ADDRESS: vendor.chain}), roots=lambda: [vendor.root.certificate])
    return replace(made, **changes)  # type: ignore[arg-type]


def test_a_right_request_passes(vendor: Vendor) -> None:
    body = body_of(LAUNCH)
    request = verifier(vendor).check(sign(body, vendor.leaf.key), body)
    assert request["request"]["type"] == "LaunchRequest"


Change = Callable[[dict[str, str], bytes], tuple[dict[str, str], bytes]]


def one_letter_else(text: str) -> str:
    return ("B" if text[0] == "A" else "A") + text[1:]


def without(name: str) -> Change:
    return lambda headers, body: ({k: v for k, v in headers.items() if k != name}, body)


def with_header(name: str, value: str) -> Change:
    return lambda headers, body: ({**headers, name: value}, body)


@pytest.mark.parametrize(
    "change",
    [
        lambda headers, body: (headers, body.replace(b"LaunchRequest", b"launchRequest")),
        lambda headers, body: (headers, body + b" "),
        lambda headers, _: (headers, b""),
        lambda headers, body: ({**headers, "signature-256": headers["signature"]}, body),
        lambda headers, body: ({**headers, "signature-256": one_letter_else(headers["signature-256"])}, body),
        with_header("signature-256", ""),
        with_header("signature-256", "not base64 at all"),
        with_header("signature-256", base64.b64encode(b"short").decode()),
        without("signature-256"),
        without("signaturecertchainurl"),
        with_header("signaturecertchainurl", ""),
        with_header("signaturecertchainurl", ADDRESS.replace("cert-7", "cert-8")),
    ],
    ids=[
        "a letter of the body",
        "a byte more",
        "no body",
        "the SHA-1 signature in its place",
        "a letter of the signature",
        "an empty signature",
        "no base64",
        "a short signature",
        "the SHA-1 signature only",
        "no certificate address",
        "an empty certificate address",
        "no certificate there",
    ],
)
def test_a_tampered_request_fails(vendor: Vendor, change: Change) -> None:
    body = body_of(LAUNCH)
    with pytest.raises(UntrustedRequest):
        verifier(vendor).check(*change(sign(body, vendor.leaf.key), body))


@pytest.mark.parametrize(
    "url",
    [
        ADDRESS,
        "https://s3.amazonaws.com:443/echo.api/echo-api-cert-7.pem",
        "HTTPS://S3.AMAZONAWS.COM/echo.api/echo-api-cert-7.pem",
        "https://s3.amazonaws.com/echo.api/../echo.api/echo-api-cert-7.pem",
        "https://s3.amazonaws.com/echo.api/./x//../echo-api-cert-7.pem",
    ],
)
def test_every_form_of_the_right_address_is_one(vendor: Vendor, url: str) -> None:
    assert certificate_address(url) == ADDRESS
    body = body_of(LAUNCH)
    assert verifier(vendor).check(sign(body, vendor.leaf.key, url), body)


@pytest.mark.parametrize(
    "url",
    [
        "http://s3.amazonaws.com/echo.api/echo-api-cert-7.pem",
        "file:///echo.api/echo-api-cert-7.pem",
        "https://notamazon.com/echo.api/echo-api-cert-7.pem",
        "https://s3.amazonaws.com.evil.example/echo.api/echo-api-cert-7.pem",
        "https://s3.amazonaws.com@evil.example/echo.api/echo-api-cert-7.pem",
        "https://evil@s3.amazonaws.com/echo.api/echo-api-cert-7.pem",
        "https://s3.amazonaws.com./echo.api/echo-api-cert-7.pem",
        "https://s3.amazonaws.com:563/echo.api/echo-api-cert-7.pem",
        "https://s3.amazonaws.com:x/echo.api/echo-api-cert-7.pem",
        "https://s3.amazonaws.com/EcHo.aPi/echo-api-cert-7.pem",
        "https://s3.amazonaws.com/invalid.path/echo-api-cert-7.pem",
        "https://s3.amazonaws.com/echo.api/../invalid.path/cert.pem",
        "https://s3.amazonaws.com/echo.api/%2e%2e/invalid.path/cert.pem",
        "https://s3.amazonaws.com/echo.api/..\\invalid.path\\cert.pem",
        "https://s3.amazonaws.com/echo.api",
        "https://s3.amazonaws.com/echo.apix/cert.pem",
        "https://s3.amazonaws.com//echo.api/cert.pem",
        "https://s3.amazonaws.com/echo.api/cert.pem?versionId=1",
        "https://s3.amazonaws.com/echo.api/cert.pem#x",
        "https://[s3.amazonaws.com/echo.api/cert.pem",
        "/echo.api/cert.pem",
    ],
)
def test_certificates_elsewhere_are_not_even_asked_for(vendor: Vendor, url: str) -> None:
    shelf = Shelf({})
    body = body_of(LAUNCH)
    with pytest.raises(UntrustedRequest):
        verifier(vendor, shelf).check(sign(body, vendor.leaf.key, url), body)
    assert shelf.asked == 0


def self_signed() -> bytes:
    return issue(SPEAKER, rsa_key("leaf"), names=[SPEAKER]).pem


def of_another_root() -> bytes:
    root = issue("Made-up Root", rsa_key("another root"))
    return issue(SPEAKER, rsa_key("leaf"), root, names=[SPEAKER]).pem + root.pem


def without_the_authority_between() -> bytes:
    return Vendor.make().leaf.pem


def the_authority_first() -> bytes:
    made = Vendor.make()
    return made.between.pem + made.leaf.pem


@pytest.mark.parametrize(
    "chain",
    [
        lambda: Vendor.make(ends=timedelta(days=-1)).chain,
        lambda: Vendor.make(starts=timedelta(days=1)).chain,
        lambda: Vendor.make(names=["echo-api.evil.example"]).chain,
        lambda: Vendor.make(names=["amazon.com", "api.amazon.com"]).chain,
        lambda: Vendor.make(key=ec.generate_private_key(ec.SECP256R1())).chain,
        self_signed,
        of_another_root,
        without_the_authority_between,
        the_authority_first,
        lambda: Vendor.make().chain + Vendor.make().between.pem * 20,
        lambda: b"",
        lambda: b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        lambda: b"\x00\xff" * 100,
    ],
    ids=[
        "expired",
        "not valid yet",
        "another name",
        "names above",
        "another kind of key",
        "signed by itself",
        "another root",
        "a link is missing",
        "the wrong order",
        "endless",
        "nothing",
        "no certificate",
        "noise",
    ],
)
def test_a_wrong_certificate_fails(vendor: Vendor, chain: Callable[[], bytes]) -> None:
    body = body_of(LAUNCH)
    with pytest.raises(UntrustedRequest, match="certificate"):
        verifier(vendor, Shelf({ADDRESS: chain()})).check(sign(body, rsa_key("leaf")), body)


def test_no_made_up_root_is_trusted_by_default(vendor: Vendor) -> None:
    assert len(usual_roots()) > 50
    body = body_of(LAUNCH)
    with pytest.raises(UntrustedRequest, match="certificate"):
        verifier(vendor, roots=usual_roots).check(sign(body, vendor.leaf.key), body)


@pytest.mark.parametrize(("seconds", "fine"), [(-149, True), (149, True), (-152, False), (152, False), (9**9, False)])
def test_a_request_is_of_this_moment(vendor: Vendor, seconds: int, fine: bool) -> None:
    now = datetime.now(UTC)
    body = body_of(LAUNCH, when=now + timedelta(seconds=seconds))
    checking = verifier(vendor, now=lambda: now)
    if fine:
        assert checking.check(sign(body, vendor.leaf.key), body)
    else:
        with pytest.raises(UntrustedRequest, match="moment"):
            checking.check(sign(body, vendor.leaf.key), body)


@pytest.mark.parametrize("timestamp", [None, 5, "", "yesterday", "2026-01-01", [], {}])
def test_a_request_says_when_it_was_made(vendor: Vendor, timestamp: object) -> None:
    body = body_of({**LAUNCH, "timestamp": timestamp})
    with pytest.raises(UntrustedRequest, match="when"):
        verifier(vendor).check(sign(body, vendor.leaf.key), body)


@pytest.mark.parametrize(
    "made",
    [
        lambda: body_of(LAUNCH, application="amzn1.ask.skill.another"),
        lambda: body_of(LAUNCH, application=""),
        lambda: body_of(LAUNCH).replace(APPLICATION.encode(), b"another", 1),
        lambda: body_of(LAUNCH).replace(b'"application"', b'"applications"'),
        lambda: body_of(LAUNCH).replace(f'"{APPLICATION}"'.encode(), b'["x"]'),
    ],
    ids=["another", "none named", "two that differ", "no application", "no text"],
)
def test_a_request_is_for_our_skill(vendor: Vendor, made: Callable[[], bytes]) -> None:
    body = made()  # now: a request of the time when tests were collected may be too old
    with pytest.raises(UntrustedRequest, match="another skill"):
        verifier(vendor).check(sign(body, vendor.leaf.key), body)


@pytest.mark.parametrize("body", [b"[]", b"null", b"{", b"\xff", b"[" * 100_000, b"{}", b'{"request": []}'])
def test_what_is_signed_but_no_request_fails(vendor: Vendor, body: bytes) -> None:
    with pytest.raises(UntrustedRequest):
        verifier(vendor).check(sign(body, vendor.leaf.key), body)


def test_a_certificate_is_fetched_once_and_again_when_it_expires(vendor: Vendor) -> None:
    shelf, times = Shelf({ADDRESS: vendor.chain}), [datetime.now(UTC)]
    checking = verifier(vendor, shelf, now=lambda: times[-1])

    def check() -> None:
        body = body_of(LAUNCH, when=times[-1])
        checking.check(sign(body, vendor.leaf.key), body)

    check()
    check()
    assert shelf.asked == 1
    times.append(times[-1] + timedelta(days=2))
    check()
    assert shelf.asked == 2
    times.append(times[-1] + timedelta(days=20))
    with pytest.raises(UntrustedRequest, match="certificate"):
        check()
    assert shelf.asked == 3


def test_a_wrong_certificate_is_not_kept(vendor: Vendor) -> None:
    shelf = Shelf({ADDRESS: self_signed()})
    checking = verifier(vendor, shelf)
    body = body_of(LAUNCH)
    with pytest.raises(UntrustedRequest):
        checking.check(sign(body, vendor.leaf.key), body)
    shelf.files[ADDRESS] = vendor.chain
    assert checking.check(sign(body, vendor.leaf.key), body)
