"""What people and servers choose, whom people block, and what counts towards limits."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go to this revision from the one before."""
    op.create_index(
        "ix_matches_running_guild",
        "matches",
        ["guild_id"],
        unique=False,
        sqlite_where=sa.text("status = 'running'"),
        postgresql_where=sa.text("status = 'running'"),
    )
    op.create_table(
        "people",
        sa.Column("user_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("version", NUMBER, nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("digest_at", NUMBER, nullable=True),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_people")),
        sqlite_strict=True,
    )
    op.create_index(
        "ix_people_digest_at",
        "people",
        ["digest_at"],
        unique=False,
        sqlite_where=sa.text("digest_at IS NOT NULL"),
        postgresql_where=sa.text("digest_at IS NOT NULL"),
    )
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
        "servers",
        sa.Column("guild_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("version", NUMBER, nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_servers")),
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
        "reminders",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("ply", NUMBER, nullable=False),
        sa.Column("hours", NUMBER, nullable=False),
        sa.Column("player", NUMBER, nullable=False),
        sa.Column("due_at", NUMBER, nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_reminders_match_id")),
        sa.PrimaryKeyConstraint("match_id", "ply", "hours", name=op.f("pk_reminders")),
        sqlite_strict=True,
    )
    op.create_index(
        "ix_reminders_due_at",
        "reminders",
        ["due_at"],
        unique=False,
        sqlite_where=sa.text("due_at IS NOT NULL"),
        postgresql_where=sa.text("due_at IS NOT NULL"),
    )
