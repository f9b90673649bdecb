"""The host's settings: environment variables ``PARLOUR_...``, ``DISCORD_TOKEN``, or ``.env``.

No misspelt setting is ignored: a name close to that of a setting counts as a typo and stops the
start (:func:`read_settings`), since going on without it may mean another database; other unknown
names are reported (:func:`unknown_names`).
"""

from __future__ import annotations

import os
import re
from datetime import timedelta
from difflib import get_close_matches
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import Annotated, Literal, Self

from dotenv import dotenv_values
from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict, SettingsError

from bot.domain.clock_text import read_clock, write_clock
from bot.errors import UserError
from bot.i18n import Languages
from renderers import THEMES

_PREFIX = "PARLOUR_"
_TOKEN = "DISCORD_TOKEN"  # noqa: S105 - the name of the variable
_FILE = ".env"
_ENCODING = "utf-8-sig"
"""Editors on Windows begin a file with a byte order mark, which belongs to none of its lines."""
_WRITTEN = re.compile(r"[A-Za-z0-9._-]+")
"""The characters of a token: https://docs.discord.com/developers/reference#authentication"""
HOLD = f"{_PREFIX}HOLD"
"""The variable that keeps a failed process waiting for a person instead of ending."""
_BESIDE = (HOLD, f"{_PREFIX}FAILPOINT")
"""Variables that are read elsewhere."""
_WRONG = {
    "int_parsing": "write a whole number",
    "float_parsing": "write a number",
    "bool_parsing": "write true or false",
    "greater_than_equal": "the least is {ge}",
    "greater_than": "it must be more than {gt}",
    "less_than_equal": "the most is {le}",
    "less_than": "it must be less than {lt}",
    "literal_error": "there are {expected}",
    "ip_v4_address": "write an address by its numbers, such as 127.0.0.1",
    "string_pattern_mismatch": "write an address that begins with http:// or https://",
}
"""Our words for the library's, by its name for the error."""
_PLAYGROUND = re.compile(r"http://(127\.0\.0\.1|localhost):\d+")


class SettingsWrong(Exception):
    """Invalid settings; ``str()`` has each with its error on a line."""


