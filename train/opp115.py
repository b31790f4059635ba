"""OPP-115 as targets: categories, attribute values and stance of a segment, and other sets' labels mapped onto it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from train.data import Row, fold_of, rows
from train.exclusions import Exclusions
from train.labelled import Practices

CATEGORIES = (
    "First Party Collection/Use",
    "Third Party Sharing/Collection",
    "User Choice/Control",
    "User Access, Edit and Deletion",
    "Data Retention",
    "Data Security",
    "Policy Change",
    "Do Not Track",
    "International and Specific Audiences",
    "Introductory/Generic",
    "Privacy contact information",
    "Practice not covered",
)
STANCES = ("does", "does_not", "choice")
LEAST_SEGMENTS = 10
"""The bench counts values of more than 20 segments; the model also learns those somewhat rarer."""
ONE_ANNOTATOR = 0.25
"""Target for what only one of three annotators marked: neither a yes nor a clean no."""
HALVES = (0, 1)
"""Of the validation split's policies: what has learned from one is calibrated on the other."""
NOT_A_VALUE = "not-selected"
NO_CHOICE = ("Unspecified", NOT_A_VALUE, "Dont use service/feature")

Value = tuple[str, str, str]
Span = tuple[int, int]
UNKNOWN = np.float32("nan")


@dataclass(frozen=True, slots=True)
class Segment:
    """nan marks a label that the source says nothing about."""

    text: str
    categories: np.ndarray
    values: np.ndarray
    stance: np.ndarray
    marked: Mapping[int, list[Span]] = field(default_factory=dict)
    """The words that annotators marked for a label: characters of the text. Labels are counted through categories,
    values and stances."""


def annotators_of(row: Row) -> dict[Value, set[str]]:
    """Who gave which value to a segment."""
    found: dict[Value, set[str]] = {}
    for annotation in row["annotations"]:
        for attribute, chosen in annotation["attributes"].items():
            key = (annotation["category"], attribute, chosen["value"])
            if chosen["value"] != NOT_A_VALUE:
                found.setdefault(key, set()).add(annotation["annotator"])
    return found


def value_labels(data: Path) -> list[Value]:
    """Values that two annotators gave to more than `LEAST_SEGMENTS` segments, in a fixed order."""
    counts: Counter[Value] = Counter()
    for row in rows(data, "opp115/segments"):
        counts.update(value for value, who in annotators_of(row).items() if len(who) >= 2)
    return sorted(value for value, count in counts.items() if count > LEAST_SEGMENTS)


def stance_of(row: Row) -> np.ndarray:
    """does / does not / choice, from two annotators' attributes; one annotator alone counts a quarter."""
    who: dict[str, set[str]] = {name: set() for name in STANCES}
    for annotation in row["annotations"]:
        for attribute, chosen in annotation["attributes"].items():
            name = _stance_in(attribute, chosen["value"])
            if name:
                who[name].add(annotation["annotator"])
    return np.array([_agreed(len(who[name])) for name in STANCES], dtype=np.float32)


def _stance_in(attribute: str, value: str) -> str | None:
    if attribute == "Does/Does Not":
        return "does" if value == "Does" else "does_not"
    return "choice" if attribute == "Choice Type" and value not in NO_CHOICE else None


def marked_in(row: Row, labels: list[Value]) -> dict[int, list[Span]]:
    """Where annotators saw each label, as `Segment.marked` has it; what only one of them saw too."""
    names: list[object] = [*CATEGORIES, *labels, *STANCES]
    found: dict[int, list[Span]] = {}
    for annotation in row["annotations"]:
        for attribute, chosen in annotation["attributes"].items():
            category, value = annotation["category"], chosen["value"]
            kind = value if attribute == "Other Type" else category
            told = {kind, (category, attribute, value), _stance_in(attribute, value)}
            place = _place_of(chosen.get("text") or "", row["text"])
            if place:
                for number in (number for number, name in enumerate(names) if name in told):
                    found.setdefault(number, []).append(place)
    return found


def _place_of(words: str, text: str) -> Span | None:
    """Annotations were made in the page's HTML."""
    plain = re.sub(r"<[^>]*>", " ", words).split()
    match = re.search(r"\s+".join(map(re.escape, plain)), text) if plain else None
    return match.span() if match else None


def _agreed(count: int) -> float:
    return 1.0 if count >= 2 else ONE_ANNOTATOR * count


