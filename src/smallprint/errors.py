"""Everything that can go wrong, each with one plain line for people.

SmallprintError
├── SettingsError               a setting has no meaning
├── Busy                        more to do at once than this machine can
├── FetchError                  the document could not be had (url, retryable)
│   ├── BadAddress              not an http(s) address
│   ├── ForbiddenAddress        it leads to this machine or a private network
│   ├── HostNotFound            the name has no address
│   ├── ConnectionFailed        refused, reset, TLS trouble
│   ├── TooSlow                 the time limit passed
│   ├── TooLarge                more bytes than allowed, packed or unpacked
│   ├── TooManyRedirects
│   └── HttpStatus              the server said no (status)
├── ExtractError                the document is there but holds nothing to read
│   ├── FileUnreadable          no such file, a folder, no permission
│   ├── UnsupportedFormat       neither HTML, PDF, Markdown nor text; damaged or locked PDF
│   ├── EmptyDocument
│   ├── ScannedPdf              pages without text
│   ├── ScriptOnlyPage          only scripts fill it
│   └── LoginWall               a sign-in form instead of the page
├── NotAPolicy                  readable, but no privacy policy
├── WrongLanguage               readable, but not English (language)
├── LibraryError                the store cannot do that
│   ├── UnknownPolicy           no policy of that name
│   ├── LibraryBusy             another writer held on too long
│   ├── LibraryUnusable         no permission, no room on the disk
│   ├── LibraryDamaged          the file is no library, or a newer one
│   └── SnapshotUnusable        Parquet that is damaged, foreign, or can't be written
├── UnknownSession              a conversation that never was, or is over
├── UntrustedRequest            speech that does not come from the vendor, for our skill, now
├── ModelError                  weights missing or damaged
├── IndexUnavailable            the search index cannot answer
├── QueryError                  a search that cannot be understood
├── ClusterError                Spark, or what it needs, is missing or gave up
├── NormsError                  norms missing or damaged, a sector or checklist that there is not
└── DataMissing                 a bench has no data to run on
"""

from __future__ import annotations


class SmallprintError(Exception):
    """Base of all; `str(error)` is one line a person can act on."""


class SettingsError(SmallprintError):
    pass


class Busy(SmallprintError):
    pass


class FetchError(SmallprintError):
    def __init__(self, message: str, *, url: str, retryable: bool = False) -> None:
        super().__init__(message)
        self.url = url
        self.retryable = retryable


class BadAddress(FetchError):
    pass


class ForbiddenAddress(FetchError):
    pass


class HostNotFound(FetchError):
    pass


class ConnectionFailed(FetchError):
    pass


class TooSlow(FetchError):
    pass


class TooLarge(FetchError):
    pass


class TooManyRedirects(FetchError):
    pass


class HttpStatus(FetchError):
    def __init__(self, message: str, *, url: str, status: int) -> None:
        super().__init__(message, url=url, retryable=status in (408, 425, 429, 500, 502, 503, 504))
        self.status = status


class ExtractError(SmallprintError):
    pass


class FileUnreadable(ExtractError):
    pass


class UnsupportedFormat(ExtractError):
    pass


class EmptyDocument(ExtractError):
    pass


class ScannedPdf(ExtractError):
    pass


class ScriptOnlyPage(ExtractError):
    pass


class LoginWall(ExtractError):
    pass


class NotAPolicy(SmallprintError):
    pass


class WrongLanguage(SmallprintError):
    def __init__(self, message: str, *, language: str) -> None:
        super().__init__(message)
        self.language = language


class LibraryError(SmallprintError):
    pass


class UnknownPolicy(LibraryError):
    pass


class LibraryBusy(LibraryError):
    pass


class LibraryUnusable(LibraryError):
    pass


class LibraryDamaged(LibraryError):
    pass


class SnapshotUnusable(LibraryError):
    pass


class UnknownSession(SmallprintError):
    pass


class UntrustedRequest(SmallprintError):
    pass


class ModelError(SmallprintError):
    pass


class IndexUnavailable(SmallprintError):
    pass


class QueryError(SmallprintError):
    pass


class ClusterError(SmallprintError):
    pass


class NormsError(SmallprintError):
    pass


class DataMissing(SmallprintError):
    pass
