from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from smallprint.dialogue.followups import is_about_data, is_question, resolve, thing

SELL = "Do you sell my location?"
SHARE = "Who do you share my health data with?"
ADS = "Do you share my data with advertisers?"
KEEP = "How long do you keep recordings?"
COOKIES = "Do you use cookies?"


@pytest.mark.parametrize(
    ("last", "said", "meant"),
    [
        # another kind of data
        (SELL, "and my contacts?", "Do you sell my contacts?"),
        (SELL, "and photos?", "Do you sell my photos?"),
        (SELL, "what about my messages", "Do you sell my messages?"),
        (SELL, "my messages too?", "Do you sell my messages?"),
        (SELL, "email address?", "Do you sell my email address?"),
        (SELL, "or my date of birth?", "Do you sell my date of birth?"),
        (SELL, "and my dog's vet records?", "Do you sell my dog's vet records?"),
        (SELL, "ok, and how about my health data then?", "Do you sell my health data?"),
        (SELL, "same for browsing history?", "Do you sell my browsing history?"),
        (SHARE, "and my contacts?", "Who do you share my contacts with?"),
        (SHARE, "what about my steps", "Who do you share my steps with?"),
        (KEEP, "and photos?", "How long do you keep my photos?"),
        ("Do you collect fingerprints?", "and my face?", "Do you collect my face?"),
        ("What about my data?", "my location", "What about my location?"),
        # other people
        (SELL, "what about children?", "Do you sell children's location?"),
        (SELL, "and kids", "Do you sell kids' location?"),
        (SELL, "what about my son?", "Do you sell my son's location?"),
        ("Do you sell children's location?", "and my contacts?", "Do you sell my contacts?"),
        ("do you track me?", "how about my kids?", "Do you track my kids?"),
        ("Can you tell me if you sell my photos?", "and children?", "Can you tell me if you sell children's photos?"),
        ("Do you let me delete my photos?", "and kids?", "Do you let me delete kids' photos?"),
        ("Can you show me what you know about me?", "and kids?", "Can you show me what you know about kids?"),
        ("Let me know whether you collect location", "and kids?", "What do you do about kids?"),
        ("Do you show me ads?", "and kids?", "Do you show kids ads?"),
        # others who get it
        (SELL, "what about google?", "Do you sell my location to google?"),
        (SELL, "and insurers?", "Do you sell my location to insurers?"),
        (ADS, "and the police?", "Do you share my data with the police?"),
        (ADS, "what about my boss?", "Do you share my data with my boss?"),
        (SHARE, "insurers?", "Do you share my health data with insurers?"),
        ("How long do you keep my location?", "and advertisers?", "Do you share my location with advertisers?"),
        ("Do you share my bank details?", "and advertisers?", "Do you share my bank details with advertisers?"),
        ("Do you sell government ID?", "and insurers?", "Do you sell government ID to insurers?"),
        ("Do you store my family photos?", "to advertisers?", "Do you share my family photos with advertisers?"),
        ("Does Google give my data to banks?", "and insurers?", "Does Google give my data to insurers?"),
        ("Do you share my vet records with my bank?", "and google?", "Do you share my vet records with google?"),
        ("Do you share my vet records with my family?", "and google?", "Do you share my vet records with google?"),
        # phrases
        (SELL, "to advertisers?", "Do you sell my location to advertisers?"),
        ("How long do you keep my contacts?", "to advertisers?", "Do you share my contacts with advertisers?"),
        ("Do you collect my contacts?", "with advertisers?", "Do you share my contacts with advertisers?"),
        ("Do you share my contacts?", "with advertisers?", "Do you share my contacts with advertisers?"),
        (ADS, "with banks?", "Do you share my data with banks?"),
        (ADS, "not even with google?", "Do you share my data with google?"),
        (SELL, "for marketing?", "Do you sell my location for marketing?"),
        (SELL, "in europe?", "Do you sell my location in europe?"),
        (SELL, "without my consent?", "Do you sell my location without my consent?"),
        (SELL, "without telling me?", "Do you sell my location without telling me?"),
        ("do you track me?", "and at night?", "Do you track me at night?"),
        (SELL, "if i'm a kid?", "Do you sell my location if I'm a kid?"),
        (SELL, "even if I delete my account?", "Do you sell my location if I delete my account?"),
        (SELL, "when the app is closed?", "Do you sell my location when the app is closed?"),
        ("You don't sell my location, right?", "to advertisers?", "You don't sell my location to advertisers?"),
        ("You sell my location, don’t you?", "in europe?", "You sell my location in europe?"),
        # bare question words
        (SELL, "who to?", "Who gets my location?"),
        (SELL, "to whom?", "Who gets my location?"),
        (SELL, "who else?", "Who else gets my location?"),
        (SELL, "how long?", "How long do you keep my location?"),
        ("is my data stored safely?", "for how long?", "How long do you keep my data?"),
        (SELL, "and where?", "Where do you store my location?"),
        (SELL, "what for?", "What do you use my location for?"),
        (SELL, "how?", "How do you sell my location?"),
        (SELL, "can i opt out?", "Can I opt out when you sell my location?"),
        ("Do you collect fingerprints?", "can I refuse?", "Can I say no when you collect fingerprints?"),
        ("Can I export my data?", "how?", "How do I export my data?"),
        ("can i opt out of what i get by email?", "and how exactly?", "How do I opt out of what I get by email?"),
        ("Do I have to give my name?", "where?", "Where do I give my name?"),
        ("What do I get if you sell my data?", "how often?", "How often do you get my data?"),
        # pronouns
        (SELL, "do you keep it?", "Do you keep my location?"),
        (SELL, "and do you share it with the police?", "Do you share my location with the police?"),
        (SELL, "do you share it with my bank?", "Do you share my location with my bank?"),
        (SELL, "is it encrypted?", "Is my location encrypted?"),
        (SELL, "can i delete it", "Can I delete my location?"),
        (SELL, "what do you do with it?", "What do you do with my location?"),
        (SELL, "and keep it?", "Do you keep my location?"),
        (SELL, "who are you sharing it with?", "Who are you sharing my location with?"),
        (SHARE, "why do they need it?", "Why do they need my health data?"),
        (SHARE, "where is it stored?", "Where is my health data stored?"),
        (SHARE, "is that data sold?", "Is my health data sold?"),
        (SHARE, "how do I get rid of it?", "How do I get rid of my health data?"),
        (KEEP, "and who sees them?", "Who sees recordings?"),
        (KEEP, "is it encrypted?", "Are recordings encrypted?"),
        (COOKIES, "can I block them?", "Can I block cookies?"),
        # a topic of its own
        (SELL, "what about cookies?", "What do you do about cookies?"),
        (SELL, "and data breaches?", "What do you do about data breaches?"),
        (SELL, "how about refunds", "What do you do about refunds?"),
    ],
)
def test_what_is_left_out_is_filled_in(last: str, said: str, meant: str) -> None:
    assert resolve(said, last) == meant


