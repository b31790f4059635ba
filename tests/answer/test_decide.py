from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from smallprint.answer.decide import HELD_BACK, MOST_SHOWN, decide, summary
from smallprint.answer.features import is_open, is_yes_no, kind_features, right_features, stance_features
from smallprint.answer.score import Scored
from smallprint.answer.weights import Linear, Weights, parse
from smallprint.models.marker import Mark
from smallprint.models.said import STANCES, Said
from smallprint.records import Answer, BlockKind, Evidence, Question, Sentence, Stance, Verdict

KINDS = ("answerable", "silent", "not_in_policies", "out_of_scope", "unclear", "incomprehensible")


def said(stance: str = "yes", together: dict[str, float] | None = None) -> Said:
    return Said(0.1, together or {s: float(s == stance) for s in STANCES})


def scored(number: int, quoted: float, stance: str = "yes") -> Scored:
    text = f"Sentence {number} says so."
    sentence = Sentence(number, 0, BlockKind.PARAGRAPH, 0, len(text), text, ("Sharing",))
    logit = float(np.log(quoted / (1 - quoted)))
    mark = Mark((9, 16), said(stance))
    return Scored(sentence, {"cosine": 0.5, "coverage": 0.2}, logit, quoted, quoted, mark)


def linear(outcomes: tuple[str, ...], weights: dict[str, dict[str, float]], names: tuple[str, ...]) -> Linear:
    matrix = np.array([[weights.get(o, {}).get(n, 0.0) for n in names] for o in outcomes], dtype=np.float32)
    return Linear(names, outcomes, matrix, np.zeros(len(outcomes), np.float32))


def weights() -> Weights:
    """By hand: a good first sentence speaks for an answer, a kind likely by its words for that kind."""
    question = Question("q", kinds={"in_policies": 1.0})
    best = [scored(0, 0.9)]
    asks = {"kind_in_policies": 1.0}
    kinds = {k: {f"kind_{k}": 2.0} for k in KINDS[2:]}
    kinds |= {"answerable": {"first": 1.0, **asks}, "silent": {"first": -1.0, **asks}}
    stances = {s: {s: 5.0} for s in STANCES[:-1]} | {"na": {"open": 9.0}}
    return Weights(
        quoted=linear(("yes",), {}, ("cosine",)),
        helps=linear(("yes",), {}, ("cosine",)),
        quoted_together=linear(("yes",), {}, ("quoted",)),
        helps_together=linear(("yes",), {}, ("quoted",)),
        kind=linear(KINDS, kinds, tuple(kind_features(question, best, said("yes")))),
        stance=linear(STANCES, stances, tuple(stance_features(question, said("yes")))),
        right=linear(("yes",), {"yes": {"first": 1.0}}, tuple(right_features(best, said("yes")))),
    )


def answer(text: str, *best: Scored, stance: str = "yes", kind: str = "in_policies") -> Answer:
    shown = [replace(one, mark=replace(one.mark, said=said(stance))) for one in best]
    return decide(Question(text, text, kinds={kind: 1.0}), shown, weights(), said(stance))


def test_likely_sentences_are_shown_the_others_held_back() -> None:
    best = [scored(0, 0.9), scored(1, 0.6), scored(2, 0.2), *(scored(i, 0.001) for i in range(3, 30))]
    got = answer("do you share my data?", *best)
    assert got.verdict is Verdict.ANSWERED
    assert [e.sentence.id for e in got.evidence] == [0, 1]
    assert [e.sentence.id for e in got.more] == list(range(2, 2 + HELD_BACK))
    assert got.confidence == pytest.approx(0.9, abs=0.001)


def test_where_much_is_quotable_more_is_shown() -> None:
    got = answer("do you share my data?", *(scored(i, 0.6) for i in range(30)))
    assert len(got.evidence) == MOST_SHOWN


def test_what_sentences_say_together_counts_not_what_the_first_says() -> None:
    together = said(together={"yes": 0.1, "mixed": 0.9})
    got = decide(Question("q", kinds={"in_policies": 1.0}), [scored(0, 0.9, "yes")], weights(), together)
    assert got.stance is Stance.MIXED


def test_a_weak_best_sentence_is_a_partial_answer_and_still_shown() -> None:
    sure = replace(weights(), kind=linear(KINDS, {"answerable": {"length": 9.0}}, weights().kind.features))
    got = decide(Question("a b", kinds={"in_policies": 1.0}), [scored(0, 0.3)], sure, said("yes"))
    assert got.verdict is Verdict.PARTLY
    assert len(got.evidence) == 1


