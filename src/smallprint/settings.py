"""One frozen Settings: defaults < file < environment < flags. Read once, at a door."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from platformdirs import user_data_path

from smallprint.errors import SettingsError

MB = 1024 * 1024
_ABOVE_ZERO = frozenset({"requests_per_minute"})  # none at all would be a server that never answers


@dataclass(frozen=True, slots=True)
class Settings:
    home: Path
    allow_private_addresses: bool = False
    local_files: bool = True  # may be read as sources; a server never reads them, whatever is set
    max_bytes: int = 10 * MB
    max_unpacked_bytes: int = 40 * MB
    timeout_seconds: float = 20.0
    max_redirects: int = 5
    cache_minutes: int = 60
    session_minutes: int = 60
    host: str = "127.0.0.1"
    port: int = 8765
    host_names: str = ""  # that the server goes by beyond loopback, parted by commas
    token: str = field(default="", repr=False)
    requests_per_minute: int = 6_000  # of one client
    index: str = field(default="", repr=False)  # an OpenSearch cluster; empty means the folder `index` in `home`
    index_password: str = field(default="", repr=False)
    index_api_key: str = field(default="", repr=False)
    matters: str = ""  # a file of weights for `surprise` that go before the shipped ones
    voice_skill_id: str = ""  # the vendor's id of the skill that may ask here; without it there is no voice

    @property
    def database(self) -> Path:
        return self.home / "library.sqlite3"

    @property
    def cache(self) -> Path:
        return self.home / "cache"

    @property
    def parts(self) -> Path:
        """What a cluster on this machine reads, while it does."""
        return self.home / "spark"

    @property
    def sessions(self) -> Path:
        return self.home / "sessions"


def load(environment: Mapping[str, str] | None = None, **flags: object) -> Settings:
    """Settings of this run. `SMALLPRINT_HOME` moves the folder; `settings.toml` inside it sets the rest."""
    env = os.environ if environment is None else environment
    home = Path(env.get("SMALLPRINT_HOME") or user_data_path("smallprint", appauthor=False)).expanduser()
    settings = Settings(home=home)
    settings = _override(settings, _from_file(home / "settings.toml"), home / "settings.toml")
    settings = _override(settings, _from_environment(env), "the environment")
    return _override(settings, flags, "the command line")


def _from_file(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"{path} can't be read as settings: {error}") from error


def _from_environment(env: Mapping[str, str]) -> dict[str, object]:
    names = {f"SMALLPRINT_{f.name.upper()}": f.name for f in fields(Settings) if f.name != "home"}
    return {names[key]: value for key, value in env.items() if key in names}


def _override(settings: Settings, values: Mapping[str, object], where: object) -> Settings:
    known = {f.name: getattr(settings, f.name) for f in fields(Settings)}
    changes: dict[str, object] = {}
    for name, value in values.items():
        if name not in known or name == "home":
            raise SettingsError(f"{where}: there is no setting {name!r} (known: {', '.join(sorted(known))})")
        changes[name] = _convert(name, value, type(known[name]), where)
    return replace(settings, **changes)  # type: ignore[arg-type]


def _convert(name: str, value: object, kind: type, where: object) -> object:
    try:
        if kind is bool:
            return {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}[str(value).lower()]
        if kind is str:
            return str(value)
        number = kind(value)
        if number < 0 or (number == 0 and name in _ABOVE_ZERO):
            raise ValueError
        return number
    except (KeyError, ValueError, TypeError):
        least = "above zero" if name in _ABOVE_ZERO else "that is not negative"
        wanted = "true or false" if kind is bool else f"a number {least} ({kind.__name__})"
        raise SettingsError(f"{where}: {name} must be {wanted}, not {value!r}") from None
