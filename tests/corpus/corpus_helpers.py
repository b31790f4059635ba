"""Small corpora, written by hand or by rule."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from smallprint.corpus.analyse import Options
from smallprint.corpus.documents import Document, Form, key_of
from smallprint.corpus.workers import work
from smallprint.library import Arrival, Refusal
from smallprint.settings import Settings

OPENING = (
    "Privacy Policy\n\nThis privacy policy explains what personal information {name} collects, how we use it and "
    "with whom we share it.\n\n"
)
SAID = (
    "we collect use share keep store process delete sell disclose your personal information data name address email "
    "location device browser account payment history messages with partners advertisers providers affiliates to "
    "improve secure offer measure personalise the service site app under law consent contract when you visit register "
    "order ask subscribe"
)


def policy_text(name: str, seed: int | None = None, sentences: int = 30) -> str:
    """A text that reads like a policy; the same seed gives the same text but for the name."""
    dice = random.Random(name if seed is None else seed)
    said = [" ".join(dice.choices(SAID.split(), k=dice.randint(8, 18))).capitalize() + "." for _ in range(sentences)]
    return OPENING.format(name=name) + "We use cookies. " + "\n\n".join(said)


def row(name: str, **more: Any) -> dict[str, Any]:
    domain = f"{name.lower().replace(' ', '-')}.com"
    made = {"service": name, "domain": domain, "url": f"https://{domain}/privacy", "date": "2020"}
    return {**made, "text": policy_text(name), **more}


def write_rows(path: Path, rows: list[dict[str, Any] | str]) -> Path:
    lines = [r if isinstance(r, str) else json.dumps(r) for r in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def page(name: str) -> str:
    paragraphs = "".join(f"<p>{part}</p>" for part in policy_text(name).split("\n\n")[1:])
    return (
        f"<html><head><title>Privacy Policy | {name}</title></head><body><nav><a href='/'>Quokka menu</a></nav>"
        f"<main><h1>Privacy Policy</h1>{paragraphs}</main><footer>Wombat footer</footer></body></html>"
    )


def at(home: Path) -> Settings:
    return Settings(home=home)


def document(place: str, text: str | None = None) -> Document:
    content = (policy_text(place) if text is None else text).encode()
    return Document(place, place, key_of(place), Form.BYTES, content=content, name=place)


def deadly_work(batch: Sequence[Document], settings: Settings, options: Options) -> list[Arrival | Refusal]:
    """As a worker does, but some documents kill it or never end."""
    for one in batch:
        if one.content == b"deadly":
            os.kill(os.getpid(), signal.SIGKILL)
        if one.content == b"endless":
            signal.signal(signal.SIGALRM, signal.SIG_IGN)
            time.sleep(600)
    return work(batch, settings, options)
