"""PriBot's formulas on numbers that can be worked out by hand, and the rows built on them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from smallprint.bench.documents import reading_of
from smallprint.bench.published.polisis import Polisis, TextCnn, embedded, polisis
from smallprint.bench.published.pribot import (
    ACCEPTED,
    certainty,
    closeness,
    columns_of,
    confidence,
    practices,
    pribot,
    semvec,
)
from smallprint.bench.published.word_space import vectors

POLICY = reading_of(
    {
        "doc_id": "d",
        "sentences": [
            "We protect your information with encryption, firewalls and secure servers.",
            "We share your personal information with third party advertising companies.",
            "We may change this privacy policy and will post the new policy here.",
        ],
    }
)


def floats(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float32)


def test_a_practice_is_its_category_squared_times_its_value() -> None:
    made = practices(floats(0.5, 0.2), floats(0.4, 1.0, 0.5), [(0, 0), (0, 1), (1, 2)])
    assert made == pytest.approx([0.25 * 0.4, 0.25, 0.04 * 0.5])


def test_certainty_runs_from_evenly_spread_to_one_category() -> None:
    assert certainty(floats(0.3, 0.3, 0.3)) == pytest.approx(0, abs=1e-6)
    assert certainty(floats(0, 0.7, 0)) == pytest.approx(1)
    entropy = -(0.75 * math.log(0.75) + 0.25 * math.log(0.25))
    assert certainty(floats(0.9, 0.3)) == pytest.approx(1 - entropy / math.log(2))


def test_closeness_counts_only_what_the_question_asks_for() -> None:
    question, answer = floats(0.8, 0.2, 0), floats(0.4, 0.6, 0.9)
    expected = (0.8 * 0.4 + 0.2 * 0.2) / (0.8**2 + 0.2**2) * 0.5
    assert closeness(question, answer, 0.5) == pytest.approx(expected)
    assert closeness(question, question, 1.0) == pytest.approx(1)
    assert closeness(floats(0, 0, 0), answer, 1.0) == 0


def test_confidence_falls_with_unknown_words_and_unclear_questions() -> None:
    assert confidence(0.6, 0.5, 1.0) == pytest.approx(0.45)
    assert confidence(0.6, 0.0, 0.0) == 0


def test_parts_of_other_are_categories_of_their_own() -> None:
    values = [("Data Security", "Measure", "Generic"), ("Other", "Other Type", "Introductory/Generic")]
    lost = ("Other", "Other Type", "Other")
    assert columns_of([*values, lost], ["Introductory/Generic", "Data Security"]) == [(1, 0), (0, 1)]


def test_the_convolution_by_hand() -> None:
    """One filter that adds the first number of each of three words, one dense unit, one label."""
    filters = np.zeros((6, 1))
    filters[[0, 2, 4]] = 1
    tables: dict[str, np.ndarray] = {
        "x.filters": filters,
        "x.dense": np.full((1, 1), 2.0),
        "x.labels": np.full((1, 1), 1.0),
    }
    tables |= {f"x.{name}_bias": np.zeros(1) for name in ("filters", "dense", "labels")}
    net = TextCnn(tables, "x")
    words = np.array([[1, 9], [2, 9], [3, 9], [-5, 9]], dtype=np.float32)
    assert net.hidden(words) == pytest.approx([2 * 6])
    assert net.chances(net.hidden(words)) == pytest.approx([1 / (1 + math.exp(-12))])
    assert net.hidden(words[:0]) == pytest.approx([0])


def test_without_subwords_an_unknown_word_is_nothing() -> None:
    assert not embedded("encrytpion", vectors(), subwords=False).any()
    assert embedded("encrytpion", vectors(), subwords=True).any()
    assert polisis(subwords=False).embed("encryption") == pytest.approx(polisis().embed("encryption"))


def test_questions_find_the_practice_they_ask_about() -> None:
    ask = pribot(POLICY)
    assert ask("how do you protect and secure my information?").ranking[0] == 0
    assert ask("do you share my information with third parties?").ranking[0] == 1
    sure = ask("do you share my personal information with third party companies?")
    lost = ask("xyzzy plugh frotz")
    assert 0 <= lost.confidence < sure.confidence <= 1
    assert lost.verdict.is_answer is (lost.confidence >= ACCEPTED)


def test_the_same_words_have_the_same_meaning() -> None:
    assert semvec(POLICY)(POLICY.sentences[2].text).ranking[0] == 2


def test_an_empty_policy_has_no_answer() -> None:
    empty = reading_of({"doc_id": "d", "sentences": ["Title"], "kinds": ["heading"], "headings": [""]})
    assert pribot(empty)("who?").ranking == ()
    assert semvec(empty)("who?").ranking == ()


def test_networks_name_their_labels() -> None:
    net: Polisis = polisis()
    assert len(net.categories) == 12
    assert net("we encrypt").categories.shape == (12,)
    assert net("we encrypt").values.shape == (len(net.values),)
