"""A small server in front of a node: TLS, who may ask, and whatever a test wants to go wrong."""

from __future__ import annotations

import base64
import http.client
import ipaddress
import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

USER, PASSWORD, KEY = "reader", "s3cret-pass", "s3cret-key"
READ_ONLY = "watcher"
Answer = tuple[int, dict[str, object]]
Trouble = Callable[[str, str], Answer | None]


class Proxy(ThreadingHTTPServer):
    """`asked` are the requests that came; `trouble` may answer one instead of the node behind."""

    daemon_threads = True

    def __init__(self, behind: int | None, trouble: Trouble = lambda _method, _path: None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.behind = behind
        self.trouble = trouble
        self.guarded = False
        self.page = b""  # what to say whatever is asked
        self.asked: list[tuple[str, str, int]] = []

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up, or does not like our certificate, is what is tested."""


class _Handler(BaseHTTPRequestHandler):
    server: Proxy
    protocol_version = "HTTP/1.1"

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        self.server.asked.append((self.command, self.path, len(body)))
        made = self._refused() or self.server.trouble(self.command, self.path) or self._forwarded(body)
        text = self.server.page or json.dumps(made[1]).encode()
        self.send_response(made[0])
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = answer

    def _refused(self) -> Answer | None:
        if not self.server.guarded:
            return None
        given = self.headers.get("authorization", "")
        if given == _basic(READ_ONLY) and self.path.startswith(("/_bulk", "/_aliases")):
            reason = f"no permissions for [indices:data/write/bulk] and User [name={READ_ONLY}, roles=[]]"
            return 403, {"error": {"type": "security_exception", "reason": reason}, "status": 403}
        if given in (_basic(USER), _basic(READ_ONLY), f"ApiKey {KEY}"):
            return None
        return 401, {"error": "Unauthorized"}

    def _forwarded(self, body: bytes) -> Answer:
        assert self.server.behind is not None, "there is no node behind"
        node = http.client.HTTPConnection("127.0.0.1", self.server.behind, timeout=60)
        try:
            node.request(self.command, self.path, body or None, {"content-type": "application/json"})
            response = node.getresponse()
            return response.status, json.loads(response.read())
        finally:
            node.close()

    def log_message(self, format: str, *arguments: object) -> None:
        """Quiet."""


def _basic(user: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{PASSWORD}".encode()).decode()


@contextmanager
def running(server: Proxy, certificate: Path | None = None) -> Iterator[Proxy]:
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def certificate(path: Path, name: str = "localhost") -> Path:
    """A certificate that vouches for itself, with its key, for one name and loopback."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    loopback = [x509.IPAddress(ipaddress.ip_address("127.0.0.1"))] if name == "localhost" else []
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name), *loopback]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path
