from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from made import answered, collects, group, norms, reading, silent

from smallprint.errors import NormsError
from smallprint.norms.figures import Kin
from smallprint.norms.surprise import Kind, Matters, Surprise, matters, surprises
from smallprint.norms.traits import traits_of
from smallprint.records import Answer, Sentence

READING = reading("We collect your health data.", "We collect your email address.", "We do not collect your location.")
PRACTICES = (collects(0, "Health"), collects(1, "Contact"), collects(2, "Location"))
SAID = {
    "collects/health": (8, 0, 0, 0),
    "collects/contact": (180, 0, 0, 0),
    "collects/location": (60, 2, 0, 0),
    "speaks/dataretention": (190, 0, 0, 0),
    "speaks/datasecurity": (100, 0, 0, 0),
}
KIN = norms(all=group(200, SAID)).kin("all")


def sure(_: str, sentences: Sequence[Sentence]) -> list[float]:
    return [0.9] * len(sentences)


def found(
    kin: Kin = KIN,
    relevance: float = 0.9,
    answer: Answer | None = None,
    weights: Matters | None = None,
    denied: bool = True,
) -> dict[str, Surprise]:
    made = surprises(
        traits_of(READING, PRACTICES),
        {s.id: s for s in READING.sentences},
        kin,
        weights or matters(),
        relevance=lambda _, sentences: [relevance] * len(sentences),
        denied=lambda _, __: denied,
        ask=lambda question: answer or silent(question),
    )
    assert [s.weight for s in made] == sorted((s.weight for s in made), reverse=True)
    return {one.trait: one for one in made}


def test_what_few_do_is_told_with_its_sentence_and_how_many_do_it() -> None:
    health = found()["collects/health"]
    assert health.kind is Kind.DOES
    assert health.sentence == READING.sentences[0]
    assert health.line == "It says it collects health data"
    assert health.yardstick == "4 % of 200 policies say this"
    assert (health.share.low, health.share.high) == (0.0204, 0.0769)


def test_what_most_do_is_no_surprise() -> None:
    assert "collects/contact" not in found()


def test_a_promise_that_few_make_is_one() -> None:
    location = found()["collects/location"]
    assert location.kind is Kind.DENIES
    assert location.line == "It says it does not collect where you are"
    assert location.yardstick == "1 % of 200 policies say this"


def test_a_promise_that_its_sentence_does_not_make_is_none() -> None:
    assert Kind.DENIES not in {one.kind for one in found(denied=False).values()}
    assert Kind.DENIES in {one.kind for one in found().values()}


def test_what_nearly_all_say_and_it_does_not() -> None:
    kept = found()["speaks/dataretention"]
    assert (kept.kind, kept.sentence) == (Kind.SILENT, None)
    assert kept.yardstick == "95 % of 200 policies say this"
    assert "speaks/datasecurity" not in found()  # half of them say it: no more


def test_it_is_asked_before_it_is_called_silent() -> None:
    assert "speaks/dataretention" not in found(answer=answered("How long?", READING, 1, 0.8))
    assert "speaks/dataretention" in found(answer=answered("How long?", READING, 1, 0.1))


def test_a_sentence_that_does_not_bear_it_out_is_a_misreading() -> None:
    assert "collects/health" not in found(relevance=0.01)


def test_small_samples_surprise_nobody() -> None:
    few = norms(all=group(5, {"collects/health": (0, 0, 0, 0), "speaks/dataretention": (5, 0, 0, 0)})).kin("all")
    assert found(few) == {}


def test_own_weights_go_before_the_shipped_ones(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('[does]\n"collects/health" = 0\n')
    weights = matters(str(mine))
    assert "collects/health" not in found(weights=weights)
    assert "collects/location" in found(weights=weights)


@pytest.mark.parametrize(
    "text", ["[does]\nnonsense = 1", "[does]\ncollects = -1", "[does]\ncollects = 'x'", "[odd]\n", "=", "does = 1"]
)
def test_weights_that_mean_nothing_are_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(NormsError, match=r"bad\.toml"):
        matters(str(path))
    with pytest.raises(NormsError, match="can't be read"):
        matters(str(tmp_path / "none.toml"))
