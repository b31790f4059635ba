"""Examples in the API's description. The requests work on the sample policies (`serve --demo`)."""

from __future__ import annotations

from typing import Any, Final

_Examples = dict[str, Any]

ADD: Final[_Examples] = {
    "address": {
        "summary": "A web address",
        "value": {"source": {"url": "https://example.com/privacy"}, "name": "Example"},
    },
    "pasted": {
        "summary": "Pasted text",
        "value": {
            "source": {
                "text": "Privacy Policy\n\nWe collect your name and your email address when you open an account. "
                "We do not sell personal information. You can delete your account at any time."
            },
            "name": "Pasted example",
            "force": True,
        },
    },
}
INGEST: Final[_Examples] = {
    "two": {
        "summary": "Two homepages",
        "value": {"sources": [{"url": "https://example.com"}, {"url": "https://example.org", "name": "Example.org"}]},
    }
}
ASK: Final[_Examples] = {
    "stored": {
        "summary": "A policy of the library",
        "value": {"source": {"policy": "Plazaly"}, "question": "Do you sell my profile information?"},
    },
    "pasted": {
        "summary": "Pasted text",
        "value": {"source": {"text": "We keep your photos for two years."}, "question": "How long?", "force": True},
    },
}
OPEN: Final[_Examples] = {"stored": {"summary": "A policy of the library", "value": {"source": {"policy": "Plazaly"}}}}
SAY: Final[_Examples] = {
    "question": {"summary": "A question", "value": {"said": "Who sees my photos?"}},
    "more": {"summary": "More of the last answer", "value": {"said": "more"}},
}
NEED: Final = "doesn't sell my data"
OF_ONE: Final[_Examples] = {
    "stored": {"summary": "A policy of the library", "value": {"source": {"policy": "Plazaly"}}},
    "sector": {"summary": "Against all", "value": {"source": {"policy": "Plazaly"}, "sector": "all"}},
}
CHANGES: Final[_Examples] = {
    "two": {
        "summary": "Two pasted texts",
        "value": {
            "old": {"text": "We do not sell your personal information."},
            "new": {"text": "We may sell your personal information."},
            "force": True,
        },
    }
}
COMPARE: Final[_Examples] = {
    "two": {
        "summary": "A stored policy and a pasted one",
        "value": {
            "sources": [{"policy": "Plazaly"}, {"text": "We do not sell personal information to anyone."}],
            "questions": ["Do you sell my data?"],
            "force": True,
        },
    }
}
CHECK: Final[_Examples] = {
    "stored": {"summary": "A policy of the library", "value": {"source": {"policy": "Plazaly"}, "against": "coppa"}}
}
EVENT: Final[_Examples] = {"event": "stage", "data": '{"stage": "reading"}'}
ANSWER: Final[_Examples] = {
    "policy": {
        "title": "Plazaly · Privacy",
        "url": "https://plazaly.example/privacy",
        "digest": "1da5ce610be8adc5…",
        "notes": [],
    },
    "question": {
        "text": "Do you sell my profile information?",
        "asked": "Do you sell my profile information?",
        "categories": ["third"],
        "kinds": {"in_policies": 0.9999, "not_in_policies": 0.0001},
    },
    "verdict": "answered",
    "stance": "yes",
    "summary": "It says it does: “We may sell profile information, interests and activity to data partners”.",
    "confidence": 0.92,
    "stance_confidence": 0.84,
    "evidence": [
        {
            "sentence": {
                "id": 47,
                "segment": 14,
                "kind": "paragraph",
                "start": 4306,
                "end": 4454,
                "text": "We may sell profile information, interests and activity to data partners and advertising "
                "networks, which may combine it with what they already know.",
                "headings": ["How information is shared", "Monetization partners"],
                "lead_in": "",
            },
            "span": [0, 97],
            "score": 0.9,
            "categories": [],
            "stance": "yes",
        }
    ],
    "conflicts": [],
    "more": [],
    "next": [],
    "trace": [],
}
