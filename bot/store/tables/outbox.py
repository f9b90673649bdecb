"""Messages to be sent, and those that are edited in place."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, Index, Text, text

from bot.store.tables.base import Flag, Instant, JsonObject, Number, partial_index, table

outbox = table(
    "outbox",
    Column("id", Number, primary_key=True, autoincrement=True),
    Column("key", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("slot", Text),
    Column("payload", JsonObject, nullable=False),
    Column("holds_up", Flag, nullable=False),
    Column("due_at", Instant, nullable=False),
    Column("attempts", Number, nullable=False, server_default=text("0")),
    Column("may_exist", Flag, nullable=False, server_default=text("0")),
    Column("tried_at", Instant),
    Column("lease_by", Text),
    Column("lease_until", Instant, nullable=False, server_default=text("0")),
    Column("trouble", Text),
    CheckConstraint("key LIKE '%_:_%'", name="key"),
    CheckConstraint("may_exist IN (0, 1)", name="may_exist"),
    CheckConstraint("holds_up IN (0, 1)", name="holds_up"),
    CheckConstraint("(lease_by IS NULL) = (lease_until = 0)", name="lease"),
    Index("ix_outbox_key", "key", "id"),
    Index("ix_outbox_due_at", "due_at"),
    partial_index("ix_outbox_lease_until", "lease_until", where="lease_until > 0"),
    partial_index("ix_outbox_trouble", "trouble", where="trouble IS NOT NULL"),
    sqlite_autoincrement=True,
)
"""Messages still to be sent (:class:`bot.posts.outgoing.Outgoing`); a row goes when it is done.
``key`` is what it is about: ``match:`` and an id, or one of another sort, in which the ids of
people may stand (``digest:``, ``vacation:``, ``follow:``). ``tried_at`` is when the first attempt
was made that may have succeeded, so that what came of it is looked for from then on."""


standing = table(
    "standing",
    Column("key", Text, primary_key=True),
    Column("guild_id", Number, nullable=False),
    Column("channel_id", Number, nullable=False),
    Column("message_id", Number),
    Column("digest", Text, nullable=False, server_default=text("''")),
    Column("salt", Number, nullable=False),
    Column("rest_until", Instant, nullable=False, server_default=text("0")),
    Column("closing", Flag, nullable=False, server_default=text("0")),
    CheckConstraint("closing IN (0, 1)", name="closing"),
    Index("ix_standing_guild_id", "guild_id"),
)
"""Messages that show a state, such as the open offers of a server, by the keys under which the
outbox sends them. ``digest`` is of what the message says, which is not to be edited
again before ``rest_until``. One that is no longer wanted is ``closing`` until its message is
gone. Messages of challenges are noted here too, until they say how the challenge ended."""
