"""The order of the rooms: each imports only from those before it, wherever the import stands."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import smallprint

ROOT = Path(smallprint.__file__).parent
ORDER = [
    "records", "words", "errors", "settings", "taxonomy", "models", "ingest", "segment", "annotate", "library", "index",
    "question", "retrieve", "answer", "dialogue", "norms", "corpus", "asking", "across", "assistant", "bench", "http",
    "api", "web", "voice", "mcp", "server", "cli",
]  # fmt: skip
DOORS = {"api", "web", "voice", "mcp"}


def rooms() -> list[Path]:
    return sorted(path for path in ROOT.rglob("*.py") if path.parent != ROOT or path.stem in ORDER)


@pytest.mark.parametrize("path", rooms(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_point_one_way(path: Path) -> None:
    room = path.relative_to(ROOT).parts[0].removesuffix(".py")
    if room not in ORDER:
        return
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("smallprint."):
            other = node.module.split(".")[1]
            assert ORDER.index(other) <= ORDER.index(room), f"{path.name} imports {node.module}"
            assert room == other or not {room, other} <= DOORS, f"one door, {path.name}, imports another"


def test_import_is_light() -> None:
    heavy = ["numpy", "onnxruntime", "lxml", "rich", "nupunkt", "tantivy", "sqlite3"]
    code = f"import sys, smallprint; print([m for m in {heavy} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"
