"""`bench norms`: how many policies mention what, in the norms that are shipped; no data is needed. A row for each thing
mentioned; `low` and `high` are the interval of its share."""

from __future__ import annotations

from smallprint.bench.data import DataDir
from smallprint.bench.report import Report
from smallprint.errors import DataMissing
from smallprint.norms.figures import ALL, shipped


def run(data: DataDir, system: str | None = None) -> Report:
    norms = shipped()
    everyone = norms.groups[ALL]
    if system is not None and system not in everyone.mentions:
        raise DataMissing(f"There is no row {system!r} here (known: {', '.join(everyone.mentions)}).")
    shares = {key: everyone.mentioning(*key.split("/")) for key in everyone.mentions if system in (None, key)}
    rows = {key: {"share": one.share, "low": one.low, "high": one.high} for key, one in shares.items()}
    note = f"Corpus {norms.corpus}, read by {norms.model}."
    return Report("norms", data.used, everyone.policies, rows, notes=(note,))
