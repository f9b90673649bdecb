"""Rated results and the ratings that follow from them."""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    PrimaryKeyConstraint,
    Text,
    UniqueConstraint,
)

from bot.store.tables.base import NAMED, Instant, Number, Real, table

results = table(
    "results",
    Column("number", Number, primary_key=True, autoincrement=True),
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("game", Text, nullable=False),
    Column("guild_id", Number),
    Column("at", Instant, nullable=False),
    UniqueConstraint("match_id"),
    sqlite_autoincrement=True,
)
"""Matches that count for ratings, numbered in the order in which they were rated."""

placings = table(
    "placings",
    Column("number", Number, ForeignKey("results.number"), nullable=False),
    Column("player", Number, nullable=False),
    Column("user_id", Number, nullable=False, info=NAMED),
    Column("rank", Number, nullable=False),
    Column("points", Number, nullable=False),
    PrimaryKeyConstraint("number", "player"),
    Index("ix_placings_user_id", "user_id", "number"),
    CheckConstraint("rank >= 0 AND player >= 0", name="counts"),
)
"""Places of players in each of them, from 0, and the number shown for each afterwards."""

ratings = table(
    "ratings",
    Column("game", Text, nullable=False),
    Column("user_id", Number, nullable=False, info=NAMED),
    Column("mean", Real, nullable=False),
    Column("deviation", Real, nullable=False),
    Column("volatility", Real, nullable=False),
    Column("points", Number, nullable=False),
    Column("matches", Number, nullable=False),
    Column("won", Number, nullable=False),
    Column("drawn", Number, nullable=False),
    Column("last_at", Instant, nullable=False),
    PrimaryKeyConstraint("user_id", "game"),
    Index("ix_ratings_points", "game", "points"),
    CheckConstraint("won >= 0 AND drawn >= 0 AND won + drawn <= matches", name="counts"),
)
"""Ratings that follow from the results, and can be computed from them anew."""
