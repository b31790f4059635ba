"""One turn: what is said, against what the session remembers, becomes a Turn and a new memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from smallprint.dialogue import clarify, explain, followups, naming
from smallprint.dialogue.clarify import Categories
from smallprint.dialogue.intent import chosen, intent
from smallprint.dialogue.memory import Memory
from smallprint.records import Answer, Choice, Evidence, Policy, Sentence, Turn, Verdict

SHOWN_AT_ONCE = 3
LOOKED_AT = 5
"""Of so many sentences the practices are compared before asking back."""
MOST_NAMES = 8
LONGEST_SAID = 2_000
"""More than is read of a question, so that an answer can say what was left out."""
HELP = (
    "Ask what you want to know in your own words. You can also say: more, why, start over, policies, "
    "now and a policy's name, forget this conversation."
)
BESIDE_THE_POINT = (Verdict.INCOMPREHENSIBLE, Verdict.OUT_OF_SCOPE)
"""After these, follow-ups lean on the question before."""
NOTHING_YET = "Nothing was asked yet: what do you want to know?"


class Asked(Protocol):
    """A policy that can be asked."""

    def ask(self, text: str) -> Answer: ...

    def categories_of(self, sentences: Sequence[Sentence]) -> Sequence[Categories]: ...


class Policies(Protocol):
    """Where a conversation finds policies."""

    def opened(self, policy: Policy) -> Asked: ...

    def names(self) -> Sequence[str]:
        """Of all that a person can switch to."""
        ...

    def named(self, name: str) -> Policy: ...


def turn(
    session: str, memory: Memory, said: str, policies: Policies, *, at_once: int | None = None
) -> tuple[Turn, Memory | None]:
    """The memory is None where the conversation is to be forgotten. An answer shows so many sentences `at_once`, the
    others on "more"; without it as many as it has."""
    return _Exchange(session, memory, said[:LONGEST_SAID].strip(), policies, at_once).turn()


def brief(answer: Answer, most: int) -> Answer:
    """The same answer with fewer sentences at first, a contradiction's two sides before all else."""
    sides = [side for one in answer.conflicts[:1] for side in (one.first, one.second)]
    shown = (*sides, *(one for one in answer.evidence if one not in sides))
    return replace(answer, evidence=shown[:most], more=(*shown[most:], *answer.more))


