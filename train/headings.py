"""What policies teach without labels: which heading belongs to which section.

Guessing hidden words, the usual way to learn from bare text, would take days here. The base was never taught it: a head
of its own upon the fixed encoder comes from 6.6 to 6.0 nats in 150 steps (how common each piece is tells 6.2
already), and 200 steps of all layers, beside the tasks, do no better.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import torch
from torch.nn.functional import cross_entropy, normalize

from smallprint.bench.published.headings import Section, is_held_out, sections_of
from smallprint.models.tokenizer import PieceTokenizer
from train.data import rows
from train.reader_model import TEMPERATURE, Losses, Reader, packed_of

HEADING_PIECES = 32
SECTION_PIECES = 160
EACH = 4
"""Sections of a policy at most: those of one policy are told apart more easily than they should be."""


def sections(data: Path, draw: random.Random) -> Iterator[Section]:
    """Of policies in an order of their own each time round, without those that `bench headings` measures on."""
    texts = [row["text"] for row in rows(data, "corpus/policies") if not is_held_out(row["service"])]
    while True:
        draw.shuffle(texts)
        for text in texts:
            first = sections_of(text)[: 2 * EACH]
            yield from draw.sample(first, min(EACH, len(first)))


def heading_losses(
    reader: Reader, tokenizer: PieceTokenizer, batch: list[Section], dropout: float
) -> tuple[Losses, int]:
    """Each heading must find its section among all of the batch."""
    asked = packed_of(tokenizer.texts([s.heading for s in batch], longest=HEADING_PIECES))
    read = packed_of(tokenizer.texts([s.text for s in batch], longest=SECTION_PIECES))
    headings, texts = (normalize(reader(side, dropout)[1], dim=1) for side in (asked, read))
    loss = cross_entropy(headings @ texts.T / TEMPERATURE, torch.arange(len(batch)))
    return {"headings": loss}, len(asked.ids) + len(read.ids)
