"""When people could act."""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    Index,
    LargeBinary,
    Text,
    text,
)

from bot.store.tables.base import Flag, Instant, Number, table

heartbeats = table(
    "heartbeats",
    Column("scope", Text, primary_key=True),
    Column("at", Instant, nullable=False),
    Column("shard", Number, nullable=False, server_default=text("0")),
    Column("total", Number, nullable=False, server_default=text("1")),
)
"""When people could last act, by the part of Discord that a process serves; a row each.
``shard`` of ``total`` is what the scope says, to find the beats of one server."""

processes = table(
    "processes",
    Column("name", Text, primary_key=True),
    Column("seen_at", Number, nullable=False),
)
"""The processes that run on this database, and when each was last heard of, by the database's own
clock."""

shards = table(
    "shards",
    Column("shard", Number, primary_key=True, autoincrement=False),
    Column("total", Number, nullable=False),
    Column("owner", Text),
    Column("is_open", Flag, nullable=False, server_default=text("0")),
    CheckConstraint("0 <= shard AND shard < total", name="shard"),
    CheckConstraint("is_open IN (0, 1)", name="is_open"),
)
"""The shards that processes divide among themselves, a row each
(:mod:`bot.connection.domain.shard_leases`). An ``owner`` holds one for as long as it is heard
of."""

sessions = table(
    "sessions",
    Column("shard", Number, primary_key=True, autoincrement=False),
    Column("total", Number, nullable=False),
    Column("session", Text, nullable=False),
    Column("sequence", Number, nullable=False),
    Column("address", Text, nullable=False),
    Column("left_at", Instant, nullable=False),
    Column("known", LargeBinary, nullable=False),
)
"""Sessions with Discord that were left in order, for the process that serves the shard next.
``known`` is what was known of its servers, packed."""

session_starts = table(
    "session_starts",
    Column("name", Text, primary_key=True),
    Column("at", Instant, nullable=False),
)
"""Sessions begun with Discord, as far as they are remembered, by all processes together
(:mod:`bot.connection.domain.session_budget`); a row an instant."""

outages = table(
    "outages",
    Column("id", Number, primary_key=True, autoincrement=True),
    Column("scope", Text, nullable=False),
    Column("began_at", Instant, nullable=False),
    Column("ended_at", Instant, nullable=False),
    Index("ix_outages_ended_at", "ended_at"),
    CheckConstraint("began_at < ended_at", name="span"),
    sqlite_autoincrement=True,
)
"""Spans in which nobody in a scope could act. A clock that ran through one gets it back."""
