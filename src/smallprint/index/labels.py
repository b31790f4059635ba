"""What people read and write for a facet's values; the index holds their short keys."""

from __future__ import annotations

from functools import cache
from typing import Final

from smallprint import taxonomy
from smallprint.annotate import mentions
from smallprint.errors import QueryError

# The facets of the mentions' file, by the name that a search gives them.
_MENTIONS: Final = {"tracking": "tracking", "bodies": "body", "regulations": "regulation"}


def key(text: str) -> str:
    """`UK GDPR`, `uk-gdpr` and `uk_gdpr` are one."""
    return "_".join(text.lower().replace("-", " ").replace("_", " ").split())


def label(facet: str, value: str) -> str:
    """The value as people read it: a name where it has one, else the key in words."""
    return _names().get((facet, value)) or value.replace("_", " ")


def value_of(facet: str, text: str) -> str:
    """The key of a value in any spelling, or by the name that people read. A facet without a list takes any value."""
    known = _known(facet)
    wanted = key(text)
    if not known or wanted in known:
        return wanted
    by_name = {key(label(facet, value)): value for value in known}
    if wanted not in by_name:
        raise QueryError(f"There is no {facet.replace('_', ' ')} {text!r} (known: {', '.join(sorted(known))}).")
    return by_name[wanted]


def _known(facet: str) -> tuple[str, ...]:
    if facet == "sector":
        from smallprint.annotate.sector import NAMES  # with numpy, which no other search needs

        return tuple(NAMES)
    return tuple(value for name, value in _names() if name == facet)


@cache
def _names() -> dict[tuple[str, str], str]:
    named = {(_MENTIONS[rule.facet], rule.key): rule.name for rule in mentions.rules()}
    for facet, attribute in (("data_type", "Personal Information Type"), ("third_party", "Third Party Entity")):
        named |= {(facet, words.key): words.plain for words in taxonomy.words(attribute).values()}
    return named | {("practice", c.key): c.plain for c in taxonomy.categories()}
