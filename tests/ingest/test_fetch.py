"""Every test dials loopback or nothing: SpyNetwork stands where the internet would be."""

from __future__ import annotations

import contextlib
import datetime
import gzip
import ipaddress
import socket
import ssl
import threading
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import httpcore
import hypothesis
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from hypothesis import given
from hypothesis import strategies as st
from web_server import PUBLIC, LoopbackServer, Names, Route, SpyNetwork, redirect, reply, serving

from smallprint.errors import (
    BadAddress,
    ConnectionFailed,
    FetchError,
    ForbiddenAddress,
    HostNotFound,
    HttpStatus,
    SmallprintError,
    TooLarge,
    TooManyRedirects,
    TooSlow,
    UnsupportedFormat,
)
from smallprint.ingest.fetch import Fetched, fetch
from smallprint.settings import Settings

SETTINGS = Settings(
    home=Path("unused"), timeout_seconds=5, max_bytes=100_000, max_unpacked_bytes=300_000, max_redirects=3
)
PAGE = b"<h1>Privacy</h1><p>We keep nothing.</p>"
Serve = Callable[..., LoopbackServer]


@pytest.fixture
def serve() -> Iterator[Serve]:
    servers: list[LoopbackServer] = []

    def start(routes: dict[str, Route], tls: ssl.SSLContext | None = None) -> LoopbackServer:
        servers.append(LoopbackServer(routes, tls))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


def get(server: LoopbackServer, path: str = "/", **limits: float) -> Fetched:
    """Ask the server under a public name, through the guard as it is by default."""
    settings = replace(SETTINGS, **limits)  # type: ignore[arg-type]
    names = Names({}, PUBLIC)
    return fetch(f"http://example.com{path}", settings, resolver=names, network=SpyNetwork(server.port))


# What comes back


def test_a_page_comes_back_whole(serve: Serve) -> None:
    fetched = get(serve({"/privacy?x=1": reply(PAGE, content_type="Text/HTML; Charset=ISO-8859-1")}), "/privacy?x=1")
    assert fetched == Fetched(
        url="http://example.com/privacy?x=1",
        final_url="http://example.com/privacy?x=1",
        status=200,
        content_type="text/html",
        charset="ISO-8859-1",
        body=PAGE,
        hops=("http://example.com/privacy?x=1",),
    )


def test_the_request_says_who_asks_and_nothing_else(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    server = serve({"/": reply(PAGE, Set_Cookie="id=1"), "/start": redirect("/")})
    get(server, "/start")
    for request in server.requests:
        head = request.decode().lower()
        assert "user-agent: smallprint/" in head
        assert "accept-encoding: gzip, deflate\r\n" in head
        assert "host: example.com\r\n" in head
        assert "cookie" not in head
        assert "referer" not in head


def test_loopback_can_be_read_when_settings_allow(serve: Serve) -> None:
    server = serve({"/": reply(PAGE)})
    allowed = replace(SETTINGS, allow_private_addresses=True)
    assert fetch(f"http://127.0.0.1:{server.port}/", allowed).body == PAGE
    names = Names({}, "127.0.0.1")
    assert fetch(f"http://policy.localhost:{server.port}/", allowed, resolver=names).body == PAGE


def test_chunked_and_unlabelled_bodies(serve: Serve) -> None:
    raw = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
    fetched = get(serve({"/": raw}))
    assert (fetched.body, fetched.content_type, fetched.charset) == (b"abcde", "application/octet-stream", None)


# Where it may go


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1", "192.0.2.1", "nonsense"]
)
def test_names_that_lead_inside_are_refused_undialled(address: str) -> None:
    spy = SpyNetwork()
    with pytest.raises(ForbiddenAddress, match=r"evil\.example leads to this machine"):
        fetch("http://evil.example/", SETTINGS, resolver=Names({}, address), network=spy)
    assert spy.dialled == []


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "[::1]", "169.254.169.254", "[::ffff:10.0.0.1]", "localhost", "x.internal"]
)
def test_inside_addresses_are_refused_unresolved_and_undialled(host: str) -> None:
    spy, names = SpyNetwork(), Names({}, PUBLIC)
    with pytest.raises(ForbiddenAddress):
        fetch(f"http://{host}/", SETTINGS, resolver=names, network=spy)
    assert (names.asked, spy.dialled) == ([], [])


