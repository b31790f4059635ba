from __future__ import annotations

from served import Served

QUESTIONS = "/api/v1/questions"
SESSIONS = "/api/v1/sessions"
FERNHILL = {"source": {"policy": "Fernhill"}}


def test_a_stored_policy_is_asked(server: Served) -> None:
    answer = server.ask("POST", QUESTIONS, FERNHILL | {"question": "Do you share my location?"}).json
    assert answer["policy"]["title"] == "Privacy Policy | Fernhill"
    assert answer["verdict"] == "answered"
    assert answer["evidence"][0]["sentence"]["text"] == "We share your location with advertising partners."
    assert answer["trace"] == []


def test_pasted_text_is_asked_and_explained(server: Served) -> None:
    text = "This is our privacy policy. We keep your photos for two years. We collect your email address."
    body = {"source": {"text": text}, "question": "How long do you keep photos?", "force": True, "explain": True}
    answer = server.ask("POST", QUESTIONS, body).json
    assert answer["evidence"][0]["sentence"]["text"] == "We keep your photos for two years."
    assert [step["stage"] for step in answer["trace"]][-1] == "decide"


def test_what_is_no_policy_is_told(server: Served) -> None:
    body = {"source": {"text": "A recipe for a cake: take flour, butter and eggs."}, "question": "How long?"}
    reply = server.ask("POST", QUESTIONS, body)
    assert reply.kind == "not-a-policy"
    assert "“force”" in reply.json["title"]
    assert "--force" not in reply.body.decode()


def test_odd_questions_get_an_answer(server: Served) -> None:
    for question in (" ", "\0", "?" * 2_000, "😀", "\u202e", "'; DROP TABLE services; --"):
        reply = server.ask("POST", QUESTIONS, FERNHILL | {"question": question})
        assert reply.status == 200, question
        assert reply.json["verdict"]
    assert server.ask("POST", QUESTIONS, FERNHILL | {"question": ""}).kind == "invalid-request"
    assert server.ask("POST", QUESTIONS, FERNHILL | {"question": "x" * 2_001}).kind == "invalid-request"


def test_a_conversation(server: Served) -> None:
    opened = server.ask("POST", SESSIONS, FERNHILL)
    assert opened.status == 201
    place = opened.headers["location"]
    assert server.ask("GET", place).json["id"] == opened.json["id"]
    turn = server.ask("POST", f"{place}/turns", {"said": "Do you share my location?"}).json
    assert turn["answer"]["verdict"] == "answered"
    assert turn["session"] == opened.json["id"]
    more = server.ask("POST", f"{place}/turns", {"said": "more"}).json
    assert more["answer"] is None
    assert server.ask("DELETE", place).status == 204
    for method, path in (("GET", place), ("DELETE", place)):
        assert server.ask(method, path).kind == "unknown-session"
    assert server.ask("POST", f"{place}/turns", {"said": "more"}).kind == "unknown-session"
