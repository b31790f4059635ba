"""Train the bench row `bilstm` (S4): headings of policies against their sections. `python -m train.published_bilstm`.

Ten minutes on one idle core; it resumes where it stopped. Policies of held-out services are only measured on.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cosine_similarity, dropout, relu

from smallprint.bench.published.bilstm import LONGEST, UNKNOWN, BiLstm
from smallprint.bench.published.headings import Pair, Section, held_out_pairs, is_held_out, pairs_of, sections_of
from smallprint.models.vectors import WordVectors, words_of
from train.data import rows
from train.loop import Plan, train
from train.paths import REPOSITORY, parser, paths_of, start_log
from train.vectors import small

PLAN = Plan(rate=4e-4, tokens=12_000_000, minutes=35)
"""Four times round; ten minutes of one idle core."""
MARGIN, DROPPED = 0.05, 0.5
HIDDEN, KEPT, BATCH = 64, 6_000, 96
OUTPUT = REPOSITORY / "src" / "smallprint" / "bench" / "published" / "weights" / "bilstm.npz"

Batch = tuple[Tensor, Tensor]
"""Questions; their right answers, then as many wrong ones."""


class Network(nn.Module):
    def __init__(self, table: Tensor) -> None:
        super().__init__()
        self.table = nn.Embedding.from_pretrained(table, freeze=False, padding_idx=0)
        self.forwards = nn.LSTM(table.shape[1], HIDDEN, batch_first=True)
        self.backwards = nn.LSTM(table.shape[1], HIDDEN, batch_first=True)
        self.attend_words = nn.Linear(2 * HIDDEN, 2 * HIDDEN, bias=False)
        self.attend_question = nn.Linear(2 * HIDDEN, 2 * HIDDEN, bias=False)
        self.attend = nn.Linear(2 * HIDDEN, 1, bias=False)

    def states(self, numbers: Tensor) -> Tensor:
        """Texts are turned round word by word for the second direction: packed sequences take twice the time."""
        words = dropout(self.table(numbers), DROPPED, self.training)
        turned = turn(numbers > 0)[:, :, None]
        there = self.forwards(words)[0]
        back = self.backwards(words.gather(1, turned.expand_as(words)))[0]
        return torch.cat([there, back.gather(1, turned.expand_as(back))], 2)

    def question(self, numbers: Tensor) -> Tensor:
        hidden = self.states(numbers).masked_fill((numbers == 0)[:, :, None], -torch.inf).amax(1)
        return dropout(hidden, DROPPED, self.training)

    def scores(self, question: Tensor, numbers: Tensor) -> Tensor:
        states = self.states(numbers)
        looks = self.attend(torch.tanh(self.attend_words(states) + self.attend_question(question)[:, None])).squeeze(2)
        shares = looks.masked_fill(numbers == 0, -torch.inf).softmax(1)
        return cosine_similarity(question, (states * shares[:, :, None]).sum(1))


def turn(known: Tensor) -> Tensor:
    """Places that turn each row's words round and leave the padding where it is, [texts, words]."""
    places = torch.arange(known.shape[1])[None, :]
    return torch.where(known, known.sum(1, keepdim=True) - 1 - places, places)


def padded(texts: list[list[int]]) -> Tensor:
    longest = max(map(len, texts))
    return torch.tensor([text + [0] * (longest - len(text)) for text in texts])


def batches(policies: list[list[Section]], numbers: dict[str, int], seed: int) -> Iterator[Batch]:
    """Endless; wrong answers are drawn anew each time round."""
    draw = random.Random(seed)

    def side(texts: list[str]) -> Tensor:
        return padded([[numbers.get(w, UNKNOWN) for w in words_of(t)[:LONGEST]] or [UNKNOWN] for t in texts])

    while True:
        pairs = [pair for sections in policies for pair in pairs_of(sections, draw)]
        draw.shuffle(pairs)
        for start in range(0, len(pairs) - BATCH + 1, BATCH):
            part = pairs[start : start + BATCH]
            yield side([p.question for p in part]), side([p.good for p in part] + [p.bad for p in part])


def export(model: Network, words: list[str]) -> None:
    """int8 for the word table, halves for the rest."""
    table, scales = small(model.table.weight.detach().numpy())
    halves: dict[str, Tensor] = {
        "attend_words": model.attend_words.weight.T,
        "attend_question": model.attend_question.weight.T,
        "attend": model.attend.weight[0],
    }
    for name, lstm in (("forward", model.forwards), ("backward", model.backwards)):
        halves[f"{name}_in"] = lstm.weight_ih_l0.T
        halves[f"{name}_state"] = lstm.weight_hh_l0.T
        halves[f"{name}_bias"] = lstm.bias_ih_l0 + lstm.bias_hh_l0
    np.savez_compressed(
        OUTPUT,
        words=np.frombuffer("\n".join(words).encode(), np.uint8),
        table=table,
        table_scales=scales,
        **{name: array.detach().numpy().astype(np.float16) for name, array in halves.items()},
    )


@torch.no_grad()
def drift(model: Network, shipped: BiLstm, pairs: list[Pair]) -> float:
    """The largest difference between torch's scores and those of the exported weights in numpy."""
    model.eval()
    questions = padded([shipped.numbers(pair.question) for pair in pairs])
    answers = padded([shipped.numbers(pair.good) for pair in pairs])
    expected = model.scores(model.question(questions), answers).numpy()
    return float(np.abs(expected - _scores(shipped, _sides(pairs))).max())


def _sides(pairs: list[Pair]) -> list[tuple[str, str]]:
    return [(pair.question, pair.good) for pair in pairs]


def _scores(model: BiLstm, sides: list[tuple[str, str]]) -> np.ndarray:
    return np.array([model.scores(model.question(q), *model.states([a]))[0] for q, a in sides])


def main() -> None:
    options = parser(__doc__ or "").parse_args()
    paths = paths_of(options)
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    folder: Path = paths.made("published_bilstm")
    log = start_log(paths, "published_bilstm")
    policies = [sections_of(r["text"]) for r in rows(paths.data, "corpus/policies") if not is_held_out(r["service"])]
    counts = Counter(w for sections in policies for s in sections for w in words_of(f"{s.heading} {s.text}"))
    words = [word for word, _ in counts.most_common(KEPT)]
    log.info("%d sections, %d words of %d", sum(map(len, policies)), len(words), len(counts))
    vectors = WordVectors.load()
    known = np.stack([vectors.vector(word) for word in words])
    model = Network(torch.tensor(np.concatenate([np.zeros_like(known[:2]), known])))

    def loss_of(batch: Batch) -> tuple[Tensor, dict[str, float], int]:
        asked, answers = batch
        good, bad = model.scores(model.question(asked).repeat(2, 1), answers).chunk(2)
        loss = relu(MARGIN - good + bad).mean()
        parts = {"hinge": loss.item(), "first": (good > bad).float().mean().item()}
        return loss, parts, int((asked > 0).sum() + (answers > 0).sum())

    numbers = {word: number for number, word in enumerate(words, UNKNOWN + 1)}
    train(model, batches(policies, numbers, options.seed), loss_of, PLAN, folder, log)
    export(model, words)
    shipped = BiLstm.load()
    held = held_out_pairs(rows(paths.data, "corpus/policies"))
    gaps = _scores(shipped, _sides(held)) - _scores(shipped, [(p.question, p.bad) for p in held])
    report = {"pairs": len(held), "top_1": float((gaps > 0).mean()), "drift": drift(model, shipped, held[:200])}
    log.info("%s", json.dumps(report))


if __name__ == "__main__":
    main()
