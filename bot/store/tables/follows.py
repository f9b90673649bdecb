"""Who follows which matches and whose."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, PrimaryKeyConstraint, Table, Text

from bot.store.tables.base import Number, metadata

follows = Table(
    "follows",
    metadata,
    Column("user_id", Number, nullable=False),
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("at", Number, nullable=False),
    Column("channel_id", Number),
    Column("message_id", Number),
    PrimaryKeyConstraint("user_id", "match_id"),
    Index("ix_follows_match_id", "match_id"),
    CheckConstraint("(channel_id IS NULL) = (message_id IS NULL)", name="message"),
    sqlite_strict=True,
)
"""Who follows a match, and the direct message that shows it to them. A row goes when the result has
been told."""

fans = Table(
    "fans",
    metadata,
    Column("user_id", Number, nullable=False),
    Column("other_id", Number, nullable=False),
    Column("guild_id", Number, nullable=False),
    Column("at", Number, nullable=False),
    PrimaryKeyConstraint("user_id", "other_id", "guild_id"),
    Index("ix_fans_other_id", "other_id", "guild_id"),
    CheckConstraint("user_id <> other_id", name="not_oneself"),
    sqlite_strict=True,
)
"""Who follows the next matches of whom (``other_id``) in a server."""
