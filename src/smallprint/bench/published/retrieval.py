"""Open question answering by BM25: 000 §4.2.2 (S3, with query expansion) and 003 §8.2 (S8's Retrieval, corpus idf).

All rank sentences. What is shown follows 000: the best segment, cut down to its best three sentences, the rest of
those that score at all on "more".
"""

from __future__ import annotations

import gzip
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import groupby

from smallprint.bench.published.word_space import vectors
from smallprint.bench.systems import SHOWN, Outcome, by_scores, rankable
from smallprint.models.vectors import words_of
from smallprint.records import Reading, Sentence
from smallprint.retrieve.lexical import Bm25, terms

NEIGHBOURS = 10
LONGEST_SEGMENT = 7
"""Sentences. OPP-115's segments, which 000 ranks, have about as many; the data sets here give sentences only."""


def bm25(reading: Reading) -> Callable[[str], Outcome]:
    """S3 without expansion: bare sentences, no headings or lead-ins."""
    return _retrieval(reading, Bm25)


def bm25_expanded(reading: Reading) -> Callable[[str], Outcome]:
    """S3: ten neighbours for each word of the question count as much as the word."""
    return _retrieval(reading, Bm25, expanded)


def bm25_corpus(reading: Reading) -> Callable[[str], Outcome]:
    """S8's Retrieval: how rare a word is was counted over paragraphs of 3,000 policies, not over this one."""
    return _retrieval(reading, CorpusBm25)


def _retrieval(
    reading: Reading, index_of: Callable[[list[str]], Bm25], wording: Callable[[str], str] = str
) -> Callable[[str], Outcome]:
    sentences = rankable(reading)
    segments = segments_of(sentences)
    by_sentence = index_of([s.text for s in sentences])
    by_segment = index_of([" ".join(sentences[place].text for place in segment) for segment in segments])

    def ask(question: str) -> Outcome:
        query = wording(question)
        scores = by_sentence.scores(query)
        ranked = by_scores(sentences, scores)
        if not ranked.shown:
            return ranked
        whole = by_segment.scores(query)
        answer = segments[whole.index(max(whole))]
        best = sorted((place for place in answer if scores[place] > 0), key=lambda place: -scores[place])
        shown = tuple(sentences[place].id for place in best)
        return replace(ranked, shown=shown[:SHOWN], more=shown[SHOWN:])

    return ask


def segments_of(sentences: Sequence[Sentence]) -> list[list[int]]:
    """Places of sentences that stand together under one heading, at most `LONGEST_SEGMENT` of them."""
    runs = groupby(range(len(sentences)), key=lambda place: sentences[place].headings)
    together = [list(run) for _, run in runs]
    return [run[at : at + LONGEST_SEGMENT] for run in together for at in range(0, len(run), LONGEST_SEGMENT)]


def expanded(question: str) -> str:
    """The question, followed by the words nearest in meaning to each of its words that is not a stop word."""
    carrying = [word for word in words_of(question) if terms(word)]
    return " ".join([question, *(near for word in carrying for near in neighbours(word))])


@cache
def neighbours(word: str) -> tuple[str, ...]:
    return tuple(n.word for n in vectors().nearest(word, NEIGHBOURS))


class CorpusBm25(Bm25):
    def idf(self, term: str) -> float:
        total, containing = corpus_counts()
        seen = containing.get(term, 0)
        return math.log(1 + (total - seen + 0.5) / (seen + 0.5))


@cache
def corpus_counts() -> tuple[int, dict[str, int]]:
    """How many paragraphs were counted, and in how many each stem stands; the rarest stems are not listed."""
    packed = files("smallprint.bench.published").joinpath("weights/paragraphs.tsv.gz").read_bytes()
    total, *rows = gzip.decompress(packed).decode("utf-8").split("\n")
    return int(total), {term: int(count) for term, count in (row.split("\t") for row in rows)}
