"""Questions in other words: every rule's own example, parts of speech, and Apertium where it is installed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from smallprint.bench.published import paraphrase
from smallprint.bench.published.paraphrase import Rule, all_rules, back_translated, near_words, one_rule, paraphrases


@pytest.mark.parametrize("rule", paraphrase.rules(), ids=lambda rule: rule.words)
def test_a_rule_does_what_its_example_says(rule: Rule) -> None:
    assert rule.apply(rule.asked) == rule.said


def test_there_are_enough_rules_and_no_two_for_the_same_words() -> None:
    words = [rule.words.lower() for rule in paraphrase.rules()]
    assert len(words) >= 60
    assert len(set(words)) == len(words)


def test_rules_see_whole_words_only() -> None:
    rule = Rule("me", "the user", "", "")
    assert rule.apply("Tell ME some memes, me.") == "Tell the user some memes, the user."
    assert rule.apply("me's") == "me's"


def test_one_rule_at_a_time_and_all_at_once() -> None:
    assert "do you keep the user's gps?" in one_rule("do you keep my gps?")
    assert "do you retain my gps?" in one_rule("do you keep my gps?")
    assert all_rules("do you keep my gps?") == ["do we retain the user's precise location?"]


def test_all_rules_add_nothing_where_one_says_it_all() -> None:
    assert one_rule("is spam sent?") == ["is marketing communications sent?"]
    assert all_rules("is spam sent?") == []


def test_a_rule_does_not_rewrite_what_another_wrote() -> None:
    assert all_rules("may they save photos and keep pics?") == [
        "may we store images and content and retain photographs?"
    ]


def test_near_words_keep_the_part_of_speech() -> None:
    pytest.importorskip("HanTa")
    said = near_words("do you share cookies?")
    assert said
    assert all(one.startswith("do you ") and one.endswith("?") for one in said)
    changed = [one.removesuffix("?").split()[2:] for one in said]
    assert all((verb == "share") != (noun == "cookies") for verb, noun in changed)
    for verb, noun in changed:
        assert verb == "share" or paraphrase._tag(verb) == "V"
        assert noun == "cookies" or paraphrase._tag(noun) == "N"


def test_nothing_to_say_about_nothing() -> None:
    pytest.importorskip("HanTa")
    assert paraphrases("") == []
    assert paraphrases("???") == []


def test_each_paraphrase_comes_once_and_never_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    same = {"a": lambda _: ["Is it  kept?", "is it held?"], "b": lambda _: ["IS IT HELD?", "", "is it stored?"]}
    monkeypatch.setattr(paraphrase, "METHODS", same)
    assert paraphrases("is it kept?") == ["is it held?", "is it stored?"]


def test_without_apertium_nothing_is_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paraphrase, "can_translate", lambda: False)
    assert back_translated("do you sell data?") == []


def test_a_translator_is_called_without_a_shell(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake = tmp_path / "apertium"
    fake.write_text('#!/bin/sh\nif [ "$1" = "-l" ]; then echo eng-spa; echo spa-eng; else echo "$4:$(cat)"; fi\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    paraphrase.can_translate.cache_clear()
    try:
        assert back_translated("who; $(echo sees) it?") == ["spa-eng:eng-spa:who; $(echo sees) it?"]
        monkeypatch.setattr(paraphrase, "SECONDS", 0.2)
        fake.write_text("#!/bin/sh\nexec sleep 30\n")
        assert back_translated("who sees it?") == []
    finally:
        paraphrase.can_translate.cache_clear()


@pytest.mark.skipif(not paraphrase.can_translate(), reason="no Apertium with English and Spanish is installed")
def test_apertium_says_it_another_way() -> None:
    said = back_translated("Do you share my personal information with other companies?")
    assert all(isinstance(one, str) and one for one in said)
    done = subprocess.run(["apertium", "eng-spa"], input="information", capture_output=True, text=True, check=True)
    assert done.stdout.strip() != "information"
