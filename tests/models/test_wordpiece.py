from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from smallprint.models.tokenizer import PieceTokenizer
from smallprint.models.wordpiece import WordPieces

SMALL = WordPieces({"[UNK]": 0, "we": 1, "share": 2, "##d": 3, "d": 4, ".": 5, "e": 6, "shar": 7})


def test_the_longest_beginning_wins() -> None:
    assert SMALL.encode("We shared.") == ([1, 2, 3, 5], [(0, 2), (3, 8), (8, 9), (9, 10)])


def test_a_word_with_an_unknown_part_is_unknown_as_a_whole() -> None:
    assert SMALL.encode("sharex we") == ([0, 1], [(0, 6), (7, 9)])


def test_accents_go_and_places_stay() -> None:
    assert SMALL.encode("wé  É") == ([1, 6], [(0, 2), (4, 5)])


def shipped() -> bytes:
    return files("smallprint.models").joinpath("weights", "tokenizer.json").read_bytes()


@cache
def ours() -> PieceTokenizer:
    return PieceTokenizer.from_bytes(shipped())


@cache
def reference() -> Any:
    return pytest.importorskip("tokenizers").Tokenizer.from_str(shipped().decode())


@given(
    st.one_of(
        st.text(st.characters(max_codepoint=0x24F)),
        st.from_regex(r"[A-Za-z0-9 .,;:'’“”é€—-]{0,80}", fullmatch=True),
    )
)
@example("We don’t sell your e-mail address (naïve) – 10 €… \u4e2d\u6587 a\u0301b\u200b\x00\t\n\ufffd x" + "y" * 101)
def test_the_same_pieces_as_the_reference(text: str) -> None:
    if any(special in text for special in ("[CLS]", "[SEP]", "[PAD]", "[UNK]", "[MASK]")):
        return
    pieces = ours().texts([text], longest=10_000)[0]
    assert pieces.ids[1:-1] == reference().encode(text, add_special_tokens=False).ids


def test_special_names_in_a_text_are_only_text() -> None:
    pieces = ours().texts(["[SEP] [CLS]"])[0]
    assert pieces.ids[1:-1].count(ours().number("[SEP]")) == 0
    assert pieces.ids[1:-1].count(ours().number("[CLS]")) == 0