def segments(
    data: Path, split: str, labels: list[Value], excluded: Exclusions | None, half: int | None = None
) -> list[Segment]:
    """Segments of one split, or of one half of its policies, with majority labels; a label of the union alone counts
    `ONE_ANNOTATOR`."""
    found = []
    for row in rows(data, "opp115/segments"):
        if row["split"] != split or row["majority"] is None or (excluded and excluded.covers(row["text"])):
            continue
        if half is not None and fold_of(str(row["policy_id"]), len(HALVES)) != half:
            continue
        categories = np.zeros(len(CATEGORIES), dtype=np.float32)
        for label in row["union"]:
            if label in CATEGORIES:
                categories[CATEGORIES.index(label)] = ONE_ANNOTATOR
        for label in row["majority"]:
            categories[CATEGORIES.index(label)] = 1.0
        who = annotators_of(row)
        values = np.array([_agreed(len(who.get(label, ()))) for label in labels], dtype=np.float32)
        found.append(Segment(row["text"], categories, values, stance_of(row), marked_in(row, labels)))
    return found


LETTERS = dict(zip("FTCARSPDIGKN", CATEGORIES, strict=True))
"""Categories as our own labels write them."""
ATTRIBUTES = {
    "info": ("Personal Information Type",),
    "for": ("Purpose", "Retention Purpose"),
    "says": ("Does/Does Not",),
    "id": ("Identifiability",),
    "mode": ("Collection Mode",),
    "how": ("Action First-Party", "Action Third Party"),
    "choice": ("Choice Type",),
    "who": ("Third Party Entity", "Audience Type"),
    "access": ("Access Type",),
    "scope": ("Access Scope",),
    "measure": ("Security Measure",),
    "period": ("Retention Period",),
    "notice": ("Notification Type",),
    "change": ("Change Type",),
    "dnt": ("Do Not Track policy",),
}
"""Attributes as our own labels write them."""
LEFT_TO_OPP115 = ("Unspecified", "Other", "Named third party", "Unnamed third party")
"""Values that our own labels do not tell: when "service providers" are named ones, OPP-115's annotators alone know."""
GIVEN = dict(zip("FTCARSPDIGKN", (0.8, 0.85, 0.55, 0.9, 0.95, 0.85, 0.95, 0.95, 0.9, 0.75, 0.9, 0.65), strict=True))
MAYBE = dict(zip("FTCARSPDIGKN", (0.25, 0.1, 0.15, 0.15, 0.3, 0.2, 0.4, 0.2, 0.15, 0.5, 0.55, 0.15), strict=True))
"""Targets for a category that our own labels give, or give as a maybe: about how often two annotators had given it, on
160 validation segments labelled blind. Choices were seen too often, contacts too seldom."""
STATED = 0.65
"""Target for a value of our own labels: two annotators had given .67 of those."""


def value_codes(labels: list[Value]) -> dict[str, int]:
    """The values that our own labels can give, by the names they have there: `F.info.contact`."""
    letters = {name: letter for letter, name in LETTERS.items()}
    short = {attribute: name for name, attributes in ATTRIBUTES.items() for attribute in attributes}
    return {
        f"{letters[category]}.{short[attribute]}.{re.sub('[^a-z]+', '-', value.lower()).strip('-')}": number
        for number, (category, attribute, value) in enumerate(labels)
        if category in letters and attribute in short and value not in LEFT_TO_OPP115
    }


def labelled_segments(found: list[Practices], labels: list[Value]) -> list[Segment]:
    """Our own labels as targets; what they do not speak of is unknown."""
    codes = value_codes(labels)
    return [_labelled(one, codes, len(labels)) for one in found]


def _labelled(one: Practices, codes: dict[str, int], value_count: int) -> Segment:
    categories = np.zeros(len(CATEGORIES), dtype=np.float32)
    for letters, targets in ((one.maybe, MAYBE), (one.categories, GIVEN)):
        for letter in letters:
            categories[CATEGORIES.index(LETTERS[letter])] = targets[letter]
    values = np.full(value_count, UNKNOWN, dtype=np.float32)
    values[list(codes.values())] = 0.0
    values[[codes[value] for value in one.values if value in codes]] = STATED
    said = {
        "does": any(value.endswith(".says.does") for value in one.values),
        "does_not": any(value.endswith(".says.does-not") for value in one.values),
        "choice": any(".choice." in value and not value.endswith(".dont-use-service-feature") for value in one.values),
    }
    return Segment(one.text, categories, values, np.array([STATED * said[name] for name in STANCES], dtype=np.float32))


