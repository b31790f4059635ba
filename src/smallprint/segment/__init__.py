"""From a policy's blocks to segments and sentences, each with its heading path and lead-in."""

from __future__ import annotations

from smallprint.segment.segments import segment

__all__ = ["segment"]
