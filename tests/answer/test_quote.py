from __future__ import annotations

import pytest

from smallprint.answer.quote import ALOUD, denies, marked, quote
from smallprint.records import BlockKind, Evidence, Sentence


def evidence(text: str, words: str) -> Evidence:
    at = text.index(words)
    return Evidence(Sentence(0, 0, BlockKind.PARAGRAPH, 0, len(text), text), (at, at + len(words)), 0.9)


@pytest.mark.parametrize(
    ("text", "words", "quoted"),
    [
        ("As you visit, our site sets cookies on visits, always.", "cookies", "our site sets cookies on visits"),
        (
            "We may share it with partners (for ads).",
            "may share it with partners",
            "We may share it with partners (for ads)",
        ),
        ("Ads, cookies, pixels, tags and logs: all of it.", "cookies", "cookies, pixels, tags and logs"),
        ("We sell, yes.", "yes", "We sell, yes"),
        ("Cookies", "Cookies", "Cookies"),
    ],
)
def test_a_word_or_two_are_quoted_with_the_clause_they_stand_in(text: str, words: str, quoted: str) -> None:
    assert quote(evidence(text, words)) == quoted


@pytest.mark.parametrize(
    ("text", "words", "quoted"),
    [
        (
            "Write to us at a@b.example We will not sell, distribute or lease your data to third parties.",
            "distribute or lease your data",
            "We will not sell, distribute or lease your data to third parties",
        ),
        ("We don’t sell or rent your name.", "rent your name", "We don’t sell or rent your name"),
        (
            "If you think that shop.example has not kept its word, please write to us.",
            "please write to us",
            "If you think that shop.example has not kept its word, please write to us",
        ),
        (
            "Still, this is no warranty that your data may not be seen by others.",
            "be seen by others",
            "this is no warranty that your data may not be seen by others",
        ),
        (
            "x'" * 100_000 + "y we do not sell or rent your own name.",
            "rent your own name",
            "we do not sell or rent your own name",
        ),
        ("Not now: we share your name with partners.", "share your name with", "we share your name with partners"),
        ("We do not: (a) sell your personal data; (b) rent it.", "sell your personal data", None),
        ("We never do the following: sell your own data.", "sell your own data", None),
        ("None of your data is sold to third parties.", "your data is sold to third parties", None),
        (
            "We share your personal data with nobody.",
            "share your personal data",
            "We share your personal data with nobody",
        ),
        ("We give your own data to no one, and use cookies.", "give your own data", "We give your own data to no one"),
        (
            "We use it (not for ads) to send you offers.",
            "to send you offers",
            "We use it (not for ads) to send you offers",
        ),
    ],
)
def test_no_denial_is_left_behind(text: str, words: str, quoted: str | None) -> None:
    """None: all of it up to the end of the words."""
    assert quote(evidence(text, words)) == (quoted or text[: text.index(words) + len(words)])


@pytest.mark.parametrize(
    ("text", "words", "quoted"),
    [
        (
            "We may also collect device data, such as location.",
            "We may also collect",
            "We may also collect device data",
        ),
        (
            "If you no longer want letters, such wishes are heeded.",
            "If you no longer want letters",
            "If you no longer want letters, such wishes are heeded",
        ),
        (
            "We share it with firms, including but never only banks.",
            "including but never only banks",
            "We share it with firms, including but never only banks",
        ),
        (
            "Your account will enter a frozen (read-only, for now) state, and no more.",
            "frozen",
            "Your account will enter a frozen (read-only, for now) state",
        ),
        ("We may collect some data – such as names – from you.", "may collect some data", "We may collect some data"),
        ("We use cookies (we do this for ads, and only there).", "do this for ads", "we do this for ads"),
        ("We store it, and share your name with partners.", "your name with partners", "share your name with partners"),
        (
            "Changes are posted on this page and, often, by mail.",
            "posted on this page and",
            "Changes are posted on this page",
        ),
        ("Example, Inc. does not sell your name.", "does not sell your name", "Example, Inc. does not sell your name"),
        (
            "There are cookies of others, that may read your clicks, too.",
            "that may read your clicks",
            "There are cookies of others, that may read your clicks",
        ),
        (
            "We will tell the police about you as we, in our sole opinion, find right.",
            "tell the police about you",
            "We will tell the police about you as we, in our sole opinion, find right",
        ),
        (
            "What you write may, in some cases, be read by your employer, too.",
            "be read by your employer",
            "What you write may, in some cases, be read by your employer",
        ),
        (
            "We do not share it unless one of these applies:",
            "We do not share it",
            "We do not share it unless one of these applies: …",
        ),
    ],
)
def test_what_is_quoted_makes_a_sentence(text: str, words: str, quoted: str) -> None:
    assert quote(evidence(text, words)) == quoted


