from __future__ import annotations

from collections.abc import Iterator

import pytest
from fernhill import POLICY

from served import Served, serving
from smallprint.assistant import Assistant
from smallprint.server import create_app
from smallprint.settings import Settings


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A home with one policy, added on this machine from a file."""
    folder = tmp_path_factory.mktemp("served")
    (folder / "fernhill.html").write_text(POLICY)
    settings = Settings(home=folder / "home")
    Assistant(settings).add(str(folder / "fernhill.html"), name="Fernhill", force=True)
    return settings


@pytest.fixture(scope="session")
def server(library: Settings) -> Iterator[Served]:
    with serving(create_app(library)) as one:
        yield one
