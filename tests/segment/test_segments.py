from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from smallprint.ingest.assemble import assemble
from smallprint.records import BlockKind, Piece, Policy, Reading
from smallprint.segment import segment

H, P, ITEM, TERM, ROW = BlockKind


def read(*pieces: Piece) -> Reading:
    text, blocks = assemble(pieces)
    return segment(Policy(source="-", title="", text=text, blocks=blocks, media="text"))


def test_a_list_item_carries_the_sentence_that_introduces_it() -> None:
    reading = read(
        Piece(H, "Sharing", 1),
        Piece(P, "Privacy matters to us. We share your data with:"),
        Piece(ITEM, "advertisers;", 1),
        Piece(ITEM, "police.", 1),
        Piece(P, "We keep it for a year."),
    )
    *_, ads, police, kept = reading.sentences
    assert ads.lead_in == police.lead_in == "We share your data with:"
    assert kept.lead_in == ""
    assert {s.headings for s in reading.sentences} == {("Sharing",)}


def test_a_nested_item_carries_every_lead_in_above_it() -> None:
    reading = read(
        Piece(P, "We share with:"),
        Piece(ITEM, "partners, namely:", 1),
        Piece(ITEM, "Acme", 2),
        Piece(ITEM, "the police", 1),
    )
    _, partners, acme, police = reading.sentences
    assert acme.lead_in == "We share with: partners, namely:"
    assert partners.lead_in == police.lead_in == "We share with:"


def test_a_paragraph_inside_an_item_does_not_lead_in_the_next_item() -> None:
    reading = read(
        Piece(P, "We use:"), Piece(ITEM, "Cookies.", 1), Piece(P, "Small files.", 1), Piece(ITEM, "Logs.", 1)
    )
    assert [s.lead_in for s in reading.sentences] == ["", "We use:", "We use: Cookies.", "We use:"]


def test_a_table_row_carries_the_head_of_the_table() -> None:
    reading = read(
        Piece(P, "We keep:"),
        Piece(ROW, "Data | Kept for", 1),
        Piece(ROW, "Logs | 30 days", 1),
        Piece(P, "Bye."),
    )
    assert [s.lead_in for s in reading.sentences] == ["", "We keep:", "We keep: Data | Kept for", ""]


def test_a_definition_carries_its_term() -> None:
    reading = read(
        Piece(TERM, "Logs", 1),
        Piece(ITEM, "Kept 30 days.", 2),
        Piece(TERM, "Mail", 1),
        Piece(ITEM, "Kept.", 2),
    )
    assert [s.lead_in for s in reading.sentences] == ["", "Logs", "", "Mail"]


def test_headings_nest_and_close() -> None:
    reading = read(
        Piece(H, "Policy", 1),
        Piece(H, "Use", 2),
        Piece(H, "Ads", 3),
        Piece(P, "a"),
        Piece(H, "Sale", 2),
        Piece(P, "b"),
    )
    assert [s.headings for s in reading.sentences] == [("Policy", "Use", "Ads"), ("Policy", "Sale")]


def test_a_list_shares_a_segment_with_its_paragraph_until_it_is_long() -> None:
    short = read(Piece(P, "We share with:"), Piece(ITEM, "advertisers", 1), Piece(P, "Next."))
    assert [len(s.sentences) for s in short.segments] == [2, 1]
    long = read(Piece(P, "We share with:"), *(Piece(ITEM, "word " * 60, 1) for _ in range(20)))
    assert len(long.segments) > 3


def test_sentences_of_legal_text_stay_whole() -> None:
    text = "We share data with Acme Inc. and others, e.g. banks. See www.acme.example/x. for more. We don't!"
    sentences = [s.text for s in read(Piece(P, text)).sentences]
    assert sentences == [
        "We share data with Acme Inc. and others, e.g. banks.",
        "See www.acme.example/x. for more.",
        "We don't!",
    ]


def test_plain_words_end_sentences() -> None:
    sentences = read(Piece(P, "You can see it in the app. We keep what you sent. The U.S. Code applies.")).sentences
    assert len(sentences) == 3


def test_sentences_end_where_a_line_break_was_lost() -> None:
    reading = read(Piece(P, "We write to you by email.How can you reach us (by post)?Write to our office!We answer."))
    assert [s.text for s in reading.sentences] == [
        "We write to you by email.",
        "How can you reach us (by post)?",
        "Write to our office!",
        "We answer.",
    ]


def test_names_with_a_full_stop_inside_stay_whole() -> None:
    text = "Booking.Com and asp.Net run for ask@mail.Post and file.Com users of Node.Js today."
    assert [s.text for s in read(Piece(P, text)).sentences] == [text]


def test_megabytes_without_punctuation_are_cut() -> None:
    reading = read(Piece(P, "data " * 200_000))
    assert max(len(s.text) for s in reading.sentences) <= 1_500
    assert " ".join(s.text for s in reading.sentences) == ("data " * 200_000).strip()


pieces = st.lists(
    st.builds(
        Piece,
        st.sampled_from(BlockKind),
        st.one_of(st.text(), st.from_regex(r"[A-Za-z ,:;.!?\n]{0,200}", fullmatch=True)),
        st.integers(0, 6),
    ),
    max_size=12,
)


@given(pieces)
def test_positions_are_exact_for_any_input(given_pieces: list[Piece]) -> None:
    reading = read(*given_pieces)
    text = reading.policy.text
    assert all(text[s.start : s.end] == s.text and s.text.strip() == s.text for s in reading.sentences)
    assert [s.id for s in reading.sentences] == list(range(len(reading.sentences)))
    ends = [0, *(s.end for s in reading.sentences)]
    assert all(s.start >= end for s, end in zip(reading.sentences, ends, strict=False))


@given(pieces)
def test_nothing_but_white_space_is_lost(given_pieces: list[Piece]) -> None:
    reading = read(*given_pieces)
    text = reading.policy.text
    covered = [(s.start, s.end) for s in reading.sentences]
    covered += [(b.start, b.end) for b in reading.policy.blocks if b.kind is H]
    rest, position = "", 0
    for start, end in sorted(covered):
        rest += text[position:start]
        position = end
    assert not (rest + text[position:]).strip()


@given(pieces)
def test_segments_hold_their_sentences_in_order(given_pieces: list[Piece]) -> None:
    reading = read(*given_pieces)
    for number, part in enumerate(reading.segments):
        assert part.id == number
        assert all(s.segment == number and part.start <= s.start < s.end <= part.end for s in part.sentences)