@pytest.mark.parametrize(
    ("text", "words", "quoted"),
    [
        (
            "We do not collect data from anyone, including children, except to run the site.",
            "We do not collect data from anyone, including children",
            "We do not collect data from anyone, including children, except to run the site",
        ),
        (
            "We will not sell your data to anyone unless you agree, as said above.",
            "We will not sell your data to anyone unless",
            "We will not sell your data to anyone unless you agree",
        ),
        (
            "We do not train on your text unless: (1) it is flagged (as spam, say), (2) you ask.",
            "We do not train on your text",
            "We do not train on your text unless: (1) it is flagged (as spam, say)",
        ),
        (
            "We do not train on your text unless: (1) it is flagged as spam, (2) you ask.",
            "it is flagged as spam",
            "We do not train on your text unless: (1) it is flagged as spam",
        ),
        (
            "Unless you refuse, our site sets cookies on visits, always.",
            "cookies",
            "Unless you refuse, our site sets cookies on visits",
        ),
        (
            "With your prior consent, we share your name with banks.",
            "share your name with banks",
            "With your prior consent, we share your name with banks",
        ),
        (
            "We may sell your list of friends, provided that the buyer keeps these promises, to anyone.",
            "sell your list of friends",
            "We may sell your list of friends, provided that the buyer keeps these promises",
        ),
        (
            "We share it with helpers, but only for what they do for us.",
            "share it with helpers",
            "We share it with helpers, but only for what they do for us",
        ),
        (
            "We never share it except where you agree, or if we must, in court.",
            "We never share it except where you agree",
            "We never share it except where you agree, or if we must",
        ),
    ],
)
def test_no_exception_is_left_behind(text: str, words: str, quoted: str) -> None:
    assert quote(evidence(text, words)) == quoted


@pytest.mark.parametrize(
    "text",
    [
        "We collect it in ways including, but not limited to, when you visit.",
        "We not only look, we share it when you visit.",
        "We keep it safe no matter where it is, when you visit.",
    ],
)
def test_words_that_deny_nothing_are_no_denial(text: str) -> None:
    assert marked(evidence(text, "when you visit")) == "when you visit"
    assert not denies(text)


def test_an_open_question_gets_the_bare_words() -> None:
    assert marked(evidence("We keep logs for 12 months, not more.", "12 months,")) == "12 months"


def test_an_open_question_gets_the_exception_too() -> None:
    text = "Logs are deleted in 30 days – unless we have to keep them – and never read."
    assert marked(evidence(text, "30 days")) == "30 days – unless we have to keep them"


def test_what_has_no_words_is_quoted_whole() -> None:
    assert marked(evidence("We share it.", ".")) == "We share it."


def test_an_open_question_is_not_answered_with_what_is_denied() -> None:
    denied = evidence("We never share your list with advertisers or others.", "advertisers or others")
    assert marked(denied) == "We never share your list with advertisers or others"


def item(text: str, lead_in: str, kind: BlockKind = BlockKind.ITEM) -> Evidence:
    return Evidence(Sentence(0, 0, kind, 0, len(text), text, lead_in=lead_in), (0, len(text)), 0.9)


def test_an_item_is_quoted_with_the_words_that_lead_to_it() -> None:
    brokers = item("data brokers.", "We do not share your information with:")
    assert marked(brokers) == quote(brokers) == "We do not share your information with: data brokers"
    assert marked(item("We do.", "Sharing:", BlockKind.PARAGRAPH)) == "We do"


@pytest.mark.parametrize(
    "text", ["if, " * 50_000, "(a, b) " * 30_000 + ", we share it with them", "which, " * 30_000 + "we do"]
)
def test_a_page_made_to_be_slow_is_quoted_in_part(text: str) -> None:
    """Within a second or two: clause by clause over and over, each of these would take hours."""
    end = len(text.rstrip())
    assert len(quote(Evidence(Sentence(0, 0, BlockKind.PARAGRAPH, 0, end, text), (end - 5, end), 0.9))) <= ALOUD


FAR = "of this and that " * 12_000


@pytest.mark.parametrize(
    ("text", "words", "quoted"),
    [
        (f"We will never sell {FAR}or rent your own name.", "rent your own name", "We will never sell of this"),
        (f"{FAR}we never sell {FAR}or rent your own name.", "rent your own name", "we never sell of this"),
        (f"The firms {FAR}do not get {FAR}your name", "your name", "that do not "),
        (f"We share your name {FAR}with nobody.", "share your name", "… that with nobody"),
        (f"We share {FAR}.", f"We share {FAR}", "We share of this"),
        (f"We share {FAR}with nobody {FAR}.", f"We share {FAR}with nobody", "… that with nobody …"),
        (f"We share your name with {FAR}, to nobody {FAR}.", f"your name with {FAR}, to", "… nobody of this"),
        (f"{'x' * 200_000} not sell {FAR}your name.", "your name", "x not … your name"),
        (f"We {'x' * 200_000}n't sell {FAR}your name.", "your name", "xn't … your name"),
        (f"{FAR}–", "–", "of this and that of this"),
    ],
)
def test_a_sentence_without_end_is_quoted_in_part_with_what_denies_it(text: str, words: str, quoted: str) -> None:
    long = evidence(text, words)
    for line in (quote(long), marked(long)):
        assert len(line) <= ALOUD
        assert quoted in line
        assert denies(line) == denies(text)


def test_words_are_quoted_with_the_denial_that_leads_to_them_however_long_it_is() -> None:
    brokers = item("data brokers.", f"These get {FAR}and never {FAR}your name:")
    assert len(quote(brokers)) <= ALOUD
    assert quote(brokers).startswith("These get of this")
    assert quote(brokers).endswith("and never … data brokers")
