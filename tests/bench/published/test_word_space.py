from __future__ import annotations

import numpy as np
import pytest

from smallprint.bench.published import word_space
from smallprint.errors import ModelError


@pytest.mark.parametrize("name", ["labels", "pairs", "polisis"])
def test_weights_stand_on_the_shipped_word_vectors(name: str) -> None:
    assert word_space.MARK not in word_space.tables_of(name)


def test_weights_made_for_other_word_vectors_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_space, "mark", lambda: {word_space.MARK: np.frombuffer(b"others", dtype=np.uint8)})
    with pytest.raises(ModelError, match=r"train\.published_labels"):
        word_space.tables_of("labels")
