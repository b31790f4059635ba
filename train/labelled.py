"""Labels of our own over policies of `corpus` that nothing is measured on, written by a language model (`labels/`).

What is kept there is what was written: labels, questions, numbers, and the keys of the sentences and segments that were
read. Their texts are found again in the corpus.

- `stances.tsv`: questions written for a passage of one to three sentences, and what the passage answers.
- `asked.tsv`: questions of `asked`, and of PrivacyQA's train part (`pq-` and their key), put to other policies, with
  the six sentences that Smallprint found best.
- `pointed.tsv`: as `asked.tsv`, with questions of our own about one kind of data and one thing done with it.
- `whole.tsv`: questions of our own, written before a policy was read and answered from all of it, as `asked` was made.
- `practices.tsv`: segments with the categories (one letter each) and values that OPP-115's annotators would have given.
- `kinds.tsv`: questions in plain speech, and whether a policy could answer them at all; no policy is needed for those.
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from smallprint.errors import SmallprintError
from smallprint.ingest.source import read_bytes
from smallprint.models.passage import Passage, passage
from smallprint.records import BlockKind, Sentence
from smallprint.segment import segment
from train.data import HELD_OUT_FOLD, Row, fold_of, rows
from train.exclusions import Exclusions, is_held_out, key_of, words_of
from train.paths import Paths

LABELS = Path(__file__).parent / "labels"
TABLES = ("stances", "asked", "pointed", "whole", "practices")
CORPUS = ("corpus/policies", "corpus/websites")
TIMES_POINTED = 2
"""How often a pointed question stands among the others: they are few, and near misses are what is hard."""
NONE = "-"
KEY = 8


@dataclass(frozen=True, slots=True)
class Shown:
    """A sentence as it stands in its policy."""

    place: int
    text: str
    heading: str
    lead_in: str

    def passage(self, *, bare: bool) -> Passage:
        return passage(self.text) if bare else passage(self.text, heading=self.heading, lead_in=self.lead_in)


def in_order(shown: Iterable[Shown], *, bare: bool) -> list[Passage]:
    """As they follow each other in their policy."""
    return [one.passage(bare=bare) for one in sorted(shown, key=lambda one: one.place)]


@dataclass(frozen=True, slots=True)
class Labelled:
    """`label` is a stance or "silent"; `quoted` and `helps` count the sentences from 0, best first. `graded`: each
    sentence was looked at by itself, and those that are neither neither answer nor help."""

    policy: str
    question: str
    sentences: tuple[Shown, ...]
    label: str
    quoted: tuple[int, ...]
    helps: tuple[int, ...]
    graded: bool


@dataclass(frozen=True, slots=True)
class Practices:
    """A segment; `categories` and `maybe` are letters, `values` short names."""

    text: str
    categories: str
    maybe: str
    values: tuple[str, ...]


def key(text: str) -> str:
    """Tells the texts of one policy apart."""
    return key_of(words_of(text)).hex()[:KEY]


def questions(paths: Paths, excluded: Exclusions) -> list[Labelled]:
    """Written ones and those of other sets, without sentences or questions that are measured on."""
    asked = {row["query_id"]: row["question"] for row in rows(paths.data, "asked/questions")}
    for row in rows(paths.data, "privacyqa/question_categories"):
        asked[f"pq-{key(row['question'])}"] = row["question"]
    texts = Texts(paths)
    pointed = [one for one in _graded(texts, "pointed") if not is_held_out(one.policy)]
    found = [*_written(texts), *_graded(texts, "asked", asked), *pointed * TIMES_POINTED]
    return [
        one
        for one in found
        if not excluded.covers(one.question) and not any(excluded.covers(shown.text) for shown in one.sentences)
    ]


def held_out(texts: Texts) -> list[Labelled]:
    """The pointed questions that no encoder learns from: a fifth of their policies."""
    return [one for one in _graded(texts, "pointed") if is_held_out(one.policy)]


def whole(texts: Texts, *, held_out: bool) -> list[Labelled]:
    """Questions to whole policies; `sentences` are all of the policy, numbered. A tenth of the policies is held out."""
    found = []
    for policy, questions in groupby(_table("whole"), itemgetter("policy")):
        if (fold_of(policy, 10) == HELD_OUT_FOLD) != held_out:
            continue
        shown = tuple(replace(one, place=number) for number, one in enumerate(texts.policy(policy)))
        places = {key(one.text): one.place for one in shown}
        for row in questions:
            quoted, helps = (row[name].replace(NONE, "").split() for name in ("quoted", "helps"))
            if shown and places.keys() >= {*quoted, *helps}:
                answering, helping = (tuple(places[one] for one in keys) for keys in (quoted, helps))
                found.append(Labelled(policy, row["question"], shown, row["label"], answering, helping, graded=True))
    return found


def kinds(*, held_out: bool) -> list[tuple[str, str]]:
    """Questions in plain speech, and their kinds as `reader_data.KINDS` has them; others wrote those that measure."""
    part = "measure" if held_out else "learn"
    return [(row["question"], row["kind"]) for row in _table("kinds") if row["part"] == part]


def practices(paths: Paths, excluded: Exclusions) -> list[Practices]:
    texts = Texts(paths)
    found = []
    for row in _table("practices"):
        text = texts.segment(row["policy"], row["segment"])
        if text and not excluded.covers(text):
            maybe = row["maybe"].replace(NONE, "")
            found.append(
                Practices(text, row["categories"], maybe, tuple(v for v in row["values"].split() if v != NONE))
            )
    return found


def _written(texts: Texts) -> Iterator[Labelled]:
    for row in _table("stances"):
        shown = texts.sentences(row["policy"], row["sentences"].split())
        if shown:
            answering = tuple(range(len(shown))) if row["label"] != "silent" else ()
            yield Labelled(row["policy"], row["question"], shown, row["label"], answering, (), graded=False)


def _graded(texts: Texts, table: str, asked: dict[str, str] | None = None) -> Iterator[Labelled]:
    """Questions stand in the table, or their ids of `asked`."""
    for row in _table(table):
        shown = texts.sentences(row["policy"], row["sentences"].split())
        if shown:
            quoted, helps = _numbers(row["quoted"]), _numbers(row["helps"])
            question = asked[row["question"]] if asked else row["question"]
            yield Labelled(row["policy"], question, shown, row["label"], quoted, helps, graded=True)


def _numbers(cell: str) -> tuple[int, ...]:
    return tuple(int(number) - 1 for number in cell.split() if number != NONE)


def _table(name: str) -> list[dict[str, str]]:
    with (LABELS / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


class Texts:
    """The labelled policies' texts by their keys. Found in the corpus once (two minutes), then kept in the cache."""

    def __init__(self, paths: Paths) -> None:
        wanted = {row["policy"] for name in TABLES for row in _table(name)}
        digest = hashlib.sha256("\n".join(sorted(wanted)).encode()).hexdigest()[:12]
        kept = paths.made("labelled") / f"texts-{KEY}-{digest}.json"
        if not kept.exists():
            beside = kept.with_suffix(f".{os.getpid()}")  # two recipes may be at it
            beside.write_text(json.dumps(_read(paths.data, wanted)), encoding="utf-8")
            beside.replace(kept)
        self._kept: dict[str, Row] = json.loads(kept.read_text("utf-8"))

    @property
    def policies(self) -> list[str]:
        """Those that were found."""
        return list(self._kept)

    def sentences(self, policy: str, keys: list[str]) -> tuple[Shown, ...]:
        """All of them, or none where one is not in the policy any more."""
        kept = self._kept.get(policy, {})
        found = [kept.get("sentences", {}).get(one) or kept.get("joined", {}).get(one) for one in keys]
        return tuple(Shown(*one) for one in found) if all(found) else ()

    def policy(self, policy: str) -> list[Shown]:
        """All its sentences, in order; none where it is not in the corpus any more."""
        kept = self._kept.get(policy, {}).get("sentences", {})
        return sorted((Shown(*one) for one in kept.values()), key=lambda one: one.place)

    def segment(self, policy: str, one: str) -> str:
        text: str = self._kept.get(policy, {}).get("segments", {}).get(one, "")
        return text


