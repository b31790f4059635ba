"""Recipe for the words that spelling is checked against: the commonest of 31,000 policies, and those of questions.

A policy's own slips must not become known words. So a word stays if a dictionary of English has it; else it must be
found in many policies, and no word one slip away may be far commoner: that keeps names of products, drops "recieve".

    python -m train.spelling
"""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from smallprint.question.spelling import one_slip_away
from train.data import rows
from train.exclusions import is_held_out
from train.paths import REPOSITORY, minilm, parser, paths_of, start_log

OUTPUT = REPOSITORY / "src" / "smallprint" / "question" / "words.txt.gz"
EVERYDAY = Path(__file__).with_name("everyday.txt")
WORDS = 20_000
QUESTION_WEIGHT = 200
"""One use in a question counts like so many in policies: there are 12,000 words of policy for each word of question."""
EVERYDAY_WEIGHT = 20
POLICIES = 60
"""In so many policies a word that English lacks must be found."""
NO_SLIP = 200
"""And in so many, it is a word: the commonest slips of 31,000 policies are found in 30."""
QUESTIONED = 6
"""Or of so many policies asked."""
COMMONER = 30
"""A word that English lacks is taken for a slip if one so many times commoner is one slip away."""
_WORD = re.compile(r"(?<![\w@#.])[a-z]+(?![\w@])")


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each word was used, and in how many texts."""

    uses: Counter[str]
    texts: Counter[str]


def counted(texts: Iterable[str]) -> Counts:
    counts = Counts(Counter(), Counter())
    for text in texts:
        uses = Counter(_WORD.findall(text.lower()))
        counts.uses.update(uses)
        counts.texts.update(uses.keys())
    return counts


def english() -> frozenset[str]:
    """The words of the dictionary that the symspellpy package carries; it decides only what counts as a slip."""
    text = files("symspellpy").joinpath("frequency_dictionary_en_82_765.txt").read_text("utf-8-sig")
    return frozenset(line.split()[0] for line in text.splitlines() if line.strip())


def questions_of(data: Path) -> Iterator[str]:
    """All that are asked of one policy as one text, without those that are measured on or misspelt on purpose."""
    by_policy: dict[str, list[str]] = {}
    for row in rows(data, "asked/questions"):
        if not is_held_out(row["doc_id"]) and "misspelt" not in row["register"]:
            by_policy.setdefault(row["doc_id"], []).append(row["question"])
    for row in rows(data, "privacyqa/question_categories"):
        by_policy.setdefault(row["doc_id"], []).append(row["question"])
    return map("\n".join, by_policy.values())


def everyday_words(encoder: Path, dictionary: frozenset[str]) -> frozenset[str]:
    """Those of the list beside this recipe, and the whole words of English that the base encoder knows: it learned
    from books and an encyclopedia, where people hop, spill and wander."""
    lines = EVERYDAY.read_text("utf-8").splitlines()
    listed = frozenset(word for line in lines if not line.startswith("#") for word in line.split())
    return listed | (dictionary & frozenset((encoder / "vocab.txt").read_text("utf-8").split()))


def chosen(policies: Counts, questions: Counts, everyday: frozenset[str], dictionary: frozenset[str]) -> dict[str, int]:
    uses = policies.uses.copy()
    for word, times in questions.uses.items():
        uses[word] += times * QUESTION_WEIGHT
    for word in everyday:
        uses[word] += EVERYDAY_WEIGHT

    def is_word(word: str) -> bool:
        if word in dictionary or word in everyday or policies.texts[word] >= NO_SLIP:
            return True
        usual = policies.texts[word] >= POLICIES or questions.texts[word] >= QUESTIONED
        near = one_slip_away(word) if usual else ()
        return usual and not any(uses[other] > COMMONER * uses[word] for other in near if other in uses)

    kept: dict[str, int] = {}
    for word, count in uses.most_common():
        if len(kept) == WORDS:
            break
        if is_word(word):
            kept[word] = count
    kept |= {word: uses[word] for word in everyday}
    return dict(sorted(kept.items(), key=lambda item: (-item[1], item[0])))


def main() -> None:
    paths = paths_of(parser(__doc__ or "").parse_args())
    log = start_log(paths, "spelling")
    policies = counted(row["text"] for name in ("policies", "websites") for row in rows(paths.data, f"corpus/{name}"))
    log.info("%d words of policies, %d different", policies.uses.total(), len(policies.uses))
    dictionary = english()
    words = chosen(policies, counted(questions_of(paths.data)), everyday_words(minilm(), dictionary), dictionary)
    lines = "".join(f"{word} {count}\n" for word, count in words.items())
    OUTPUT.write_bytes(gzip.compress(lines.encode(), mtime=0))
    log.info("%d words, %d bytes", len(words), OUTPUT.stat().st_size)


if __name__ == "__main__":
    main()
