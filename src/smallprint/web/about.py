"""What runs where, what it was measured to do, and what is never written down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from smallprint.assistant import Assistant
from smallprint.http.desk import Desk
from smallprint.web.guarded import guarded_router
from smallprint.web.openings import Openings
from smallprint.web.pages import Pages
from smallprint.words import percent

DOES: Final = {
    "reader": "reads sentences and questions: what they are about, how vague they are",
    "judge": "says how well a sentence answers a question, and with which words",
    "detector": "tells privacy policies from other pages",
    "vectors": "knows which words mean nearly the same",
    "tokenizer": "cuts text into pieces of words",
    "seen": "remembers, as hashes, what was learned from, so that tests stay honest",
}


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure of the catalogue: which model, score and key, and what it means."""

    model: str
    score: str
    key: str
    means: str
    on: str


MEASURES: Final = (
    Measure(
        "judge",
        "privacyqa, with cosine",
        "F@5",
        "questions with a sentence that people would quote among the first five",
        "PrivacyQA: 250 questions on five policies that nothing was trained on",
    ),
    Measure(
        "reader",
        "kinds, asked",
        "accuracy",
        "questions whose kind is told right by their words alone (about privacy, not in policies, unclear …)",
        "questions of 35 policies kept apart",
    ),
    Measure("detector", "valid", "f1", "policies and other pages told apart (F1)", "pages kept apart from training"),
)


def router(desk: Desk, pages: Pages, openings: Openings) -> APIRouter:  # noqa: ARG001
    routes = guarded_router(pages)

    @routes.get("/about")
    async def about(request: Request) -> Response:
        cards = await desk.reads.run(desk.assistant.models)
        settings = desk.assistant.settings
        return pages.show(
            request, "about.html", cards=cards, does=DOES, measured=_measured(desk.assistant), settings=settings
        )

    return routes


def _measured(assistant: Assistant) -> list[tuple[str, Measure]]:
    scores = {card.name: card.scores for card in assistant.models()}
    return [(percent(scores[m.model][m.score][m.key]), m) for m in MEASURES]
