"""Tournaments: heads, histories, who is in them, their games, and what is to be told."""

from __future__ import annotations

from fractions import Fraction

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    PrimaryKeyConstraint,
    Text,
    UniqueConstraint,
    text,
)

from bot.store.tables.base import (
    NAMED,
    Flag,
    Instant,
    Json,
    JsonObject,
    Number,
    Numbers,
    json_of,
    one_of,
    partial_index,
    salvaged,
    table,
)

tournaments = table(
    "tournaments",
    Column("id", Text, primary_key=True),
    Column("version", Number, nullable=False),
    Column("head_hash", Text, nullable=False),
    Column("guild_id", Number, nullable=False),
    Column("channel_id", Number, nullable=False),
    Column("message_id", Number),
    Column("name", Text, nullable=False),
    Column("search", Text, nullable=False),
    Column("format", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("setup", Json, nullable=False),
    Column("lots", Number, nullable=False),
    Column("status", Text, nullable=False),
    Column("is_over", Flag, nullable=False),
    Column("created_by", Number, info=NAMED),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    Column("closes", Instant, nullable=False),
    Column("begins", Instant, nullable=False),
    Column("finish", Instant, nullable=False),
    Column("paused_at", Instant),
    Column("rounds", Json, nullable=False),
    Column("ladder", Json, nullable=False),
    Column("entrants", Number, nullable=False),
    Column("due_at", Instant),
    Column("previous_id", Text),
    Column("next_id", Text),
    Column("home_gone", Flag, nullable=False, server_default=text("0")),
    Column("troubles", Text, nullable=False, server_default=text("''")),
    Column("set_aside_at", Instant),
    Column("apart", Json, nullable=False, server_default=text("'[]'")),
    CheckConstraint("length(id) = 10", name="id"),
    CheckConstraint("version >= 1 AND entrants >= 0", name="counts"),
    CheckConstraint("length(head_hash) = 64", name="hash"),
    CheckConstraint("is_over IN (0, 1) AND home_gone IN (0, 1)", name="flags"),
    one_of("status", ["registration", "closed", "running", "finished", "cancelled"], "status"),
    partial_index("ix_tournaments_due_at", "due_at", where="due_at IS NOT NULL"),
    Index("ix_tournaments_guild_id", "guild_id", "is_over", "created_at"),
    Index("ix_tournaments_channel_id", "channel_id"),
)
"""Heads. ``rounds``, ``ladder`` and ``apart`` are JSON without people; ``search`` is the name in
lower case; ``troubles`` are names, with spaces between them, of what directors have been told once;
``due_at`` is when the next thing is to be done by itself, NULL if nothing ever is. ``set_aside_at``
is since when it is set aside because its history is damaged; then it is never due."""

tournament_events = table(
    "tournament_events",
    Column("tournament_id", Text, ForeignKey("tournaments.id"), nullable=False),
    Column("seq", Number, nullable=False),
    Column("kind", Text, nullable=False),
    *salvaged(Column("payload", JsonObject, nullable=False)),
    Column("at", Instant, nullable=False),
    Column("user_id", Number, info=NAMED),
    Column("subject_id", Number, info=NAMED),
    Column("note", Text, nullable=False),
    Column("interaction_id", Number),
    Column("prev_hash", Text, nullable=False),
    Column("hash", Text, nullable=False),
    PrimaryKeyConstraint("tournament_id", "seq"),
    UniqueConstraint("interaction_id"),
    CheckConstraint("seq >= 1", name="seq"),
    CheckConstraint("(seq = 1) = (prev_hash = '')", name="genesis"),
    CheckConstraint("length(hash) = 64", name="hash"),
    partial_index("ix_tournament_events_user_id", "user_id", where="user_id IS NOT NULL"),
    partial_index("ix_tournament_events_subject_id", "subject_id", where="subject_id IS NOT NULL"),
)
"""Histories. The first event of an act names the interaction that asked for it."""

tournament_entrants = table(
    "tournament_entrants",
    Column("tournament_id", Text, ForeignKey("tournaments.id"), nullable=False),
    Column("number", Number, nullable=False),
    Column("user_id", Number, info=NAMED),
    Column("rating", Number),
    Column("standing", Text, nullable=False),
    Column("since", Number, nullable=False),
    Column("missed", Text, nullable=False),
    Column("byes", Json, nullable=False),
    Column("time_losses", Number, nullable=False),
    Column("is_warned", Flag, nullable=False),
    Column("seed", Number),
    Column("is_here", Flag, nullable=False, server_default=text("0")),
    PrimaryKeyConstraint("tournament_id", "number"),
    one_of("standing", ["active", "withdrawn", "excluded"], "standing"),
    CheckConstraint("number >= 1 AND since >= 1 AND time_losses >= 0", name="counts"),
    CheckConstraint("is_warned IN (0, 1)", name="is_warned"),
    Index("ix_tournament_entrants_user_id", "user_id"),
)
"""People who are in a tournament, or were."""

tournament_invited = table(
    "tournament_invited",
    Column("tournament_id", Text, ForeignKey("tournaments.id"), nullable=False),
    Column("position", Number, nullable=False),
    Column("user_id", Number, nullable=False, info=NAMED),
    Column("seed", Number),
    Column("rating", Number),
    Column("since", Number, nullable=False),
    PrimaryKeyConstraint("tournament_id", "position"),
    Index("ix_tournament_invited_user_id", "user_id"),
)
"""People on the lists of directors, in their order, with those who have joined since."""

tournament_directors = table(
    "tournament_directors",
    Column("tournament_id", Text, ForeignKey("tournaments.id"), nullable=False),
    Column("position", Number, nullable=False),
    Column("user_id", Number, nullable=False, info=NAMED),
    PrimaryKeyConstraint("tournament_id", "position"),
    Index("ix_tournament_directors_user_id", "user_id"),
)
"""People who were appointed, beside the creator and those with a role."""

tournament_games = table(
    "tournament_games",
    Column("tournament_id", Text, ForeignKey("tournaments.id"), nullable=False),
    Column("game", Text, nullable=False),
    Column("drawn", Number, nullable=False),
    Column("position", Number, nullable=False),
    Column("round", Number, nullable=False),
    Column("board", Number, nullable=False),
    Column("numbers", Numbers, nullable=False),
    Column("tie", Text, nullable=False),
    Column("division", Number, nullable=False),
    Column("until", Instant, nullable=False),
    Column("has_begun", Flag, nullable=False),
    Column("points", json_of(tuple[Fraction, ...])),
    Column("how", Text),
    Column("late", Numbers),
    Column("match_id", Text, ForeignKey("matches.id")),
    Column("ended_at", Instant),
    PrimaryKeyConstraint("tournament_id", "game"),
    UniqueConstraint("match_id"),
    CheckConstraint("has_begun IN (0, 1)", name="has_begun"),
    CheckConstraint("(has_begun = 1) = (match_id IS NOT NULL)", name="match"),
    CheckConstraint("(points IS NULL) = (how IS NULL)", name="result"),
    partial_index(
        "ix_tournament_games_ended_at", "ended_at", where="ended_at IS NOT NULL AND points IS NULL"
    ),
)
"""Games, in the order in which they were drawn: ``drawn`` is the version of the tournament since
which it is, ``position`` its place among all then. ``ended_at`` is written by the transaction that
ends the match; while the game has no result it is to be recorded. ``late`` are seats."""
