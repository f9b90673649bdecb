"""What a host may choose: environment variables ``PARLOUR_...``, ``DISCORD_TOKEN``, or ``.env``."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Self

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.domain.clock_text import read_clock, write_clock
from bot.errors import UserError
from renderers import THEMES

__all__ = ["Settings"]


class Settings(BaseSettings):
    """The settings of one process. Every field has a default but the token.

    Without a token the bot plays in the playground, a stand-in for Discord on this machine.
    """

    model_config = SettingsConfigDict(
        env_prefix="PARLOUR_",
        env_file=".env",
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        populate_by_name=True,
    )

    token: SecretStr | None = Field(default=None, validation_alias="DISCORD_TOKEN", repr=False)
    """The bot's token, from Discord's developer portal."""
    token_file: Path | None = None
    """A file that holds the token, for hosts that keep secrets in files."""
    data: Path = Path("var")
    """The folder for the database, its lock and the playground's state."""
    database: SecretStr | None = None
    """An SQLAlchemy address; without one, SQLite in the data folder."""
    language: str = Field(default="en", pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")
    """The language where neither the reader's nor the server's is known or translated."""
    theme: str = "dark"
    """The theme of board pictures."""
    threads: bool = True
    """Whether matches get a thread of their own where Discord permits it."""
    offer_hours: int = Field(default=48, ge=1, le=24 * 30)
    """How long an offer stands."""
    open_offers: int = Field(default=10, ge=1, le=1000)
    """How many offers one person may have open."""
    offers_to_one: int = Field(default=3, ge=1, le=1000)
    """How often a day one may ask the same person who has not accepted."""
    cool_down_hours: float = Field(default=24.0, ge=0, le=24 * 30)
    """How long after being declined one may not ask the same person again."""
    rated_with_one: int = Field(default=10, ge=1, le=10_000)
    """How many rated matches of a game the same two people may have within seven days."""
    running_matches: int = Field(default=25, ge=1, le=10_000)
    """How many matches one person may have running."""
    server_matches: int = Field(default=200, ge=1, le=100_000)
    """How many matches one server may have running."""
    server_threads: int = Field(default=30, ge=0, le=1000)
    """How many threads may be made in one server within an hour."""
    vacation_days: int = Field(default=30, ge=0, le=180)
    """How many days of vacation everybody has in a calendar year; 0: none."""
    clock: str = "none"
    """The clock of a match whose offer names none, as one would type it."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["console", "json"] = "console"
    health_port: int | None = Field(default=None, ge=0, le=65535)
    """A port on loopback for health and metrics; none without it."""
    playground: str | None = Field(default=None, pattern=r"^http://(127\.0\.0\.1|localhost):\d+$")
    """The address of a playground that runs already, in which the bot plays even with a token.

    Without one, and without a token, the bot starts its own.
    """
    playground_port: int = Field(default=8310, ge=0, le=65535)
    """Where the playground listens if it is free; else any free port."""
    shard_count: int | None = Field(default=None, ge=1)
    """How many shards there are in all; Discord's advice without it."""
    shard_ids: tuple[int, ...] | None = None
    """The shards that this process runs, for several processes on one PostgreSQL."""
    session_seconds: float = Field(default=6.0, ge=0)
    """How long after a new session with Discord the next one begins; Discord asks for five."""
    commands_per_second: float = Field(default=8.0, gt=0)
    """How fast one person may act, on the average."""
    commands_burst: int = Field(default=40, ge=1)
    """How many acts in a row before the average counts."""
    shutdown_seconds: float = Field(default=10.0, ge=0)
    """How long a stop may take to tell Discord what is already decided."""

    @field_validator("token")
    @classmethod
    def _plain_token(cls, token: SecretStr | None) -> SecretStr | None:
        if token is None:
            return None
        bare = token.get_secret_value().strip()
        if bare.lower().startswith("bot "):
            bare = bare[4:].strip()
        return SecretStr(bare) if bare else None

    @field_validator("theme")
    @classmethod
    def _known_theme(cls, theme: str) -> str:
        if theme not in THEMES:
            msg = f"there are {', '.join(THEMES)}"
            raise ValueError(msg)
        return theme

    @field_validator("clock")
    @classmethod
    def _readable_clock(cls, clock: str) -> str:
        try:
            return write_clock(read_clock(clock))
        except UserError as error:
            msg = f"{error.code}; write it as 3d, 7d+1d max 14d, 10m+5s or none"
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

    def discord_token(self) -> str | None:
        """The token, from its file if one is named; None where a playground is to be played in.

        Raises :exc:`OSError` if the named file cannot be read.
        """
        if self.playground is not None:
            return None
        if self.token_file is not None:
            return self.token_file.read_text(encoding="utf-8").strip() or None
        return self.token.get_secret_value() if self.token is not None else None

    def database_url(self) -> str:
        """The address of the database, its password in clear: never log it."""
        if self.database is not None:
            return self.database.get_secret_value()
        return f"sqlite:///{(self.data / 'parlour.db').as_posix()}"

    def secrets(self) -> tuple[str, ...]:
        """Texts that must not appear in any log."""
        found = [self.token, self.database]
        return tuple(secret.get_secret_value() for secret in found if secret is not None)
