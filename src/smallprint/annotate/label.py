"""A policy's privacy label: what it collects, shares, keeps and offers, in plain words with what each stands on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from smallprint import taxonomy
from smallprint.annotate.readability import flesch_kincaid_grade
from smallprint.annotate.vagueness import is_vague
from smallprint.records import Label, LabelEntry, Practice, Reading, Stance

_HARDEST: Final = 5
Grounds = list[tuple[Practice, int]]


def label_of(reading: Reading, practices: Sequence[Practice]) -> Label:
    sentences = reading.sentences
    texts = [sentence.text for sentence in sentences]
    vague = tuple(s.id for s in sentences if is_vague(s.text))
    hardest = sorted(sentences, key=lambda s: -flesch_kincaid_grade([s.text]))[:_HARDEST]
    return Label(
        collected=entries(practices, "Personal Information Type", "first"),
        purposes=entries(practices, "Purpose", "first"),
        shared_with=entries(practices, "Third Party Entity", "third"),
        shared=entries(practices, "Personal Information Type", "third"),
        kept=_said(entries(practices, "Retention Period", "dataretention")),
        choices=entries(practices, "Choice Type", "user_choice", "first", "third"),
        access=entries(practices, "Access Type", "user_access"),
        security=entries(practices, "Security Measure", "datasecurity"),
        vagueness=round(len(vague) / len(sentences), 4) if sentences else 0.0,
        vague=vague,
        grade=round(flesch_kincaid_grade(texts), 1),
        hard=tuple(sorted(sentence.id for sentence in hardest)),
    )


def entries(practices: Sequence[Practice], attribute: str, *categories: str) -> tuple[LabelEntry, ...]:
    """The values of an attribute that practices of these categories have; those of most segments first."""
    words = taxonomy.words(attribute)
    grounds: dict[taxonomy.Words, Grounds] = {}
    for practice in practices:
        if practice.category in categories:
            for (name, value), sentence in zip(practice.values, practice.sentences, strict=True):
                if name == attribute and value in words:
                    grounds.setdefault(words[value], []).append((practice, sentence))
    order = list(words.values())
    ordered = sorted(grounds, key=lambda w: (-len(grounds[w]), order.index(w)))
    return tuple(_entry(word, grounds[word]) for word in ordered)


def _entry(words: taxonomy.Words, grounds: Grounds) -> LabelEntry:
    return LabelEntry(
        key=words.key,
        name=words.plain,
        stance=_stance([practice for practice, _ in grounds]),
        chance=max(practice.chance for practice, _ in grounds),
        segments=tuple(dict.fromkeys(practice.segment for practice, _ in grounds)),
        sentences=tuple(dict.fromkeys(sentence for _, sentence in grounds)),
    )


def _stance(practices: Sequence[Practice]) -> Stance:
    denied = [practice.denied for practice in practices]
    if any(denied):
        return Stance.NO if all(denied) else Stance.MIXED
    return Stance.CHOICE if all("choice" in practice.stance for practice in practices) else Stance.YES


def _said(kept: tuple[LabelEntry, ...]) -> tuple[LabelEntry, ...]:
    """That it does not say how long is only worth saying where it says nothing else."""
    said = tuple(entry for entry in kept if entry.key != "unspecified")
    return said or kept
