from __future__ import annotations

from collections.abc import Iterator

import pytest

from served import Served, serving
from smallprint.assistant import Assistant
from smallprint.server import create_app
from smallprint.settings import Settings

POLICY = """
<html><head><title>Privacy Policy | Fernhill</title></head><body><h1>Privacy Policy</h1>
<p>This privacy policy explains how Fernhill collects, uses and shares personal information.</p>
<h2>What we collect</h2><p>We collect your name and your email address when you open an account.</p>
<h2>Sharing</h2><p>We do not sell your personal information. We share your location with advertising partners.</p>
<h2>Keeping</h2><p>We keep your photos for two years after you delete your account.</p>
<p>You may contact us about this privacy policy and ask us to delete your personal data at any time.</p>
</body></html>
"""


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
