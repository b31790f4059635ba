"""What a source names, told by its look: pasted text, an address of the web, a file, or a mere name."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

from smallprint.ingest.assemble import normalise
from smallprint.settings import Settings

STDIN = "-"
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.I)
_DOMAIN = re.compile(r"(?:[\w-]{1,63}\.)+([^\W\d_]{2,63}|xn--[\w-]{2,59})\.?(?::\d{1,5})?(?:[/?#].*)?")
# Without a slash behind them these are file names, whatever top-level domains exist.
_FILE_SUFFIXES = frozenset((
    "html", "htm", "xhtml", "pdf", "txt", "text", "md", "markdown", "doc", "docx", "odt", "rtf", "json", "xml",
    "jsonl", "ndjson", "warc", "zip", "gz", "xz", "zst",
))  # fmt: skip
# Collections of policies.
ROW_FILE = re.compile(r"\.(?:jsonl|ndjson)(?:\.(?:gz|xz|zst))?$", re.I)
WARC_FILE = re.compile(r"\.warc(?:\.(?:gz|zst))?$", re.I)


def names_a_file(source: str, settings: Settings) -> bool:
    """Whether it is the name of a file that is there, and files may be read."""
    try:
        return settings.local_files and Path(source).expanduser().exists()
    except (OSError, ValueError, RuntimeError):
        return False


def names_a_place(source: str, settings: Settings) -> bool:
    """Whether it plainly says where to read: pasted text, an address with its scheme, a file that is there."""
    return source == STDIN or has_scheme(source) or names_a_file(source, settings)


def names_the_web(source: str) -> bool:
    """Whether it reads as a web address, with its scheme or without."""
    return has_scheme(source) or is_domain(source)


def has_scheme(source: str) -> bool:
    return _SCHEME.match(source) is not None


def is_url(source: str) -> bool:
    return source.lower().startswith(("http://", "https://"))


def web_address(told: str) -> str | None:
    """An address that somebody else wrote down, with its scheme. None for anything else: what is stored as an address
    is read later, and must never lead to a file of this machine."""
    line = normalise(told)
    if not is_url(line):
        return f"https://{line}" if is_domain(line) else None
    try:
        return line if urlsplit(line).hostname else None
    except ValueError:
        return None


def is_domain(source: str) -> bool:
    """Whether it reads as a web address without its scheme."""
    found = _DOMAIN.fullmatch(source)
    return found is not None and ("/" in source or found[1].lower() not in _FILE_SUFFIXES)


def is_collection(file: str) -> bool:
    return bool(ROW_FILE.search(file) or WARC_FILE.search(file))


def is_bare(source: str) -> bool:
    """Whether it has neither a folder nor a suffix, so that it may be a name as well as a file."""
    path = Path(source)
    return path.name == source and not path.suffix


def could_be_a_place(source: str) -> bool:
    """Whether it looks like an address without its scheme or like a path; anything else is a mere name."""
    return is_domain(source) or "/" in source or "." in source