@pytest.mark.parametrize(
    "said",
    [
        "Do you use cookies?",
        "how long do you keep my messages?",
        "who can see my photos",
        "does it say anything about ads?",
        "is it safe to use this app?",
        "is it true that you sell data?",
        "is it safe for kids?",
        "If I upload a photo, do you keep it?",
        "when I delete the app, is it erased?",
        "can I see my messages and delete them?",
        "do you read that much?",
        "I want to know who gets my email",
        "tell me whether you record calls",
        "what is it",
        "who are they?",
        "are they allowed to do that?",
        "And do you sell my contacts?",
        "what about the emails I sent last year, do you still have my messages?",
        "well-being data?",
        "so-called metadata?",
        "and then?",
        "ok",
        "and?",
        "northwind",
        "gdpr",
        "children under 13 policy",
        "",
        "???",
    ],
)
def test_what_stands_by_itself_is_left_alone(said: str) -> None:
    assert resolve(said, SELL) == said


@pytest.mark.parametrize("said", ["how long?", "who to?", "is it sold?", "can i opt out?"])
def test_nothing_is_filled_in_where_the_question_before_names_nothing(said: str) -> None:
    assert resolve(said, "Are you based in Europe?") == said


@given(st.text(max_size=120), st.text(max_size=120))
@example("\x1f", "")
def test_any_two_texts_can_follow_each_other(said: str, last: str) -> None:
    assert isinstance(resolve(said, last), str)


def test_the_thing_of_a_question() -> None:
    assert thing("is my stuff ok") == "my stuff"
    assert thing("Do you set cookies on my phone") == "my phone"
    assert thing("do you set cookies") == "cookies"
    assert thing("are you there") == ""


def test_data_is_no_name_and_a_name_no_question() -> None:
    assert is_about_data("my contacts")
    assert is_about_data("cookies")
    assert not is_about_data("Northwind Bank")
    assert is_question("what do you keep")
    assert not is_question("Northwind Bank")