def test_silence_names_the_closest_section_and_what_to_do() -> None:
    got = answer("do you share my data?", scored(0, 0.01))
    assert got.verdict is Verdict.SILENT
    assert not got.evidence
    assert got.more
    assert any("Sharing" in step for step in got.next)


def test_a_section_is_named_in_a_line_whatever_the_page_calls_a_heading() -> None:
    near = scored(0, 0.02)
    under = replace(near, sentence=replace(near.sentence, headings=("Sharing", "whom we share with " * 9_000)))
    (closest, *_) = answer("do you?", under, stance="yes").next
    assert closest.startswith("The section that comes closest is “whom we share with whom")
    assert closest.endswith(" …”.")
    assert len(closest) < 250


@pytest.mark.parametrize("kind", KINDS[2:])
def test_each_kind_without_an_answer_has_its_reason_and_a_next_step(kind: str) -> None:
    got = answer("well?", scored(0, 0.4), kind=kind)
    assert str(got.verdict) == kind
    assert got.summary
    assert got.next
    assert not got.evidence


@pytest.mark.parametrize(
    ("kind", "surely", "hardly"),
    [
        ("out_of_scope", "This is not about privacy", "This does not seem to be about privacy"),
        ("not_in_policies", "Privacy policies don't tell", "This seems to be what privacy policies don't tell"),
    ],
)
def test_that_it_is_no_question_for_a_policy_is_told_as_surely_as_it_is_known(
    kind: str, surely: str, hardly: str
) -> None:
    assert answer("well?", scored(0, 0.4), kind=kind).summary.startswith(surely)
    doubtful = Question("well?", kinds={kind: 0.5, "unclear": 0.45})
    got = decide(doubtful, [scored(0, 0.4)], weights(), said("yes"))
    assert got.confidence < 0.65
    assert got.summary.startswith(hardly)
    assert "The section that comes closest is “Sharing”." in got.next


@pytest.mark.parametrize("stance", ["yes", "no", "choice", "mixed"])
def test_the_stance_leads_the_line_and_the_words_are_the_policys(stance: str) -> None:
    got = answer("do you share my data?", scored(0, 0.9), stance=stance)
    assert got.stance is Stance(stance)
    assert "“Sentence 0 says so”" in got.summary


def test_an_open_question_has_no_stance() -> None:
    got = answer("who gets my data?", scored(0, 0.9))
    assert got.stance is Stance.NA
    assert "“0 says”" in got.summary


@pytest.mark.parametrize(
    "asked",
    [
        "why do you need my name?",
        "how is it used?",
        "what happens to it?",
        "what do you do with it?",
        "what are you doing with it?",
        "what becomes of it?",
        "by what means may I see it?",
        "when it changes, how will I know?",
        "cookies",
    ],
)
def test_what_few_words_do_not_answer_gets_a_clause(asked: str) -> None:
    first = answer("who gets my data?", scored(0, 0.9)).evidence
    assert summary(asked, Stance.NA, None, first) == "It says: “Sentence 0 says so”."
    assert summary("how long is it kept?", Stance.NA, None, first) == "It says: “0 says”."
    assert summary("what do you keep?", Stance.NA, None, first) == "It says: “0 says”."


@pytest.mark.parametrize(
    ("asked", "yes", "no"),
    [
        ("do you share my data?", "It says it does: ", "It says it doesn't: "),
        ("so can I take it back?", "It says you can: ", "It says you can't: "),
        ("is my address logged?", "It says yes: ", "It says no: "),
        ("may i ask whether my address is sold?", "It says yes: ", "It says no: "),
        ("can I not delete my photos?", "It says yes: ", "It says no: "),
        ("don't you sell it?", "It says yes: ", "It says no: "),
        ("you don’t sell my data, right?", "It says yes: ", "It says no: "),
        ("do you sell my name, and can I stop it?", "It says it does: ", "It says it doesn't: "),
        ("can I erase it, and do you share it?", "It says you can: ", "It says you can't: "),
        ("do the police get my name?", "It says yes: ", "It says no: "),
        ("does the app track me?", "It says it does: ", "It says it doesn't: "),
        ("if I do that, is my name gone?", "It says yes: ", "It says no: "),
        ("are there ads, and can I switch them off?", "It says yes: ", "It says no: "),
        ("did you lose any data?", "It says yes: ", "It says no: "),
        ("do you honor do not track?", "It says it does: ", "It says it doesn't: "),
    ],
)
def test_the_line_answers_in_the_words_of_the_question(asked: str, yes: str, no: str) -> None:
    assert answer(asked, scored(0, 0.9)).summary.startswith(yes)
    assert answer(asked, scored(0, 0.9), stance="no").summary.startswith(no)


