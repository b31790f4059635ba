"""Where the embedded index lies: one folder for each generation, one file that names the current one.

index/write.lock     held by whoever writes; the system lets go of it when its holder dies
index/current        the name of the generation that readers use, replaced in one step
index/gen-…/         documents/ and sentences/, two indexes of the engine, and `schema`
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Final

from smallprint.errors import IndexUnavailable
from smallprint.index.schema import SCHEMA
from smallprint.index.turn import turn

_CURRENT: Final = "current"


class Storage:
    def __init__(self, root: Path) -> None:
        self.root = root

    def turn(self, patience: float) -> AbstractContextManager[None]:
        """Be the only writer."""
        return turn(self.root / "write.lock", patience)

    def current(self) -> Path | None:
        """The generation to read; None where there is none that this version of the program understands."""
        name = self._name()
        while name is not None:
            try:
                fits = (self.root / name / "schema").read_text("utf-8") == str(SCHEMA)
                return self.root / name if fits else None
            except (OSError, UnicodeDecodeError):
                # Swept since its name was read: then there is another. Else it is damaged.
                before, name = name, self._name()
                if name == before:
                    return None
        return None

    def _name(self) -> str | None:
        try:
            return (self.root / _CURRENT).read_text("utf-8").strip() or None
        except (OSError, UnicodeDecodeError):
            return None

    def begin(self) -> Path:
        """A folder for a new generation, seen by nobody yet. For the writer whose turn it is."""
        with plain_errors(self.root):
            self.sweep()
            folder = self.root / f"gen-{time.time_ns():x}"
            for name in ("documents", "sentences"):
                (folder / name).mkdir(mode=0o700, parents=True)
            (folder / "schema").write_text(str(SCHEMA), "utf-8")
        return folder

    def publish(self, folder: Path) -> None:
        """From here on readers take this generation."""
        with plain_errors(self.root):
            note = self.root / f"{_CURRENT}.part"
            with note.open("w", encoding="utf-8") as file:
                file.write(folder.name)
                file.flush()
                os.fsync(file.fileno())
            note.replace(self.root / _CURRENT)
        self.sweep()

    def sweep(self) -> None:
        """Remove what no reader will open again: old generations, and those of writers that died.

        A reader that still has an old one open keeps its pages until it looks again.
        """
        kept = self.current()
        for folder in self.root.glob("gen-*"):
            if folder != kept:
                with suppress(OSError):  # a system that can't delete open files: the next sweep will
                    shutil.rmtree(folder)


@contextmanager
def plain_errors(root: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise IndexUnavailable(f"The search index in {root} can't be used: {error.strerror or error}.") from error