@dataclass(frozen=True, slots=True)
class _Exchange:
    session: str
    memory: Memory
    said: str
    policies: Policies
    at_once: int | None

    def turn(self) -> tuple[Turn, Memory | None]:
        if not self.said:
            return self._says(HELP)
        picked = chosen(self.said, self.memory.choices) or self._agreed()
        text = picked.ask if picked else self.said
        return self._wish(text) or self._switch(text) or self._ask(text, meant=picked is not None)

    def _agreed(self) -> Choice | None:
        """The one choice on offer, where the answer to it is "yes"; of several, "yes" picks none."""
        offered = self.memory.choices
        return offered[0] if len(offered) == 1 and intent(self.said) == "yes" else None

    def _wish(self, text: str) -> tuple[Turn, Memory | None] | None:
        """What is said to the assistant and not to the policy."""
        match intent(text):
            case "more":
                return self._more()
            case "yes" if self.memory.asked:
                return self._more()
            case "why":
                answer = self._answer()
                return self._says(explain.why(answer), answer.evidence[:1]) if answer else self._says(NOTHING_YET)
            case "repeat":
                answer = self._answer()
                return self._says(answer.summary, answer.evidence) if answer else self._says(NOTHING_YET)
            case "help":
                return self._says(HELP)
            case "which":
                return self._says(f"This is the policy of {self.memory.name}.")
            case "policies":
                return self._offer("You can switch to these:", self.policies.names())
            case "thanks":
                return self._says("You're welcome.")
            case "no":
                return self._says("All right. What else do you want to know?")
            case "start over":
                return self._afresh()._says(f"Let's start over. This is the policy of {self.memory.name}.")
            case "forget":
                made, _ = self._afresh()._says("This conversation is forgotten.")
                return made, None
        return None

    def _afresh(self) -> _Exchange:
        return replace(self, memory=Memory(self.memory.policy, self.memory.name))

    def _more(self) -> tuple[Turn, Memory | None]:
        answer, seen = self._answer(), self.memory.shown
        if answer is None:
            return self._says(NOTHING_YET)
        shown = answer.more[seen : seen + SHOWN_AT_ONCE]
        left = len(answer.more) - seen - len(shown)
        made, memory = self._says(_more_line(len(shown), left), shown)
        return made, replace(memory, answer=answer, shown=seen + len(shown))

    def _switch(self, text: str) -> tuple[Turn, Memory | None] | None:
        """Another policy, if one was named. Where only the open one may have been meant, "the bank" is asked about."""
        wanted = naming.wanted(text)
        if wanted is None or (not wanted.opened and followups.is_question(text)):
            return None
        if followups.is_about_data(wanted.name) and not wanted.plainly:
            return None
        names = self.policies.names()
        fit = naming.fitting(wanted, names)
        if fit.sure:
            return self._read(fit.names[0])
        if fit.names == (self.memory.name,) and not wanted.plainly:
            return None
        if fit.names:
            return self._offer("Which one do you mean?", fit.names)
        if wanted.plainly:
            return self._offer(f"There is no policy called “{wanted.name}” here.", naming.closest(wanted.name, names))
        return None

    def _read(self, name: str) -> tuple[Turn, Memory | None]:
        if name == self.memory.name:
            return self._says(f"This is the policy of {name}.")
        again = (Choice("Ask the same", self.memory.asked),) if self.memory.asked else ()
        line = f"Now reading {name}."
        made = Turn(self.session, name, self.said, "", None, line, again)
        return made, Memory(self.policies.named(name), name, choices=again)

    def _ask(self, text: str, *, meant: bool) -> tuple[Turn, Memory | None]:
        """A question. What was `meant` was picked from choices: it stands by itself and is not asked back about."""
        memory = self.memory
        whole = text if meant or not memory.context else followups.resolve(text, memory.context)
        opened = self.policies.opened(memory.policy)
        answer = self._put(opened, whole)
        asked = answer.question.text
        choices: tuple[Choice, ...] = ()
        if clarify.may_ask_back(answer) and not (meant and memory.asked):
            best = [e.sentence for e in (*answer.evidence, *answer.more)[:LOOKED_AT]]
            thing = followups.thing(asked) or followups.thing(memory.context)
            choices = clarify.choices(answer, thing, opened.categories_of(best))
        line = answer.summary
        if choices:
            back = clarify.question(choices)
            line = back if answer.verdict is Verdict.UNCLEAR else f"{line} {back}"
        made = Turn(self.session, memory.name, self.said, asked, answer, line, choices, answer.evidence)
        context = memory.context if answer.verdict in BESIDE_THE_POINT else asked
        return made, Memory(memory.policy, memory.name, asked, context, answer, 0, choices)

    def _answer(self) -> Answer | None:
        """The last one; after a restart it is found again by asking again."""
        if self.memory.answer is None and self.memory.asked:
            return self._put(self.policies.opened(self.memory.policy), self.memory.asked)
        return self.memory.answer

    def _put(self, opened: Asked, question: str) -> Answer:
        answer = opened.ask(question)
        return answer if self.at_once is None else brief(answer, self.at_once)

    def _offer(self, line: str, names: Sequence[str]) -> tuple[Turn, Memory | None]:
        choices = tuple(Choice(name, f"switch to {name}") for name in names[:MOST_NAMES])
        made = Turn(self.session, self.memory.name, self.said, "", None, line, choices)
        return made, replace(self.memory, choices=choices)

    def _says(self, line: str, shown: tuple[Evidence, ...] = ()) -> tuple[Turn, Memory]:
        """A turn that asks nothing anew; what was offered before stays on offer."""
        turn = Turn(self.session, self.memory.name, self.said, "", None, line, self.memory.choices, shown)
        return turn, self.memory


def _more_line(shown: int, left: int) -> str:
    if not shown:
        return "There is nothing more that bears on it."
    here = "Here is one more." if shown == 1 else f"Here are {shown} more."
    return f"{here} {left} {'is' if left == 1 else 'are'} left." if left else f"{here} That is all."