def test_one_inside_address_among_public_ones_is_enough_to_refuse() -> None:
    spy = SpyNetwork()
    with pytest.raises(ForbiddenAddress):
        fetch("http://mixed.example/", SETTINGS, resolver=Names({}, PUBLIC, "127.0.0.1"), network=spy)
    assert spy.dialled == []


@given(st.ip_addresses())
@hypothesis.settings(deadline=None)
def test_whatever_is_dialled_is_global(ip: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    spy = SpyNetwork()
    with pytest.raises((ForbiddenAddress, ConnectionFailed)):
        fetch("http://any.example/", SETTINGS, resolver=Names({}, str(ip)), network=spy)
    assert all(ipaddress.ip_address(host).is_global for host, _ in spy.dialled)


def test_rebinding_can_not_swap_the_checked_address(serve: Serve) -> None:
    server = serve({"/": reply(PAGE)})
    spy, names = SpyNetwork(server.port), Names({"rebind.example": [[PUBLIC], ["127.0.0.1"]]})
    assert fetch("http://rebind.example/", SETTINGS, resolver=names, network=spy).body == PAGE
    assert names.asked == ["rebind.example"]
    assert spy.dialled == [(PUBLIC, 80)]


def test_rebinding_between_two_hops_is_caught(serve: Serve) -> None:
    server = serve({"/": redirect("/again")})
    spy, names = SpyNetwork(server.port), Names({"rebind.example": [[PUBLIC], ["127.0.0.1"]]})
    with pytest.raises(ForbiddenAddress):
        fetch("http://rebind.example/", SETTINGS, resolver=names, network=spy)
    assert spy.dialled == [(PUBLIC, 80)]


@pytest.mark.parametrize(
    ("location", "error"),
    [
        ("http://127.0.0.1/", ForbiddenAddress),
        ("http://inside.example/", ForbiddenAddress),
        ("//localhost/", ForbiddenAddress),
        ("http://2130706433/", BadAddress),
        ("http://example.com@127.0.0.1/", BadAddress),
        ("file:///etc/passwd", BadAddress),
        ("http://[::1", BadAddress),
    ],
)
def test_redirects_to_the_inside_are_refused(serve: Serve, location: str, error: type[FetchError]) -> None:
    server = serve({"/": redirect(location)})
    spy, names = SpyNetwork(server.port), Names({"inside.example": [["127.0.0.1"]]}, PUBLIC)
    with pytest.raises(error):
        fetch("http://example.com/", SETTINGS, resolver=names, network=spy)
    assert spy.dialled == [(PUBLIC, 80)]


def test_a_dead_first_address_leaves_the_second(serve: Serve) -> None:
    server = serve({"/": reply(PAGE)})

    class HalfDead(SpyNetwork):
        def connect_tcp(self, host: str, *args: object, **options: object) -> httpcore.NetworkStream:
            if ":" in host:
                raise httpcore.ConnectError("no route")
            return super().connect_tcp(host, *args, **options)  # type: ignore[arg-type]

    spy = HalfDead(server.port)
    fetched = fetch("http://two.example/", SETTINGS, resolver=Names({}, "2606:4700::1", PUBLIC), network=spy)
    assert (fetched.body, spy.dialled) == (PAGE, [(PUBLIC, 80)])


# Redirects


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"])
def test_redirects_are_followed_and_listed(serve: Serve, status: str) -> None:
    fetched = get(serve({"/": redirect("privacy", status), "/privacy": reply(PAGE)}))
    assert fetched.url == "http://example.com/"
    assert fetched.final_url == "http://example.com/privacy"
    assert fetched.hops == ("http://example.com/", "http://example.com/privacy")


def test_a_redirect_may_have_accents(serve: Serve) -> None:
    fetched = get(serve({"/": "HTTP/1.1 302 Found\r\nLocation: /é\r\n\r\n".encode(), "/%C3%A9": reply(PAGE)}))
    assert fetched.body == PAGE


def test_a_loop_is_told_from_a_long_way(serve: Serve) -> None:
    with pytest.raises(TooManyRedirects, match="circles"):
        get(serve({"/": redirect("/a"), "/a": redirect("/")}))
    with pytest.raises(TooManyRedirects, match="more than 3 redirects"):
        get(serve({"/": redirect("/1"), **{f"/{n}": redirect(f"/{n + 1}") for n in range(1, 9)}}))


def test_as_many_redirects_as_allowed_are_followed(serve: Serve) -> None:
    fetched = get(serve({"/": redirect("/1"), "/1": redirect("/2"), "/2": redirect("/3"), "/3": reply(PAGE)}))
    assert len(fetched.hops) == 4


# Limits


def test_a_declared_size_beyond_the_limit_is_refused_unread(serve: Serve) -> None:
    with pytest.raises(TooLarge, match=r"example\.com sent more than"):
        get(serve({"/": b"HTTP/1.1 200 OK\r\nContent-Length: 100001\r\n\r\n"}))


def test_an_undeclared_size_beyond_the_limit_is_refused(serve: Serve) -> None:
    with pytest.raises(TooLarge):
        get(serve({"/": b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 100_001}))


def test_a_body_of_just_the_limit_passes(serve: Serve) -> None:
    assert len(get(serve({"/": reply(b"x" * 100_000)})).body) == 100_000


def _raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", gzip.compress(PAGE)),
        ("X-GZIP", gzip.compress(PAGE)),
        ("gzip", gzip.compress(PAGE[:9]) + gzip.compress(PAGE[9:])),
        ("gzip", gzip.compress(PAGE) + b"\0\0\0"),
        ("deflate", zlib.compress(PAGE)),
        ("deflate", _raw_deflate(PAGE)),
        ("identity", PAGE),
    ],
)
def test_packed_bodies_are_unpacked(serve: Serve, encoding: str, packed: bytes) -> None:
    assert get(serve({"/": reply(packed, Content_Encoding=encoding)})).body == PAGE


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress, _raw_deflate])
def test_a_bomb_is_refused(serve: Serve, pack: Callable[[bytes], bytes]) -> None:
    bomb = pack(b"\0" * 5_000_000)
    encoding = "gzip" if pack is gzip.compress else "deflate"
    with pytest.raises(TooLarge, match="once unpacked"):
        get(serve({"/": reply(bomb, Content_Encoding=encoding)}))


