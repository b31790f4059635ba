from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library_helpers import at, policy

from smallprint.ingest.assemble import assemble
from smallprint.library import Library
from smallprint.library.serial import from_json, to_json
from smallprint.records import BlockKind, Piece, Policy

ANY_TEXT = st.text(st.characters(codec=None), max_size=60)  # lone surrogates too
PIECES = st.lists(st.builds(Piece, st.sampled_from(BlockKind), ANY_TEXT, st.integers(0, 6)), max_size=8)


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    text, blocks = assemble(draw(PIECES))
    line = st.text(max_size=20)
    return Policy(
        source=draw(line),
        title=draw(line),
        text=text,
        blocks=blocks,
        media="text/plain",
        url=draw(st.none() | line),
        language=draw(st.sampled_from(["en", "de"])),
        p_policy=draw(st.floats(0, 1)),
        notes=tuple(draw(st.lists(line, max_size=3))),
    )


@settings(deadline=None)
@given(policies())
def test_any_policy_survives_json(given: Policy) -> None:
    assert from_json(to_json(given)) == given


def test_any_policy_survives_the_library(tmp_path: Path) -> None:
    with Library.open(at(tmp_path)) as library:

        @settings(max_examples=60, deadline=None)
        @given(policies())
        def survives(given: Policy) -> None:
            stored = library.add(given, "Acme")
            assert stored.digest == given.digest
            kept = library.get("Acme", stored.version)
            assert kept == given or not stored.new

        survives()


def test_lone_surrogates_outside_the_text_become_question_marks(tmp_path: Path) -> None:
    odd = policy(title="Ac\udce9me", source="caf\udce9.html")
    with Library.open(at(tmp_path)) as library:
        name = library.add(odd).name
        assert (library.get(name).title, library.get(name).source) == ("Ac?me", "caf?.html")


def test_initials_tell_kinds_apart() -> None:
    assert len({kind.value[0] for kind in BlockKind}) == len(BlockKind)


@pytest.mark.parametrize(
    "change",
    [
        {"blocks": '[["z",0,0,1]]'},
        {"blocks": '[["p",0,0,99999]]'},
        {"blocks": '[["p",0,5,2]]'},
        {"blocks": '[["p",0]]'},
        {"blocks": "7"},
        {"blocks": "["},
        {"text": None},
        {"notes": None},
    ],
)
def test_what_makes_no_policy_is_refused(change: dict[str, object]) -> None:
    values = json.loads(to_json(policy())) | change
    with pytest.raises(ValueError):  # noqa: PT011 - the reason differs, the kind is the promise
        from_json(json.dumps(values))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "{}", '"policy"'])
def test_what_is_no_policy_at_all_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        from_json(text)
