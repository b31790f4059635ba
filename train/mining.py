"""Hard negatives: the sentences of a policy that look most like an answer to an untrained eye.

The sum of two unlike signals (BM25 over words, cosine of the base encoder's vectors), each scaled to its spread.
"""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import numpy as np
import torch
from transformers import BertModel

from smallprint.models.tokenizer import PieceTokenizer
from train.encoder import encode, means, pack
from train.exclusions import words_of
from train.judge_data import Asked

K1, B = 1.2, 0.75
TOKENS = 6000


def bm25(question: list[str], sentences: list[list[str]]) -> np.ndarray:
    """BM25 of one question over the sentences of one policy, [sentences]."""
    seen = Counter(word for sentence in sentences for word in set(sentence))
    mean = max(1.0, float(np.mean([len(s) for s in sentences])))
    scores = np.zeros(len(sentences))
    for number, sentence in enumerate(sentences):
        counts = Counter(sentence)
        for word in set(question) & set(counts):
            idf = math.log(1 + (len(sentences) - seen[word] + 0.5) / (seen[word] + 0.5))
            weight = counts[word] * (K1 + 1) / (counts[word] + K1 * (1 - B + B * len(sentence) / mean))
            scores[number] += idf * weight
    return scores


@torch.no_grad()
def vectors(bert: BertModel, tokenizer: PieceTokenizer, texts: list[str]) -> np.ndarray:
    """Normalised mean vectors, [texts, width], made in order of length."""
    pieces = tokenizer.texts(texts, longest=128)
    order = sorted(range(len(texts)), key=lambda n: len(pieces[n].ids))
    found = np.zeros((len(texts), bert.config.hidden_size), dtype=np.float32)
    start = 0
    while start < len(order):
        size = max(1, TOKENS // len(pieces[order[min(start + 200, len(order) - 1)]].ids))
        chosen = order[start : start + size]
        batch = pack([pieces[n].ids for n in chosen], [pieces[n].types for n in chosen])
        found[chosen] = torch.nn.functional.normalize(means(encode(bert, batch), batch), dim=1).numpy()
        start += size
    return found


def scaled(scores: np.ndarray) -> np.ndarray:
    return (scores - scores.mean()) / (scores.std() + 1e-6)


def mine(asked: Asked, bert: BertModel, tokenizer: PieceTokenizer, cache: Path, keep: int = 30) -> dict[str, list[int]]:
    """For each query_id the `keep` likeliest sentences, best first; kept in `cache` for the next run."""
    found = {name: numbers.tolist() for name, numbers in np.load(cache).items()} if cache.exists() else {}
    new = [q for q in asked.questions if q["query_id"] not in found]
    for policy in asked.policies.values():
        questions = [q for q in new if q["doc_id"] == policy.doc_id]
        if not questions:
            continue
        shown = [policy.passage(n).text for n in policy.offered]
        words = [words_of(text) for text in shown]
        near = vectors(bert, tokenizer, [q["question"] for q in questions]) @ vectors(bert, tokenizer, shown).T
        for question, cosine in zip(questions, near, strict=True):
            score = scaled(cosine) + 0.5 * scaled(bm25(words_of(question["question"]), words))
            best = np.argsort(-score, kind="stable")[:keep]
            found[question["query_id"]] = [policy.offered[n] for n in best]
    if new:
        np.savez(cache, **{name: np.array(numbers) for name, numbers in found.items()})
    return found
