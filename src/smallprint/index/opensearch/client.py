"""One call to a cluster: time-outs, bounded retries with back-off, and its errors in our words.

Every call may be made twice without harm: documents have ids, so a write that was done but not heard of is done again.
"""

from __future__ import annotations

import base64
import json
import logging
import random
import re
import ssl
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from smallprint.errors import IndexUnavailable, SettingsError
from smallprint.index.opensearch.address import Address


@dataclass(frozen=True, slots=True)
class Effort:
    """`patience`: seconds that a call is repeated for. `times`: how much longer than a search one request may take."""

    patience: float
    times: int = 1


# A search waits as long as a person would. A writer waits as long as a cluster may need to choose another manager and
# to put other copies of the shards in charge; and a busy one is not sent five megabytes again and again.
READING: Final = Effort(10.0)
WRITING: Final = Effort(300.0, times=4)
_FIRST_PAUSE: Final = 0.1
_LONGEST_PAUSE: Final = 5.0
PASSING: Final = (408, 429, 502, 503, 504)  # it may be otherwise in a moment
OLDEST: Final = 2  # the first version that is known to have all that is asked of it
_ACTION = re.compile(r"no permissions for \[([^\]]+)\]")
_LINE: Final = 200
_CONNECTIONS: Final = 32  # kept open to a node, for as many threads

try:
    import opensearchpy
except ImportError:
    raise SettingsError("OpenSearch needs one more package: pip install 'smallprint[opensearch]'.") from None

# The package logs requests with their bodies: what people look for, and policies.
for _name in ("opensearch", "opensearchpy.trace"):
    logging.getLogger(_name).disabled = True


class NotThere(IndexUnavailable):
    """The cluster has no such index or document."""


class AlreadyThere(IndexUnavailable):
    """Another program made it first."""


