"""From what one policy costs to what millions need. Plain arithmetic; the assumptions are the constants here."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Final

SIZES: Final = {"1.4M": 1_400_000, "10M": 10_000_000, "100M": 100_000_000}
CORES: Final = 32  # of a machine
DISK_BYTES: Final = 4e12  # of a machine, of which 70 % may be filled
FILLED: Final = 0.7
HOURS: Final = 24.0  # in which a collection is to be read
COPIES: Final = 2  # of every shard of the index: one replica
FEWEST_SEARCH_NODES: Final = 3  # fewer can't lose one
# Bytes that OpenSearch takes for what tantivy takes one for: 31,032 policies, both in one run. For a run that measures
# neither.
OPENSEARCH_BYTES: Final = 2.2


@dataclass(frozen=True, slots=True)
class Cost:
    """What one policy takes: processor seconds of reading it, and of the driver (which has one core); bytes on disk,
    those of the index in OpenSearch."""

    read: float
    read_quick: float
    driver: float
    library: float
    index: float
    parts: float


def plan(cost: Cost, policies: int) -> dict[str, float]:
    """Disks and machines for so many policies."""
    core_hours = cost.read * policies / 3_600
    return {
        "policies": policies,
        "core_hours": core_hours,
        "core_hours_quick": cost.read_quick * policies / 3_600,
        "driver_hours": cost.driver * policies / 3_600,
        "library_terabytes": cost.library * policies / 1e12,
        "index_terabytes": COPIES * cost.index * policies / 1e12,
        "parts_terabytes": cost.parts * policies / 1e12,
        "reading_nodes": ceil(core_hours / (CORES * HOURS)),
        "search_nodes": max(FEWEST_SEARCH_NODES, ceil(COPIES * cost.index * policies / (DISK_BYTES * FILLED))),
    }
