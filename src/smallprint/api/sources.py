"""What a request may point at. Never a file of this machine: the server's assistant reads none."""

from __future__ import annotations

import base64
import binascii
from io import BytesIO
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from smallprint.assistant import Assistant
from smallprint.errors import UnsupportedFormat

Url = Annotated[
    str,
    Field(
        pattern="^https?://",
        max_length=2_000,
        description="A web address; a homepage will do, the policy's link is found. Not within private networks.",
    ),
]


class Strict(BaseModel):
    """The body of a request. A member that means nothing is refused, as it was meant to mean something; and so is
    one of another type, though it could be taken for the right one."""

    model_config = ConfigDict(extra="forbid", strict=True)


class StoredPolicy(Strict):
    policy: Annotated[
        str, Field(min_length=1, max_length=200, description="The whole name of a policy in the library.")
    ]

    def place(self, assistant: Assistant) -> dict[str, Any]:
        return {"source": assistant.entry(self.policy, whole=True).name}


class WebPage(Strict):
    url: Url

    def place(self, _: Assistant) -> dict[str, Any]:
        return {"source": self.url}


class Pasted(Strict):
    text: Annotated[str, Field(min_length=1, description="The policy itself, as text, Markdown or HTML.")]

    def place(self, _: Assistant) -> dict[str, Any]:
        return {"source": "-", "stdin": BytesIO(self.text.encode("utf-8", "replace"))}


class Document(Strict):
    data: Annotated[str, Field(min_length=1, description="A PDF or another file, its bytes in base64.")]

    def place(self, _: Assistant) -> dict[str, Any]:
        try:
            return {"source": "-", "stdin": BytesIO(base64.b64decode(self.data, validate=True))}
        except (binascii.Error, ValueError):
            raise UnsupportedFormat("The data is not base64.") from None


Source = StoredPolicy | WebPage | Pasted | Document
NewSource = WebPage | Pasted | Document
