from __future__ import annotations

import pytest

from smallprint.errors import QueryError
from smallprint.index.query import And, Near, Or, Word
from smallprint.index.stance import SentenceStance
from smallprint.norms.needs import hedges, missing, need_of, queries, states


@pytest.mark.parametrize(
    ("text", "denied", "question"),
    [
        ("doesn't share my location with advertisers", True, "Do you share my location with advertisers?"),
        ("doesn’t sell my data", True, "Do you sell my data?"),
        ("does not track me", True, "Do you track me?"),
        ("Find a bank that never sells my data.", True, "Do you sell my data?"),
        ("no cookies", True, "Do you use cookies?"),
        ("services without ads", True, "Do you use ads?"),
        ("stores passwords in encrypted form", False, "Do you store passwords in encrypted form?"),
        ("stores that never share my name", True, "Do you share my name?"),
        ("a shop which will not keep my card number", True, "Do you keep my card number?"),
        ("lets me delete my account", False, "Do you let me delete my account?"),
        ("honours Do Not Track signals", False, "Do you honour do not track signals?"),
        ("asks me before it uses my photos", False, "Do you ask me before you use my photos?"),
        ("has a data protection officer", False, "Do you have a data protection officer?"),
        ("encrypts my data on its way", False, "Do you encrypt my data on its way?"),
        ("notifies me of changes to its policy", False, "Do you notify me of changes to your policy?"),
    ],
)
def test_a_need_becomes_a_question_and_what_is_wanted(text: str, denied: bool, question: str) -> None:
    need = need_of(text)
    assert need.question == question
    assert need.wants is (SentenceStance.DOES_NOT if denied else SentenceStance.DOES)


@pytest.mark.parametrize("text", ["", "   ", "does not", "?!", "find a policy that"])
def test_a_need_for_nothing_is_told(text: str) -> None:
    with pytest.raises(QueryError, match="Say what the policy should"):
        need_of(text)


def test_the_name_of_the_signal_is_no_denial() -> None:
    assert need_of("honours Do Not Track signals").claims == ()


def test_words_that_mean_the_same_are_one_concept() -> None:
    need = need_of("doesn't share my location with advertisers")
    assert [group[0] for group in need.concepts] == ["share", "location", "advertisers"]
    assert "gps" in need.concepts[1]
    assert [claim.act for claim in need.claims] == ["share"]


def test_concepts_that_a_sentence_does_not_meet() -> None:
    need = need_of("doesn't share my location with advertisers")
    assert missing(need, "We do not disclose GPS data to ad networks.") == ()
    assert [group[0] for group in missing(need, "We do not disclose your name to advertisers.")] == ["location"]


def test_what_is_looked_for_goes_from_strict_to_loose() -> None:
    need = need_of("doesn't share my location with advertisers")
    denying, every, *loose = queries(need, denied=True)
    assert isinstance(denying, And)
    assert isinstance(denying.parts[0], Or)
    assert Near(Word("not"), Word("share"), 3) in denying.parts[0].parts
    assert isinstance(every, And)
    assert len(every.parts) == 3
    assert [len(query.parts) for query in loose if isinstance(query, And)] == [2, 2, 2]
    assert len(queries(need, denied=False)) == 4


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("We share your location.", True),
        ("Do we share your location?", False),
        ("DO WE COLLECT INFORMATION FROM CHILDREN?", False),
        ("(b) How We Respond to Do Not Track Signals", False),
        ("What we collect", False),
        ("For more information about cookies, see our notice.", False),
        ("Please see our cookie notice.", False),
        ("When you close your account, we delete it.", True),
        ("However, we never sell it.", True),
    ],
)
def test_questions_headings_and_signposts_state_nothing(text: str, does: bool) -> None:
    assert states(text) is does


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("We may notify you by email.", True),
        ("We will tell you by email and/or a notice.", True),
        ("We will tell you by email or by posting a notice.", True),
        ("You may delete your account.", False),
        ("We will notify you by email.", False),
    ],
)
def test_hedges(text: str, does: bool) -> None:
    assert hedges(text) is does
