"""The tables of the first release."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
REAL: sa.Double[float] = sa.Double().with_variant(sa.REAL(), "sqlite")


def upgrade() -> None:
    """Make the tables in an empty database."""
    op.create_table(
        "applications",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_applications")),
        sqlite_strict=True,
    )
    op.create_table(
        "attempts",
        sa.Column("user_id", NUMBER, nullable=False),
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("wrong", NUMBER, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("at", NUMBER, nullable=False),
        sa.CheckConstraint("number >= 1 AND wrong >= 0", name=op.f("ck_attempts_counts")),
        sa.CheckConstraint("state IN ('open', 'solved', 'shown')", name=op.f("ck_attempts_state")),
        sa.PrimaryKeyConstraint("user_id", "number", name=op.f("pk_attempts")),
        sqlite_strict=True,
    )
    op.create_table(
        "audit",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("at", NUMBER, nullable=False),
        sa.Column("guild_id", NUMBER, nullable=False),
        sa.Column("user_id", NUMBER, nullable=False),
        sa.Column("act", sa.Text(), nullable=False),
        sa.Column("before", sa.Text(), nullable=False),
        sa.Column("after", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("ix_audit_guild_id", "audit", ["guild_id", "id"], unique=False)
    op.create_table(
        "blocks",
        sa.Column("user_id", NUMBER, nullable=False),
        sa.Column("other_id", NUMBER, nullable=False),
        sa.Column("at", NUMBER, nullable=False),
        sa.CheckConstraint("user_id <> other_id", name=op.f("ck_blocks_not_oneself")),
        sa.PrimaryKeyConstraint("user_id", "other_id", name=op.f("pk_blocks")),
        sqlite_strict=True,
    )
    op.create_index("ix_blocks_other_id", "blocks", ["other_id"], unique=False)
    op.create_table(
        "heartbeats",
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("at", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("scope", name=op.f("pk_heartbeats")),
        sqlite_strict=True,
    )
    op.create_table(
        "installation",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("created_at", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_installation")),
        sqlite_strict=True,
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("version", NUMBER, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("rules_version", NUMBER, nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("venue", sa.Text(), nullable=False),
        sa.Column("guild_id", NUMBER, nullable=True),
        sa.Column("channel_id", NUMBER, nullable=False),
        sa.Column("home_id", NUMBER, nullable=True),
        sa.Column("players", sa.Text(), nullable=False),
        sa.Column("invited", sa.Text(), nullable=False),
        sa.Column("offered_by", NUMBER, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("previous_state", sa.Text(), nullable=False),
        sa.Column("last_move", sa.Text(), nullable=False),
        sa.Column("moved_by", NUMBER, nullable=True),
        sa.Column("recent", sa.Text(), nullable=False),
        sa.Column("ply", NUMBER, nullable=False),
        sa.Column("position_since", NUMBER, nullable=False),
        sa.Column("retired", sa.Text(), nullable=False),
        sa.Column("requests", sa.Text(), nullable=False),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("created_at", NUMBER, nullable=False),
        sa.Column("updated_at", NUMBER, nullable=False),
        sa.Column("expires_at", NUMBER, nullable=True),
        sa.Column("head_hash", sa.Text(), nullable=False),
        sa.Column("rated", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.Column("clock", sa.Text(), nullable=True),
        sa.Column("times", sa.Text(), nullable=True),
        sa.Column("deadline", NUMBER, nullable=True),
        sa.Column("lapses_at", NUMBER, nullable=True),
        sa.Column("band", sa.Text(), nullable=True),
        sa.Column("set_aside_at", NUMBER, nullable=True),
        sa.Column("tournament", sa.Text(), nullable=True),
        sa.Column("hints", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.Column("takebacks", NUMBER, server_default=sa.text("1"), nullable=False),
        sa.Column("departed", sa.Text(), server_default=sa.text("'[]'"), nullable=False),
        sa.Column("rematch", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.Column("repeats", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.Column("verdict", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("continues", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "(status = 'finished') = (result IS NOT NULL)", name=op.f("ck_matches_result")
        ),
        sa.CheckConstraint(
            "(status = 'offered') = (expires_at IS NOT NULL)", name=op.f("ck_matches_expiry")
        ),
        sa.CheckConstraint(
            "(status IN ('running', 'finished', 'aborted')) = (state <> '')",
            name=op.f("ck_matches_started"),
        ),
        sa.CheckConstraint(
            "status IN ('offered', 'running', 'finished', 'aborted', 'declined', 'withdrawn', "
            "'expired')",
            name=op.f("ck_matches_status"),
        ),
        sa.CheckConstraint(
            "venue IN ('thread', 'channel', 'direct')", name=op.f("ck_matches_venue")
        ),
        sa.CheckConstraint("length(head_hash) = 64", name=op.f("ck_matches_hash")),
        sa.CheckConstraint("length(id) = 10", name=op.f("ck_matches_id")),
        sa.CheckConstraint(
            "position_since BETWEEN 1 AND version", name=op.f("ck_matches_position")
        ),
        sa.CheckConstraint("version >= 1 AND ply >= 0", name=op.f("ck_matches_counts")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
        sqlite_strict=True,
    )
    op.create_index(
        "ix_matches_deadline",
        "matches",
        ["deadline", "id"],
        unique=False,
        sqlite_where=sa.text("deadline IS NOT NULL"),
        postgresql_where=sa.text("deadline IS NOT NULL"),
    )
    op.create_index(
        "ix_matches_lapses_at",
        "matches",
        ["lapses_at"],
        unique=False,
        sqlite_where=sa.text("lapses_at IS NOT NULL"),
        postgresql_where=sa.text("lapses_at IS NOT NULL"),
    )
    op.create_index(
        "ix_matches_offer_expiry",
        "matches",
        ["expires_at"],
        unique=False,
        sqlite_where=sa.text("status = 'offered'"),
        postgresql_where=sa.text("status = 'offered'"),
    )
    op.create_index(
        "ix_matches_offered_guild",
        "matches",
        ["guild_id", "created_at"],
        unique=False,
        sqlite_where=sa.text("status = 'offered'"),
        postgresql_where=sa.text("status = 'offered'"),
    )
    op.create_index(
        "ix_matches_over_home",
        "matches",
        ["home_id", "created_at"],
        unique=False,
        sqlite_where=sa.text("status IN ('finished', 'aborted')"),
        postgresql_where=sa.text("status IN ('finished', 'aborted')"),
    )
    op.create_index(
        "ix_matches_running_channel",
        "matches",
        ["channel_id"],
        unique=False,
        sqlite_where=sa.text("status = 'running'"),
        postgresql_where=sa.text("status = 'running'"),
    )
    op.create_index(
        "ix_matches_running_guild",
        "matches",
        ["guild_id"],
        unique=False,
        sqlite_where=sa.text("status = 'running'"),
        postgresql_where=sa.text("status = 'running'"),
    )
    op.create_index(
        "ix_matches_running_home",
        "matches",
        ["home_id"],
        unique=False,
        sqlite_where=sa.text("status = 'running'"),
        postgresql_where=sa.text("status = 'running'"),
    )
    op.create_index(
        "ix_matches_set_aside_at",
        "matches",
        ["set_aside_at"],
        unique=False,
        sqlite_where=sa.text("set_aside_at IS NOT NULL"),
        postgresql_where=sa.text("set_aside_at IS NOT NULL"),
    )
    op.create_index(
        "uq_matches_running_in_channel",
        "matches",
        ["channel_id"],
        unique=True,
        sqlite_where=sa.text("status = 'running' AND venue = 'channel'"),
        postgresql_where=sa.text("status = 'running' AND venue = 'channel'"),
    )
    op.create_table(
        "outages",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("began_at", NUMBER, nullable=False),
        sa.Column("ended_at", NUMBER, nullable=False),
        sa.CheckConstraint("began_at < ended_at", name=op.f("ck_outages_span")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outages")),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("ix_outages_ended_at", "outages", ["ended_at"], unique=False)
    op.create_table(
        "owed",
        sa.Column("interaction_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("at", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("interaction_id", name=op.f("pk_owed")),
        sqlite_strict=True,
    )
    op.create_table(
        "people",
        sa.Column("user_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("version", NUMBER, nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_people")),
        sqlite_strict=True,
    )
    op.create_table(
        "ratings",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("user_id", NUMBER, nullable=False),
        sa.Column("mean", REAL, nullable=False),
        sa.Column("deviation", REAL, nullable=False),
        sa.Column("volatility", REAL, nullable=False),
        sa.Column("points", NUMBER, nullable=False),
        sa.Column("matches", NUMBER, nullable=False),
        sa.Column("won", NUMBER, nullable=False),
        sa.Column("drawn", NUMBER, nullable=False),
        sa.Column("last_at", NUMBER, nullable=False),
        sa.CheckConstraint(
            "won >= 0 AND drawn >= 0 AND won + drawn <= matches", name=op.f("ck_ratings_counts")
        ),
        sa.PrimaryKeyConstraint("user_id", "game", name=op.f("pk_ratings")),
        sqlite_strict=True,
    )
    op.create_index("ix_ratings_points", "ratings", ["game", "points"], unique=False)
    op.create_table(
        "servers",
        sa.Column("guild_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("version", NUMBER, nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("called_at", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.Column("called_for", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_servers")),
        sqlite_strict=True,
    )
    op.create_table(
        "session_starts",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("at", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_session_starts")),
        sqlite_strict=True,
    )
    op.create_table(
        "standing",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("guild_id", NUMBER, nullable=False),
        sa.Column("channel_id", NUMBER, nullable=False),
        sa.Column("message_id", NUMBER, nullable=True),
        sa.Column("digest", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("salt", NUMBER, nullable=False),
        sa.Column("rest_until", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.Column("closing", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.CheckConstraint("closing IN (0, 1)", name=op.f("ck_standing_closing")),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_standing")),
        sqlite_strict=True,
    )
    op.create_index("ix_standing_guild_id", "standing", ["guild_id"], unique=False)
    op.create_table(
        "tallies",
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("owner_id", NUMBER, nullable=False),
        sa.Column("other_id", NUMBER, nullable=False),
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("at", NUMBER, nullable=False),
        sa.CheckConstraint("kind IN ('offer', 'decline', 'thread')", name=op.f("ck_tallies_kind")),
        sa.PrimaryKeyConstraint(
            "kind", "owner_id", "other_id", "match_id", name=op.f("pk_tallies")
        ),
        sqlite_strict=True,
    )
    op.create_table(
        "vacations",
        sa.Column("user_id", NUMBER, nullable=False),
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("version", NUMBER, nullable=False),
        sa.Column("began_at", NUMBER, nullable=False),
        sa.Column("ends_at", NUMBER, nullable=False),
        sa.Column("by_itself", NUMBER, nullable=False),
        sa.Column("changed_at", NUMBER, nullable=False),
        sa.Column("interaction_id", NUMBER, nullable=True),
        sa.Column("line_at", NUMBER, nullable=True),
        sa.CheckConstraint("began_at <= ends_at", name=op.f("ck_vacations_span")),
        sa.CheckConstraint("by_itself IN (0, 1)", name=op.f("ck_vacations_by_itself")),
        sa.CheckConstraint("number >= 1 AND version >= 1", name=op.f("ck_vacations_counts")),
        sa.PrimaryKeyConstraint("user_id", "number", name=op.f("pk_vacations")),
        sqlite_strict=True,
    )
    op.create_index(
        "ix_vacations_line_at",
        "vacations",
        ["line_at"],
        unique=False,
        sqlite_where=sa.text("line_at IS NOT NULL"),
        postgresql_where=sa.text("line_at IS NOT NULL"),
    )
    op.create_table(
        "verification",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("after", sa.Text(), nullable=False),
        sa.Column("whole_at", NUMBER, nullable=True),
        sa.CheckConstraint("id = 1", name=op.f("ck_verification_one")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_verification")),
        sqlite_strict=True,
    )
    op.create_table(
        "events",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("seq", NUMBER, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("player", NUMBER, nullable=True),
        sa.Column("user_id", NUMBER, nullable=True),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("at", NUMBER, nullable=False),
        sa.Column("interaction_id", NUMBER, nullable=True),
        sa.Column("prev_hash", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.CheckConstraint("(seq = 1) = (prev_hash = '')", name=op.f("ck_events_genesis")),
        sa.CheckConstraint(
            "kind IN ('offered', 'joined', 'started', 'left', 'declined', 'withdrawn', 'expired', "
            "'moved', 'resigned', 'aborted', 'draw_offered', 'draw_accepted', 'draw_declined', "
            "'asked', 'agreed', 'refused', 'retracted', 'lapsed', 'resumed', 'flagged', "
            "'nudged', 'claimed', 'departed', 'adjudicated', 'substituted', 'credited')",
            name=op.f("ck_events_kind"),
        ),
        sa.CheckConstraint("length(hash) = 64", name=op.f("ck_events_hash")),
        sa.CheckConstraint("seq >= 1", name=op.f("ck_events_seq")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_events_match_id")),
        sa.PrimaryKeyConstraint("match_id", "seq", name=op.f("pk_events")),
        sa.UniqueConstraint("interaction_id", name=op.f("uq_events_interaction_id")),
        sqlite_strict=True,
    )
    op.create_table(
        "news",
        sa.Column("user_id", NUMBER, nullable=False),
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("version", NUMBER, nullable=False),
        sa.Column("notice", sa.Text(), nullable=False),
        sa.Column("at", NUMBER, nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_news_match_id")),
        sa.PrimaryKeyConstraint("user_id", "match_id", "version", "notice", name=op.f("pk_news")),
        sqlite_strict=True,
    )
    op.create_table(
        "outbox",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("slot", sa.Text(), nullable=True),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("holds_up", NUMBER, nullable=False),
        sa.Column("due_at", NUMBER, nullable=False),
        sa.Column("attempts", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.Column("may_exist", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.Column("tried_at", NUMBER, nullable=True),
        sa.Column("lease_by", sa.Text(), nullable=True),
        sa.Column("lease_until", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.CheckConstraint("key LIKE '%_:_%'", name=op.f("ck_outbox_key")),
        sa.CheckConstraint("may_exist IN (0, 1)", name=op.f("ck_outbox_may_exist")),
        sa.CheckConstraint("holds_up IN (0, 1)", name=op.f("ck_outbox_holds_up")),
        sa.CheckConstraint("(lease_by IS NULL) = (lease_until = 0)", name=op.f("ck_outbox_lease")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("ix_outbox_key", "outbox", ["key", "id"], unique=False)
    op.create_index("ix_outbox_due_at", "outbox", ["due_at"], unique=False)
    op.create_index(
        "ix_outbox_lease_until",
        "outbox",
        ["lease_until"],
        unique=False,
        sqlite_where=sa.text("lease_until > 0"),
        postgresql_where=sa.text("lease_until > 0"),
    )
    op.create_index(
        "ix_outbox_trouble",
        "outbox",
        ["trouble"],
        unique=False,
        sqlite_where=sa.text("trouble IS NOT NULL"),
        postgresql_where=sa.text("trouble IS NOT NULL"),
    )
    op.create_table(
        "favourites",
        sa.Column("user_id", NUMBER, nullable=False),
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("at", NUMBER, nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_favourites_match_id")),
        sa.PrimaryKeyConstraint("user_id", "match_id", name=op.f("pk_favourites")),
        sqlite_strict=True,
    )
    op.create_index("ix_favourites_user_id", "favourites", ["user_id", "at"], unique=False)
    op.create_table(
        "notes",
        sa.Column("user_id", NUMBER, nullable=False),
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("ply", NUMBER, nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("at", NUMBER, nullable=False),
        sa.CheckConstraint("ply >= 0", name=op.f("ck_notes_ply")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_notes_match_id")),
        sa.PrimaryKeyConstraint("user_id", "match_id", "ply", name=op.f("pk_notes")),
        sqlite_strict=True,
    )
    op.create_table(
        "plans",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("player", NUMBER, nullable=False),
        sa.Column("ply", NUMBER, nullable=False),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.CheckConstraint("player >= 0 AND ply >= 0", name=op.f("ck_plans_counts")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_plans_match_id")),
        sa.PrimaryKeyConstraint("match_id", "player", name=op.f("pk_plans")),
        sqlite_strict=True,
    )
    op.create_table(
        "posts",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("audience", NUMBER, nullable=False),
        sa.Column("channel_id", NUMBER, nullable=False),
        sa.Column("message_id", NUMBER, nullable=False),
        sa.Column("version", NUMBER, nullable=False),
        sa.CheckConstraint(
            "kind IN ('offer', 'board', 'line', 'started', 'untold', 'departed', 'word', 'draw', "
            "'takeback', 'pause', 'abort')",
            name=op.f("ck_posts_kind"),
        ),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_posts_match_id")),
        sa.PrimaryKeyConstraint("match_id", "kind", "audience", name=op.f("pk_posts")),
        sqlite_strict=True,
    )
    op.create_table(
        "reminders",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("since", NUMBER, nullable=False),
        sa.Column("hours", NUMBER, nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_reminders_match_id")),
        sa.PrimaryKeyConstraint("match_id", "since", "hours", name=op.f("pk_reminders")),
        sqlite_strict=True,
    )
    op.create_table(
        "results",
        sa.Column("number", NUMBER, autoincrement=True, nullable=False),
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("guild_id", NUMBER, nullable=True),
        sa.Column("at", NUMBER, nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_results_match_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_results")),
        sa.UniqueConstraint("match_id", name=op.f("uq_results_match_id")),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_table(
        "jobs",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("version", NUMBER, nullable=False),
        sa.Column("level", NUMBER, nullable=False),
        sa.Column("user_id", NUMBER, nullable=True),
        sa.Column("guild_id", NUMBER, nullable=True),
        sa.Column("due_at", NUMBER, nullable=False),
        sa.Column("attempts", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.Column("lease_by", sa.Text(), nullable=True),
        sa.Column("lease_until", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.CheckConstraint("kind IN ('turn', 'review')", name=op.f("ck_jobs_kind")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_jobs_match_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
        sa.UniqueConstraint("match_id", "kind", name=op.f("uq_jobs_match_id")),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("ix_jobs_due_at", "jobs", ["due_at"], unique=False)
    op.create_table(
        "reviews",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("plies", NUMBER, nullable=False),
        sa.Column("reviewed", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.Column("moves", sa.Text(), server_default=sa.text("'[]'"), nullable=False),
        sa.CheckConstraint("reviewed BETWEEN 0 AND plies", name=op.f("ck_reviews_reviewed")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_reviews_match_id")),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_reviews")),
        sqlite_strict=True,
    )
    op.create_table(
        "seats",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("user_id", NUMBER, nullable=False),
        sa.Column("active", NUMBER, nullable=False),
        sa.CheckConstraint("active IN (0, 1)", name=op.f("ck_seats_active")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_seats_match_id")),
        sa.PrimaryKeyConstraint("match_id", "user_id", name=op.f("pk_seats")),
        sqlite_strict=True,
    )
    op.create_index(
        "ix_seats_active_user",
        "seats",
        ["user_id"],
        unique=False,
        sqlite_where=sa.text("active = 1"),
        postgresql_where=sa.text("active = 1"),
    )
    op.create_index("ix_seats_user_id", "seats", ["user_id"], unique=False)
    op.create_table(
        "unreached",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("since", NUMBER, nullable=False),
        sa.Column("player", NUMBER, nullable=False),
        sa.Column("began_at", NUMBER, nullable=False),
        sa.Column("ended_at", NUMBER, nullable=True),
        sa.Column("settled", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.CheckConstraint("settled IN (0, 1)", name=op.f("ck_unreached_settled")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_unreached_match_id")),
        sa.PrimaryKeyConstraint("match_id", "since", name=op.f("pk_unreached")),
        sqlite_strict=True,
    )
    op.create_index(
        "ix_unreached_began_at",
        "unreached",
        ["began_at"],
        unique=False,
        sqlite_where=sa.text("settled = 0"),
        postgresql_where=sa.text("settled = 0"),
    )
    op.create_table(
        "placings",
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("player", NUMBER, nullable=False),
        sa.Column("user_id", NUMBER, nullable=False),
        sa.Column("rank", NUMBER, nullable=False),
        sa.Column("points", NUMBER, nullable=False),
        sa.CheckConstraint("rank >= 0 AND player >= 0", name=op.f("ck_placings_counts")),
        sa.ForeignKeyConstraint(["number"], ["results.number"], name=op.f("fk_placings_number")),
        sa.PrimaryKeyConstraint("number", "player", name=op.f("pk_placings")),
        sqlite_strict=True,
    )
    op.create_index("ix_placings_user_id", "placings", ["user_id", "number"], unique=False)
    _make_tournaments()


def _make_tournaments() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("version", NUMBER, nullable=False),
        sa.Column("head_hash", sa.Text(), nullable=False),
        sa.Column("guild_id", NUMBER, nullable=False),
        sa.Column("channel_id", NUMBER, nullable=False),
        sa.Column("message_id", NUMBER, nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("search", sa.Text(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("setup", sa.Text(), nullable=False),
        sa.Column("lots", NUMBER, nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("is_over", NUMBER, nullable=False),
        sa.Column("created_by", NUMBER, nullable=True),
        sa.Column("created_at", NUMBER, nullable=False),
        sa.Column("updated_at", NUMBER, nullable=False),
        sa.Column("closes", NUMBER, nullable=False),
        sa.Column("begins", NUMBER, nullable=False),
        sa.Column("finish", NUMBER, nullable=False),
        sa.Column("paused_at", NUMBER, nullable=True),
        sa.Column("rounds", sa.Text(), nullable=False),
        sa.Column("ladder", sa.Text(), nullable=False),
        sa.Column("entrants", NUMBER, nullable=False),
        sa.Column("due_at", NUMBER, nullable=True),
        sa.Column("previous_id", sa.Text(), nullable=True),
        sa.Column("next_id", sa.Text(), nullable=True),
        sa.Column("home_gone", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.Column("troubles", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("set_aside_at", NUMBER, nullable=True),
        sa.CheckConstraint(
            "status IN ('registration', 'closed', 'running', 'finished', 'cancelled')",
            name=op.f("ck_tournaments_status"),
        ),
        sa.CheckConstraint(
            "is_over IN (0, 1) AND home_gone IN (0, 1)", name=op.f("ck_tournaments_flags")
        ),
        sa.CheckConstraint("length(head_hash) = 64", name=op.f("ck_tournaments_hash")),
        sa.CheckConstraint("length(id) = 10", name=op.f("ck_tournaments_id")),
        sa.CheckConstraint("version >= 1 AND entrants >= 0", name=op.f("ck_tournaments_counts")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournaments")),
        sqlite_strict=True,
    )
    op.create_index("ix_tournaments_channel_id", "tournaments", ["channel_id"], unique=False)
    op.create_index(
        "ix_tournaments_due_at",
        "tournaments",
        ["due_at"],
        unique=False,
        sqlite_where=sa.text("due_at IS NOT NULL"),
        postgresql_where=sa.text("due_at IS NOT NULL"),
    )
    op.create_index(
        "ix_tournaments_guild_id",
        "tournaments",
        ["guild_id", "is_over", "created_at"],
        unique=False,
    )
    op.create_table(
        "tournament_directors",
        sa.Column("tournament_id", sa.Text(), nullable=False),
        sa.Column("position", NUMBER, nullable=False),
        sa.Column("user_id", NUMBER, nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name=op.f("fk_tournament_directors_tournament_id"),
        ),
        sa.PrimaryKeyConstraint("tournament_id", "position", name=op.f("pk_tournament_directors")),
        sqlite_strict=True,
    )
    op.create_index(
        "ix_tournament_directors_user_id", "tournament_directors", ["user_id"], unique=False
    )
    op.create_table(
        "tournament_entrants",
        sa.Column("tournament_id", sa.Text(), nullable=False),
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("user_id", NUMBER, nullable=True),
        sa.Column("rating", NUMBER, nullable=True),
        sa.Column("standing", sa.Text(), nullable=False),
        sa.Column("since", NUMBER, nullable=False),
        sa.Column("missed", sa.Text(), nullable=False),
        sa.Column("byes", sa.Text(), nullable=False),
        sa.Column("time_losses", NUMBER, nullable=False),
        sa.Column("is_warned", NUMBER, nullable=False),
        sa.CheckConstraint(
            "standing IN ('active', 'withdrawn', 'excluded')",
            name=op.f("ck_tournament_entrants_standing"),
        ),
        sa.CheckConstraint("is_warned IN (0, 1)", name=op.f("ck_tournament_entrants_is_warned")),
        sa.CheckConstraint(
            "number >= 1 AND since >= 1 AND time_losses >= 0",
            name=op.f("ck_tournament_entrants_counts"),
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_tournament_entrants_tournament_id")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "number", name=op.f("pk_tournament_entrants")),
        sqlite_strict=True,
    )
    op.create_index(
        "ix_tournament_entrants_user_id", "tournament_entrants", ["user_id"], unique=False
    )
    op.create_table(
        "tournament_events",
        sa.Column("tournament_id", sa.Text(), nullable=False),
        sa.Column("seq", NUMBER, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("at", NUMBER, nullable=False),
        sa.Column("user_id", NUMBER, nullable=True),
        sa.Column("subject_id", NUMBER, nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("interaction_id", NUMBER, nullable=True),
        sa.Column("prev_hash", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "(seq = 1) = (prev_hash = '')", name=op.f("ck_tournament_events_genesis")
        ),
        sa.CheckConstraint("length(hash) = 64", name=op.f("ck_tournament_events_hash")),
        sa.CheckConstraint("seq >= 1", name=op.f("ck_tournament_events_seq")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_tournament_events_tournament_id")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "seq", name=op.f("pk_tournament_events")),
        sa.UniqueConstraint("interaction_id", name=op.f("uq_tournament_events_interaction_id")),
        sqlite_strict=True,
    )
    op.create_index(
        "ix_tournament_events_subject_id",
        "tournament_events",
        ["subject_id"],
        unique=False,
        sqlite_where=sa.text("subject_id IS NOT NULL"),
        postgresql_where=sa.text("subject_id IS NOT NULL"),
    )
    op.create_index(
        "ix_tournament_events_user_id",
        "tournament_events",
        ["user_id"],
        unique=False,
        sqlite_where=sa.text("user_id IS NOT NULL"),
        postgresql_where=sa.text("user_id IS NOT NULL"),
    )
    op.create_table(
        "tournament_games",
        sa.Column("tournament_id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("drawn", NUMBER, nullable=False),
        sa.Column("position", NUMBER, nullable=False),
        sa.Column("round", NUMBER, nullable=False),
        sa.Column("board", NUMBER, nullable=False),
        sa.Column("numbers", sa.Text(), nullable=False),
        sa.Column("tie", sa.Text(), nullable=False),
        sa.Column("division", NUMBER, nullable=False),
        sa.Column("until", NUMBER, nullable=False),
        sa.Column("has_begun", NUMBER, nullable=False),
        sa.Column("points", sa.Text(), nullable=True),
        sa.Column("how", sa.Text(), nullable=True),
        sa.Column("late", sa.Text(), nullable=True),
        sa.Column("match_id", sa.Text(), nullable=True),
        sa.Column("ended_at", NUMBER, nullable=True),
        sa.CheckConstraint(
            "(has_begun = 1) = (match_id IS NOT NULL)", name=op.f("ck_tournament_games_match")
        ),
        sa.CheckConstraint(
            "(points IS NULL) = (how IS NULL)", name=op.f("ck_tournament_games_result")
        ),
        sa.CheckConstraint("has_begun IN (0, 1)", name=op.f("ck_tournament_games_has_begun")),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_tournament_games_match_id")
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_tournament_games_tournament_id")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "game", name=op.f("pk_tournament_games")),
        sa.UniqueConstraint("match_id", name=op.f("uq_tournament_games_match_id")),
        sqlite_strict=True,
    )
    op.create_index(
        "ix_tournament_games_ended_at",
        "tournament_games",
        ["ended_at"],
        unique=False,
        sqlite_where=sa.text("ended_at IS NOT NULL AND points IS NULL"),
        postgresql_where=sa.text("ended_at IS NOT NULL AND points IS NULL"),
    )
    op.create_table(
        "fans",
        sa.Column("user_id", NUMBER, nullable=False),
        sa.Column("other_id", NUMBER, nullable=False),
        sa.Column("guild_id", NUMBER, nullable=False),
        sa.Column("at", NUMBER, nullable=False),
        sa.CheckConstraint("user_id <> other_id", name=op.f("ck_fans_not_oneself")),
        sa.PrimaryKeyConstraint("user_id", "other_id", "guild_id", name=op.f("pk_fans")),
        sqlite_strict=True,
    )
    op.create_index("ix_fans_other_id", "fans", ["other_id", "guild_id"], unique=False)
    op.create_table(
        "follows",
        sa.Column("user_id", NUMBER, nullable=False),
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("at", NUMBER, nullable=False),
        sa.Column("channel_id", NUMBER, nullable=True),
        sa.Column("message_id", NUMBER, nullable=True),
        sa.CheckConstraint(
            "(channel_id IS NULL) = (message_id IS NULL)", name=op.f("ck_follows_message")
        ),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_follows_match_id")),
        sa.PrimaryKeyConstraint("user_id", "match_id", name=op.f("pk_follows")),
        sqlite_strict=True,
    )
    op.create_index("ix_follows_match_id", "follows", ["match_id"], unique=False)