class Client:
    """Many threads may share one."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self._known_version = False
        hosts = [{"host": host, "port": port} for host, port in address.hosts]
        self._transport = opensearchpy.Transport(
            hosts,
            max_retries=0,  # `call` repeats; a node that failed is left alone for a while all the same
            timeout=address.timeout,
            pool_maxsize=_CONNECTIONS,
            use_ssl=address.secure,
            headers=_authorization(address),
            **({"ssl_context": _trust(address)} if address.secure else {}),
        )

    def __repr__(self) -> str:
        return f"Client({self.address!r})"

    def call(self, method: str, path: str, body: object = None, *, effort: Effort = READING, **params: object) -> Any:
        """The answer; IndexUnavailable with one line where there is none to be had."""
        if not self._known_version:
            self._check_version(effort)
        return self._repeated(method, path, body, effort, params)

    def searches(self, asked: Iterable[tuple[str, Mapping[str, Any]]]) -> list[dict[str, Any]]:
        """Several searches, each in an index, in one call; all whole, or IndexUnavailable. What a node that just died
        left unanswered is asked again."""
        body = b"".join(
            as_line({"index": index, "allow_partial_search_results": False}) + as_line(search)
            for index, search in asked
        )
        given_up = f"{max(1, round(1_000 * self.address.timeout))}ms"  # then nobody waits for it any longer
        for pause in pauses(READING):
            answers = self.call("POST", "/_msearch", body, cancel_after_time_interval=given_up)["responses"]
            failed = [one for one in answers if "error" in one]
            if not failed:
                return list(answers)
            if pause is None or not _may_pass(failed[0]["status"]):
                raise self.refusal(failed[0]["status"], failed[0])
            time.sleep(pause)
        raise AssertionError("the last pause is None")

    def _repeated(self, method: str, path: str, body: object, effort: Effort, params: Mapping[str, object]) -> Any:
        timeout = effort.times * self.address.timeout
        ask = partial(self._transport.perform_request, method, path, body=body, timeout=timeout)
        for pause in pauses(effort, at_once=len(self.address.hosts) - 1):
            try:
                return ask(params=dict(params))
            except opensearchpy.OpenSearchException as error:
                if pause is None or not _passing(error):
                    raise self._plain(error, timeout) from None
            time.sleep(pause)
        raise AssertionError("the last pause is None")

    def _check_version(self, effort: Effort) -> None:
        told = self._repeated("GET", "/", None, effort, {}).get("version", {})
        number, kind = str(told.get("number", "?")), told.get("distribution", "another engine")
        if kind != "opensearch" or not number.split(".")[0].isdecimal() or int(number.split(".")[0]) < OLDEST:
            raise IndexUnavailable(
                f"At {self.address} runs {kind} {number}: Smallprint needs OpenSearch {OLDEST} or newer there."
            )
        self._known_version = True

    def _plain(self, error: Exception, timeout: float) -> IndexUnavailable:
        where = self.address
        if isinstance(error, opensearchpy.SSLError):
            return IndexUnavailable(
                f"OpenSearch at {where} does not prove who it is ({_line(error.error)}): give the file with its "
                "authority's certificate as ?ca=FILE in SMALLPRINT_INDEX."
            )
        if isinstance(error, opensearchpy.ConnectionTimeout):
            return IndexUnavailable(
                f"OpenSearch at {where} did not answer within {timeout:g} seconds. Try again in a moment."
            )
        if isinstance(error, opensearchpy.ConnectionError):
            return IndexUnavailable(f"OpenSearch at {where} can't be reached. Is it running? Try again in a moment.")
        if isinstance(error, opensearchpy.SerializationError):
            return IndexUnavailable(f"What runs at {where} does not answer like OpenSearch: see SMALLPRINT_INDEX.")
        status = getattr(error, "status_code", None)
        info = getattr(error, "info", None)
        return self.refusal(status if isinstance(status, int) else 0, info if isinstance(info, dict) else {})

    def refusal(self, status: int, info: Mapping[str, Any]) -> IndexUnavailable:
        """What a cluster says no with, in our words."""
        where = self.address
        kind, reason = _cause(info.get("error"))
        if status == 401:
            who = "the API key" if where.api_key else f"the user {where.user!r} or the password"
            return IndexUnavailable(
                f"OpenSearch at {where} does not accept {who if where.api_key or where.user else 'a stranger'}: see "
                "SMALLPRINT_INDEX, SMALLPRINT_INDEX_PASSWORD and SMALLPRINT_INDEX_API_KEY."
            )
        if status == 403 and kind != "cluster_block_exception":
            found = _ACTION.search(reason)
            what = f" {found[1]}" if found else ""
            return IndexUnavailable(
                f"OpenSearch at {where} does not allow{what} on {where.name}*: the rights that Smallprint needs are in "
                "docs/opensearch.md."
            )
        if status == 404:
            return NotThere(f"OpenSearch at {where} has no index {where.name}: run `smallprint index rebuild`.")
        if kind == "resource_already_exists_exception":
            return AlreadyThere(f"Another program is making the index {where.name}. Try again in a moment.")
        if kind in ("mapper_parsing_exception", "strict_dynamic_mapping_exception", "illegal_argument_exception"):
            return IndexUnavailable(
                f"The index {where.name} does not fit this version of Smallprint ({_line(reason)}): run "
                "`smallprint index rebuild`."
            )
        if kind == "cluster_block_exception":
            return IndexUnavailable(f"OpenSearch at {where} takes no writes now ({_line(reason)}): is its disk full?")
        said = f"{kind}: {_line(reason)}" if kind else f"status {status}"
        hint = " Try again in a moment." if status in PASSING or status >= 500 else ""
        return IndexUnavailable(f"OpenSearch at {where} can't do that ({said}).{hint}")


def pauses(effort: Effort, at_once: int = 0) -> Iterator[float | None]:
    """What to wait before each repetition: nothing for the other nodes, then longer and longer, by chance so that
    programs don't come back in step. None when the time is over."""
    deadline = time.monotonic() + effort.patience
    yield from [0.0] * at_once
    pause = _FIRST_PAUSE
    while time.monotonic() + pause < deadline:
        yield pause * random.uniform(0.5, 1)
        pause = min(2 * pause, _LONGEST_PAUSE)
    yield None


def _cause(error: object) -> tuple[str, str]:
    """The type and the words of what went wrong first."""
    if not isinstance(error, dict):
        return "", str(error or "")
    first = next(iter(error.get("root_cause") or ()), error)
    return str(first.get("type", "")), str(first.get("reason", ""))


def as_line(one: object) -> bytes:
    return json.dumps(one, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _may_pass(status: object) -> bool:
    """Where a search failed in a shard: a node that goes down says 500 too."""
    return status in PASSING or status == 500


def _passing(error: Exception) -> bool:
    if isinstance(error, opensearchpy.SSLError):
        return False
    return isinstance(error, opensearchpy.ConnectionError) or getattr(error, "status_code", None) in PASSING


def _authorization(address: Address) -> dict[str, str]:
    if address.api_key:
        return {"authorization": f"ApiKey {address.api_key}"}
    pair = base64.b64encode(f"{address.user}:{address.password}".encode()).decode()
    return {"authorization": f"Basic {pair}"} if address.user else {}


def _trust(address: Address) -> ssl.SSLContext:
    """The certificates of this machine, or those given; there is no way to go without."""
    try:
        return ssl.create_default_context(cafile=address.ca or None)
    except (OSError, ssl.SSLError) as error:
        raise SettingsError(f"SMALLPRINT_INDEX: {address.ca} holds no certificates that can be read.") from error


def _line(text: object) -> str:
    return " ".join(str(text).split())[:_LINE]
