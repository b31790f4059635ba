from __future__ import annotations

from pathlib import Path

import numpy as np
from train.judge_data import Asked, policy_of
from train.mining import mined
from train.paths import Paths

SENTENCES = ["Cookies", "We set cookies on every visit.", "We sell nothing.", "Write to us about your cookies."]
POLICY = policy_of(
    {"doc_id": "lamps.example", "sentences": SENTENCES, "headings": [""] * 4, "kinds": ["heading", "p", "p", "p"]}
)


def asked_with(*queries: str) -> Asked:
    rows = [{"query_id": one, "doc_id": "lamps.example", "question": "do you set cookies?"} for one in queries]
    return Asked({"lamps.example": POLICY}, rows)


def test_what_one_recipe_mined_the_next_one_has(tmp_path: Path) -> None:
    paths = Paths(data=tmp_path, cache=tmp_path / "cache")
    kept = paths.made("judge") / "hard.npz"
    np.savez(kept, known=np.array([2]))
    found = mined(paths, asked_with("known", "new")).hard
    assert found["known"] == [2]
    assert found["new"][0] == 1
    assert set(found["new"]) <= {1, 2, 3}
    assert set(np.load(kept)) == {"known", "new"}
