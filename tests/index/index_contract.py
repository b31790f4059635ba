"""What every search engine behind the protocol must do. Inherit `IndexContract`, give it a `make` fixture.

Policies are small enough to check counts and scores by hand.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import pytest

from smallprint.errors import QueryError
from smallprint.index.document import IndexDocument, IndexSentence
from smallprint.index.language import parse
from smallprint.index.protocol import FACETS, Filters, Hit, Index, Page, Request, Sort, Unit
from smallprint.index.ranking import IDF_FLOOR
from smallprint.index.searching import everything, search
from smallprint.index.stance import SentenceStance
from smallprint.records import Facets

Make = Callable[[], Index]

ACME: Final = IndexDocument(
    id="acme",
    text="We collect your phone number.\nWe do not sell your phone number to anyone. Photos stay private.",
    service="Acme",
    title="Acme Privacy Policy",
    url="https://www.acme.com/legal/privacy",
    date="2021-03-04",
    p_policy=0.9,
    popularity=100.0,
    words=17,
    facets=Facets(sector="medical", grade=9.0, vagueness=0.1, regulations=("GDPR", "CCPA"), tracking=("cookies",)),
    sentences=(
        IndexSentence(0, "We collect your phone number.", SentenceStance.DOES),
        IndexSentence(1, "We do not sell your phone number to anyone.", SentenceStance.DOES_NOT),
        IndexSentence(2, "Photos stay private.", SentenceStance.DOES),
    ),
)
BOLT: Final = IndexDocument(
    id="bolt",
    text="The number of visits is counted. You may phone us. We sell photos and share photos with partners.",
    service="Bolt",
    title="Bolt: how we use data",
    url="https://help.bolt.co.uk/data",
    date="2019",
    p_policy=0.5,
    popularity=1000.0,
    words=18,
    facets=Facets(sector="finance", grade=13.5, vagueness=0.4, regulations=("GDPR",), tracking=("cookies", "logs")),
    sentences=(
        IndexSentence(0, "The number of visits is counted.", SentenceStance.DOES),
        IndexSentence(1, "You may phone us.", SentenceStance.CHOICE),
        IndexSentence(2, "We sell photos and share photos with partners.", SentenceStance.DOES),
    ),
)
CORA: Final = IndexDocument(
    id="cora",
    text="Cora encrypts everything. Encryption keys are yours; opt-out is never needed.",
    service="Cora",
    title="Cora privacy",
    url="https://cora.org/privacy",
    date="2023-06",
    page="Home Shop Careers Cora encrypts everything. Encryption keys are yours. Photos of our team",
    words=11,
    facets=Facets(sector="medical", grade=7.0, vagueness=0.0, regulations=("CCPA",)),
    others=("Cora Labs",),
    sentences=(
        IndexSentence(0, "Cora encrypts everything.", SentenceStance.DOES),
        IndexSentence(1, "Encryption keys are yours; opt-out is never needed.", SentenceStance.DOES),
    ),
)
OLD_ACME: Final = replace(ACME, id="acme-old", date="2018", newest=False, text="We collect nothing.", sentences=())
# Texts without any of the words asked for, so that those are rare enough to have the classic idf.
PLAIN: Final = tuple(
    IndexDocument(id=f"plain{n}", text="Nothing is kept here.", date="2020-01-01", words=4) for n in range(7)
)
ALL: Final = (ACME, BOLT, CORA, OLD_ACME, *PLAIN)


def ids(page: Page) -> list[str]:
    return [hit.id for hit in page.hits]


class IndexContract:
    @pytest.fixture
    def make(self) -> Make:
        """Opens the same index, empty at first, as often as it is called."""
        raise NotImplementedError

    @pytest.fixture
    def index(self, make: Make) -> Index:
        index = make()
        index.rebuild(ALL)
        return index

    def find(self, index: Index, query: str, **choices: object) -> Page:
        index.refresh()
        return index.search(Request(parse(query), **choices))  # type: ignore[arg-type]

    # What matches

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("phone", {"acme", "bolt"}),
            ("PHONE", {"acme", "bolt"}),
            ("photo", {"acme", "bolt"}),
            ("encryption", {"cora"}),
            ("encrypted", {"cora"}),
            ("phone number", {"acme", "bolt"}),
            ('"phone number"', {"acme"}),
            ('"number phone"', set()),
            ("phone AND partners", {"bolt"}),
            ("private OR encryption", {"acme", "cora"}),
            ("phone NOT partners", {"acme"}),
            ("NOT phone NOT nothing", {"cora"}),
            ("(private OR partners) AND sell", {"acme", "bolt"}),
            ("phone AND (private OR encryption)", {"acme"}),
            ("encr*", {"cora"}),
            ("opt-out", {"cora"}),
            ("sell NEAR/1 photos", {"bolt"}),
            ("photos NEAR/1 sell", {"bolt"}),
            ("sell NEAR/2 phone", {"acme"}),
            ("sell NEAR/1 phone", set()),
            ("sell NEAR/3 number", {"acme"}),
            ("title:privacy", {"acme", "cora"}),
            ("title:acme AND phone", {"acme"}),
            ("url:legal", {"acme"}),
            ("url:data", {"bolt"}),
            ("site:bolt.co.uk", {"bolt"}),
            ("site:help.bolt.co.uk", {"bolt"}),
            ("site:www.acme.com", {"acme"}),
            ("site:acme", set()),
            ("zebra", set()),
            ("*", {"acme", "bolt", "cora", *(p.id for p in PLAIN)}),
        ],
    )
    def test_query(self, index: Index, query: str, found: set[str]) -> None:
        page = self.find(index, query, limit=50)
        assert set(ids(page)) == found
        assert page.total == len(found)

    def test_places(self, index: Index) -> None:
        assert ids(self.find(index, "careers", within="page")) == ["cora"]
        assert ids(self.find(index, "careers")) == []
        assert ids(self.find(index, "legal", within="url")) == ["acme"]
        assert ids(self.find(index, "bolt", within="title")) == ["bolt"]

    def test_older_versions_only_on_demand(self, index: Index) -> None:
        assert ids(self.find(index, "collect nothing")) == []
        assert ids(self.find(index, "collect nothing", every_version=True)) == ["acme-old"]

    # The order

    def score(self, index: Index, query: str, id: str, sort: Sort) -> float:
        return next(hit.score for hit in self.find(index, query, sort=sort, limit=50).hits if hit.id == id)

    @pytest.mark.parametrize("query", ["phone", "phone AND number", "phone number", '"phone number"', "sell OR photos"])
    def test_custom_is_probability_times_relevance_times_popularity(self, index: Index, query: str) -> None:
        for one in (ACME, BOLT):
            if one.id not in ids(self.find(index, query)):
                continue
            relevance = self.score(index, query, one.id, Sort.RELEVANCE)
            custom = self.score(index, query, one.id, Sort.CUSTOM)
            assert custom == pytest.approx(one.p_policy * relevance * math.log10(one.popularity), rel=1e-5)

    def test_relevance_is_bm25_with_the_classic_idf(self, index: Index) -> None:
        # 11 documents of 12, 18, 12 and 3 to 4 words; "sell" stands once in two of them. Lengths up to 40 are
        # stored exactly by every engine.
        documents, containing = len(ALL), 2
        idf = math.log((documents - containing + 0.5) / (containing + 0.5))
        lengths = {one.id: len(_words(one.text)) for one in ALL}
        mean = sum(lengths.values()) / documents
        for one in (ACME, BOLT):
            norm = 1.2 * (1 - 0.75 + 0.75 * lengths[one.id] / mean)
            expected = idf * 2.2 * 1 / (1 + norm)
            assert self.score(index, "sell", one.id, Sort.RELEVANCE) == pytest.approx(expected, rel=1e-4)

    def test_a_word_most_documents_have_counts_little(self, index: Index) -> None:
        everywhere = self.score(index, "nothing", "plain0", Sort.RELEVANCE)
        assert 0 < everywhere <= IDF_FLOOR * 2.2

    def test_words_in_a_row_come_first(self, index: Index) -> None:
        page = self.find(index, "phone number", sort=Sort.RELEVANCE)
        assert ids(page) == ["acme", "bolt"]
        apart = self.find(index, "phone AND number", sort=Sort.RELEVANCE)
        assert page.hits[0].score > apart.hits[0].score
        assert page.hits[1].score == pytest.approx(apart.hits[1].score)

    def test_a_word_near_information_or_data_counts_as_one_more_term(self, index: Index) -> None:
        """Two policies of the same words: one names the firewall beside the data, one far from it."""
        far = "We sell a firewall. " + "Ask us for more about it today. " * 3 + "Your data stays."
        near = "Ask us for more about it today. " * 3 + "We sell a firewall. Your data stays."
        index.upsert([IndexDocument(id="far", text=far), IndexDocument(id="near", text=near)])
        scores = {id: self.score(index, "firewall", id, Sort.RELEVANCE) for id in ("near", "far")}
        documents = len(ALL) + 2
        idf = math.log((documents - 1 + 0.5) / 1.5)
        assert scores["near"] - scores["far"] == pytest.approx(idf, rel=1e-4)
        phrase = [self.score(index, '"firewall"', id, Sort.RELEVANCE) for id in ("near", "far")]
        assert phrase[0] == pytest.approx(phrase[1])

    def test_filters_do_not_score(self, index: Index) -> None:
        plain = self.score(index, "phone", "acme", Sort.CUSTOM)
        page = self.find(index, "phone", filters=Filters({"sector": ("medical",)}, {"grade": (None, 12)}))
        assert page.hits[0].score == pytest.approx(plain)

    @pytest.mark.parametrize(
        ("sort", "order"),
        [
            (Sort.POPULARITY, ["bolt", "acme", "cora"]),
            (Sort.P_POLICY, ["cora", "acme", "bolt"]),
            (Sort.DATE, ["cora", "acme", "bolt"]),
        ],
    )
    def test_sorts(self, index: Index, sort: Sort, order: list[str]) -> None:
        assert ids(self.find(index, "phone OR encryption", sort=sort)) == order

    def test_equals_have_one_order_on_every_page(self, index: Index) -> None:
        for sort in Sort:
            whole = ids(self.find(index, "kept", sort=sort, limit=7))
            singles = [ids(self.find(index, "kept", sort=sort, limit=1, offset=n))[0] for n in range(7)]
            assert singles == whole
            assert set(whole) == {p.id for p in PLAIN}

    # Facets

    def counts(self, page: Page, name: str) -> dict[str, tuple[int, int]]:
        return {v.value: (v.count, v.total) for v in page.facets[name] if v.count or v.selected}

    def test_counts_and_shares(self, index: Index) -> None:
        page = self.find(index, "phone")
        assert self.counts(page, "regulation") == {"GDPR": (2, 2), "CCPA": (1, 2)}
        assert self.counts(page, "sector") == {"medical": (1, 2), "finance": (1, 1)}
        share = next(v.share for v in page.facets["regulation"] if v.value == "CCPA")
        assert share == 0.5
        assert set(page.facets) == set(FACETS)

    def test_ranges_and_years(self, index: Index) -> None:
        page = self.find(index, "phone OR encryption")
        assert self.counts(page, "grade") == {"6–9": (1, 1), "9–12": (1, 1), "12–14": (1, 1)}
        assert self.counts(page, "year") == {"2019": (1, 1), "2021": (1, 1), "2023": (1, 1)}

    def test_values_of_one_facet_are_alternatives(self, index: Index) -> None:
        both = Filters({"sector": ("medical", "finance")})
        assert set(ids(self.find(index, "*", filters=both))) == {"acme", "bolt", "cora"}

    def test_facets_narrow_each_other(self, index: Index) -> None:
        chosen = Filters({"sector": ("medical",), "regulation": ("GDPR",)})
        assert ids(self.find(index, "*", filters=chosen)) == ["acme"]

    def test_a_facet_ignores_its_own_choice_and_obeys_the_others(self, index: Index) -> None:
        page = self.find(index, "*", filters=Filters({"regulation": ("CCPA",)}, {"grade": (None, 10)}))
        assert set(ids(page)) == {"acme", "cora"}
        assert self.counts(page, "regulation") == {"CCPA": (2, 2), "GDPR": (1, 2)}
        assert [v.value for v in page.facets["regulation"] if v.selected] == ["CCPA"]
        assert self.counts(page, "sector") == {"medical": (2, 2)}

    @pytest.mark.parametrize(
        ("name", "ends", "found"),
        [
            ("grade", (9.0, 13.5), {"acme", "bolt"}),
            ("vagueness", (None, 0.1), {"acme", "cora"}),
            ("vagueness", (0.2, None), {"bolt"}),
            ("words", (12, 18), {"acme", "bolt"}),
            ("date", (20210000, 20219999), {"acme"}),
            ("date", (None, 20199999), {"bolt"}),
        ],
    )
    def test_ranges_include_their_ends(
        self, index: Index, name: str, ends: tuple[float | None, float | None], found: set[str]
    ) -> None:
        page = self.find(index, "phone OR encryption", filters=Filters({}, {name: ends}))
        assert set(ids(page)) == found

    # What a hit shows

    def test_hit(self, index: Index) -> None:
        hit = self.find(index, '"phone number"').hits[0]
        assert (hit.service, hit.title, hit.url) == ("Acme", ACME.title, ACME.url)
        assert (hit.date, hit.words, hit.p_policy, hit.popularity) == ("2021-03-04", 17, 0.9, 100.0)
        assert hit.facets == ACME.facets
        assert self.find(index, "encryption").hits[0].others == ("Cora Labs",)

    def test_snippets_mark_the_words(self, index: Index) -> None:
        hit = self.find(index, "photos").hits[0]
        marked = [s.text[a:b] for s in hit.snippets for a, b in s.marks]
        assert marked
        assert set(marked) <= {"Photos", "photos"}

    def test_best_sentence(self, index: Index) -> None:
        hit = next(h for h in self.find(index, "sell phone number").hits if h.id == "acme")
        assert hit.sentence is not None
        assert hit.sentence.text == "We do not sell your phone number to anyone."

    # Sentences

    def sentences(self, index: Index, query: str, **choices: object) -> list[Hit]:
        return list(self.find(index, query, unit=Unit.SENTENCE, **choices).hits)

    def test_sentences(self, index: Index) -> None:
        hits = self.sentences(index, "sell")
        assert {(h.id, h.number) for h in hits} == {("acme", 1), ("bolt", 2)}
        assert {h.service for h in hits} == {"Acme", "Bolt"}

    def test_all_words_in_one_sentence(self, index: Index) -> None:
        assert [(h.id, h.number) for h in self.sentences(index, "sell phone")] == [("acme", 1)]

    def test_stance(self, index: Index) -> None:
        hits = self.sentences(index, "sell", filters=Filters({"stance": ("does-not",)}))
        assert [(h.id, h.stance) for h in hits] == [("acme", SentenceStance.DOES_NOT)]
        page = self.find(index, "sell OR phone", unit=Unit.SENTENCE, filters=Filters({"stance": ("choice",)}))
        assert self.counts(page, "stance") == {"does": (2, 6), "does-not": (1, 1), "choice": (1, 1)}

    def test_sentences_obey_the_facets_of_their_policy(self, index: Index) -> None:
        hits = self.sentences(index, "photos", filters=Filters({"sector": ("medical",)}))
        assert {h.id for h in hits} == {"acme"}

    # Pages

    def test_pages(self, index: Index) -> None:
        whole = ids(self.find(index, "*", limit=50))
        assert ids(self.find(index, "*", limit=4)) == whole[:4]
        assert ids(self.find(index, "*", limit=4, offset=8)) == whole[8:]
        assert ids(self.find(index, "*", limit=4, offset=40)) == []
        assert self.find(index, "*", limit=4, offset=40).total == len(whole)

    def test_cursor(self, index: Index) -> None:
        request = Request(parse("*"), limit=4)
        seen, cursor = [], None
        while True:
            found = search(index, request, cursor)
            seen += ids(found.page)
            cursor = found.next
            if cursor is None:
                break
        assert seen == ids(self.find(index, "*", limit=50))
        with pytest.raises(QueryError, match="another search"):
            search(index, Request(parse("phone")), search(index, request).next)

    def test_everything(self, index: Index) -> None:
        assert [h.id for h in everything(index, Request(parse("*"), limit=3))] == ids(self.find(index, "*", limit=50))

    def test_hints_name_what_stands_in_the_way(self, index: Index) -> None:
        chosen = Filters({"sector": ("medical",)}, {"vagueness": (0.9, None)})
        hints = search(index, Request(parse("phone"), filters=chosen)).hints
        assert [(h.kind, h.name, h.total) for h in hints] == [("filter", "vagueness", 1)]
        both = Filters({"sector": ("education",)}, {"vagueness": (0.9, None)})
        hints = search(index, Request(parse("phone"), filters=both)).hints
        assert [(h.kind, h.name, h.total) for h in hints] == [("filter", "all", 2)]
        one = search(index, Request(parse("phone"), filters=Filters({"sector": ("education",)}))).hints
        assert [(h.name, h.total) for h in one] == [("sector", 2)]
        words = search(index, Request(parse("phone zebra"))).hints
        assert [(h.kind, h.name, h.total) for h in words] == [("words", "zebra", 2)]

    @pytest.mark.parametrize(
        "choices",
        [
            {"limit": 0},
            {"offset": -1},
            {"within": "nowhere"},
            {"filters": Filters({"colour": ("red",)})},
            {"filters": Filters({}, {"sector": (1, 2)})},
            {"filters": Filters({}, {"grade": (9, 3)})},
            {"filters": Filters({"stance": ("does",)})},
            {"facets": ("colour",)},
        ],
    )
    def test_what_makes_no_sense_is_said(self, index: Index, choices: dict[str, object]) -> None:
        with pytest.raises(QueryError):
            self.find(index, "phone", **choices)

    # Writing

    def test_upsert_replaces(self, index: Index) -> None:
        changed = replace(
            ACME, text="We keep zebras.", sentences=(IndexSentence(0, "We keep zebras.", SentenceStance.DOES),)
        )
        assert index.upsert([changed]) == 1
        assert ids(self.find(index, "zebra")) == ["acme"]
        assert ids(self.find(index, "phone")) == ["bolt"]
        assert [h.id for h in self.sentences(index, "sell")] == ["bolt"]
        assert self.find(index, "*").total == 10

    def test_the_last_of_several_with_one_id_stays(self, index: Index) -> None:
        index.upsert([replace(ACME, text="First zebra."), replace(ACME, text="Second zebra.")])
        page = self.find(index, "zebra")
        assert page.total == 1
        assert page.hits[0].sentence is not None
        assert page.hits[0].sentence.text == "Second zebra."

    def test_delete(self, index: Index) -> None:
        index.delete(["acme", "unknown"])
        assert ids(self.find(index, "phone")) == ["bolt"]
        assert [h.id for h in self.sentences(index, "sell")] == ["bolt"]

    def test_rebuild_drops_what_is_not_given(self, index: Index) -> None:
        assert index.rebuild([BOLT]) == 1
        assert ids(self.find(index, "*")) == ["bolt"]

    def test_a_rebuild_that_fails_changes_nothing(self, index: Index) -> None:
        def broken() -> object:
            yield BOLT
            raise RuntimeError("the library went away")

        with pytest.raises(Exception, match="the library went away"):
            index.rebuild(broken())  # type: ignore[arg-type]
        assert self.find(index, "*").total == 10

    def test_others_see_what_was_written(self, make: Make, index: Index) -> None:
        other = make()
        assert ids(self.find(other, "partners")) == ["bolt"]
        index.delete(["bolt"])
        assert ids(self.find(other, "partners")) == []

    def test_the_data_has_a_fingerprint_that_changes_with_it(self, index: Index) -> None:
        before = self.find(index, "*").fingerprint
        assert self.find(index, "phone").fingerprint == before
        index.delete(["bolt"])
        assert self.find(index, "*").fingerprint != before
        index.rebuild(reversed(ALL))
        assert self.find(index, "*").fingerprint == before
        index.upsert([replace(BOLT, facets=Facets(sector="travel"))])
        assert self.find(index, "*").fingerprint != before

    def test_ensure_tells_whether_there_is_something_to_search(self, make: Make) -> None:
        index = make()
        assert index.ensure()
        index.rebuild(ALL)
        assert not index.ensure()


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in text).split()
