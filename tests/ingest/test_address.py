from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smallprint.errors import BadAddress, ForbiddenAddress
from smallprint.ingest.address import is_public, parse, refuse_local_name

FORBIDDEN_V4 = [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
]
FORBIDDEN_V6 = [
    "::",
    "::1",
    "::127.0.0.1",
    "fe80::1",
    "fe80::1%eth0",
    "2606:4700::1%eth0",
    "fc00::1",
    "fd00:ec2::254",
    "fec0::1",
    "ff02::1",
    "2001:db8::1",
    "3fff::1",
    "64:ff9b:1::1",
    "100::1",
]


def _v6(prefix: str, v4: int, shift: int = 0) -> ipaddress.IPv6Address:
    return ipaddress.IPv6Address(int(ipaddress.IPv6Address(prefix)) | v4 << shift)


@pytest.mark.parametrize("ip", FORBIDDEN_V4 + FORBIDDEN_V6)
def test_special_addresses_are_not_public(ip: str) -> None:
    assert not is_public(ipaddress.ip_address(ip))


@pytest.mark.parametrize("ip", ["8.8.8.8", "93.184.215.14", "2606:4700::1", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_open_internet_is_public(ip: str) -> None:
    assert is_public(ipaddress.ip_address(ip))


@given(st.ip_addresses(v=4))
@settings(deadline=None)
def test_only_global_unicast_passes(ip: ipaddress.IPv4Address) -> None:
    if is_public(ip):
        assert ip.is_global
        assert not any((ip.is_multicast, ip.is_reserved, ip.is_private))


@given(st.sampled_from(FORBIDDEN_V4), st.integers(0, 2**32 - 1))
@settings(deadline=None)
def test_forbidden_ipv4_stays_forbidden_inside_ipv6(inner: str, other: int) -> None:
    v4 = int(ipaddress.IPv4Address(inner))
    assert not is_public(_v6("::ffff:0:0", v4))
    assert not is_public(_v6("::ffff:0:0:0", v4))
    assert not is_public(_v6("64:ff9b::", v4))
    assert not is_public(_v6("2002::", v4, 80))
    assert not is_public(ipaddress.IPv6Address(int(_v6("2001::", other, 64)) | v4 ^ 0xFFFFFFFF))


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("https://example.com", "https://example.com/"),
        ("HTTPS://EXAMPLE.com:443/Privacy#top", "https://example.com/Privacy"),
        ("http://example.com:8080/a?b=c d", "http://example.com:8080/a?b=c%20d"),
        ("https://example.com./privacy", "https://example.com/privacy"),
        ("https://münchen.example/datenschutz/ü", "https://xn--mnchen-3ya.example/datenschutz/%C3%BC"),
        ("http://[2606:4700:0::1]/", "http://[2606:4700::1]/"),
        ("https://example.com?x", "https://example.com/?x"),
        ("https://example.com/100%25", "https://example.com/100%25"),
    ],
)
def test_parse_gives_one_form(url: str, normal: str) -> None:
    assert str(parse(url)) == normal


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.com/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:text/html,hi",
        "gopher://example.com/",
        "example.com",
        "",
        "https://",
        "https:///privacy",
        "http://user@example.com/",
        "http://example.com:80@127.0.0.1/",
        "http://127.0.0.1#@example.com/\\",
        "http://example.com\\@127.0.0.1/",
        "http://exa\tmple.com/",
        "http://exa mple.com/",
        "http://example.com/a\nb",
        "http://example.com:0/",
        "http://example.com:99999/",
        "http://example.com:x/",
        "http://example..com/",
        "http://example.com../",
        "http://-example.com/",
        "http://%31%32%37.0.0.1/",
        f"http://{'a' * 64}.com/",
        f"http://{'a.' * 130}com/",
        "http://[::1/",
        "http://[fe80::1%25eth0]/",
        "http://[not-an-ip]/",
        "http://[v1.x]/",
        "http://a\ud800.com/",
        "http://☃\u0000.com/",
    ],
)
def test_odd_addresses_are_refused(url: str) -> None:
    with pytest.raises(BadAddress) as caught:
        parse(url)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "host",
    [
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0177.0.0.1",
        "127.1",
        "127.0.0.01",
        "0",
        "0x",
        "1.2.3.4.5",
        "1.2.3.256",
        "127.0.0.0x1.",
        "example.0x10",
        "１２７.１",
    ],
)
def test_numbers_as_hosts_are_refused(host: str) -> None:
    with pytest.raises(BadAddress):
        parse(f"http://{host}/")


@given(st.ip_addresses(v=4), st.sampled_from([hex, oct, str]))
@settings(deadline=None)
def test_whole_number_hosts_are_refused(ip: ipaddress.IPv4Address, write: type[str]) -> None:
    with pytest.raises(BadAddress):
        parse(f"http://{write(int(ip)).replace('0o', '0')}/")


@given(st.text(max_size=60))
@settings(deadline=None)
def test_any_text_parses_or_is_a_bad_address(text: str) -> None:
    for url in (text, f"http://{text}/", f"https://example.com/{text}"):
        try:
            address = parse(url)
        except BadAddress:
            continue
        assert parse(str(address)) == address
        assert str(address).isascii()


def test_full_width_digits_become_the_address_they_mean() -> None:
    assert parse("http://１２７.０.０.１/").ip == ipaddress.IPv4Address("127.0.0.1")


def test_a_password_is_not_repeated() -> None:
    with pytest.raises(BadAddress) as caught:
        parse("https://me:secret@example.com/")
    assert "secret" not in str(caught.value) + caught.value.url


@pytest.mark.parametrize("location", ["//other.example/x", "/x", "x", "?q", "https://third.example/"])
def test_redirect_targets_resolve_against_their_page(location: str) -> None:
    joined = str(parse(location, base=parse("https://example.com/a/b")))
    assert joined in {
        "https://other.example/x",
        "https://example.com/x",
        "https://example.com/a/x",
        "https://example.com/a/b?q",
        "https://third.example/",
    }


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST.", "a.localhost", "printer.local", "metadata.google.internal", "nas.home.arpa"]
)
def test_local_names_are_refused_by_name(host: str) -> None:
    with pytest.raises(ForbiddenAddress, match="private network"):
        refuse_local_name(parse(f"http://{host}/"))


def test_names_that_only_look_local_pass() -> None:
    refuse_local_name(parse("https://localhost.example.com/"))
    refuse_local_name(parse("https://notlocalhost/"))
