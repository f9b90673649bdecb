"""Choices of people and servers, what people follow, and what they are told."""

from __future__ import annotations

import json

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    PrimaryKeyConstraint,
    Text,
    text,
)

from bot.store.records import TallyKind
from bot.store.tables.base import (
    CHOSEN,
    NAMED,
    OWN,
    Flag,
    Instant,
    Kept,
    Number,
    member_of,
    one_of,
    partial_index,
    table,
)

people = table(
    "people",
    Column("user_id", Number, primary_key=True, autoincrement=False, info=OWN),
    Column("version", Number, nullable=False),
    Column("settings", Text, nullable=False),
)
"""The choices of a person, as :func:`bot.domain.preferences_text.written` writes them. A person
who has chosen nothing has no row."""

news = table(
    "news",
    Column("user_id", Number, nullable=False, info=OWN),
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("version", Number, nullable=False),
    Column("notice", Text, nullable=False),
    Column("at", Instant, nullable=False),
    PrimaryKeyConstraint("user_id", "match_id", "version", "notice"),
)
"""News for a person's next digest, beside the matches that wait for them: notices that they
would have had without one. A row goes when its reader has been told."""

blocks = table(
    "blocks",
    Column("user_id", Number, nullable=False, info=OWN),
    Column("other_id", Number, nullable=False, info=CHOSEN),
    Column("at", Instant, nullable=False),
    PrimaryKeyConstraint("user_id", "other_id"),
    CheckConstraint("user_id <> other_id", name="not_oneself"),
    Index("ix_blocks_other_id", "other_id"),
)
"""Players (``user_id``) who do not want to be brought together with another one."""

tallies = table(
    "tallies",
    Column("kind", member_of(TallyKind), nullable=False),
    Column("owner_id", Number, nullable=False, info=OWN),
    Column("other_id", Number, nullable=False, info=OWN),
    Column("match_id", Text, nullable=False),
    Column("at", Instant, nullable=False),
    PrimaryKeyConstraint("kind", "owner_id", "other_id", "match_id"),
    one_of("kind", ["offer", "decline", "thread"], "kind"),
)
"""Counts for the limits of a day or an hour, which go after two days: who offered a match
to which player, and who declined whose offer, as user ids; in which server (``owner_id``) a thread
was made or is being made (``other_id``: the thread that it replaces, 0 if it is the first)."""

vacations = table(
    "vacations",
    Column("user_id", Number, nullable=False, info=OWN),
    Column("number", Number, nullable=False),
    Column("version", Number, nullable=False),
    Column("began_at", Instant, nullable=False),
    Column("ends_at", Instant, nullable=False),
    Column("by_itself", Flag, nullable=False),
    Column("changed_at", Instant, nullable=False),
    Column("interaction_id", Number),
    Column("line_at", Instant),
    PrimaryKeyConstraint("user_id", "number"),
    partial_index("ix_vacations_line_at", "line_at", where="line_at IS NOT NULL"),
    CheckConstraint("number >= 1 AND version >= 1", name="counts"),
    CheckConstraint("began_at <= ends_at", name="span"),
    CheckConstraint("by_itself IN (0, 1)", name="by_itself"),
)
"""Vacations, numbered for each person, who has one at a time. ``interaction_id`` is what
changed it last; from ``line_at`` on the clocks of running matches are to be brought in line with
it, which is NULL when that is done. Of telling its person the outbox knows."""

servers = table(
    "servers",
    Column("guild_id", Number, primary_key=True, autoincrement=False),
    Column("version", Number, nullable=False),
    Column("settings", Text, nullable=False),
    Column("called_at", Instant, nullable=False, server_default=text("0")),
    Column("called_for", Text, nullable=False, server_default=text("''")),
)
"""The choices of a server; one where nothing was chosen has no row. ``called_at`` is when
its role for new offers was last pinged, and ``called_for`` the offer for which it was."""

_Sorted = Kept(
    Text(),
    json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), sort_keys=True).encode,
    json.loads,
)
"""JSON in the order of its keys, so that equal texts mean the same."""

audit = table(
    "audit",
    Column("id", Number, primary_key=True, autoincrement=True),
    Column("at", Instant, nullable=False),
    Column("guild_id", Number, nullable=False),
    Column("user_id", Number, nullable=False, info=NAMED),
    Column("act", Text, nullable=False),
    Column("before", _Sorted, nullable=False),
    Column("after", _Sorted, nullable=False),
    Column("reason", Text, nullable=False, server_default=text("''")),
    Index("ix_audit_guild_id", "guild_id", "id"),
    sqlite_autoincrement=True,
)
"""Acts of people who manage a server. Rows are added and never changed, but for the id of a
person who has asked to be forgotten."""

attempts = table(
    "attempts",
    Column("user_id", Number, nullable=False, info=OWN),
    Column("number", Number, nullable=False),
    Column("wrong", Number, nullable=False),
    Column("state", Text, nullable=False),
    Column("at", Instant, nullable=False),
    PrimaryKeyConstraint("user_id", "number"),
    CheckConstraint("number >= 1 AND wrong >= 0", name="counts"),
    one_of("state", ["open", "solved", "shown"], "state"),
)
"""Attempts of people at the puzzle of that number."""

notes = table(
    "notes",
    Column("user_id", Number, nullable=False, info=OWN),
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("ply", Number, nullable=False),
    Column("words", Text, nullable=False),
    Column("at", Instant, nullable=False),
    PrimaryKeyConstraint("user_id", "match_id", "ply"),
    CheckConstraint("ply >= 0", name="ply"),
)
"""Notes that people have written to themselves on a move of a match; ply 0 is its start."""

favourites = table(
    "favourites",
    Column("user_id", Number, nullable=False, info=OWN),
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("at", Instant, nullable=False),
    PrimaryKeyConstraint("user_id", "match_id"),
    Index("ix_favourites_user_id", "user_id", "at"),
)
"""The matches that people want to find again."""


follows = table(
    "follows",
    Column("user_id", Number, nullable=False, info=OWN),
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("at", Instant, nullable=False),
    Column("channel_id", Number),
    Column("message_id", Number),
    PrimaryKeyConstraint("user_id", "match_id"),
    Index("ix_follows_match_id", "match_id"),
    CheckConstraint("(channel_id IS NULL) = (message_id IS NULL)", name="message"),
)
"""People who follow a match, with the direct message that shows it. A row goes when the result has
been told."""

fans = table(
    "fans",
    Column("user_id", Number, nullable=False, info=OWN),
    Column("other_id", Number, nullable=False, info=CHOSEN),
    Column("guild_id", Number, nullable=False),
    Column("at", Instant, nullable=False),
    PrimaryKeyConstraint("user_id", "other_id", "guild_id"),
    Index("ix_fans_other_id", "other_id", "guild_id"),
    CheckConstraint("user_id <> other_id", name="not_oneself"),
)
"""People who follow the next matches of a player (``other_id``) in a server."""
