from __future__ import annotations

import json
import math
import random
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from smallprint.bench import registry
from smallprint.bench.data import DataDir
from smallprint.bench.published.bilstm import LONGEST, BiLstm
from smallprint.bench.published.headings import (
    Section,
    held_out_pairs,
    is_held_out,
    pairs_of,
    question_of,
    sections_of,
)

SIZE, HIDDEN = 2, 2
POLICY = """# Privacy policy
## **Cookies**
We use cookies to keep you signed in and to count the visits of our pages.
They last a year.
## Your [choices](https://example.org/choices)
You may write to us and we will delete your account and what is in it.
### Children
## How do we share data?
We share your address with the carrier that brings the parcel to your door.
"""


def weights() -> dict[str, NDArray[np.generic]]:
    draw = np.random.default_rng(3)

    def some(*shape: int) -> NDArray[np.generic]:
        return draw.normal(size=shape).astype(np.float16)

    found: dict[str, NDArray[np.generic]] = {
        "words": np.frombuffer(b"we\nsell", np.uint8),
        "table": np.array([[0, 0], [20, -30], [127, 5], [-40, 90]], np.int8),
        "table_scales": np.full((4, 1), 1 / 64, np.float16),
        "attend_words": some(2 * HIDDEN, 2 * HIDDEN),
        "attend_question": some(2 * HIDDEN, 2 * HIDDEN),
        "attend": some(2 * HIDDEN),
    }
    for name in ("forward", "backward"):
        found |= {
            f"{name}_in": some(SIZE, 4 * HIDDEN),
            f"{name}_state": some(HIDDEN, 4 * HIDDEN),
            f"{name}_bias": some(4 * HIDDEN),
        }
    return found


def states_by_hand(w: dict[str, NDArray[np.generic]], numbers: list[int]) -> list[list[float]]:
    """One number at a time; [words][2 · hidden]."""
    table = w["table"].astype(float) * w["table_scales"].astype(float)
    sides = []
    for name in ("forward", "backward"):
        into, state, bias = (w[f"{name}_{part}"].astype(float) for part in ("in", "state", "bias"))
        order = numbers if name == "forward" else numbers[::-1]
        hidden, cell, out = [0.0] * HIDDEN, [0.0] * HIDDEN, []
        for number in order:
            gates = [
                sum(table[number][i] * into[i][g] for i in range(SIZE))
                + sum(hidden[i] * state[i][g] for i in range(HIDDEN))
                + bias[g]
                for g in range(4 * HIDDEN)
            ]
            enter, forget, leave = ([1 / (1 + math.exp(-g)) for g in gates[HIDDEN * n :][:HIDDEN]] for n in (0, 1, 3))
            new = [math.tanh(g) for g in gates[2 * HIDDEN :][:HIDDEN]]
            cell = [f * c + e * n for f, c, e, n in zip(forget, cell, enter, new, strict=True)]
            hidden = [o * math.tanh(c) for o, c in zip(leave, cell, strict=True)]
            out.append(hidden)
        sides.append(out if name == "forward" else out[::-1])
    return [there + back for there, back in zip(*sides, strict=True)]


def test_states_are_those_of_an_lstm_in_both_directions() -> None:
    w = weights()
    model = BiLstm(w)
    states, known = model.states(["we sell", "sell we unheard we", ""])
    assert known.sum(axis=1).tolist() == [2, 4, 1]
    for row, numbers in enumerate(([2, 3], [3, 2, 1, 2], [1])):
        assert np.allclose(states[row, : len(numbers)], states_by_hand(w, numbers), atol=1e-5)


def test_the_question_decides_which_words_of_the_answer_count() -> None:
    w = weights()
    model = BiLstm(w)
    question = model.question("sell we")
    hand = states_by_hand(w, [3, 2])
    assert np.allclose(question, [max(column) for column in zip(*hand, strict=True)], atol=1e-5)
    answer = np.array(states_by_hand(w, [2, 3, 2]))
    into_words, into_question, attend = (w[n].astype(float) for n in ("attend_words", "attend_question", "attend"))
    looks = [math.exp(np.tanh(h @ into_words + question @ into_question) @ attend) for h in answer]
    mixed = sum(look * h for look, h in zip(looks, answer, strict=True)) / sum(looks)
    cosine = mixed @ question / np.linalg.norm(mixed) / np.linalg.norm(question)
    # A longer neighbour in the batch must not change the score.
    scores = model.scores(question, *model.states(["we sell we", "we we we we we sell"]))
    assert scores[0] == pytest.approx(cosine, abs=1e-5)


def test_long_texts_are_cut() -> None:
    states, _ = BiLstm(weights()).states(["we " * 1000])
    assert states.shape[1] == LONGEST


def test_shipped_weights_prefer_the_section_of_a_heading() -> None:
    model = BiLstm.load()
    answers = [
        "We use cookies and similar technologies to remember you.",
        "Our services are not for children under 13.",
    ]
    states = model.states(answers)
    assert model.scores(model.question("what cookies"), *states).argmax() == 0
    assert model.scores(model.question("how children"), *states).argmax() == 1


def test_sections_are_headings_with_the_paragraph_below() -> None:
    found = sections_of(POLICY)
    assert [section.heading for section in found] == ["Cookies", "Your choices", "How do we share data?"]
    assert found[0].text.startswith("We use cookies")
    assert (
        sections_of("## Datenschutz\n" + "Wir verarbeiten Daten nur soweit sie dafür gebraucht werden und nötig sind. ")
        == []
    )


def test_headings_become_questions() -> None:
    draw = random.Random(1)
    assert question_of("How do we share data?", draw) == "How do we share data?"
    assert question_of("Cookies", draw).split()[0] in {"why", "when", "how", "what"}


def test_wrong_answers_come_from_other_sections() -> None:
    sections = [Section("A", "one"), Section("A", "two"), Section("B", "three")]
    pairs = list(pairs_of(sections, random.Random(1)))
    assert [(pair.good, pair.bad) for pair in pairs[:2]] == [("one", "three"), ("two", "three")]
    assert list(pairs_of(sections[:2], random.Random(1))) == []


def held_out_policies(count: int) -> list[dict[str, str]]:
    services = [name for name in map(str, range(100)) if is_held_out(name)][:count]
    more = "## Security\nWe keep your data behind locks and we may ask you for your password in this case.\n"
    return [{"id": name, "service": name, "text": POLICY + more} for name in services]


def test_only_held_out_services_are_measured() -> None:
    seen = next(name for name in map(str, range(100)) if not is_held_out(name))
    rows = held_out_policies(2)
    assert len(held_out_pairs(rows)) == 2
    assert held_out_pairs([{**rows[0], "service": seen}]) == []
    assert held_out_pairs([{**rows[0], "text": POLICY}]) == []


def test_the_bench_puts_headings_to_every_row(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus/policies.jsonl").write_text("\n".join(map(json.dumps, held_out_policies(3))))
    report = registry.run("headings", DataDir(tmp_path))
    assert report.n == 3
    assert {"random", "bm25", "bilstm", "smallprint"} <= set(report.systems)
    for row in report.systems.values():
        assert row["MRR"] == pytest.approx((1 + row["top_1"]) / 2)
