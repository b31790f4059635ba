from __future__ import annotations

from made import collects, group, norms, practice, reading

from smallprint.norms.ambiguity import ambiguity

KIN = norms(all=group(100, {}, vague=0.3)).kin("all")


def test_vague_practices_come_first_their_words_marked() -> None:
    text = reading(
        "We may share certain data from time to time. We may sell some of it. We share your name.",
        "We collect your name. We collect your age. We collect your email.",
    )
    made = ambiguity(text, (practice(0, "third"), collects(1, "Contact")), KIN)
    shared, collected = made.practices
    assert (shared.name, shared.vague, shared.sentences) == ("Whom it shares with", 2, 3)
    assert (collected.vague, collected.share, collected.usual, collected.of) == (0, 0.0, 0.3, 100)
    assert shared.usual is None  # too few describe it
    worst = shared.worst[0]
    assert [worst.sentence.text[a:b] for a, b in worst.words][:2] == ["may", "certain"]
    assert (made.share, made.usual, made.of) == (0.3333, 0.3, 100)


def test_a_date_in_may_is_not_vague() -> None:
    made = ambiguity(reading("It changed on 5 May 2021."), (practice(0, "policy_change"),), KIN)
    assert made.practices[0].worst == ()
