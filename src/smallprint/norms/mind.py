"""What the reader makes of a text, kept while it is asked for: versions of a policy share most of their sentences."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from smallprint import taxonomy
from smallprint.models.reader import Reader
from smallprint.models.session import sigmoid
from smallprint.norms.aligning import Floats, Meaning
from smallprint.norms.wording import sentences_of

# A text is about a practice when its chance is at least this.
_PLAINLY = 0.5
# Texts kept: 40 MB of vectors. A policy of twenty versions has about 2,000 changed sentences.
_KEPT = 20_000


class Mind:
    """`meaning` for aligning, `chances` and `chances_by_words` for cues; neighbouring versions share most of what was
    read."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._kept: OrderedDict[str, tuple[Floats, Floats]] = OrderedDict()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of the chances: the practices by their short names, the parts of "other" by their own, the stances."""
        labels = self._reader.labels
        practices = (taxonomy.category(name).key for name in labels.categories)
        own = (key if key != "other" else name for key, name in zip(practices, labels.categories, strict=True))
        return (*own, *labels.stances)

    def meaning(self, texts: Sequence[str]) -> Meaning:
        self._read(texts)
        vectors = np.array([self._kept[text][0] for text in texts], dtype=np.float32)
        return Meaning(vectors, [self._topic(text) for text in texts])

    def chances(self, texts: Sequence[str]) -> list[Mapping[str, float]]:
        """Of each text the strongest of its sentences; most of them were read for their meaning already."""
        parts = [sentences_of(text) or (text,) for text in texts]
        self._read([sentence for part in parts for sentence in part])
        strongest = (np.max([self._kept[sentence][1] for sentence in part], axis=0) for part in parts)
        return [self._named(row) for row in strongest]

    def chances_by_words(self, texts: Sequence[str]) -> list[Mapping[str, float]]:
        """As the words alone have it: rougher, and nearly free."""
        logits = np.hstack([self._reader.by_words(texts, head) for head in ("categories", "stance")])
        return [self._named(row) for row in sigmoid(logits)]

    def category(self, chances: Mapping[str, float]) -> str:
        """The likeliest practice, "other" where none is plain."""
        return _likeliest(chances, _PLAINLY / 2) or "other"

    def _named(self, row: Floats) -> dict[str, float]:
        return dict(zip(self.names, map(float, row), strict=True))

    def _topic(self, text: str) -> str:
        return _likeliest(self._named(self._kept[text][1]), _PLAINLY)

    def _read(self, texts: Sequence[str]) -> None:
        """What was not asked for the longest is dropped, before anything is read: all of `texts` are there after it."""
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        asked = dict.fromkeys(texts)
        fresh = [text for text in asked if text not in self._kept]
        if fresh:
            read = self._reader.read(fresh)
            heads = np.hstack([read.categories, read.stance])
            # Copies: a row that is kept must not hold on to all that was read with it.
            self._kept |= {text: (read.vectors[n].copy(), heads[n].copy()) for n, text in enumerate(fresh)}
        for text in asked:
            self._kept.move_to_end(text)


def _likeliest(chances: Mapping[str, float], least: float) -> str:
    """The likeliest practice, empty where its chance is below `least`."""
    best = max((key.key for key in taxonomy.categories() if key.key in chances), key=lambda key: chances[key])
    return best if chances[best] >= least else ""
