"""PDF documents: lines of characters with size, weight and place, by PDFium. What they mean: `layout`."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any

from smallprint.errors import ScannedPdf, UnsupportedFormat
from smallprint.ingest.layout import Line, to_pieces
from smallprint.records import BlockKind, Page

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

MAX_PAGES = 500
MAX_CHARS = 5_000_000  # of one document; a longer text is no policy
_CUT = (0x2, 0xFFFE)  # what PDFium puts for a hyphen at the end of a line, in place of the line break
_PASSWORD = 4  # FPDF_ERR_PASSWORD
_PDFIUM = threading.Lock()  # its state is the process's: two documents at once, each in its thread, corrupt memory


def extract(data: bytes) -> Page:
    """Text of a PDF. Locked or damaged files and scans without text are refused."""
    with _PDFIUM:
        document = _open(data)
        try:
            count = len(document)
            pages = list(_pages(document, min(count, MAX_PAGES)))
            title = _meta_title(document)
        finally:
            document.close()
    if not any(line.text.strip() for page in pages for line in page):
        raise ScannedPdf("This PDF holds pictures of pages but no text; a text version is needed.")
    notes = (f"Only the first {MAX_PAGES} of {count} pages were read.",) if count > MAX_PAGES else ()
    pieces = tuple(to_pieces(pages))
    title = title or next((p.text for p in pieces if p.kind is BlockKind.HEADING), "")
    return Page(title, pieces, "application/pdf", notes)


def _open(data: bytes) -> PdfDocument:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data)
        if len(document):
            return document
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == _PASSWORD or "password" in str(error).lower():
            raise UnsupportedFormat("This PDF is locked with a password.") from error
        raise UnsupportedFormat("This PDF is damaged and cannot be opened.") from error
    document.close()
    raise UnsupportedFormat("This PDF has no pages.")


def _meta_title(document: PdfDocument) -> str:
    title = " ".join(document.get_metadata_value("Title").split())
    # Word processors put the file's name there.
    return "" if title.lower().endswith((".doc", ".docx", ".pdf", ".indd", ".odt")) else title


def _pages(document: PdfDocument, count: int) -> Iterator[list[Line]]:
    import pypdfium2

    left = MAX_CHARS
    for number in range(count):
        try:
            lines = _page_lines(document, number, left)
        except pypdfium2.PdfiumError:
            continue  # one damaged page must not cost the others
        left -= sum(len(line.text) for line in lines)
        yield lines


def _page_lines(document: PdfDocument, number: int, most: int) -> list[Line]:
    with closing(document[number]) as page, closing(page.get_textpage()) as text:
        return list(_lines(text, min(text.count_chars(), most)))


def _lines(page: Any, count: int) -> Iterator[Line]:
    """Lines as PDFium breaks them; a line's look is that of its first visible character."""
    import pypdfium2.raw as pdfium

    start = 0
    chars: list[str] = []
    for index in range(count + 1):
        code = pdfium.FPDFText_GetUnicode(page, index) if index < count else 0x0A
        if code in (0x0A, 0x0D, *_CUT):
            text = "".join(chars) + "-" * (code in _CUT)
            if text.strip():
                first = start + len(text) - len(text.lstrip())
                yield _measure(page, first, index - 1, text)
            start, chars = index + 1, []
        else:
            chars.append(_character(code))


def _character(code: int) -> str:
    if code == 0xAD:
        return "-"
    return " " if code < 0x20 or 0xD800 <= code <= 0xDFFF or code > 0x10FFFF else chr(code)


def _measure(page: Any, first: int, last: int, text: str) -> Line:
    import pypdfium2.raw as pdfium

    left, bottom, _, top = _box(page, first)
    right = _box(page, last)[2]
    name = ctypes.create_string_buffer(128)
    flags = ctypes.c_int()
    pdfium.FPDFText_GetFontInfo(page, first, name, 128, ctypes.byref(flags))
    weight = pdfium.FPDFText_GetFontWeight(page, first)
    bold = weight >= 600 or any(word in name.value.lower() for word in (b"bold", b"black", b"heavy"))
    size = abs(top - bottom) if (top - bottom) else pdfium.FPDFText_GetFontSize(page, first)
    return Line(" ".join(text.split()), size, bold, left, right, bottom)


def _box(page: Any, index: int) -> tuple[float, float, float, float]:
    import pypdfium2.raw as pdfium

    box = pdfium.FS_RECTF()
    pdfium.FPDFText_GetLooseCharBox(page, index, ctypes.byref(box))
    return box.left, box.bottom, box.right, box.top
