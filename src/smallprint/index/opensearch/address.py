"""Where a cluster is and who asks: opensearch+https://user@host:9200,host2:9200/name?shards=5&timeout=30&ca=FILE.

Passwords and keys come from settings of their own, so that none stands in a process list; no error repeats one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

from smallprint.errors import SettingsError
from smallprint.settings import Settings

SCHEMES: Final = {"opensearch+https": True, "opensearch+http": False}
FORM: Final = "opensearch+https://user@host:9200/name"
PORT: Final = 9200
LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,99}")
_HOST = re.compile(r"(?:\[(?P<six>[0-9a-fA-F:.]+)\]|(?P<name>[A-Za-z0-9._-]+))(?::(?P<port>\d{1,5}))?")
_MOST_SHARDS: Final = 1_024


@dataclass(frozen=True, slots=True)
class Address:
    """`timeout` is for one request, in seconds; `ca` is a file of certificates that vouch for the cluster's."""

    hosts: tuple[tuple[str, int], ...]
    name: str
    secure: bool = True
    user: str = ""
    password: str = field(default="", repr=False)
    api_key: str = field(default="", repr=False)
    ca: str = ""
    shards: int = 5
    timeout: float = 30.0

    def __str__(self) -> str:
        (host, port), *more = self.hosts
        return f"{host}:{port}" + (f" and {len(more)} more" if more else "")


def address(settings: Settings) -> Address:
    """From the settings; SettingsError says what is wrong with them."""
    parts = urlsplit(settings.index)
    login, _, places = parts.netloc.rpartition("@")
    user, _, password = map(unquote, login.partition(":"))
    name = parts.path.strip("/")
    if parts.scheme not in SCHEMES or not places or not _NAME.fullmatch(name) or parts.fragment:
        raise SettingsError(
            f"SMALLPRINT_INDEX must look like {FORM}, with a name of small letters, digits, - and _; "
            "without it the index lies in Smallprint's own folder."
        )
    made = Address(
        hosts=tuple(_host(place) for place in places.split(",")),
        name=name,
        secure=SCHEMES[parts.scheme],
        user=user,
        password=settings.index_password or password,
        api_key=settings.index_api_key,
        **_options(parts.query),
    )
    _check(made)
    return made


def _host(place: str) -> tuple[str, int]:
    found = _HOST.fullmatch(place)
    port = int(found["port"] or PORT) if found else 0
    if found is None or not 0 < port < 2**16:
        raise SettingsError(f"SMALLPRINT_INDEX: {place!r} is no host with a port, as in search.example:9200.")
    return found["six"] or found["name"], port


def _options(query: str) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for key, value in parse_qsl(query, keep_blank_values=True):
        try:
            options[key] = {"shards": int, "timeout": float, "ca": str}[key](value)
        except KeyError:
            raise SettingsError(f"SMALLPRINT_INDEX: there is no option {key!r} (known: shards, timeout, ca).") from None
        except ValueError:
            raise SettingsError(f"SMALLPRINT_INDEX: {key} must be a number, not {value!r}.") from None
    return options


def _check(made: Address) -> None:
    if not 1 <= made.shards <= _MOST_SHARDS or not made.timeout > 0:
        raise SettingsError(f"SMALLPRINT_INDEX: shards are 1 to {_MOST_SHARDS}, and a timeout is more than nought.")
    if made.api_key and made.user:
        raise SettingsError("SMALLPRINT_INDEX names a user and there is an API key too: choose one.")
    if made.user and not made.password:
        raise SettingsError(f"There is no password for the user {made.user!r}: set SMALLPRINT_INDEX_PASSWORD.")
    if made.ca and not Path(made.ca).is_file():
        raise SettingsError(f"SMALLPRINT_INDEX: there is no file {made.ca} with certificates.")
    if (made.user or made.api_key) and not made.secure and any(host not in LOOPBACK for host, _ in made.hosts):
        raise SettingsError(
            "SMALLPRINT_INDEX: a password or key would cross the network in the clear: use opensearch+https."
        )
