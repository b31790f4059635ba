"""A service's name as a part of a path."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path
from pydantic import AfterValidator

from smallprint.http.paths import name_of

Name = Annotated[
    str,
    Path(min_length=1, max_length=200, description="The service's whole name.", examples=["Plazaly"]),
    AfterValidator(name_of),
]