def test_a_body_that_unpacks_to_just_the_limit_passes(serve: Serve) -> None:
    packed = gzip.compress(b"x" * 300_000)
    assert len(get(serve({"/": reply(packed, Content_Encoding="gzip")})).body) == 300_000


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "compress"])
def test_other_packings_are_named(serve: Serve, encoding: str) -> None:
    with pytest.raises(UnsupportedFormat, match=encoding):
        get(serve({"/": reply(b"?", Content_Encoding=encoding)}))


@pytest.mark.parametrize("packed", [gzip.compress(PAGE)[:-9], b"not gzip", b"\x1f", gzip.compress(PAGE)[:-4] + b"oops"])
def test_damaged_packing_is_a_failed_connection(serve: Serve, packed: bytes) -> None:
    with pytest.raises(ConnectionFailed, match="damaged"):
        get(serve({"/": reply(packed, Content_Encoding="gzip")}))


def test_huge_headers_are_refused(serve: Serve) -> None:
    with pytest.raises(TooLarge, match="head"):
        get(serve({"/": b"HTTP/1.1 200 OK\r\nX: " + b"x" * 300_000}))


def _drip(head: bytes) -> Route:
    def send(connection: socket.socket, stop: threading.Event) -> None:
        connection.sendall(head)
        while not stop.wait(0.02):
            connection.sendall(b"x")

    return send


