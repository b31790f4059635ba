from __future__ import annotations

import json
import math
import struct
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from smallprint.bench import registry
from smallprint.bench.data import DataDir
from smallprint.bench.published import minilm
from smallprint.bench.published.minilm import MiniLm, gelu, read_safetensors
from smallprint.errors import DataMissing
from smallprint.models.tokenizer import PieceTokenizer

SIZE, WIDE = 4, 6
Arrays = dict[str, NDArray[np.float32]]


def weights(layers: int = 1) -> Arrays:
    draw = np.random.default_rng(7)

    def some(*shape: int) -> NDArray[np.float32]:
        return draw.normal(size=shape).astype(np.float32)

    found = {
        "embeddings.word_embeddings.weight": some(6, SIZE),
        "embeddings.position_embeddings.weight": some(16, SIZE),
        "embeddings.token_type_embeddings.weight": some(2, SIZE),
        "embeddings.LayerNorm.weight": some(SIZE),
        "embeddings.LayerNorm.bias": some(SIZE),
    }
    shapes = {
        **{f"attention.self.{part}": (SIZE, SIZE) for part in ("query", "key", "value")},
        "attention.output.dense": (SIZE, SIZE),
        "intermediate.dense": (WIDE, SIZE),
        "output.dense": (SIZE, WIDE),
    }
    for layer in range(layers):
        for name, shape in shapes.items():
            found[f"encoder.layer.{layer}.{name}.weight"] = some(*shape)
            found[f"encoder.layer.{layer}.{name}.bias"] = some(shape[0])
        for name in ("attention.output", "output"):
            found[f"encoder.layer.{layer}.{name}.LayerNorm.weight"] = some(SIZE)
            found[f"encoder.layer.{layer}.{name}.LayerNorm.bias"] = some(SIZE)
    return found


def tokenizer() -> PieceTokenizer:
    return PieceTokenizer({"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "data": 4, "we": 5})


def by_hand(w: Arrays, ids: list[int], heads: int) -> list[float]:
    """One layer of BERT and the mean of its pieces, one number at a time."""

    def norm(row: list[float], name: str) -> list[float]:
        mean = sum(row) / SIZE
        spread = math.sqrt(sum((x - mean) ** 2 for x in row) / SIZE)
        scale, shift = w[f"{name}.weight"], w[f"{name}.bias"]
        return [float((x - mean) / spread * scale[n] + shift[n]) for n, x in enumerate(row)]

    def linear(row: list[float], name: str) -> list[float]:
        matrix, bias = w[f"{name}.weight"], w[f"{name}.bias"]
        return [float(sum(a * b for a, b in zip(line, row, strict=True)) + bias[n]) for n, line in enumerate(matrix)]

    tables = [w[f"embeddings.{name}_embeddings.weight"] for name in ("word", "position", "token_type")]
    rows = [
        norm([float(tables[0][i][n] + tables[1][at][n] + tables[2][0][n]) for n in range(SIZE)], "embeddings.LayerNorm")
        for at, i in enumerate(ids)
    ]
    layer = "encoder.layer.0"
    query, key, value = (
        [linear(row, f"{layer}.attention.self.{part}") for row in rows] for part in ("query", "key", "value")
    )
    width = SIZE // heads
    out = []
    for at, row in enumerate(rows):
        seen: list[float] = []
        for head in range(heads):
            part = range(head * width, (head + 1) * width)
            looks = [math.exp(sum(query[at][n] * k[n] for n in part) / math.sqrt(width)) for k in key]
            seen += [sum(look * v[n] for look, v in zip(looks, value, strict=True)) / sum(looks) for n in part]
        seen = linear(seen, f"{layer}.attention.output.dense")
        row = norm([a + b for a, b in zip(row, seen, strict=True)], f"{layer}.attention.output.LayerNorm")
        wide = [0.5 * x * (1 + math.erf(x / math.sqrt(2))) for x in linear(row, f"{layer}.intermediate.dense")]
        last = [a + b for a, b in zip(row, linear(wide, f"{layer}.output.dense"), strict=True)]
        out.append(norm(last, f"{layer}.output.LayerNorm"))
    mean = [sum(row[n] for row in out) / len(out) for n in range(SIZE)]
    length = math.sqrt(sum(x * x for x in mean))
    return [x / length for x in mean]


def test_encoder_is_bert_with_mean_pooling() -> None:
    w = weights()
    vectors = MiniLm(w, tokenizer(), heads=2).vectors(["we data we", "data", "we data"])
    expected = [by_hand(w, ids, 2) for ids in ([2, 5, 4, 5, 3], [2, 4, 3], [2, 5, 4, 3])]
    assert np.allclose(vectors, expected, atol=1e-5)


def test_gelu_is_exact_enough() -> None:
    xs = np.linspace(-6, 6, 101, dtype=np.float32)
    expected = [0.5 * x * (1 + math.erf(x / math.sqrt(2))) for x in xs.tolist()]
    assert np.allclose(gelu(xs), expected, atol=1e-6)


def write_package(folder: Path, arrays: Arrays) -> None:
    """A package as the real one is laid out."""
    table, body = {"__metadata__": {"format": "pt"}}, b""
    for name, array in arrays.items():
        entry = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [len(body), len(body) + array.nbytes]}
        table[name] = entry  # type: ignore[assignment]
        body += array.tobytes()
    head = json.dumps(table).encode()
    (folder / "model").mkdir(parents=True)
    (folder / "__init__.py").write_text("raise RuntimeError('only the files of this package are wanted')")
    (folder / "model" / "model.safetensors").write_bytes(struct.pack("<Q", len(head)) + head + body)
    vocabulary = {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "data": 4, "we": 5}
    (folder / "model" / "tokenizer.json").write_text(json.dumps({"model": {"vocab": vocabulary}}))


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    arrays = weights(2)
    write_package(tmp_path / "p", arrays)
    found = read_safetensors(tmp_path / "p" / "model" / "model.safetensors")
    assert set(found) == set(arrays)
    assert all((found[name] == arrays[name]).all() for name in arrays)


@pytest.fixture
def data(tmp_path: Path) -> DataDir:
    (tmp_path / "privacyqa").mkdir()
    rows = [{"doc_id": "d", "sentences": ["we we", "data data", "we data"]}]
    (tmp_path / "privacyqa/docs.jsonl").write_text("\n".join(map(json.dumps, rows)))
    question = {"query_id": "1", "doc_id": "d", "question": "data data", "categories": [], "unknown": []}
    (tmp_path / "privacyqa/questions.jsonl").write_text(
        json.dumps({**question, "any_relevant": [1], "majority_relevant": [1]})
    )
    return DataDir(tmp_path)


def test_row_ranks_by_cosine(data: DataDir, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_package(tmp_path / "tiny_minilm", weights(2))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(minilm, "PACKAGE", "tiny_minilm")
    monkeypatch.setattr(minilm, "HEADS", 2)
    minilm._model.cache_clear()
    row = registry.run("privacyqa", data, "minilm").systems["minilm"]
    minilm._model.cache_clear()
    assert row["F@1"] == 1


def test_without_the_package_the_row_is_left_out_or_refused_by_name(
    data: DataDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(minilm, "PACKAGE", "no_such_minilm")
    minilm._model.cache_clear()
    note = "no_such_minilm is not installed: no row minilm."
    report = registry.run("privacyqa", data)
    assert "minilm" not in report.systems
    assert note in report.notes
    with pytest.raises(DataMissing, match=note):
        registry.run("privacyqa", data, "minilm")
