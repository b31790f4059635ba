from __future__ import annotations

import json
from pathlib import Path

from smallprint.bench import find, registry
from smallprint.bench.data import DataDir

NEED = "doesn't sell my personal information"


def test_needs_and_judgements_fit_together() -> None:
    assert len(find.needs()) == 20
    assert set(find.judgements().values()) <= {find.RIGHT, find.WRONG, find.CONTRARY}
    assert {need for need, _ in find.judgements()} <= {*find.needs(), *find.needs(held=True)}


def test_what_is_listed_is_judged_by_its_sentence(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    texts = ("We do not sell your personal information.", "We may sell your personal information to others.")
    rows = [{"id": str(n), "service": f"S{n}", "text": f"Privacy policy.\n\n{text}"} for n, text in enumerate(texts)]
    (tmp_path / "corpus/policies.jsonl").write_text("\n".join(map(json.dumps, rows)))
    report = registry.run("find", DataDir(tmp_path), "smallprint")
    measures = report.systems["smallprint"]
    assert report.n == 20
    assert 0 < measures["needs_met"] < 1
    assert measures["wrong_way"] == 0


def test_measures_by_hand() -> None:
    (need, sentence), *_ = [pair for pair, verdict in find.judgements().items() if verdict == find.RIGHT]
    assert sentence
    made = find.measured([(need, [("a", "never judged")], 1.0), (need, [], 3.0)])
    assert (made["P@5"], made["unjudged"], made["needs_met"], made["seconds_median"]) == (0.0, 1.0, 0.5, 2.0)
