"""Prune BERT's vocabulary to the pieces that English privacy policies and questions about them use.

Half of MiniLM's parameters are the table of 30,522 word pieces. Pieces that never occur here go; all single
characters stay, so that every word can still be spelt out.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

from train.data import rows
from train.paths import Paths, minilm, parser, paths_of, start_log

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
LEAST_COUNT = 12
"""A piece seen more rarely in the corpus sample is spelt with shorter ones, unless people's labels use it."""
EVERY = 4
"""One policy in four is enough to see which pieces occur."""
POSITIONS = 512


def corpus_texts(data: Path) -> Iterator[str]:
    for name in ("corpus/policies", "corpus/websites"):
        for number, row in enumerate(rows(data, name)):
            if number % EVERY == 0:
                yield row["text"]


def labelled_texts(data: Path) -> Iterator[str]:
    """Texts of the labelled sets without those parts that are only measured on."""
    for row in rows(data, "asked/questions"):
        yield row["question"]
    for row in rows(data, "privacyqa/question_categories"):
        yield row["question"]
    for row in rows(data, "policyqa/question_pool"):
        yield from row["questions"]
    for row in rows(data, "vagueness/sentences"):
        yield row["text"]


def count_pieces(tokenizer: Tokenizer, texts: Iterator[str]) -> Counter[str]:
    counts: Counter[str] = Counter()
    batch: list[str] = []
    for text in texts:
        batch.append(text)
        if len(batch) == 256:
            counts.update(p for e in tokenizer.encode_batch(batch, add_special_tokens=False) for p in e.tokens)
            batch.clear()
    counts.update(p for e in tokenizer.encode_batch(batch, add_special_tokens=False) for p in e.tokens)
    return counts


def is_single(piece: str) -> bool:
    return len(piece.removeprefix("##")) == 1


def choose(vocabulary: list[str], corpus: Counter[str], labelled: Counter[str]) -> list[str]:
    """The pieces that stay, in their old order (so that special pieces keep the first places)."""
    kept = [
        piece
        for piece in vocabulary
        if piece not in SPECIAL and (is_single(piece) or corpus[piece] >= LEAST_COUNT or labelled[piece] >= 1)
    ]
    return [*SPECIAL, *kept]


def prune_tokenizer(source: Path, kept: list[str], target: Path) -> None:
    config = json.loads(source.read_text(encoding="utf-8"))
    config["model"]["vocab"] = {piece: number for number, piece in enumerate(kept)}
    for added in config["added_tokens"]:
        added["id"] = kept.index(added["content"])
    specials = config["post_processor"].get("special_tokens", {})
    for name, special in specials.items():
        special["ids"] = [kept.index(name)]
    config["truncation"] = None
    config["padding"] = None
    target.write_text(json.dumps(config, ensure_ascii=False), encoding="utf-8")


def prune_weights(source: Path, old: dict[str, int], kept: list[str], target: Path) -> None:
    weights = load_file(source)
    table = next(name for name in weights if name.endswith("word_embeddings.weight"))
    weights[table] = weights[table][torch.tensor([old[piece] for piece in kept])].clone()
    save_file({n: w for n, w in weights.items() if "pooler" not in n and "position_ids" not in n}, target)


def lay_base(paths: Paths, kept: list[str]) -> None:
    """The base encoder with these pieces only, where the other recipes look for it."""
    folder, source = paths.made("base"), minilm()
    old = json.loads((source / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    prune_tokenizer(source / "tokenizer.json", kept, folder / "tokenizer.json")
    prune_weights(source / "model.safetensors", old, kept, folder / "model.safetensors")
    config = json.loads((source / "config.json").read_text())
    config["vocab_size"] = len(kept)
    (folder / "config.json").write_text(json.dumps(config, indent=1))


def main() -> None:
    paths = paths_of(parser(__doc__ or "").parse_args())
    log = start_log(paths, "base")
    source = minilm()
    tokenizer = Tokenizer.from_file(str(source / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    old = tokenizer.get_vocab()
    vocabulary = sorted(old, key=old.__getitem__)
    corpus = count_pieces(tokenizer, corpus_texts(paths.data))
    labelled = count_pieces(tokenizer, labelled_texts(paths.data))
    kept = choose(vocabulary, corpus, labelled)
    log.info("%d of %d pieces stay; %d pieces read", len(kept), len(vocabulary), corpus.total())
    lay_base(paths, kept)


if __name__ == "__main__":
    main()