@pytest.mark.parametrize(
    ("first", "right", "yes", "choice"),
    [
        (0.9, 0.95, "It says it does: ", "It leaves you a choice: "),
        (0.57, 0.62, "It seems to say it does: ", "It seems to leave you a choice: "),
        (0.503, 0.49, "It may say it does: ", "It may leave you a choice: "),
    ],
)
def test_a_yes_is_told_as_surely_as_it_is_known(first: float, right: float, yes: str, choice: str) -> None:
    got = answer("do you share my data?", scored(0, first))
    assert got.stance_confidence == pytest.approx(right, abs=0.03)
    assert got.summary.startswith(yes)
    assert answer("do you share my data?", scored(0, first), stance="choice").summary.startswith(choice)


def test_where_no_yes_or_no_is_told_there_is_none_to_be_sure_of() -> None:
    assert answer("who gets my data?", scored(0, 0.9)).stance_confidence is None
    assert answer("do you share my data?", scored(0, 0.01)).stance_confidence is None


def test_nothing_to_show_is_silence() -> None:
    assert answer("do you share my data?").verdict is Verdict.SILENT


def test_both_sides_are_named_where_it_depends() -> None:
    first, second = answer("do you?", scored(0, 0.9), scored(1, 0.8), stance="mixed").evidence
    yes, again, no = (
        replace(first, stance=Stance.YES),
        replace(second, stance=Stance.YES),
        replace(second, stance=Stance.NO),
    )
    assert summary("do you?", Stance.MIXED, None, (yes, again)) == "It depends: “Sentence 0 says so”."
    both = "It depends: “Sentence 0 says so”; but also “Sentence 1 says so”."
    assert summary("do you?", Stance.MIXED, None, (yes, no)) == both
    assert summary("do you?", Stance.MIXED, None, (yes, replace(yes), no)) == both


def test_why_do_you_is_not_what_a_yes_answers() -> None:
    first = answer("who gets my data?", scored(0, 0.9)).evidence
    assert summary("why do you need it and can I say no", Stance.YES, None, first).startswith("It says you can: ")


def test_the_same_words_are_not_quoted_as_both_sides() -> None:
    text = "We share your name."
    one = Evidence(Sentence(0, 0, BlockKind.PARAGRAPH, 0, len(text), text), (0, 18), 0.9, stance=Stance.YES)
    assert (
        summary("do you?", Stance.MIXED, None, (one, replace(one, stance=Stance.NO)))
        == "It depends: “We share your name”."
    )


def test_words_that_lead_to_both_sides_are_quoted_once() -> None:
    lead_in, texts = "We share your name:", ("with banks if you agree.", "not with shops or brokers.")
    items = [Sentence(n, 0, BlockKind.ITEM, 0, len(t), t, lead_in=lead_in) for n, t in enumerate(texts)]
    yes, no = (
        Evidence(item, (0, len(item.text)), 0.9, stance=stance)
        for item, stance in zip(items, (Stance.YES, Stance.NO), strict=True)
    )
    both = "It depends: “We share your name: with banks if you agree”; but also “… not with shops or brokers”."
    assert summary("do you?", Stance.MIXED, None, (yes, no)) == both
    lead = Evidence(Sentence(2, 0, BlockKind.PARAGRAPH, 0, len(lead_in), lead_in), (0, 18), 0.9, stance=Stance.YES)
    assert summary("do you?", Stance.MIXED, None, (lead, no)).endswith(
        "name: …”; but also “… not with shops or brokers”."
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("do u sell my data", True),
        ("is it safe?", True),
        ("so can i opt out", True),
        ("When I write to you, do you keep my message?", True),
        ("what about my contacts, do they get them", True),
        ("who do you sell to", False),
        ("how long do you keep it?", False),
        ("when do you delete it, can you say", False),
        ("location sharing", False),
    ],
)
def test_yes_no_questions(text: str, expected: bool) -> None:
    assert is_yes_no(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("how long do you keep it?", True),
        ("who do you sell to", True),
        ("until when is it kept", True),
        ("you keep it till when?", True),
        ("do you sell it", False),
        ("when I leave, are my photos deleted", False),
        ("location sharing", False),
    ],
)
def test_open_questions(text: str, expected: bool) -> None:
    assert is_open(text) is expected


def test_weights_name_their_features() -> None:
    one = {"features": ["a", "b"], "outcomes": ["yes"], "weights": [[1, 2]], "bias": [0]}
    names = ("quoted", "helps", "quoted_together", "helps_together", "kind", "stance", "right")
    stored: dict[str, object] = dict.fromkeys(names, one)
    assert parse(stored).quoted.chance({"a": 1.0, "b": -0.5}) == pytest.approx(0.5)
    with pytest.raises(KeyError):
        parse(stored).quoted.chance({"a": 1.0})
