from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pypdfium2
import pytest
from fpdf import FPDF
from hypothesis import given, settings
from hypothesis import strategies as st

from smallprint.errors import ScannedPdf, SmallprintError, UnsupportedFormat
from smallprint.ingest import pdf
from smallprint.ingest.assemble import assemble
from smallprint.ingest.pdf import extract

SAID = "We collect your name and address when you open an account with us, and we keep both for two years. "


class Paper(FPDF):
    """A running title above and a page number below, as word processors make them."""

    running = False

    def header(self) -> None:
        if not self.running:
            return
        self.set_font("Helvetica", "I", 8)
        self.cell(0, 8, "Acme Ltd - privacy notice", new_x="LMARGIN", new_y="NEXT")

    def footer(self) -> None:
        self.set_font("Helvetica", "I", 8)
        self.set_y(-15)
        self.cell(0, 8, f"Page {self.page_no()} of 9", align="C")

    def say(self, text: str, *, size: float = 11, bold: bool = False, indent: float = 0, gap: float = 3) -> None:
        self.set_font("Times", "B" if bold else "", size)
        self.set_x(self.l_margin + indent)
        self.multi_cell(0, size / 2, text, new_x="LMARGIN", new_y="NEXT")
        self.ln(gap)


def paper(write: Callable[[Paper], None], *, running: bool = False) -> bytes:
    document = Paper()
    document.running = running
    document.add_page()
    write(document)
    return bytes(document.output())


def kinds(data: bytes) -> list[tuple[str, int, str]]:
    return [(piece.kind.value, piece.level, piece.text) for piece in extract(data).pieces]


def test_headings_paragraphs_and_items_are_told_apart() -> None:
    def write(document: Paper) -> None:
        document.say("Privacy Notice", size=20, bold=True)
        document.say(SAID * 3)
        document.say("2. Sharing", size=14, bold=True)
        document.say("We share it with:")
        document.say(
            "- banks that carry out payments for us and for you wherever you are and whenever you pay", indent=6, gap=0
        )
        document.say("- the post", indent=6)
        document.say("Your choices", bold=True, gap=0)
        document.say(SAID)

    assert kinds(paper(write)) == [
        ("heading", 1, "Privacy Notice"),
        ("paragraph", 0, (SAID * 3).strip()),
        ("heading", 2, "2. Sharing"),
        ("paragraph", 0, "We share it with:"),
        ("item", 1, "banks that carry out payments for us and for you wherever you are and whenever you pay"),
        ("item", 1, "the post"),
        ("heading", 3, "Your choices"),
        ("paragraph", 0, SAID.strip()),
    ]


def test_running_titles_and_page_numbers_go_and_paragraphs_run_over_pages() -> None:
    def write(document: Paper) -> None:
        for _ in range(6):
            document.say(SAID * 20)

    assert [text for _, _, text in kinds(paper(write, running=True))] == [(SAID * 20).strip()] * 6


def test_words_cut_at_the_end_of_a_line_are_whole_again() -> None:
    def write(document: Paper) -> None:
        document.say("We pass nothing on to third-party advertisers.")
        document.say("Our ser-\nvice needs your infor-\nmation and that of third-\nparty partners.")

    assert kinds(paper(write))[-1][2] == "Our service needs your information and that of third-party partners."


def test_title_is_that_of_the_document_unless_it_is_a_file_name() -> None:
    def write(document: Paper) -> None:
        document.set_title("Acme and you")
        document.say(SAID)

    assert extract(paper(write)).title == "Acme and you"

    def write_name(document: Paper) -> None:
        document.set_title("notice_v3.docx")
        document.say("Our notice", size=20)
        document.say(SAID)

    assert extract(paper(write_name)).title == "Our notice"


@pytest.mark.parametrize("data", [b"", b"hello", b"%PDF-1.7\n1 0 obj", b"%PDF-1.4\n%%EOF\n"])
def test_damaged_files_are_refused(data: bytes) -> None:
    with pytest.raises(UnsupportedFormat):
        extract(data)


def test_locked_files_are_refused() -> None:
    document = FPDF()
    document.set_encryption(owner_password="a", user_password="b")
    document.add_page()
    with pytest.raises(UnsupportedFormat, match="password"):
        extract(bytes(document.output()))


def test_pages_without_text_are_called_scans() -> None:
    document = FPDF()
    document.add_page()
    document.rect(10, 10, 50, 50)
    with pytest.raises(ScannedPdf):
        extract(bytes(document.output()))


def test_a_page_whose_text_cannot_be_read_does_not_cost_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    read, pages = pypdfium2.PdfPage.get_textpage, iter((False, True))

    def fail_at_first(page: pypdfium2.PdfPage) -> pypdfium2.PdfTextPage:
        if next(pages):
            return read(page)
        raise pypdfium2.PdfiumError("Failed to load text page.")

    document = FPDF()
    document.set_font("Helvetica", size=12)
    for text in ("We sell lamps.", "We keep logs."):
        document.add_page()
        document.cell(text=text)
    monkeypatch.setattr(pypdfium2.PdfPage, "get_textpage", fail_at_first)
    assert [piece.text for piece in extract(bytes(document.output())).pieces] == ["We keep logs."]


def test_one_document_at_a_time_is_in_the_hands_of_pdfium(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    together = threading.Barrier(2)

    begin, end = pypdfium2.PdfDocument.__init__, pypdfium2.PdfDocument.close

    def watched_begin(document: pypdfium2.PdfDocument, data: bytes) -> None:
        steps.append("open")
        begin(document, data)
        with suppress(threading.BrokenBarrierError):
            together.wait(0.5)  # for the other thread, which must not come

    def watched_end(document: pypdfium2.PdfDocument) -> None:
        end(document)
        steps.append("close")

    monkeypatch.setattr(pypdfium2.PdfDocument, "__init__", watched_begin)
    monkeypatch.setattr(pypdfium2.PdfDocument, "close", watched_end)
    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(extract, [_WHOLE, _WHOLE])
    assert first == second
    assert steps == ["open", "close"] * 2


def test_only_so_many_pages_are_read_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "MAX_PAGES", 2)

    def write(document: Paper) -> None:
        for number in range(4):
            document.say(f"Part {number}. {SAID}")
            document.add_page()

    found = extract(paper(write))
    assert found.notes == ("Only the first 2 of 5 pages were read.",)
    assert "Part 1." in found.pieces[-1].text


_WHOLE = paper(lambda document: document.say(SAID * 5))


@given(st.integers(0, len(_WHOLE)), st.binary(min_size=1, max_size=20))
@settings(max_examples=60, deadline=None)
def test_damage_anywhere_is_read_or_refused(place: int, junk: bytes) -> None:
    try:
        text, blocks = assemble(extract(_WHOLE[:place] + junk + _WHOLE[place + len(junk) :]).pieces)
    except SmallprintError:
        return
    assert all(text[b.start : b.end].strip() for b in blocks)


@given(st.lists(st.from_regex(r"[a-z]{2,12}", fullmatch=True), min_size=1, max_size=80))
@settings(max_examples=30, deadline=None)
def test_every_word_survives(words: list[str]) -> None:
    text = "You know " + " ".join(words) + "."
    assert " ".join(piece.text for piece in extract(paper(lambda document: document.say(text))).pieces) == text
