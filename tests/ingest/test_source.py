from __future__ import annotations

import gzip
import io
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fpdf import FPDF
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st
from web_server import LoopbackServer, Names, Route, redirect, reply

from smallprint.errors import (
    BadAddress,
    EmptyDocument,
    FileUnreadable,
    ForbiddenAddress,
    HostNotFound,
    HttpStatus,
    LoginWall,
    NotAPolicy,
    ScannedPdf,
    ScriptOnlyPage,
    SmallprintError,
    TooLarge,
    UnsupportedFormat,
    WrongLanguage,
)
from smallprint.ingest.source import read_source
from smallprint.records import BlockKind, Policy
from smallprint.settings import Settings

SENTENCES = (
    "We collect the personal information you give us, such as your name and email address.",
    "We may share personal information with service providers that work for us.",
    "We log your IP address and delete your data when you close the account.",
    "This privacy policy says how we protect your privacy and what your rights are.",
)
PROSE = " ".join(SENTENCES)
NEWS = "The council voted on Tuesday to build a tram line from the harbour to the university. " * 12
GERMAN = "Wir erheben die Daten, die Sie uns beim Anlegen eines Kontos mitteilen, und geben sie nicht weiter. " * 5


def page(title: str, body: str) -> bytes:
    return f"<!doctype html><title>{title}</title><body><main>{body}</main></body>".encode()


POLICY_PAGE = page("Privacy Policy | Acme", f"<h1>Privacy Policy</h1><p>{PROSE}</p><p>{PROSE}</p>")
LOGIN = page("Sign in", "<h1>Sign in</h1><form><input name=u><input type=password></form>")
SHELL = b"<!doctype html><title>Acme</title><body><div id=root></div><script src=/a.js></script></body>"


def home_page(links: str) -> bytes:
    return page("Acme", f"<h1>Acme trams</h1><p>{NEWS}</p><footer>{links}</footer>")


def paste(text: str | bytes, settings: Settings, *, force: bool = False) -> Policy:
    data = text.encode() if isinstance(text, str) else text
    return read_source("-", settings, force=force, stdin=io.BytesIO(data))


class Web:
    """A site on loopback under the name acme.example."""

    def __init__(self, server: LoopbackServer, settings: Settings) -> None:
        self.server = server
        self.base = f"http://acme.example:{server.port}"
        self._settings = replace(settings, allow_private_addresses=True, timeout_seconds=5)

    def read(self, path: str = "/", *, force: bool = False) -> Policy:
        return read_source(self.base + path, self._settings, force=force, resolver=Names({}, "127.0.0.1"))


@pytest.fixture
def web(settings: Settings) -> Iterator[Callable[[dict[str, Route]], Web]]:
    sites: list[Web] = []

    def start(routes: dict[str, Route]) -> Web:
        sites.append(Web(LoopbackServer(routes), settings))
        return sites[-1]

    yield start
    for site in sites:
        site.server.close()


Start = Callable[[dict[str, Route]], Web]


# Ways in


def test_pasted_text(settings: Settings) -> None:
    policy = paste(PROSE, settings)
    assert policy.text == PROSE
    assert (policy.source, policy.url, policy.language) == ("-", None, "en")
    assert policy.p_policy > 0.5


def test_pasted_html_and_markdown(settings: Settings) -> None:
    assert paste(POLICY_PAGE, settings).title == "Privacy Policy | Acme"
    policy = paste(f"# Privacy\n\n## Data\n\n{PROSE}\n", settings)
    assert [block.kind for block in policy.blocks][:2] == [BlockKind.HEADING, BlockKind.HEADING]


