"""Messages that stand and are edited in place."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, Index, Table, Text, text

from bot.store.tables.base import Number, metadata

standing = Table(
    "standing",
    metadata,
    Column("key", Text, primary_key=True),
    Column("guild_id", Number, nullable=False),
    Column("channel_id", Number, nullable=False),
    Column("message_id", Number),
    Column("digest", Text, nullable=False, server_default=text("''")),
    Column("salt", Number, nullable=False),
    Column("rest_until", Number, nullable=False, server_default=text("0")),
    Column("closing", Number, nullable=False, server_default=text("0")),
    CheckConstraint("closing IN (0, 1)", name="closing"),
    Index("ix_standing_guild_id", "guild_id"),
    sqlite_strict=True,
)
"""Messages that show a state, such as the open offers of a server, by the keys under which the
outbox sends them. ``digest`` is of what the message says, which is not to be edited
again before ``rest_until``. One that is not wanted any more is ``closing`` until its message is
gone."""
