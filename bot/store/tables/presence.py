"""When people could act."""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    Index,
    Table,
    Text,
)

from bot.store.tables.base import Number, metadata

heartbeats = Table(
    "heartbeats",
    metadata,
    Column("scope", Text, primary_key=True),
    Column("at", Number, nullable=False),
    sqlite_strict=True,
)
"""When people could last act, by the part of Discord that a process serves; a row each."""

session_starts = Table(
    "session_starts",
    metadata,
    Column("name", Text, primary_key=True),
    Column("at", Number, nullable=False),
    sqlite_strict=True,
)
"""What is remembered of the sessions begun with Discord, by all processes together
(:mod:`bot.domain.session_budget`); a row an instant."""

outages = Table(
    "outages",
    metadata,
    Column("id", Number, primary_key=True, autoincrement=True),
    Column("scope", Text, nullable=False),
    Column("began_at", Number, nullable=False),
    Column("ended_at", Number, nullable=False),
    Index("ix_outages_ended_at", "ended_at"),
    CheckConstraint("began_at < ended_at", name="span"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
"""Spans in which nobody in a scope could act. A clock that ran through one gets it back."""
