"""Train the bench rows of S7 that tell from a question alone whether it can be answered: SVMs and a CNN.

PrivacyQA's training labels are not to be had, so the questions are those of `asked` (without the held-out fifth and
without questions that PrivacyQA is measured on); word vectors of policies stand in for GloVe.
`python -m train.published_answerability` takes five minutes, most of it for parts of speech.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import numpy as np
import torch
from sklearn.svm import LinearSVC
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from smallprint.bench.published.baselines import TAGS, WORDS, Svm, counts, lengths, parts_of_speech
from smallprint.bench.published.cnn import FILTERS, WIDTH, Cnn
from smallprint.models.vectors import WordVectors, words_of
from train.data import rows
from train.exclusions import for_judge, is_held_out
from train.paths import REPOSITORY, parser, paths_of, start_log
from train.vectors import small

ROUNDS, BATCH, DROPPED = 8, 32, 0.5
OUTPUT = REPOSITORY / "src" / "smallprint" / "bench" / "published" / "weights"


class Network(nn.Module):
    def __init__(self, table: Tensor) -> None:
        super().__init__()
        self.table = nn.Embedding.from_pretrained(table, freeze=True)
        self.filters = nn.Conv1d(table.shape[1], FILTERS, WIDTH)
        self.output = nn.Linear(FILTERS, 1)
        self.drop = nn.Dropout(DROPPED)

    def forward(self, numbers: Tensor, sizes: Tensor) -> Tensor:
        """Windows that lie in the padding count for nothing."""
        found = torch.relu(self.filters(self.table(numbers).transpose(1, 2)))
        inside = torch.arange(found.shape[2])[None, :] <= sizes[:, None] - WIDTH
        margins: Tensor = self.output(self.drop((found * inside[:, None]).amax(2))).squeeze(1)
        return margins


def labelled(data: Path, held_out: bool) -> tuple[list[str], np.ndarray]:
    """Questions and whether each is unanswerable."""
    measured = for_judge(data)
    chosen = [row for row in rows(data, "asked/questions") if is_held_out(row["doc_id"]) == held_out]
    chosen = [row for row in chosen if held_out or not measured.covers(row["question"])]
    return [row["question"] for row in chosen], np.array([row["kind"] != "answerable" for row in chosen])


def as_bytes(words: list[str]) -> np.ndarray:
    return np.frombuffer("\n".join(words).encode(), np.uint8)


def fit_svms(questions: list[str], labels: np.ndarray, seed: int) -> dict[str, np.ndarray]:
    texts = [words_of(question) for question in questions]
    tagged = [parts_of_speech(words) for words in texts]
    words = [word for word, _ in Counter(w for text in texts for w in text).most_common(WORDS)]
    tags = [tag for tag, _ in Counter(t for text in tagged for t in text).most_common(TAGS)]
    columns = {"bow": counts(texts, words), "len": lengths(texts), "pos": counts(tagged, tags)}
    stored = {"words": as_bytes(words), "tags": as_bytes(tags)}
    for size, name in enumerate(columns, 1):
        model = LinearSVC(random_state=seed, max_iter=20_000).fit(np.hstack(list(columns.values())[:size]), labels)
        stored[name] = np.append(model.coef_[0], model.intercept_[0]).astype(np.float16)
    return stored


def fit_cnn(questions: list[str], labels: np.ndarray, others: list[str], seed: int) -> dict[str, np.ndarray]:
    """`others` are questions without labels: their words are known too."""
    torch.manual_seed(seed)
    words = sorted({word for question in [*questions, *others] for word in words_of(question)})
    vectors = WordVectors.load()
    table, scales = small(np.stack([np.zeros(100, np.float32), *(vectors.vector(word) for word in words)]))
    stored = {"words": as_bytes(words), "table": table, "table_scales": scales}
    network = Network(torch.tensor(table * scales.astype(np.float32)))
    empty = {name: np.zeros(1) for name in ("filters", "shifts", "output", "shift")}
    numbers = [Cnn({**stored, **empty}).numbers(question) for question in questions]
    optimiser = torch.optim.Adam(p for p in network.parameters() if p.requires_grad)
    order, draw = list(range(len(questions))), random.Random(seed)
    for _ in range(ROUNDS):
        draw.shuffle(order)
        for start in range(0, len(order), BATCH):
            part = order[start : start + BATCH]
            sizes = [len(numbers[n]) for n in part]
            batch = torch.tensor([numbers[n] + [0] * (max(sizes) - len(numbers[n])) for n in part])
            margins = network(batch, torch.tensor(sizes))
            loss = binary_cross_entropy_with_logits(margins, torch.tensor(labels[part], dtype=torch.float32))
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    weights = {
        "filters": network.filters.weight.permute(2, 1, 0).reshape(-1, FILTERS),
        "shifts": network.filters.bias,
        "output": network.output.weight[0],
        "shift": network.output.bias[0],
    }
    return stored | {name: array.detach().numpy().astype(np.float16) for name, array in weights.items()}


def accuracy(margins: np.ndarray, labels: np.ndarray) -> float:
    return round(float(((margins > 0) == labels).mean()), 4)


def main() -> None:
    options = parser(__doc__ or "").parse_args()
    paths = paths_of(options)
    torch.set_num_threads(1)
    log = start_log(paths, "published_answerability")
    questions, labels = labelled(paths.data, held_out=False)
    log.info("%d questions, %.1f %% unanswerable", len(questions), 100 * labels.mean())
    others = [row["question"] for row in rows(paths.data, "privacyqa/question_categories")]
    convolution = fit_cnn(questions, labels, others, options.seed)
    np.savez_compressed(OUTPUT / "cnn.npz", **convolution)
    machines = fit_svms(questions, labels, options.seed)
    np.savez_compressed(OUTPUT / "svm.npz", **machines)
    asked, gold = labelled(paths.data, held_out=True)
    network, svm = Cnn(convolution), Svm(machines)
    report = {name: accuracy(svm.margins(asked, name), gold) for name in ("bow", "len", "pos")}
    report["cnn"] = accuracy(np.array([network.margin(question) for question in asked]), gold)
    log.info("%s", json.dumps({"held_out_accuracy": report, "always_no": accuracy(np.ones(len(gold)), gold)}))


if __name__ == "__main__":
    main()
