"""What computers have to do."""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from bot.services.jobs import JobKind
from bot.store.tables.base import Number, metadata, one_of

jobs = Table(
    "jobs",
    metadata,
    Column("id", Number, primary_key=True, autoincrement=True),
    Column("kind", Text, nullable=False),
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("version", Number, nullable=False),
    Column("level", Number, nullable=False),
    Column("user_id", Number),
    Column("guild_id", Number),
    Column("due_at", Number, nullable=False),
    Column("attempts", Number, nullable=False, server_default=text("0")),
    Column("lease_by", Text),
    Column("lease_until", Number, nullable=False, server_default=text("0")),
    UniqueConstraint("match_id", "kind"),
    one_of("kind", [kind.value for kind in JobKind], "kind"),
    Index("ix_jobs_due_at", "due_at"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
"""What computers have to do for a match, and for which version of it; a row goes when it is done,
so there are few. ``user_id`` is the person who waits for it."""

reviews = Table(
    "reviews",
    metadata,
    Column("match_id", Text, ForeignKey("matches.id"), primary_key=True),
    Column("plies", Number, nullable=False),
    Column("reviewed", Number, nullable=False, server_default=text("0")),
    Column("moves", Text, nullable=False, server_default=text("'[]'")),
    CheckConstraint("reviewed BETWEEN 0 AND plies", name="reviewed"),
    sqlite_strict=True,
)
"""What engines thought of the moves of a match that is over, as JSON, as far as they have come."""
