"""The shipped weights: the same answer twice, spans inside sentences, and sense on small examples."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smallprint.models.arbiter import Arbiter
from smallprint.models.catalogue import shipped
from smallprint.models.detector import Detector
from smallprint.models.judge import Judge
from smallprint.models.marker import Marker
from smallprint.models.passage import passage
from smallprint.models.reader import Reader
from smallprint.models.vectors import WordVectors

POLICY = (
    "We never sell your personal information to anyone.",
    "We use cookies to remember your settings and to measure how our pages are used.",
    "We delete your account data thirty days after you close your account.",
    "You can write to us at privacy@lamps.example.",
    "Information may be shared with certain partners as necessary from time to time.",
)
EMPTY_TEXTS = ("", " ", "…", "\u200b", "a" * 5000)


@pytest.fixture(scope="module")
def judge() -> Judge:
    return Judge.load()


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.load()


@pytest.fixture(scope="module")
def arbiter() -> Arbiter:
    return Arbiter.load()


@pytest.fixture(scope="module")
def vectors() -> WordVectors:
    if "vectors" not in shipped().cards:
        pytest.skip("this edition ships no word vectors")
    return WordVectors.load()


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("do you sell my data?", 0),
        ("do you use cookies?", 1),
        ("how long do you keep my data after i close my account?", 2),
        ("how can i contact you about privacy?", 3),
    ],
)
def test_the_judge_puts_the_answer_first(judge: Judge, question: str, answer: int) -> None:
    found = judge.judge(question, [passage(s) for s in POLICY])
    assert int(np.argmax([j.relevance for j in found])) == answer


def test_the_judge_says_the_same_twice_and_beside_others(judge: Judge) -> None:
    passages = [passage(s) for s in POLICY]
    together = judge.judge("do you sell my data?", passages)
    assert together == Judge.load().judge("do you sell my data?", passages)
    assert together[2] == judge.judge("do you sell my data?", passages[2:3])[0]


@cache
def encoders() -> tuple[Judge, Marker]:
    """Hypothesis calls a test many times; a fixture of another scope would trouble it."""
    return Judge.load(), Marker.load()


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=60), st.text(max_size=120), st.text(max_size=40))
def test_spans_lie_inside_the_sentence(question: str, sentence: str, heading: str) -> None:
    shown = [passage(sentence, heading=heading)]
    judged, mark = encoders()[0].judge(question, shown)[0], encoders()[1].mark(question, shown)[0]
    start, end = mark.span
    assert 0 <= start <= end <= len(sentence)
    assert 0.0 <= judged.relevance <= 1.0
    assert sum(mark.said.stance.values()) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize(
    ("question", "sentence", "words"),
    [
        ("how long do you keep my data?", 2, "thirty days"),
        ("how can i contact you about privacy?", 3, "privacy@lamps.example"),
    ],
)
def test_the_marker_marks_the_words_that_answer(question: str, sentence: int, words: str) -> None:
    text = POLICY[sentence]
    mark = encoders()[1].mark(question, [passage(text)])[0]
    assert words in text[slice(*mark.span)]


def test_the_marker_says_the_same_twice_and_beside_others() -> None:
    marker, passages = encoders()[1], [passage(s) for s in POLICY]
    together = marker.mark("do you sell my data?", passages)
    assert together == Marker.load().mark("do you sell my data?", passages)
    assert together[2] == marker.mark("do you sell my data?", passages[2:3])[0]


def test_the_marker_goes_on_from_what_the_judge_began() -> None:
    judge, marker = encoders()
    question, passages = "do you sell my data?", [passage(s) for s in POLICY]
    begun = judge.begin(question, passages)
    assert judge.judge_begun(begun) == judge.judge(question, passages)
    assert marker.mark_begun(begun, passages) == marker.mark(question, passages)


@pytest.mark.parametrize(
    ("question", "sentence", "stance"),
    [("do you sell my personal information?", 0, "no"), ("do you use cookies?", 1, "yes")],
)
def test_a_promise_is_told_from_a_practice(arbiter: Arbiter, question: str, sentence: int, stance: str) -> None:
    alone = encoders()[1].mark(question, [passage(POLICY[sentence])])[0].said
    among = arbiter.hear(question, [passage(s) for s in POLICY]).said
    for said in (alone, among):
        assert max(said.stance, key=lambda name: said.stance[name]) == stance


def test_an_answer_is_told_from_something_else(arbiter: Arbiter) -> None:
    question = "do you sell my personal information?"
    answer, other = (passage(POLICY[number]) for number in (0, 3))
    marks = encoders()[1].mark(question, [answer, other])
    assert marks[0].said.silent < 0.5 < marks[1].said.silent
    heard, missed = arbiter.hear(question, [answer, other]), arbiter.hear(question, [other])
    assert heard.said.silent < 0.5 < missed.said.silent
    first, second = heard.worth
    assert first is not None
    assert second is not None
    assert first.quoted > second.quoted


def test_the_arbiter_says_the_same_twice(arbiter: Arbiter) -> None:
    passages = [passage(s) for s in POLICY]
    assert arbiter.hear("do you share my data?", passages) == Arbiter.load().hear("do you share my data?", passages)


def test_a_sentence_past_what_fits_is_worth_nothing_known(arbiter: Arbiter) -> None:
    passages = [passage("We keep it for as long as the law wants us to. " * 60), passage("We sell it.")]
    heard = arbiter.hear("do you sell it?", passages)
    assert heard.worth[0] is not None
    assert heard.worth[1] is None


def test_no_sentences_say_nothing(arbiter: Arbiter) -> None:
    heard = arbiter.hear("do you sell my data?", [])
    assert heard.said.silent == 1.0
    assert heard.worth == ()


def test_no_passages_no_judgements(judge: Judge) -> None:
    assert judge.judge("do you sell my data?", []) == []


def test_the_reader_gives_every_head_its_shape(reader: Reader) -> None:
    readings = reader.read(POLICY)
    assert readings.vectors.shape == (5, 384)
    assert np.allclose(np.linalg.norm(readings.vectors, axis=1), 1, atol=1e-5)
    assert readings.categories.shape == (5, len(reader.labels.categories)) == (5, 12)
    assert readings.values.shape == (5, len(reader.labels.values))
    assert readings.stance.shape == (5, 3)
    assert ((readings.vagueness >= 1) & (readings.vagueness <= 4)).all()
    assert np.allclose(readings.vague_classes.sum(axis=1), 1, atol=1e-5)


def test_a_sentence_reads_the_same_alone_and_beside_others(reader: Reader) -> None:
    together, alone = reader.read(POLICY), reader.read(POLICY[1:2])
    assert np.array_equal(together.vectors[1], alone.vectors[0])
    assert np.array_equal(together.categories[1], alone.categories[0])


def test_an_empty_policy_and_odd_texts_can_be_read(reader: Reader) -> None:
    assert reader.read([]).vectors.shape == (0, 384)
    assert np.isfinite(reader.read(EMPTY_TEXTS).categories).all()


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("We encrypt your data and limit access to it with firewalls.", "Data Security"),
        ("We may change this policy and will post the new version here.", "Policy Change"),
        ("We share your information with advertising partners.", "Third Party Sharing/Collection"),
        ("We collect your name and email address when you register.", "First Party Collection/Use"),
    ],
)
def test_clear_practices_are_recognised(reader: Reader, text: str, category: str) -> None:
    chances = reader.read([text]).categories[0]
    assert reader.labels.categories[int(chances.argmax())] == category


def test_vague_words_are_marked_where_they_stand(reader: Reader) -> None:
    marked = reader.read(POLICY).vague_words
    words = {POLICY[4][w.start : w.end].lower() for w in marked[4]}
    assert "may" in words
    assert not marked[3]


def test_a_question_lies_nearest_to_its_answer(reader: Reader) -> None:
    near = reader.read(POLICY).vectors @ reader.question("do you use cookies?").vector
    assert int(near.argmax()) == 1


@pytest.mark.parametrize(
    ("question", "kind"),
    [("do you sell my data?", "in_policies"), ("what is the weather in paris today?", "out_of_scope")],
)
def test_kinds_of_questions(reader: Reader, question: str, kind: str) -> None:
    kinds = reader.question(question).kinds
    assert max(kinds, key=lambda name: kinds[name]) == kind
    assert sum(kinds.values()) == pytest.approx(1.0, abs=1e-4)


def test_the_detector_tells_a_policy_from_a_recipe() -> None:
    detector = Detector.load()
    policy = "Privacy Policy. This policy explains what personal information we collect and how we use it. " * 3
    recipe = "Heat the oven. Mix flour, butter and sugar, then add two eggs and bake for half an hour. " * 3
    assert detector.chance(policy) > detector.threshold > detector.chance(recipe)


def test_words_find_their_neighbours(vectors: WordVectors) -> None:
    near = {n.word for n in vectors.nearest("cookies", 10)}
    assert near & {"cookie", "beacons", "pixels", "tags"}


def test_most_misspelt_words_find_the_right_one(vectors: WordVectors) -> None:
    slips = {"encyption": "encryption", "advertsers": "advertisers", "childrren": "children", "delette": "delete"}
    assert not any(map(vectors.knows, slips))
    found = [right in {n.word for n in vectors.nearest(slip, 8)} for slip, right in slips.items()]
    assert sum(found) >= 2


def test_the_known_share_of_a_question(vectors: WordVectors) -> None:
    assert vectors.known_share("do you share my data") == 1.0
    assert vectors.known_share("zzxqv data") == 0.5
    assert vectors.known_share("") == 0.0


def test_there_are_300_clusters(vectors: WordVectors) -> None:
    assert vectors.cluster_count == 300
    assert 0 <= vectors.cluster("qwertzuiop") < 300