@pytest.mark.parametrize("name", ["policy.html", "policy.md", "policy.txt", "no-suffix", "acme.com"])
def test_files(settings: Settings, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    content = POLICY_PAGE if name.endswith("html") else PROSE.encode()
    Path(name).write_bytes(content)
    policy = read_source(name, settings)
    assert SENTENCES[0] in policy.text
    assert policy.source == name
    assert policy.url is None


def test_pdf_file(settings: Settings, tmp_path: Path) -> None:
    pdf = FPDF()
    pdf.add_page()
    pdf.set_font("Helvetica", size=11)
    pdf.multi_cell(0, text=f"Privacy Policy\n\n{PROSE}")
    (tmp_path / "policy.pdf").write_bytes(bytes(pdf.output()))
    assert "email address" in read_source(str(tmp_path / "policy.pdf"), settings).text


def test_web_address(web: Start) -> None:
    site = web({"/privacy": reply(POLICY_PAGE)})
    policy = site.read("/privacy")
    assert policy.url == f"{site.base}/privacy"
    assert policy.title == "Privacy Policy | Acme"
    assert policy.notes == ()


def test_the_last_address_is_the_policys(web: Start) -> None:
    site = web({"/": redirect("/privacy"), "/privacy": reply(gzip.compress(POLICY_PAGE), Content_Encoding="gzip")})
    policy = site.read("/")
    assert (policy.source, policy.url) == (f"{site.base}/", f"{site.base}/privacy")


@pytest.mark.parametrize("source", ["acme.example/privacy", "acme.example", "acme.co.example:8443/x"])
def test_a_bare_domain_means_https(settings: Settings, source: str) -> None:
    names = Names()
    with pytest.raises(HostNotFound) as caught:
        read_source(source, settings, resolver=names)
    assert caught.value.url.startswith(f"https://{source}")
    assert names.asked == [source.split("/")[0].split(":")[0]]


@pytest.mark.parametrize(
    "source",
    ["policy.html", "missing.pdf", "docs/policy", "./acme.com/x", "a b.com", "We collect data." * 500, "x\0y", ""],
)
def test_what_is_no_domain_is_a_missing_file(settings: Settings, source: str) -> None:
    names = Names()
    with pytest.raises(FileUnreadable) as caught:
        read_source(source, settings, resolver=names)
    assert names.asked == []
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("source", ["ftp://acme.example/x", "file:///etc/hosts", "https://"])
def test_other_schemes_are_bad_addresses(settings: Settings, source: str) -> None:
    with pytest.raises(BadAddress):
        read_source(source, settings)


def test_the_guard_stands_by_default(settings: Settings) -> None:
    with pytest.raises(ForbiddenAddress):
        read_source("http://acme.example/", settings, resolver=Names({}, "127.0.0.1"))


# What can't be read


def test_folders_are_no_files(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(FileUnreadable, match="folder"):
        read_source(str(tmp_path), settings)


@pytest.mark.parametrize("name", ["c.jsonl", "c.ndjson", "c.jsonl.gz", "c.jsonl.xz", "c.jsonl.zst", "c.warc"])
def test_a_collection_that_is_missing_is_not_looked_for_on_the_web(settings: Settings, name: str) -> None:
    with pytest.raises(FileUnreadable, match=f"no file {name}"):
        read_source(name, settings, resolver=Names({}))


@pytest.mark.parametrize("name", ["c.jsonl", "C.NDJSON.xz", "c.warc.gz"])
@pytest.mark.parametrize("force", [True, False])
def test_a_collection_is_no_policy(settings: Settings, tmp_path: Path, name: str, force: bool) -> None:
    (tmp_path / name).write_text(PROSE)
    with pytest.raises(UnsupportedFormat, match="is a collection of policies: read it with “smallprint ingest”"):
        read_source(str(tmp_path / name), settings, force=force)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_forbidden_files(settings: Settings, tmp_path: Path) -> None:
    path = tmp_path / "secret.txt"
    path.write_text(PROSE)
    path.chmod(0)
    with pytest.raises(FileUnreadable, match="permission"):
        read_source(str(path), settings)


def test_nothing_pasted(settings: Settings) -> None:
    with pytest.raises(FileUnreadable):
        read_source("-", settings)


@pytest.mark.parametrize("data", [b"", b" \r\n\t", b"\0" * 50, b"<html><body></body></html>", "\u200b".encode()])
def test_empty_documents(settings: Settings, data: bytes) -> None:
    with pytest.raises(EmptyDocument):
        paste(data, settings)


def test_size_limits_hold_for_files_and_paste(settings: Settings, tmp_path: Path) -> None:
    small = replace(settings, max_bytes=len(PROSE))
    (tmp_path / "p.txt").write_text(PROSE)
    assert read_source(str(tmp_path / "p.txt"), small).text == PROSE
    smaller = replace(settings, max_bytes=len(PROSE) - 1)
    with pytest.raises(TooLarge):
        read_source(str(tmp_path / "p.txt"), smaller)
    with pytest.raises(TooLarge):
        paste(PROSE, smaller)


def test_scanned_pdf(settings: Settings) -> None:
    pdf = FPDF()
    pdf.add_page()
    pdf.rect(10, 10, 100, 100)
    with pytest.raises((ScannedPdf, EmptyDocument)):
        paste(bytes(pdf.output()), settings)


@pytest.mark.parametrize("data", [b"PK\x03\x04", b"%PDF-1.7 damaged", bytes(range(256)) * 10])
def test_unsupported_formats(settings: Settings, data: bytes) -> None:
    with pytest.raises(UnsupportedFormat):
        paste(data, settings)


@pytest.mark.parametrize("force", [True, False])
def test_login_walls_and_script_pages(settings: Settings, force: bool) -> None:
    with pytest.raises(LoginWall, match="sign-in form"):
        paste(LOGIN, settings, force=force)
    with pytest.raises(ScriptOnlyPage, match=r"scripts.*save"):
        paste(SHELL, settings, force=force)


def test_statuses_pass_through(web: Start) -> None:
    with pytest.raises(HttpStatus, match="404"):
        web({}).read("/privacy")


def test_other_languages_are_named(settings: Settings) -> None:
    with pytest.raises(WrongLanguage, match="looks like German") as caught:
        paste(GERMAN, settings)
    assert caught.value.language == "de"


def test_no_policy_unless_forced(settings: Settings) -> None:
    with pytest.raises(NotAPolicy, match=r"privacy policy\.$"):
        paste(NEWS, settings)
    policy = paste(NEWS, settings, force=True)
    assert policy.text == NEWS.strip()
    assert policy.p_policy < 0.5


# Odd but readable


@pytest.mark.parametrize("charset", ["iso-8859-1", "utf-8", "utf-16"])
def test_a_wrong_charset_label_gives_no_mojibake(web: Start, charset: str) -> None:
    body = POLICY_PAGE.replace(b"your rights", "your “rights”".encode())
    site = web({"/": reply(body, content_type=f"text/html; charset={charset}")})
    assert "your “rights”" in site.read().text


def test_null_bytes_are_dropped(settings: Settings) -> None:
    assert paste(PROSE.replace(" ", "\0 ", 5), settings).text == PROSE


def test_broken_markup_is_read(settings: Settings) -> None:
    assert SENTENCES[0] in paste(f"<html><p><b><table><td>{PROSE}<p>{PROSE}</div></i", settings).text


@pytest.mark.parametrize("wrap", ["{}", "<html><body>{}", "<html><body><p>{}</p>", "# Privacy\n\n## All\n\n{}"])
def test_five_megabytes_of_one_line(settings: Settings, wrap: str) -> None:
    with pytest.raises(UnsupportedFormat, match="one line of 5,0"):
        paste(wrap.format(PROSE + " word" * 1_000_000), settings)


@given(st.binary(max_size=400))
@examples(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_give_a_policy_or_one_of_our_errors(settings: Settings, data: bytes) -> None:
    for start in (b"", b"<html><p>", b"# x\n\n## y\n"):
        try:
            policy = paste(start + data, settings, force=True)
        except SmallprintError:
            continue
        assert all(policy.text[b.start : b.end].strip() for b in policy.blocks)


# Titles


@pytest.mark.parametrize(
    ("body", "title"),
    [
        (page("  Our \n Privacy&nbsp;Policy ", f"<p>{PROSE}</p>"), "Our Privacy Policy"),
        (page("", f"<h1>Privacy at Acme</h1><p>{PROSE}</p>"), "Privacy at Acme"),
        (page("", f"<h2>2. Purpose</h2><p>{PROSE}</p>"), "acme.example"),
        (page("", f"<p>{PROSE}</p>"), "acme.example"),
        (page("x" * 400, f"<p>{PROSE}</p>"), "x" * 150 + "…"),
    ],
)
def test_titles(web: Start, body: bytes, title: str) -> None:
    assert web({"/": reply(body)}).read().title == title


# From a page to its policy


def test_a_homepage_leads_to_its_policy(web: Start) -> None:
    site = web({"/": reply(home_page("<a href='/privacy'>Privacy</a>")), "/privacy": reply(POLICY_PAGE)})
    policy = site.read()
    assert policy.url == f"{site.base}/privacy"
    assert policy.notes == (f"Followed “Privacy” from {site.base}/ to {site.base}/privacy",)


@pytest.mark.parametrize("front", [SHELL, LOGIN, page("Acme", GERMAN)])
def test_front_pages_of_all_kinds_lead_on(web: Start, front: bytes) -> None:
    front = front.replace(b"</body>", b"<a href='/privacy'>Privacy policy</a></body>")
    assert web({"/": reply(front), "/privacy": reply(POLICY_PAGE)}).read().title == "Privacy Policy | Acme"


def test_a_form_in_place_of_the_text_is_a_wall_and_no_front_page(web: Start) -> None:
    wall = LOGIN.replace(b"</body>", b"<a href='/privacy'>Privacy policy</a></body>")
    site = web({"/doc": redirect("/login"), "/login": reply(wall), "/privacy": reply(POLICY_PAGE)})
    with pytest.raises(LoginWall):
        site.read("/doc")
    assert site.server.paths == ["/doc", "/login"]


def test_one_link_is_followed_and_no_more(web: Start) -> None:
    links = home_page("<a href='/privacy'>Privacy</a>"), home_page("<a href='/real'>Privacy policy</a>")
    site = web({"/": reply(links[0]), "/privacy": reply(links[1]), "/real": reply(POLICY_PAGE)})
    with pytest.raises(NotAPolicy, match="/privacy"):
        site.read()
    assert site.server.paths == ["/", "/privacy"]


def test_force_reads_the_page_itself(web: Start) -> None:
    site = web({"/": reply(home_page("<a href='/privacy'>Privacy</a>")), "/privacy": reply(POLICY_PAGE)})
    assert "tram line" in site.read(force=True).text
    assert site.server.paths == ["/"]


def test_a_policy_is_not_left_for_its_footer(web: Start) -> None:
    body = POLICY_PAGE.replace(b"</body>", b"<footer><a href='/other'>Privacy Policy</a></footer></body>")
    site = web({"/": reply(body)})
    assert site.read().notes == ()


def test_a_dead_link_says_so(web: Start) -> None:
    with pytest.raises(HttpStatus, match="404"):
        web({"/": reply(home_page("<a href='/privacy'>Privacy</a>"))}).read()


def test_a_file_never_goes_online(settings: Settings, tmp_path: Path) -> None:
    names = Names()
    path = tmp_path / "home.html"
    path.write_bytes(home_page("<a href='https://acme.example/privacy'>Privacy Policy</a>"))
    with pytest.raises(NotAPolicy):
        read_source(str(path), settings, resolver=names)
    assert names.asked == []