class Settings(BaseSettings):
    """The settings of one process. Every field has a default but the token.

    Without a token the bot plays in the playground, a small Discord on this machine.
    """

    model_config = SettingsConfigDict(
        env_prefix=_PREFIX,
        env_file=_FILE,
        env_file_encoding=_ENCODING,
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        populate_by_name=True,
    )

    token: SecretStr | None = Field(default=None, validation_alias=_TOKEN, repr=False)
    """The bot's token, from Discord's developer portal."""
    token_file: Path | None = None
    """A file that holds the token, for hosts that keep secrets in files."""
    data: Path = Path("var")
    """The folder for the database, its lock and the playground's state."""
    database: SecretStr | None = None
    """An SQLAlchemy address; without one, SQLite in the data folder."""
    language: str = "en"
    """The language where neither the reader's nor the server's is known or translated."""
    theme: str = "dark"
    """The theme of board pictures."""
    threads: bool = True
    """Whether matches get a thread of their own where Discord permits it."""
    offer_hours: int = Field(default=48, ge=1, le=24 * 30)
    """How long an offer stays open."""
    open_offers: int = Field(default=10, ge=1, le=1000)
    """The most open offers of a person."""
    offers_to_one: int = Field(default=3, ge=1, le=1000)
    """The most offers a day to the same person, unless they accept one."""
    cool_down_hours: float = Field(default=24.0, ge=0, le=24 * 30)
    """Hours after a declined offer in which the same person cannot be asked again."""
    rated_with_one: int = Field(default=10, ge=1, le=10_000)
    """The most rated matches of a game between the same two people within seven days."""
    running_matches: int = Field(default=25, ge=1, le=10_000)
    """The most running matches of a person."""
    server_matches: int = Field(default=200, ge=1, le=100_000)
    """The most running matches of a server."""
    server_threads: int = Field(default=30, ge=0, le=1000)
    """The most new threads of a server within an hour."""
    server_messages: int = Field(default=60, ge=1, le=100_000)
    """The most messages to a server within a minute; further ones wait."""
    server_tournaments: int = Field(default=3, ge=1, le=100)
    """The most tournaments of a server under way."""
    workers: int = Field(default=1, ge=0, le=64)
    """The number of this process's computer processes;

    0: they run elsewhere, as ``parlour worker``.
    """
    worker_memory: int = Field(default=512, ge=0)
    """The memory of each of them in MiB; 0: no limit."""
    computer_matches: int = Field(default=2, ge=1, le=1000)
    """The most running matches of a person against computers."""
    computer_moves: int = Field(default=10, ge=1, le=10_000)
    """The most moves a minute by computers for one person."""
    computers_waiting: int = Field(default=50, ge=1, le=100_000)
    """The longest queue of computers at which they still start matches;

    for one server, half of it.
    """
    pairing_program: Path | None = None
    """A program that pairs Swiss rounds instead of gacrux, called like bbpPairings."""
    vacation_days: int = Field(default=30, ge=0, le=180)
    """The days of vacation of each player in a calendar year; 0: none."""
    clock: str = "3d"
    """The default clock of a match, as typed text."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["console", "json"] = "console"
    health_port: int | None = Field(default=None, ge=0, le=65535)
    """A port for health and metrics; none without it."""
    health_address: IPv4Address | IPv6Address = IPv4Address("127.0.0.1")
    """Its address; ``0.0.0.0`` for all of this machine."""
    traces: str | None = Field(default=None, pattern=r"https?://\S+")
    """The address of an OpenTelemetry collector for traces of interactions; none without it."""
    playground: str | None = None
    """The address of a playground that runs already, in which the bot plays even with a token.

    Without one, and without a token, the bot starts its own.
    """
    playground_token: SecretStr | None = None
    """The token of that playground, which it creates and prints at each start."""
    playground_port: int = Field(default=8310, ge=0, le=65535)
    """The preferred port of the playground; any free port if it is taken."""
    playground_event: bool = True
    """Whether a small tournament with three scripted members runs in that playground."""
    shard_count: int | None = Field(default=None, ge=1)
    """The total number of shards; Discord's advice without it."""
    shard_ids: Annotated[tuple[int, ...] | None, NoDecode] = None
    """The shards that this process runs, for several processes on one PostgreSQL."""
    session_seconds: float = Field(default=6.0, ge=0)
    """Seconds between new sessions with Discord; Discord asks for five."""
    owner_server: int | None = Field(default=None, ge=1, lt=1 << 63)
    """The server that has ``/owner``, for the owner of the application; none without it."""
    commands_per_second: float = Field(default=1.0, gt=0)
    """The actions per second of one person, on average."""
    commands_burst: int = Field(default=5, ge=1)
    """The number of actions in a row before the average counts."""
    suggestions_per_second: float = Field(default=5.0, gt=0)
    """The suggestions per second for one person's typing; beyond that there are none."""
    shutdown_seconds: float = Field(default=10.0, ge=0)
    """Seconds in which a stop may still send committed changes to Discord."""

    @field_validator("token")
    @classmethod
    def _plain_token(cls, token: SecretStr | None) -> SecretStr | None:
        bare = "" if token is None else _bare(token.get_secret_value())
        return SecretStr(bare) if bare else None

    @field_validator("language")
    @classmethod
    def _known_language(cls, language: str) -> str:
        languages = Languages()
        # The system's form as well: de_DE.UTF-8.
        found = languages.nearest(language.strip().partition(".")[0].replace("_", "-"))
        if found is None:
            msg = (
                f"there is no translation into it; there are {', '.join(sorted(languages.known()))}"
            )
            raise ValueError(msg)
        return found.locale

    @field_validator("playground")
    @classmethod
    def _on_this_machine(cls, playground: str | None) -> str | None:
        if playground is None or _PLAYGROUND.fullmatch(playground.rstrip("/")):
            return playground and playground.rstrip("/")
        msg = "it is on this machine and nowhere else: write it as http://127.0.0.1:8310"
        raise ValueError(msg)

    @field_validator("shard_ids", mode="before")
    @classmethod
    def _listed(cls, shards: object) -> object:
        if not isinstance(shards, str):
            return shards
        return [each.strip() for each in shards.strip().strip("[]").split(",") if each.strip()]

    @field_validator("theme")
    @classmethod
    def _known_theme(cls, theme: str) -> str:
        if theme not in THEMES:
            msg = f"there are {', '.join(THEMES)}"
            raise ValueError(msg)
        return theme

    @field_validator("pairing_program")
    @classmethod
    def _can_be_run(cls, program: Path | None) -> Path | None:
        if program is not None and not (program.is_file() and os.access(program, os.X_OK)):
            msg = f"{program} is no program that this user can run"
            raise ValueError(msg)
        return program and program.resolve()

    @field_validator("clock")
    @classmethod
    def _readable_clock(cls, clock: str) -> str:
        try:
            return write_clock(read_clock(clock))
        except UserError:
            msg = "there is no such clock; write it as 3d, 7d+1d max 14d, 10m+5s or none"
            raise ValueError(msg) from None

    @model_validator(mode="after")
    def _shards_agree(self) -> Self:
        if self.shard_ids is not None and (
            self.shard_count is None
            or not self.shard_ids
            or not all(0 <= shard < self.shard_count for shard in self.shard_ids)
        ):
            msg = "PARLOUR_SHARD_IDS needs PARLOUR_SHARD_COUNT and numbers below it"
            raise ValueError(msg)
        return self

    @model_validator(mode="after")
    def _playground_lets_in(self) -> Self:
        if self.playground is not None and self.playground_token is None:
            msg = "PARLOUR_PLAYGROUND needs PARLOUR_PLAYGROUND_TOKEN, which the playground prints"
            raise ValueError(msg)
        return self

    def discord_token(self) -> str | None:
        """The token, from its file if one is named; None to play in a playground.

        Raises :exc:`SettingsWrong` if the named file holds none.
        """
        if self.playground is not None:
            return None
        if self.token_file is not None:
            return self._token_of_file(self.token_file)
        return self.token.get_secret_value() if self.token is not None else None

    @staticmethod
    def _token_of_file(path: Path) -> str:
        try:
            token = _bare(path.read_text(encoding=_ENCODING))
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "it is no text"
            msg = f"{_PREFIX}TOKEN_FILE: {path} cannot be read: {why}."
            raise SettingsWrong(msg) from error
        except ValueError as error:
            raise SettingsWrong(f"{_PREFIX}TOKEN_FILE: {path}: {error}") from None
        if not token:
            msg = f"{_PREFIX}TOKEN_FILE: {path} is empty. Put the bot's token into it."
            raise SettingsWrong(msg)
        return token

    @property
    def offers_last(self) -> timedelta:
        """How long an offer stays open."""
        return timedelta(hours=self.offer_hours)

    def database_url(self) -> str:
        """The address of the database, its password in clear: never log it."""
        if self.database is not None:
            return self.database.get_secret_value()
        return f"sqlite:///{(self.data / 'parlour.db').as_posix()}"

    def secrets(self) -> tuple[str, ...]:
        """Texts that must not appear in any log."""
        found = [self.token, self.database, self.playground_token]
        return tuple(secret.get_secret_value() for secret in found if secret is not None)