@pytest.mark.parametrize(
    "head",
    [b"", b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n"],
)
def test_a_dripping_server_gets_no_fresh_clock(serve: Serve, head: bytes) -> None:
    with pytest.raises(TooSlow, match=r"example\.com took longer than 0\.3 seconds") as caught:
        get(serve({"/": _drip(head)}), timeout_seconds=0.3)
    assert caught.value.retryable


def test_a_silent_server_is_too_slow(serve: Serve) -> None:
    with pytest.raises(TooSlow):
        get(serve({"/": lambda _, stop: stop.wait(2) and None}), timeout_seconds=0.2)


def _slow_redirect(location: str) -> Route:
    def send(connection: socket.socket, stop: threading.Event) -> None:
        stop.wait(0.2)
        connection.sendall(redirect(location))

    return send


def test_the_clock_runs_on_over_redirects(serve: Serve) -> None:
    server = serve({"/": _slow_redirect("/1"), "/1": _slow_redirect("/2"), "/2": reply(PAGE)})
    with pytest.raises(TooSlow):
        get(server, timeout_seconds=0.3)


def test_a_slow_look_up_is_too_slow() -> None:
    spy, done = SpyNetwork(), threading.Event()

    def resolver(host: str, port: int) -> list[str]:  # noqa: ARG001
        done.wait(5)
        return [PUBLIC]

    with pytest.raises(TooSlow):
        fetch("http://example.com/", replace(SETTINGS, timeout_seconds=0.1), resolver=resolver, network=spy)
    done.set()
    assert spy.dialled == []


# What servers get wrong


@pytest.mark.parametrize(
    ("status", "words", "retryable"),
    [
        ("404 Not Found", "no page", False),
        ("410 Gone", "no page", False),
        ("403 Forbidden", "doesn't show", False),
        ("401 Unauthorized", "doesn't show", False),
        ("429 Too Many", "slow down", True),
        ("503 Busy", "trouble", True),
        ("418 Teapot", "status 418", False),
        ("304 Not Modified", "status 304", False),
        ("302 Found", "status 302", False),
    ],
)
def test_refusals_by_status(serve: Serve, status: str, words: str, retryable: bool) -> None:
    with pytest.raises(HttpStatus, match=words) as caught:
        get(serve({"/": f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n".encode()}))
    assert (caught.value.status, caught.value.retryable) == (int(status[:3]), retryable)
    assert str(caught.value).startswith("example.com ")


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\0\0\0\0\r\n\r\n",
        b"220 mail.example ESMTP\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        b"HTTP/1.1 200 OK\r\nBad Header\x00: x\r\n\r\n",
        b"HTTP/1.1 999999 OK\r\n\r\n",
    ],
)
def test_broken_answers_are_failed_connections(serve: Serve, raw: bytes) -> None:
    with pytest.raises(ConnectionFailed, match=r"^example\.com "):
        get(serve({"/": raw}))


@pytest.fixture(scope="module")
def anything() -> Iterator[tuple[LoopbackServer, dict[str, Route]]]:
    routes: dict[str, Route] = {}
    with serving(routes) as server:
        yield server, routes


@given(st.binary(max_size=200), st.sampled_from([b"HTTP/1.1 ", b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"]))
@hypothesis.settings(max_examples=50, deadline=None)
def test_no_foreign_exception_leaks(anything: tuple[LoopbackServer, dict[str, Route]], raw: bytes, head: bytes) -> None:
    server, routes = anything
    routes["/"] = head + raw
    with contextlib.suppress(SmallprintError):
        get(server)


@pytest.mark.parametrize(
    "answer", [socket.gaierror(-2, "unknown"), UnicodeError("label too long"), OSError(5, "io"), None]
)
def test_unknown_hosts(answer: Exception | None) -> None:
    def resolver(host: str, port: int) -> list[str]:  # noqa: ARG001
        if answer:
            raise answer
        return []

    with pytest.raises(HostNotFound, match=r"nowhere\.example"):
        fetch("http://nowhere.example/", SETTINGS, resolver=resolver, network=SpyNetwork())


def test_a_closed_door() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(ConnectionFailed, match="doesn't take connections"):
        fetch("http://example.com/", SETTINGS, resolver=Names({}, PUBLIC), network=SpyNetwork(port))


# TLS


def _certificate(folder: Path, name: str) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Test")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = folder / f"{name}.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    pem.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return pem


@pytest.fixture(scope="module")
def pem(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _certificate(tmp_path_factory.mktemp("tls"), "policy.example")


def _server_tls(pem: Path, asked_names: list[str | None] | None = None) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    if asked_names is not None:
        context.sni_callback = lambda _, name, __: asked_names.append(name)
    return context


def test_tls_names_the_host_and_dials_the_address(serve: Serve, pem: Path) -> None:
    asked: list[str | None] = []
    spy = SpyNetwork(serve({"/": reply(PAGE)}, _server_tls(pem, asked)).port)
    trusting = ssl.create_default_context(cafile=str(pem))
    fetched = fetch("https://policy.example/", SETTINGS, resolver=Names({}, PUBLIC), network=spy, tls=trusting)
    assert (fetched.body, asked, spy.dialled) == (PAGE, ["policy.example"], [(PUBLIC, 443)])


@pytest.mark.parametrize("trusted", [True, False])
def test_wrong_or_unknown_certificates_are_refused(serve: Serve, pem: Path, trusted: bool) -> None:
    server = serve({"/": reply(PAGE)}, _server_tls(pem))
    tls = ssl.create_default_context(cafile=str(pem)) if trusted else None
    host = "other.example" if trusted else "policy.example"
    with pytest.raises(ConnectionFailed, match=f"can't prove that it is {host}"):
        fetch(f"https://{host}/", SETTINGS, resolver=Names({}, PUBLIC), network=SpyNetwork(server.port), tls=tls)
    assert server.requests == []


def test_https_to_a_server_that_speaks_http() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer_plainly() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        thread = threading.Thread(target=answer_plainly)
        thread.start()
        spy = SpyNetwork(listener.getsockname()[1])
        with pytest.raises(ConnectionFailed, match="secure connection"):
            fetch("https://example.com/", SETTINGS, resolver=Names({}, PUBLIC), network=spy)
        thread.join()


def test_a_silent_handshake_is_too_slow() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        spy = SpyNetwork(listener.getsockname()[1])
        with pytest.raises(TooSlow):
            fetch(
                "https://example.com/", replace(SETTINGS, timeout_seconds=0.2), resolver=Names({}, PUBLIC), network=spy
            )


def test_a_step_down_to_http_is_followed_and_shows_in_the_hops(serve: Serve, pem: Path) -> None:
    plain = serve({"/privacy": reply(PAGE)})
    secure = serve({"/": redirect("http://policy.example/privacy")}, _server_tls(pem))

    class TwoPorts(SpyNetwork):
        def connect_tcp(self, host: str, port: int, *args: object, **options: object) -> httpcore.NetworkStream:
            self._port = {443: secure.port, 80: plain.port}[port]
            return super().connect_tcp(host, port, *args, **options)  # type: ignore[arg-type]

    trusting = ssl.create_default_context(cafile=str(pem))
    fetched = fetch("https://policy.example/", SETTINGS, resolver=Names({}, PUBLIC), network=TwoPorts(), tls=trusting)
    assert fetched.hops == ("https://policy.example/", "http://policy.example/privacy")
