"""What things are called on the pages, beside the words of every door (`smallprint.words`)."""

from __future__ import annotations

from calendar import month_name
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from smallprint import errors


@dataclass(frozen=True, slots=True)
class Practice:
    """A category of practices: `verb` in the margin, and a question that people have about it."""

    verb: str
    question: str = ""


PRACTICES: Final[Mapping[str, Practice]] = {
    "first": Practice("Collects", "What do you collect about me?"),
    "third": Practice("Shares", "Who gets my data?"),
    "dataretention": Practice("Keeps", "How long is my data kept?"),
    "user_access": Practice("Access", "Can I delete my data?"),
    "user_choice": Practice("Choice", "Can I say no to ads and tracking?"),
    "datasecurity": Practice("Protects", "How is my data protected?"),
    "policy_change": Practice("Changes", "How do I learn of changes?"),
    "audiences": Practice("Children, places", "What about children?"),
    "dnt": Practice("Do Not Track"),
    "other": Practice("Other"),
}
ALWAYS_ASKED: Final = "Do you sell my data?"


def day(moment: str) -> str:
    """`2026-03-04T…` as 4 March 2026."""
    year, month, number = moment[:10].split("-")
    return f"{int(number)} {month_name[int(month)]} {year}"


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why there is nothing to read, and what helps."""

    title: str
    line: str
    can_force: bool = False
    can_retry: bool = False


_PASTE = "Open it in your browser, copy the text and paste it here, or save the page and choose the file."
_TROUBLES: Final[Mapping[type[errors.SmallprintError], Trouble]] = {
    errors.NotAPolicy: Trouble(
        "This doesn’t read like a privacy policy",
        "Perhaps it is another page of the same site. You can read it anyway; answers may then be odd.",
        can_force=True,
    ),
    errors.WrongLanguage: Trouble("This is not in English", "Smallprint reads English policies only."),
    errors.ScriptOnlyPage: Trouble(
        "This page is empty until its scripts run", f"Smallprint runs no page’s scripts. {_PASTE}"
    ),
    errors.LoginWall: Trouble("This page wants you to sign in", _PASTE),
    errors.ScannedPdf: Trouble(
        "The pages of this PDF are pictures", "There is no text in it to read. Look for the policy as a web page."
    ),
    errors.HostNotFound: Trouble(
        "There is no such site", "Check the address. If you are offline, paste the text instead.", can_retry=True
    ),
    errors.ForbiddenAddress: Trouble(
        "That address leads into a private network",
        "Smallprint fetches pages of the public web only. Paste the text or choose the file instead.",
    ),
    errors.FetchError: Trouble("The page could not be fetched", _PASTE, can_retry=True),
    errors.UnknownPolicy: Trouble("There is no such policy in the library", "It may have been removed."),
    errors.Busy: Trouble("There is more to do than this machine can", "Try again in a moment.", can_retry=True),
    errors.QueryError: Trouble("That search can’t be understood", ""),
    errors.SmallprintError: Trouble("That did not work", ""),
}
_REFUSALS: Final[Mapping[str, Trouble]] = {
    "not-found": Trouble("There is no such page", "Perhaps the address has a slip in it."),
    "too-large": Trouble(
        "That is too large", "No privacy policy is that long. Choose another file, or paste the text."
    ),
    "too-many-requests": Trouble("That was too much at once", "Wait a moment, then load the page again."),
    "internal": Trouble("Something went wrong here", "That is a fault of Smallprint, not yours."),
}


def refused(kind: str, title: str, detail: str) -> Trouble:
    """A problem, by the end of its type, in the words of the page; one without words of its own brings them."""
    return _REFUSALS.get(kind) or Trouble(title, detail)


def trouble(error: errors.SmallprintError) -> Trouble:
    """In the words of the page; an error without words of its own brings them."""
    found = next(_TROUBLES[kind] for kind in type(error).__mro__ if kind in _TROUBLES)
    return found if found.line else Trouble(found.title, str(error))