def _bare(token: str) -> str:
    """A token without text copied along with it; may be empty.

    Raises :exc:`ValueError` for an impossible one, without showing it.
    """
    bare = token.strip()
    bare = bare[4:].strip() if bare.lower().startswith("bot ") else bare
    if not bare or _WRITTEN.fullmatch(bare):
        return bare
    if bare.startswith(_TOKEN):
        why = f"it begins with {_TOKEN}, which belongs into .env only, and there but once"
    elif len(bare.split()) > 1:
        why = "there is a line break or a space inside"
    else:
        why = "there is something else than letters, digits, dots, hyphens and underscores in it"
    msg = f"this is no token: {why}. Copy the token alone from the developer portal, page Bot."
    raise ValueError(msg)


def read_settings() -> Settings:
    """The settings of this process. Raises :exc:`SettingsWrong`."""
    slips = [
        f"{name} is no setting. Do you mean {near}?"
        for name, near in unknown_names().items()
        if near is not None
    ]
    if slips:
        raise SettingsWrong("\n".join(slips))
    try:
        return Settings()
    except ValidationError as error:
        raise SettingsWrong("\n".join(_lines(error))) from None
    except SettingsError as error:
        raise SettingsWrong(f"A setting cannot be read: {error}") from None


def _lines(error: ValidationError) -> list[str]:
    """The errors by the names of the variables, without their values, which may be secrets."""
    lines: dict[str, str] = {}
    for wrong in error.errors(include_input=False, include_url=False):
        field = str(wrong["loc"][0]) if wrong["loc"] else ""
        about, given = wrong["type"], wrong.get("ctx", {})
        words = _WRONG.get(about, "").format(**given)
        words = words or wrong["msg"].removeprefix("Value error, ")
        lines.setdefault(field, f"{_variable(field)}: {words}" if field else words)
    return list(lines.values())


def _variable(field: str) -> str:
    return _TOKEN if field in ("token", _TOKEN) else f"{_PREFIX}{field.upper()}"


def unknown_names() -> dict[str, str | None]:
    """Unknown names in the environment and in ``.env`` that look like settings.

    Each has the most similar setting, None if there is none. Raises :exc:`SettingsWrong` if the
    file cannot be read.
    """
    try:
        written = dotenv_values(_FILE, encoding=_ENCODING) if Path(_FILE).is_file() else {}
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not written in UTF-8"
        raise SettingsWrong(f"{Path(_FILE).resolve()} cannot be read: {why}.") from error
    known = {*map(_variable, Settings.model_fields), *_BESIDE, f"{_PREFIX}TOKEN"}
    names = sorted({name.upper() for name in (*os.environ, *written)} - known)
    found: dict[str, str | None] = {}
    for name in names:
        if name.startswith(_PREFIX):
            endings = [each.removeprefix(_PREFIX) for each in known]
            near = get_close_matches(name.removeprefix(_PREFIX), endings, 1, cutoff=0.7)
            found[name] = _variable(near[0].lower()) if near else None
        elif name.startswith("DISCORD_") and get_close_matches(name, [_TOKEN], 1, cutoff=0.8):
            found[name] = _TOKEN
    return found
