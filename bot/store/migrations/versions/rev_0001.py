"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go to this revision from the one before."""
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
        sa.Column("draw_agreed", sa.Text(), nullable=False),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("created_at", NUMBER, nullable=False),
        sa.Column("updated_at", NUMBER, nullable=False),
        sa.Column("expires_at", NUMBER, nullable=True),
        sa.Column("head_hash", sa.Text(), nullable=False),
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
            "status IN ('offered', 'running', 'finished', 'aborted', 'declined', "
            "'withdrawn', 'expired')",
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
        "ix_matches_offer_expiry",
        "matches",
        ["expires_at"],
        unique=False,
        sqlite_where=sa.text("status = 'offered'"),
        postgresql_where=sa.text("status = 'offered'"),
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
        "ix_matches_running_home",
        "matches",
        ["home_id"],
        unique=False,
        sqlite_where=sa.text("status = 'running'"),
        postgresql_where=sa.text("status = 'running'"),
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
            "kind IN ('offered', 'joined', 'started', 'left', 'declined', "
            "'withdrawn', 'expired', 'moved', 'resigned', 'aborted', "
            "'draw_offered', 'draw_accepted', 'draw_declined')",
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
        "outbox",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("version", NUMBER, nullable=False),
        sa.Column("ply", NUMBER, nullable=False),
        sa.Column("audience", NUMBER, nullable=False),
        sa.Column("notice", sa.Text(), nullable=True),
        sa.Column("target_channel_id", NUMBER, nullable=True),
        sa.Column("target_message_id", NUMBER, nullable=True),
        sa.Column("due_at", NUMBER, nullable=False),
        sa.Column("attempts", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.Column("may_exist", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.Column("lease_by", sa.Text(), nullable=True),
        sa.Column("lease_until", NUMBER, server_default=sa.text("0"), nullable=False),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "(kind = 'notice') = (notice IS NOT NULL)", name=op.f("ck_outbox_is_notice")
        ),
        sa.CheckConstraint(
            "(kind = 'retire') = (target_message_id IS NOT NULL)", name=op.f("ck_outbox_is_retire")
        ),
        sa.CheckConstraint(
            "kind IN ('offer', 'offer_update', 'thread', 'board', 'retire', 'notice')",
            name=op.f("ck_outbox_kind"),
        ),
        sa.CheckConstraint(
            "notice IN ('turn', 'started', 'declined', 'draw_offered', 'draw_declined', 'over')",
            name=op.f("ck_outbox_notice"),
        ),
        sa.CheckConstraint("may_exist IN (0, 1)", name=op.f("ck_outbox_may_exist")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_outbox_match_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("ix_outbox_match_id", "outbox", ["match_id", "id"], unique=False)
    op.create_table(
        "posts",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("audience", NUMBER, nullable=False),
        sa.Column("channel_id", NUMBER, nullable=False),
        sa.Column("message_id", NUMBER, nullable=False),
        sa.Column("version", NUMBER, nullable=False),
        sa.CheckConstraint("kind IN ('offer', 'board')", name=op.f("ck_posts_kind")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_posts_match_id")),
        sa.PrimaryKeyConstraint("match_id", "kind", "audience", name=op.f("pk_posts")),
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