def _read(data: Path, wanted: set[str]) -> dict[str, Row]:
    found = {}
    for row in (row for name in CORPUS for row in rows(data, name) if row["id"] in wanted):
        try:
            read = read_bytes(
                row["text"].encode(), row["id"], content_type="text/markdown", charset="utf-8", force=True
            )
        except SmallprintError:
            continue
        reading = segment(read.policy)
        text = read.policy.text
        pieces = (" ".join(text[s.start : s.end].split()) for s in reading.segments)
        offered = [s for s in reading.sentences if s.kind is not BlockKind.HEADING]
        found[row["id"]] = {
            "sentences": _by_key(offered),
            "joined": _by_key(_joined(offered)),
            "segments": {key(piece): piece for piece in pieces},
        }
    return found


def _by_key(sentences: Iterable[Sentence]) -> dict[str, tuple[int, str, str, str]]:
    return {key(s.text): (s.id, s.text, " > ".join(s.headings), s.lead_in) for s in sentences}


def _joined(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Those with nothing between them, as one: so they were shown before lost line breaks were seen, and labelled."""
    runs: list[list[Sentence]] = []
    for one in sentences:
        if runs and runs[-1][-1].end == one.start:
            runs[-1].append(one)
        else:
            runs.append([one])
    return (replace(run[0], text="".join(one.text for one in run)) for run in runs if len(run) > 1)
