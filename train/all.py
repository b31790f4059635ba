"""All recipes in their order, each in a process of its own: `python -m train.all`.

A recipe that was stopped goes on from its last checkpoint; one that is done costs a minute to see that.
"""

from __future__ import annotations

import subprocess
import sys

RECIPES = (
    "spelling",  # the words that spelling is checked against: three minutes
    "vocabulary",  # prune the word table
    "reader",  # with its second stage at most ninety minutes on two idle cores
    "judge",  # at most ninety minutes; starts from the reader
    "marker",  # at most ninety minutes; starts from the judge
    "arbiter",  # at most ninety minutes; starts from the marker
    "reader_deeper",  # the reader's second stage
    "reader_kinds",  # its head for kinds of questions, by itself: a minute
    "words",  # word weights, a minute
    "detector",  # a minute
    "sectors",  # three minutes
    "vectors",  # word vectors, a quarter of an hour
    "unit",  # the graph that speed is measured against
    "ship",  # export, calibrate, measure, write the catalogue
    "answering",  # how the signals add up: ten minutes
    "conflicts",  # contradictions, limits and the rest: half a minute
    "changes",  # what matters between two versions: two minutes
    "folds",  # five judges for the card, nothing that ships: an hour
    "published_bilstm",  # rows of the benches, from here on: ten minutes
    "published_answerability",  # five minutes
    "published_idf",  # a minute
    "published_labels",  # a minute
    "published_polisis",  # two minutes
    "published_pairs",  # two minutes
)


def main() -> None:
    for recipe in RECIPES:
        done = subprocess.run([sys.executable, "-m", f"train.{recipe}", *sys.argv[1:]], check=False)
        if done.returncode:
            raise SystemExit(f"the recipe {recipe} failed; mend it and start again, what is done is kept")


if __name__ == "__main__":
    main()