APPCORP = {
    "First_Party_Collection_and_Use": "First Party Collection/Use",
    "Third_Party_Share_and_Collection": "Third Party Sharing/Collection",
    "Policy_Introductory": "Introductory/Generic",
    "Data_Security": "Data Security",
    "Specific_Audiences": "International and Specific Audiences",
    "International_Data_Transfer": "International and Specific Audiences",
    "Policy_Contact_Information": "Privacy contact information",
    "Policy_Change": "Policy Change",
    "Data_Retention": "Data Retention",
}
POLICYIE = {
    "data-collection-usage": "First Party Collection/Use",
    "data-sharing-disclosure": "Third Party Sharing/Collection",
    "data-storage-retention-deletion": "Data Retention",
    "data-security-protection": "Data Security",
}
SURE_ABSENT = ("Data Security", "Policy Change", "Do Not Track")
"""A text that another set puts under one other heading rarely also speaks of these."""


def _mapped(text: str, category: str, value_count: int, target: float = 1.0) -> Segment:
    categories = np.full(len(CATEGORIES), UNKNOWN, dtype=np.float32)
    for absent in SURE_ABSENT:
        categories[CATEGORIES.index(absent)] = 0.0
    categories[CATEGORIES.index(category)] = target
    return Segment(text, categories, np.full(value_count, UNKNOWN), np.full(len(STANCES), UNKNOWN))


MAPP_CATEGORIES = {"First Party": "F", "Third Party": "T"}
MAPP_ATTRIBUTES = {
    "Information Type": "Personal Information Type",
    "Purpose": "Purpose",
    "Third-Party Entity": "Third Party Entity",
}
MAPP_VALUES = {
    "Computer information": "Computer information",
    "Contact information": "Contact",
    "Cookies and tracking elements": "Cookies and tracking elements",
    "Demographic data": "Demographic",
    "Financial": "Financial",
    "Health, genetic, or biometric data": "Health",
    "IP address and device IDs": "IP address and device IDs",
    "Location": "Location",
    "Social media data": "Social media data",
    "User online activities": "User online activities",
    "Analytics or research": "Analytics/Research",
    "Essential service or feature": "Basic service/feature",
    "Legal requirement": "Legal requirement",
    "Merger or acquisition": "Merger/Acquisition",
    "Personalization or customization": "Personalization/Customization",
    "Service operation and security": "Service operation and security",
    "Named third party": "Named third party",
    "Other part of company/affiliate": "Other part of company/affiliate",
    "Unnamed third party": "Unnamed third party",
}
"""Values of MAPP that mean what they mean in OPP-115; generic, other and unspecified ones do not."""


def mapp_codes(letter: str, labels: list[Value]) -> dict[str, int]:
    """The values that MAPP can give under one category, by the names they have there: `Purpose_Legal requirement`."""
    numbers = {tuple(part.lower() for part in label): number for number, label in enumerate(labels)}
    codes = {
        f"{attribute}_{value}": numbers.get((LETTERS[letter].lower(), ours.lower(), same.lower()))
        for attribute, ours in MAPP_ATTRIBUTES.items()
        for value, same in MAPP_VALUES.items()
    }
    return {name: number for name, number in codes.items() if number is not None}


def mapp_segments(data: Path, labels: list[Value], excluded: Exclusions) -> list[Segment]:
    """MAPP's segments of one category, with the values that it has in common with OPP-115."""
    codes = {letter: mapp_codes(letter, labels) for letter in MAPP_CATEGORIES.values()}
    found = []
    for row in rows(data, "extra/mapp_english"):
        if len(row["categories"]) != 1 or excluded.covers(row["text"]):
            continue
        letter = MAPP_CATEGORIES[row["categories"][0]]
        segment = _mapped(row["text"], LETTERS[letter], len(labels), GIVEN[letter])
        for name, number in codes[letter].items():
            segment.values[number] = STATED * (name in row["values"])
        found.append(segment)
    return found


def extra_segments(data: Path, value_count: int, excluded: Exclusions) -> list[Segment]:
    """APPCorp and PolicyIE where their labels say something about ours."""
    found = [_mapped(text, category, value_count) for text, category in _extra_texts(data)]
    return [segment for segment in found if not excluded.covers(segment.text)]


def _extra_texts(data: Path) -> Iterator[tuple[str, str]]:
    for row in rows(data, "extra/appcorp"):
        if row["label"] in APPCORP:
            yield " ".join(s.strip() for s in row["sentences"]), APPCORP[row["label"]]
    for row in rows(data, "extra/policyie"):
        if row["intent"] in POLICYIE:
            yield " ".join(row["tokens"]), POLICYIE[row["intent"]]
