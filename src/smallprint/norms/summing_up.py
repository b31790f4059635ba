"""One line for a change, made of the policy's own words."""

from __future__ import annotations

from smallprint.norms.aligning import Difference, Side
from smallprint.records import ChangeKind

# Characters of the policy's words in a line.
_QUOTED = 150
_SHORT = 60


def summary(kind: ChangeKind, difference: Difference) -> str:
    old, new = difference.old, difference.new
    if kind is ChangeKind.HOUSEKEEPING:
        return "Housekeeping: dates, names, contact details, menus or the like."
    if not old:
        return f"Now says: “{_cut(_quote(new), _QUOTED)}”"
    if not new:
        return f"No longer says: “{_cut(_quote(old), _QUOTED)}”"
    before = {"weakened": "Weaker: ", "strengthened": "Stronger: ", "reworded": "Reworded: "}.get(kind, "")
    if not difference.went:
        return f"{before}now with “{_cut(new.words, _SHORT)}” in “{_cut(new.quote, _QUOTED)}”"
    if not difference.came:
        return f"{before}no longer “{_cut(old.words, _SHORT)}” in “{_cut(old.quote, _QUOTED)}”"
    return f"{before}“{_cut(old.words, _QUOTED)}” became “{_cut(new.words, _QUOTED)}”"


def _quote(side: Side | None) -> str:
    return side.quote if side else ""


def _cut(text: str, most: int) -> str:
    """Whole words, as many as there is room for."""
    text = " ".join(text.split()).strip(" .,;:*_#>|-–•●")
    return text if len(text) <= most else f"{text[:most].rsplit(' ', 1)[0]} …"
