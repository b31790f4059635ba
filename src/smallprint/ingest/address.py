"""Which addresses may be read: web addresses taken apart strictly, and network addresses judged.

Nothing here touches the network. A form that two programs could read differently (user names, backslashes,
octal numbers) is refused rather than guessed at, because the check and the dialling must agree on the host.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import quote, urljoin, urlsplit

from smallprint.errors import BadAddress, ForbiddenAddress

DEFAULT_PORTS = {"http": 80, "https": 443}

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
# The same test that browsers use: a host whose last label is a number is an IPv4 address or nothing.
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
# Names that by standard or custom never leave the machine or the local network (RFC 6761, 6762, 8375).
_LOCAL_NAMES = (
    "localhost",
    "localdomain",
    "ip6-localhost",
    "ip6-loopback",
    "local",
    "internal",
    "intranet",
    "lan",
    "home.arpa",
)
_GLOBAL_V6 = ipaddress.IPv6Network("2000::/3")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_REFUSED_NETWORKS = (
    ipaddress.IPv4Network("168.63.129.16/32"),  # a cloud's metadata service on a public-looking address
    ipaddress.IPv4Network("192.0.0.0/24"),  # protocol use and another metadata service; older Pythons know half
    ipaddress.IPv4Network("192.88.99.0/24"),  # 6to4 relays
    ipaddress.IPv6Network("2001::/32"),  # Teredo: an IPv4 address hides inside, and no website lives there
    ipaddress.IPv6Network("2002::/16"),  # 6to4: the same
    ipaddress.IPv6Network("3fff::/20"),  # documentation, newer than some Pythons know
)


@dataclass(frozen=True, slots=True)
class WebAddress:
    """An http(s) address whose host is in the one form that is checked, dialled and named in TLS."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def ip(self) -> IpAddress | None:
        try:
            return ipaddress.ip_address(self.host)
        except ValueError:
            return None

    @property
    def netloc(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    def __str__(self) -> str:
        return f"{self.scheme}://{self.netloc}{self.target}"


def parse(url: str, base: WebAddress | None = None) -> WebAddress:
    """Take an address apart, relative to `base` if given, or raise BadAddress. The fragment is dropped."""
    try:
        joined = urljoin(str(base), url.strip()) if base else url.strip()
        _refuse_ambiguous(joined)
        parts = urlsplit(joined)
        port, name = parts.port, parts.hostname
    except ValueError:
        raise _bad(url, "isn't a web address that can be read") from None
    if parts.scheme not in DEFAULT_PORTS:
        raise _bad(url, "isn't a web address: it must start with http:// or https://")
    if "@" in parts.netloc:
        raise _bad(url, "holds a user name or password; give the address without it")
    if not name or port == 0:
        raise _bad(url, "isn't a web address that can be read")
    host = _ipv6(name, url) if parts.netloc.startswith("[") else _host(name, url)
    target = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
    if not target.startswith("/"):
        raise _bad(url, "isn't a web address that can be read")
    if parts.query:
        target += "?" + quote(parts.query, safe="/%:@!$&'()*+,;=~-._?[]")
    return WebAddress(parts.scheme, host, port or DEFAULT_PORTS[parts.scheme], target)


def refuse_local_name(address: WebAddress) -> None:
    """Raise ForbiddenAddress for names that mean this machine or its network, before any look-up."""
    if any(address.host == name or address.host.endswith("." + name) for name in _LOCAL_NAMES):
        raise forbidden(address)


def forbidden(address: WebAddress) -> ForbiddenAddress:
    return ForbiddenAddress(
        f"{address.host} leads to this machine or a private network, which Smallprint doesn't read from"
        " unless the setting allow_private_addresses is on.",
        url=str(address),
    )


def is_public(ip: IpAddress) -> bool:
    """Whether an address belongs to the open internet, and not by way of something embedded in it."""
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.scope_id is not None:
            return False
        if ip.ipv4_mapped is not None:
            return is_public(ip.ipv4_mapped)
        if ip in _NAT64:  # how networks without IPv4 reach an IPv4 site: as good as the address inside
            return is_public(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF))
        if ip not in _GLOBAL_V6:
            return False
    if any(ip in network for network in _REFUSED_NETWORKS):
        return False
    # is_global alone lets multicast through, and its list has changed between Python releases.
    special = ip.is_private or ip.is_loopback or ip.is_link_local or ip.is_multicast or ip.is_reserved
    return ip.is_global and not special and not ip.is_unspecified


def _refuse_ambiguous(url: str) -> None:
    # urlsplit drops tabs and line breaks silently, and browsers read a backslash as a slash.
    if "\\" in url or any(ord(char) <= 32 or ord(char) == 127 for char in url.split("?")[0].split("#")[0]):
        raise ValueError
    if any(0xD800 <= ord(char) <= 0xDFFF for char in url):
        raise ValueError


def _ipv6(name: str, url: str) -> str:
    try:
        address = ipaddress.IPv6Address(name)
    except ValueError:
        raise _bad(url, "isn't a web address that can be read") from None
    if address.scope_id is not None:
        raise _bad(url, "names a network card of this machine, not a website")
    return str(address)


def _host(name: str, url: str) -> str:
    try:
        ascii_name = name.encode("idna").decode("ascii").lower()
    except UnicodeError:
        raise _bad(url, "has a host name that can't exist") from None
    host = ascii_name.removesuffix(".")
    labels = host.split(".")
    if _NUMBER.fullmatch(labels[-1]):
        try:
            return str(ipaddress.IPv4Address(host))
        except ValueError:
            raise _bad(url, "writes its host as a number, which no website needs") from None
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise _bad(url, "has a host name that can't exist")
    return host


def _bad(url: str, what: str) -> BadAddress:
    shown = "".join(char if char.isprintable() else "?" for char in url.strip())
    shown = re.sub(r"//[^/@]*@", "//…@", shown)  # a password must not end up in a log
    return BadAddress(f"“{shown[:100]}” {what}.", url=shown)
