"""Search over many policies: one narrow protocol, the embedded engine behind it, the query language."""

from __future__ import annotations
