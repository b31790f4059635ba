from __future__ import annotations

from made import collects, practice, reading

from smallprint import taxonomy
from smallprint.norms.traits import Said, traits, traits_of
from smallprint.records import Stance


def said(*paragraphs: str, practices: tuple[object, ...] = ()) -> dict[str, Said]:
    return {one.trait.key: one for one in traits_of(reading(*paragraphs), practices)}  # type: ignore[arg-type]


def test_every_trait_has_its_words() -> None:
    assert len(traits()) > 70
    for key, trait in traits().items():
        assert key == f"{trait.group}/{key.split('/')[1]}"
        assert "{" not in trait.does + trait.denies + trait.leaves + trait.asks
        assert trait.asks.endswith("?")
        assert trait.says(Stance.NO) == trait.denies
        assert taxonomy.category(trait.category).key == trait.category


def test_what_is_said_is_read_from_the_sentence_that_shows_it() -> None:
    found = said(
        "We collect your location.",
        "We do not collect health data.",
        "You may choose not to give us your phone number.",
        practices=(collects(0, "Location"), collects(1, "Health"), collects(2, "Contact")),
    )
    assert found["collects/location"].stance is Stance.YES
    assert found["collects/health"].stance is Stance.NO
    assert found["collects/contact"].stance is Stance.CHOICE


def test_yes_and_no_together_are_both_and_the_sentences_stay() -> None:
    found = said(
        "We collect your location.",
        "We do not collect your location.",
        practices=(collects(0, "Location"), collects(1, "Location")),
    )
    assert found["collects/location"].stance is Stance.MIXED
    assert set(found["collects/location"].sentences) == {0, 1}


def test_a_category_is_spoken_of_though_no_value_holds() -> None:
    found = said("We keep things.", practices=(practice(0, "dataretention"),))
    assert found["speaks/dataretention"].sentences == (0,)


def test_the_sale_of_data_is_told_from_the_sale_of_a_company() -> None:
    assert said("We may sell your personal information to data brokers.")["sells/data"].stance is Stance.YES
    assert said("We do not sell your personal information.")["sells/data"].stance is Stance.NO
    assert "sells/data" not in said("If we sell assets of our company, your personal information may be transferred.")
    assert "sells/data" not in said("We sell garden furniture.")


def test_tracking_is_told_by_name() -> None:
    found = said("Hello.", "We do not use cookies on this site.")
    assert found["tracks/cookies"].stance is Stance.NO
    assert found["tracks/cookies"].sentences == (1,)
